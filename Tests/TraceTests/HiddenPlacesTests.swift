import Basics
import Testing

@testable import Trace

@Suite("Redaction of positions") struct HiddenPlacesTests {
    private let moment = Instant(nanoseconds: 5_000_000)

    private func texts(hidden: Bool, _ note: (inout TraceLog) -> Void) -> [String] {
        var log = TraceLog()
        log.hidesPositions = hidden
        note(&log)
        let told = log.facts.map { $0.resolved(by: "app1", names: log.names).text }
        #expect(log.facts.map { $0.text(names: log.names) } == told)
        return told
    }

    private func note(_ log: inout TraceLog) {
        log.note(
            moment, .event, "touch {a} began at ({b:p}, {c:p})", 7, Int64(points: 187.5), Int64(points: -0.0))
        log.note(moment, .device, "contact {a} down at ({b:f}, {c:f})", 1, 32768, -1)
        let (tap, why) = (log.intern("tap"), log.intern("moved 50.0 pt, limit 45.0 pt"))
        log.note(moment, .gesture, "{a:n}: {b:n} after {c:t}", tap, why, 80_000_000)
        log.probe(moment, .hitTest, "event v1 location=(187.50,333.50) taps=2")
        log.note(moment, .frame, "#{a} {b:x}", 12, 255)
    }

    @Test("redaction removes positions from the text of facts and nothing else")
    func hidden() {
        #expect(
            texts(hidden: false, note) == [
                "touch 7 began at (187.5, 0.0)", "contact 1 down at (0.500, 0.000)",
                "tap: moved 50.0 pt, limit 45.0 pt after 80.000 ms", "event v1 location=(187.50,333.50) taps=2",
                "#12 0xff",
            ])
        #expect(
            texts(hidden: true, note) == [
                "touch 7 began at (hidden, hidden)", "contact 1 down at (hidden, hidden)",
                "tap: moved hidden pt, limit hidden pt after 80.000 ms", "event v1 location=(hidden) taps=2",
                "#12 0xff",
            ])
    }

    @Test("redaction removes positions from the numbers of facts")
    func numbers() {
        var log = TraceLog()
        log.hidesPositions = true
        note(&log)
        #expect(Fact.isHidden(log.facts[0].b) && Fact.isHidden(log.facts[0].c) && log.facts[0].a == 7)
        #expect(Fact.isHidden(log.facts[1].b) && Fact.isHidden(log.facts[1].c) && log.facts[1].a == 1)
        #expect(log.facts[2].c == 80_000_000 && log.facts[4].b == 255)
    }

    @Test(
        "redaction tells positions in a text from other numbers",
        arguments: [
            ("UIButton \"7\"", "UIButton \"7\""), ("(7)", "(7)"), ("(a,b)", "(a,b)"), ("(1,2", "(1,2"), ("(,)", "(,)"),
            ("(-1.5, 2) and (3,4,5,6)", "(hidden) and (hidden)"), ("5.0 ms", "5.0 ms"), ("12 pt/s", "hidden pt/s"),
            ("a turn of 20.5°", "a turn of hidden°"), ("ä(1,2)ö", "ä(hidden)ö"), ("", ""),
        ])
    func words(text: String, shown: String) { #expect(withoutPositions(text) == shown) }
}
