import Basics
import Testing
import Trace
import Wire
import ZeroMQHost

@Suite("Facts kept for observers")
struct ObservedFactsTests {

    private func log(_ count: Int, word: String = "") -> TraceLog {
        var log = TraceLog()
        for number in 0..<count {
            let name = log.intern(word.isEmpty ? "w\(number % 3)" : word)
            log.note(Instant(nanoseconds: Int64(number)), .gesture, "{a} of {b:n}, at {c:p}", Int64(number), name)
        }
        return log
    }

    private func page(_ observed: ObservedFacts, _ log: TraceLog, from: UInt64 = 0) -> FactPage {
        var page = FactPage(answering: Observation(id: 1, kind: .page, from: from), from: .app(1))
        observed.fill(&page, names: log.names)
        return page
    }

    private func observed(_ log: TraceLog) -> ObservedFacts {
        var observed = ObservedFacts()
        observed.handle(Observation(id: 1, kind: .begin))
        observed.append(log.facts[...])
        return observed
    }

    @Test("facts are kept only while an observer asks for them")
    func unobserved() {
        let log = log(3)
        var observed = ObservedFacts()
        observed.append(log.facts[...])
        #expect(page(observed, log).facts.isEmpty)
        observed.handle(Observation(id: 1, kind: .begin))
        observed.handle(Observation(id: 2, kind: .begin))
        observed.append(log.facts[...])
        observed.handle(Observation(id: 1, kind: .end))
        #expect(observed.isObserved && page(observed, log).facts.count == 3)
        observed.forget(2)
        #expect(!observed.isObserved && page(observed, log).facts.isEmpty)
    }

    @Test("the host adds no facts to the lines of a view tree")
    func treeLines() {
        let log = log(3)
        var page = FactPage(answering: Observation(id: 1, kind: .tree), from: .app(1))
        let isAppended = page.append(line: "tree")
        #expect(isAppended)
        let core = page
        observed(log).fill(&page, names: log.names)
        #expect(page == core)
    }

    @Test("an observed fact has the text of its trace line")
    func told() {
        let log = log(5)
        let told = page(observed(log), log).resolvedFacts
        #expect(told.map(\.text) == log.facts.map { $0.text(names: log.names) })
        #expect(told.map(\.at) == log.facts.map(\.at))
        #expect(told.allSatisfy { $0.process == "app1" && $0.station == .gesture })
        #expect(told[1].number(at: 0) == 1 && told[1].word(at: 1) == "w1")
    }

    @Test("pages of facts follow each other and each fits a frame")
    func pages() throws {
        let log = log(5000)
        let observed = observed(log)
        var (next, all): (UInt64, [ResolvedFact]) = (0, [])
        while true {
            let page = page(observed, log, from: next)
            let frame = Frame(epoch: 1, generation: 1, sequence: 1, message: .facts(page))
            #expect(try Frame.decode(packet: frame.encoded()).count == 1)
            #expect(page.first == next)
            all += page.resolvedFacts
            next += UInt64(page.facts.count)
            guard page.hasMore else { break }
        }
        #expect(all.map { $0.number(at: 0) } == (0..<5000).map { Int64($0) })
    }

    @Test("beyond the limit the oldest facts are dropped and counted")
    func bounded() {
        let extra = 1000
        let log = log(ObservedFacts.capacity + extra)
        let first = page(observed(log), log)
        #expect(first.missing == UInt64(extra))
        #expect(first.first == UInt64(extra))
        #expect(first.resolvedFacts.first?.number(at: 0) == Int64(extra))
    }

    @Test("a word longer than its share of a page is cut")
    func longWord() {
        let log = log(2, word: String(repeating: "ü", count: 100_000))
        let page = page(observed(log), log)
        #expect(page.facts.count == 2 && !page.hasMore)
    }

    @Test("asking for facts that do not exist yet returns an empty page")
    func early() {
        let log = log(3)
        #expect(page(observed(log), log, from: 3).facts.isEmpty)
        #expect(page(observed(log), log, from: .max).facts.isEmpty)
    }

    @Test("shifting a page's clock moves its facts and the moments they mention")
    func shifted() throws {
        var log = TraceLog()
        let (tap, view) = (log.intern("tap"), log.intern("UIView"))
        log.note(Instant(nanoseconds: 100), .gesture, "{a:n} on {b:n} undecided until {c:m}", tap, view, 350, 7)
        log.note(Instant(nanoseconds: 200), .gesture, "{a:n} released its touches after {b:t}: {c:n}", tap, 150, view)
        var page = page(observed(log), log)
        page.shift(byNanoseconds: 1000)
        let told = page.resolvedFacts
        #expect(told.map(\.at.nanoseconds) == [1100, 1200])
        #expect(told[0].number(at: 2) == 1350 && told[0].number(at: 3) == 7 && told[0].word(at: 0) == "tap")
        #expect(told[1].number(at: 1) == 150 && told[1].word(at: 2) == "UIView")
    }

    @Test("pages of facts contain no positions of secure windows")
    func secrets() throws {
        var (observed, log) = (ObservedFacts(), TraceLog())
        observed.handle(Observation(id: 1, kind: .begin))
        log.hidesPositions = true
        log.note(
            .boot, .event, "touch {a} began at ({b:p}, {c:p})", 1, Int64(points: 123.456), Int64(points: 567.891))
        log.note(.boot, .device, "contact {a} down at ({b:f}, {c:f})", 1, 0x1234_5678, 0x2345_6789)
        observed.append(log.facts[...])
        var page = FactPage(answering: Observation(id: 1, kind: .page), from: .app(1))
        observed.fill(&page, names: log.names)
        let bytes = Frame(epoch: 1, generation: 1, sequence: 1, message: .facts(page)).encoded()
        for secret in [Int64(points: 123.456), Int64(points: 567.891), 0x1234_5678, 0x2345_6789] {
            let pattern = withUnsafeBytes(of: secret.littleEndian) { Array($0) }
            #expect(!bytes.indices.dropLast(7).contains { Array(bytes[$0..<($0 + 8)]) == pattern })
        }
        #expect(
            page.resolvedFacts.map(\.text) == [
                "touch 1 began at (hidden, hidden)", "contact 1 down at (hidden, hidden)",
            ])
    }
}
