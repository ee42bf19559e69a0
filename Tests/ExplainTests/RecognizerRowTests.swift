import Basics
import Explain
import Testing
import Trace

/// What a receipt says of each recognizer that heard a finger.
@Suite("A recognizer's row")
struct RecognizerRowTests {
    private func rows(_ windows: String, _ script: String) throws -> [String: String] {
        let all = try explained(windows, playing: script)
        let finger = try #require(all.count == 1 ? all[0] : nil)
        return Dictionary(uniqueKeysWithValues: finger.recognizers.map { ($0.name, $0.sentence) })
    }

    private let list = window(
        """
        - name: list
          class: UIScrollView
          frame: [0, 0, 375, 400]
          contentSize: [375, 2000]
          subviews: [{ name: row, frame: [0, 0, 375, 100] }]
        """)
    private let delay = "content touch delay on UIScrollView \"list\""

    @Test(
        "the content touch delay says how long it held, and what became of the touch",
        arguments: [
            ("up f1 @0.300", "held the touch 150.000 ms, then released it: its time is up"),
            ("up f1 @0.080", "held the touch 80.000 ms, then released it: the finger lifted"),
            ("move f1 (100,60) @0.050", "held the touch 50.000 ms, then discarded it: the drag began"),
        ])
    func contentTouchDelay(next: String, sentence: String) throws {
        let end = next.hasPrefix("up") ? "" : "\nup f1 @0.400"
        #expect(try rows(list, "down f1 (100,80) @0.000\n\(next)\(end)")[delay] == sentence)
    }

    @Test("a refused scroll says why, with the measure and the limit")
    func refusedScroll() throws {
        let sideways = try explained(
            list,
            playing: """
                down f1 (100,80) @0.000
                move f1 (130,80) @0.050
                up   f1 @0.100
                """)
        #expect(
            sideways.first?.cause
                == .failed(
                    "pan on UIScrollView \"list\"", "nothing to scroll sideways, 375.0 pt of content, room for 375.0 pt"
                ))
    }

    @Test("a recognizer that its own code fails says so")
    func ownCode() throws {
        let rows = try rows(
            window(
                """
                - name: Y
                  frame: [0, 0, 375, 400]
                  gestures: [{ name: d, class: UIShortTapGestureRecognizer, taps: 2 }]
                """),
            """
            down f1 (100,100) @0.000
            up   f1 @0.050
            """)
        #expect(rows == ["d on UIView \"Y\"": "failed: its own code set its state to failed"])
    }

    /// What an app notes of one touch that two recognizers of one name hear: the first fails, the second acts.
    private func namesakes() -> Explain {
        var explain = Explain()
        func note(_ process: String, _ station: Station, _ template: String, _ values: ToldFact.Value...) {
            explain.take(
                ToldFact(
                    at: Instant(seconds: 1), process: process, station: station, template: template, values: values))
        }
        let tap = ToldFact.Value.word("tap on UIView")
        let (own, view) = (ToldFact.Value.word("tap"), ToldFact.Value.word("UIView"))
        note("input-kit", .device, "contact {a} down at ({b:f}, {c:f})", .number(1), .number(0), .number(0))
        note(
            "system-server", .router, "contact {a} → {b:n}, until it lifts: touch {c}", .number(1), .word("app:1"),
            .number(7))
        note("app1", .event, "touch {a} began at ({b:p}, {c:p})", .number(7), .number(0), .number(0))
        note("app1", .gesture, "touch {a} heard by {b:n}", .number(7), tap, .number(0), .number(1))
        note("app1", .gesture, "touch {a} heard by {b:n}", .number(7), tap, .number(0), .number(2))
        note("app1", .gesture, "{a:n} on {b:n} ended", own, view, .number(0), .number(1))
        note("app1", .gesture, "{a:n} on {b:n} ended", own, view, .number(0), .number(2))
        note("app1", .gesture, "{a:n} failed: excluded by {b:n}", tap, tap, .number(2), .number(1))
        note("app1", .gesture, "{a:n} acts: {b:n}", tap, .word("ended"), .number(0), .number(2))
        note("app1", .action, "→ {a:n}", .word("open"))
        note("app1", .gesture, "{a:n} reset", tap, .number(0), .number(0), .number(1))
        note("app1", .gesture, "{a:n} reset", tap, .number(0), .number(0), .number(2))
        return explain
    }

    @Test("two recognizers of one name are two rows, and the one that acted is named")
    func alike() throws {
        let finger = try #require(namesakes().interactions.first)
        #expect(finger.recognizers.map(\.name) == ["tap on UIView", "tap on UIView (2)"])
        #expect(finger.recognizers.map(\.sentence) == ["failed: excluded by tap on UIView (2)", "acted: ended"])
        #expect(finger.cause == .recognized("tap on UIView (2)", in: "ended", actions: ["open"]))
    }
}
