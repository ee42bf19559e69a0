import Basics
import Testing
import Trace

@Suite("Facts")
struct FactTests {

    @Test("a fact's text fills each placeholder of its template")
    func text() {
        var log = TraceLog()
        let name = log.intern("Counter")
        log.note(.boot, .router, "{a} → {b:n} after {c:t} at {d:f}", 3, name, 1_500_000, 32768)
        log.note(.boot, .event, "{a:p} pt, {b:x}, {e} and {a:q} are no places", Int64(points: 10.25), 255)
        #expect(
            log.facts.map { $0.text(names: log.names) } == [
                "3 → Counter after 1.500 ms at 0.500", "10.3 pt, 0xff, {e} and {a:q} are no places",
            ])
    }

    @Test("a name keeps its number after the facts are removed")
    func names() {
        var log = TraceLog()
        let first = log.intern("Y")
        log.removeFacts()
        #expect(log.intern("R") != first)
        #expect(log.intern("Y") == first)
    }

    @Test("a disabled trace keeps no facts")
    func disabled() {
        var log = TraceLog()
        log.isEnabled = false
        log.note(.boot, .device, "down")
        log.probe(.boot, .responder, "touchesBegan Y")
        #expect(log.facts.isEmpty)
    }

    @Test("a disabled trace does not evaluate the text of its facts")
    func disabledWords() {
        var made = 0
        func word() -> String {
            made += 1
            return "word"
        }
        var log = TraceLog()
        log.isEnabled = false
        log.note(.boot, .device, "{a:n}", log.intern(word()))
        log.probe(.boot, .responder, word())
        #expect(made == 0)
        log.isEnabled = true
        log.note(.boot, .device, "{a:n}", log.intern(word()))
        log.probe(.boot, .responder, word())
        #expect(made == 2)
        #expect(log.facts.map { $0.text(names: log.names) } == ["word", "word"])
    }

    @Test("a trace line survives the file, and a cut line is refused")
    func file() throws {
        let line = TraceLine(
            at: Instant(nanoseconds: 42), process: "app1", station: .responder, isProbe: true, text: "a\tb")
        #expect(TraceLine(fileText: line.fileText()) == line)
        #expect(TraceLine(fileText: "42\tapp1\tresponder") == nil)
        #expect(TraceLine(fileText: "42\tapp1\tnowhere\t!\tx") == nil)
    }

    @Test("times of a trace file count from its headers")
    func origin() throws {
        var log = TraceLog()
        let start = Instant(nanoseconds: 5_000_000_000)
        log.note(start.advanced(by: .milliseconds(2)), .gesture, "undecided until {a:m}", 5_500_000_000)
        let header = TraceOrigin(start, isGroupStart: true)
        let line = log.facts[0].line(process: "app1", names: log.names, since: start)
        let text = line.fileText(since: start)
        #expect(text == "2000000\tapp1\tgesture\t-\tundecided until 500.000 ms")
        #expect(TraceOrigin(fileText: header.fileText) == header)
        for end in header.fileText.indices { #expect(TraceOrigin(fileText: header.fileText[..<end]) == nil, "cut") }
        #expect(TraceOrigin(fileText: text) == nil && TraceLine(fileText: header.fileText) == nil)
        let own = TraceOrigin(.boot, isGroupStart: false)
        #expect(TraceOrigin(fileText: own.fileText) == own)
        let read = TraceLine.lines(
            ofFile: [header.fileText, text, own.fileText, text, "2000000\tapp1"].joined(separator: "\n"))
        #expect(read.map(\.at) == [line.at, Instant(nanoseconds: 2_000_000)])
        #expect(read.first == line)
    }

    @Test("merged traces are in order of time, then of each process")
    func merging() {
        func line(_ at: Int64, _ process: String, _ text: String) -> TraceLine {
            TraceLine(at: Instant(nanoseconds: at), process: process, station: .loop, isProbe: false, text: text)
        }
        let server = [line(1, "s", "a"), line(3, "s", "d")]
        let app = [line(1, "a", "b"), line(1, "a", "c"), line(2, "a", "x")]
        #expect(merged([server, app]).map(\.text) == ["a", "b", "c", "x", "d"])
    }

    @Test("a trace line's text has the time right-aligned and the station left-aligned")
    func canonical() {
        let line = TraceLine(
            at: Instant(nanoseconds: 500_000_000), process: "app1", station: .gesture, isProbe: false, text: "began")
        #expect(line.description == "  500.000 ms  gesture    began")
        #expect(line.text(since: Instant(nanoseconds: 499_000_000)) == "    1.000 ms  gesture    began")
    }

    @Test("an event passes thirteen stations")
    func stations() {
        #expect(Station.eventStations.count == 13)
        #expect(Station.eventStations.first == .device && Station.eventStations.last == .action)
    }
}
