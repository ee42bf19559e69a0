import Basics
import Explain
import Testing
import Trace

@Suite("Steps of touches on secret content")
struct HiddenStepTests {
    @Test("an explanation of hidden positions has no position and no distance")
    func hidden() throws {
        var log = TraceLog()
        log.hidesPositions = true
        func note(_ station: Station, _ template: StaticString, _ a: Int64 = 0, _ b: Int64 = 0, _ c: Int64 = 0) {
            log.note(Instant(seconds: 1), station, template, a, b, c)
        }
        let (x, y) = (Int64(points: 77.25), Int64(points: 88.75))
        note(.event, "touch {a} began at ({b:p}, {c:p})", 7, x, y)
        note(.event, "touch {a} moved to ({b:p}, {c:p})", 7, y, x)
        note(.event, "touch {a} ended at ({b:p}, {c:p})", 7, y, x)
        var explain = Explain()
        explain.add("input-kit", .device, "contact {a} down at ({b:f}, {c:f})", .number(1))
        explain.add(
            "system-server", .router, "contact {a} → {b:n}, until it lifts: touch {c}", .number(1), .word("app:1"),
            .number(7))
        for fact in log.facts { explain.add(fact.resolved(by: "app1", names: log.names)) }
        let finger = try #require(explain.interactions.first)
        let story = finger.story(in: .english, since: .boot).joined(separator: "\n")
        #expect(story.contains("touch 7 begins; its position is secret"), "\(story)")
        #expect(story.contains("it ends\n") && !story.contains("pt") && !story.contains("("), "\(story)")
    }
}
