import Basics
import Exports
import Testbed
import Testing
import Trace

/// Returns facts of a group with one finger that taps a button, by hand.
private func tap(hidden: Bool = false) -> [ResolvedFact] {
    var device = TraceLog()
    device.hidesPositions = hidden
    var server = TraceLog()
    var app = TraceLog()
    app.hidesPositions = hidden
    func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
    device.note(at(10), .device, "contact {a} down at ({b:f}, {c:f})", 1, 32768, 16384)
    device.note(at(10), .frame, "#{a} {b:n}", 1, device.intern("one contact, began"))
    server.note(at(11), .router, "contact {a} → {b:n}, until it lifts: touch {c}", 1, server.intern("app:1"), 7)
    app.note(at(12), .inbox, "#{a}, depth {b}", 4, 1)
    app.note(at(12), .source1, "fetch loop woke")
    app.note(at(12), .queue, "one event, none coalesced")
    app.note(at(12), .event, "touch {a} began at ({b:p}, {c:p})", 7, Int64(points: 187.5), Int64(points: 40))
    app.note(
        at(12), .hitTest, "touch {a} → {b:n} in {d:n}, after testing {c} views", 7, app.intern("UIButton \"plus\""), 3,
        app.intern("UIWindow \"w\""))
    app.note(at(12), .responder, "{a:n} touchesBegan", app.intern("UIButton \"plus\""), 8)
    app.probe(at(12), .responder, "touchesBegan plus")
    device.note(at(90), .device, "contact {a} up at ({b:f}, {c:f})", 1, 32768, 16384)
    device.note(at(90), .frame, "#{a} {b:n}", 2, device.intern("one contact, ended"))
    app.note(at(92), .event, "touch {a} ended at ({b:p}, {c:p})", 7, Int64(points: 187.5), Int64(points: 40))
    app.note(at(92), .responder, "{a:n} touchesEnded", app.intern("UIButton \"plus\""), 8)
    app.note(at(92), .action, "{a:n} → {b:n}", app.intern("touchUpInside"), app.intern("add"))
    let logs = [("input-kit", device), ("system-server", server), ("app1", app)]
    let facts = logs.enumerated().flatMap { index, log in
        log.1.facts.map { (index, $0.resolved(by: log.0, names: log.1.names)) }
    }
    return facts.sorted { ($0.1.at, $0.0) < ($1.1.at, $1.0) }.map(\.1)
}

private func timeline(_ facts: [ResolvedFact]) -> Timeline {
    Timeline(facts: facts, origin: Instant(nanoseconds: 10_000_000))
}

@Suite("The timeline of a run")
struct TimelineTests {
    @Test("each fact is one mark at its station, and conformance lines are none")
    func marks() {
        let timeline = timeline(tap())
        #expect(timeline.processes == ["input-kit", "system-server", "app1"])
        #expect(timeline.marks.count == 14)
        #expect(timeline.marks.first?.name == "contact 1 down at (0.500, 0.250)")
        #expect(timeline.marks.first?.at == 0)
        #expect(timeline.marks.last?.at == 82_000_000)
        let stations = timeline.tracks.map { "\($0.process) \($0.station.rawValue)" }
        #expect(Set(stations).count == stations.count && stations.contains("app1 hitTest"))
    }

    @Test("a flow goes from the device to the action, once to each station")
    func flow() throws {
        let timeline = timeline(tap())
        let flow = try #require(timeline.flows.count == 1 ? timeline.flows[0] : nil)
        let stations = flow.marks.map { timeline.tracks[timeline.marks[$0].track].station }
        #expect(stations == [.device, .router, .event, .hitTest, .responder, .action])
        let steps = timeline.flowSteps
        #expect(flow.marks.map { steps[$0]?.first?.isFirst } == [true, false, false, false, false, false])
        #expect(flow.marks.map { steps[$0]?.first?.isLast } == [false, false, false, false, false, true])
    }

    @Test("contacts and touches are spans and counters")
    func spans() {
        let timeline = timeline(tap())
        #expect(timeline.spans.map(\.name) == ["contact 1", "touch 7"])
        #expect(timeline.spans.map(\.outcome) == ["up", "ended"])
        #expect(
            timeline.spans.map(\.begin) == [0, 2_000_000] && timeline.spans.map(\.end) == [80_000_000, 82_000_000])
        let down = timeline.counters.first { $0.name == "touches down" }
        #expect(down?.samples.map(\.value) == [1, 0])
        #expect(timeline.counters.first { $0.name == "inbox depth" }?.samples.map(\.value) == [1, 0])
    }

    @Test("spans of one time have lanes of their own, and an open span ends with the run")
    func lanes() {
        var log = TraceLog()
        for (time, contact) in [(0, 1), (5, 2), (20, 3)] as [(Int64, Int64)] {
            if contact == 3 { log.note(Instant(nanoseconds: 10), .device, "contact {a} up at ({b:f}, {c:f})", 1) }
            log.note(Instant(nanoseconds: time), .device, "contact {a} down at ({b:f}, {c:f})", contact)
        }
        log.note(Instant(nanoseconds: 30), .loop, "anything")
        let facts = log.facts.map { $0.resolved(by: "input-kit", names: log.names) }
        let spans = Timeline(facts: facts, origin: .boot).spans
        #expect(spans.map(\.lane) == [0, 1, 0])
        #expect(spans.map(\.end) == [10, 30, 30])
        #expect(spans.map(\.outcome) == ["up", "open", "open"])
    }

    @Test("sums count scans, contacts, touches, actions and facts")
    func sums() {
        let sums = RunSums(of: tap())
        #expect(sums.scans == 2)
        #expect(sums.contacts == [.began: 1, .ended: 1])
        #expect(
            sums.touches.map { "\($0.key.process) \($0.key.key) \($0.value)" }.sorted() == [
                "app1 began 1", "app1 ended 1",
            ])
        #expect(sums.actions == ["app1": 1])
        #expect(sums.facts.values.reduce(0, +) == 14)
    }

    @Test("hidden positions have no number in any export")
    func hidden() {
        let facts = tap(hidden: true)
        var table = FactTable(origin: .boot)
        var (csv, lines): ([UInt8], [UInt8]) = ([], [])
        for fact in facts {
            table.appendCSV(fact, to: &csv)
            table.appendNDJSON(fact, to: &lines)
        }
        let timeline = timeline(facts)
        let files = [csv, lines, ChromeTrace.bytes(of: timeline), PerfettoTrace.bytes(of: timeline)]
        let values = FactReaderValues(of: facts)
        #expect(values.hidden == 8)
        for bytes in files {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("(hidden, hidden)"))
            for sentinel in ["187.5", "0.500", "92211", "nan", "7ff8"] { #expect(!text.contains(sentinel)) }
            // The hidden value as a varint and as eight bytes.
            #expect(!contains(bytes, [0xCE, 0x88, 0xA5, 0xC2, 0x84]))
            #expect(!contains(bytes, [0x4E, 0x44, 0x49, 0x48, 0, 0, 0xF8, 0x7F]))
        }
        #expect(String(decoding: csv, as: UTF8.self).contains(",7,hidden,hidden,\n"))
        #expect(String(decoding: lines, as: UTF8.self).contains("{\"a\":7,\"b\":null,\"c\":null}"))
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }
}

/// The number of hidden values in facts.
private struct FactReaderValues {
    var hidden = 0

    init(of facts: [ResolvedFact]) {
        var reader = FactReader(origin: .boot)
        for fact in facts { hidden += reader.values(of: fact).count { $0.value == .hidden } }
    }
}
