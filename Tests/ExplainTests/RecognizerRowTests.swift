import Basics
import Explain
import Testing
import Trace

/// What a receipt says of each recognizer that received a touch.
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
        "the content touch delay reports its time and the touch's fate",
        arguments: [
            ("up f1 @0.300", "held the touch 150.000 ms, then released it: its time is up"),
            ("up f1 @0.080", "held the touch 80.000 ms, then released it: the finger lifted"),
            ("move f1 (100,60) @0.050", "held the touch 50.000 ms, then discarded it: the drag began"),
        ])
    func contentTouchDelay(next: String, sentence: String) throws {
        let end = next.hasPrefix("up") ? "" : "\nup f1 @0.400"
        #expect(try rows(list, "down f1 (100,80) @0.000\n\(next)\(end)")[delay] == sentence)
    }

    @Test("the content touch delay names the recognizer that took its touch")
    func takenFromContentTouchDelay() throws {
        let nested = window(
            """
            - name: outer
              class: UIScrollView
              frame: [0, 0, 375, 400]
              contentSize: [375, 1200]
              subviews:
                - name: inner
                  class: UIScrollView
                  frame: [0, 0, 375, 200]
                  contentSize: [900, 200]
                - name: pressed
                  frame: [0, 200, 375, 200]
                  gestures: [{ name: press, class: UILongPressGestureRecognizer, minimumPressDuration: 0.1 }]
            """)
        let dragged = try rows(
            nested,
            """
            down f1 (100,150) @0.000
            move f1 (100,120) @0.050
            up   f1 @0.400
            """)
        #expect(
            dragged["content touch delay on UIScrollView \"inner\""]
                == "held the touch 150.000 ms, then discarded it: pan on UIScrollView \"outer\" took it")
        let pressed = try rows(nested, "down f1 (100,300) @0.000\nup f1 @0.400")
        #expect(
            pressed["content touch delay on UIScrollView \"outer\""]
                == "held the touch 150.000 ms, then discarded it: press on UIView \"pressed\" took it")
    }

    @Test("a second touch on a single-touch view gives that reason", arguments: [0.05, 0.3])
    func secondFinger(landing: Double) throws {
        let fingers = try explained(
            list,
            playing: """
                down f1 (100,80) @0.000
                down f2 (150,80) @\(landing)
                up   f1 @0.600
                up   f2 @0.700
                """)
        #expect(
            fingers.map { $0.recognizers.first { $0.name == delay }?.sentence } == [
                "held the touch 150.000 ms, then released it: its time is up",
                "held the touch 0.000 ms, then discarded it: UIView \"row\" accepts one touch, and has another",
            ])
        #expect(fingers.last?.cause == .ignored("UIView \"row\" accepts one touch, and has another"))
    }

    @Test("a touch refused by touchesShouldBegin keeps its own reason")
    func refusedBesideReleased() {
        var explain = Explain()
        let delay = ResolvedFact.Value.word("content touch delay on UIScrollView")
        for touch in [7, 8] as [Int64] {
            explain.add("input-kit", .device, "contact {a} down at ({b:f}, {c:f})", .number(touch))
            explain.add(
                "system-server", .router, "contact {a} → {b:n}, until it lifts: touch {c}", .number(touch),
                .word("app:1"), .number(touch))
            explain.add("app1", .event, "touch {a} began at ({b:p}, {c:p})", .number(touch))
            explain.add("app1", .gesture, "touch {a} received by {b:n}", .number(touch), delay, .number(0), .number(3))
        }
        explain.add(
            "app1", .gesture, "touch {a} discarded: touchesShouldBegin of {b:n} returned false", .number(7),
            .word("UIScrollView"), .number(150_000_000), .number(3))
        explain.add(
            "app1", .gesture, "{a:n} released its touches after {b:t}: {c:n}", delay, .number(150_000_000),
            .word("its time is up"), .number(3))
        #expect(
            explain.interactions.map { $0.recognizers.first?.sentence } == [
                "held the touch 150.000 ms, then discarded it: touchesShouldBegin of UIScrollView returned false",
                "held the touch 150.000 ms, then released it: its time is up",
            ])
    }

    @Test("a touch that stops a scroll is discarded with that reason")
    func caught() throws {
        let fingers = try explained(
            list,
            playing: """
                down f1 (100,300) @0.000
                move f1 (100,200) @0.050
                move f1 (100,100) @0.100
                up   f1 @0.110
                down f2 (100,80) @0.300
                up   f2 @0.350
                """)
        #expect(
            fingers.last?.recognizers.first { $0.name == delay }?.sentence
                == "held the touch 0.000 ms, then discarded it: it stopped UIScrollView \"list\" as it scrolled")
    }

    @Test(
        "a recognizer cancelled after acting names what took the touch",
        arguments: [
            ("interrupt call @0.700", "a call", "call"), ("home @0.700", "home", "home"),
        ])
    func cancelledAfterActing(act: String, taker: String, word: String) throws {
        let all = try explained(
            window(
                """
                - name: Y
                  frame: [50, 50, 100, 100]
                  gestures: [{ name: press, class: UILongPressGestureRecognizer, action: pressed }]
                """),
            playing: "down f1 (100,100) @0.000\n\(act)\nup f1 @1.000")
        let finger = try #require(all.first)
        #expect(
            finger.lines.dropFirst() == [
                "  press on UIView \"Y\"  acted: began, cancelled",
                "  told: UIView \"Y\"  touchesBegan, touchesCancelled",
                "  press on UIView \"Y\" → pressed, 2 times",
                "  cancelled: \(taker)",
                "  so: press on UIView \"Y\" was recognized, then cancelled: pressed",
            ])
        #expect(finger.cause.code == "recognized" && finger.cancelledBy?.code == word)
        #expect(finger.recognizers.map(\.verdict) == [.cancelled])
    }

    @Test("touch monitors and system gestures are distinct causes")
    func takers() throws {
        for (template, value, word, text) in [
            ("touch {a} pilfered by monitor {b}", .number(2), "takenByMonitor", "cancelled: pilfered by monitor 2"),
            ("touch {a} taken by the system: {b:n}", .word("home"), "takenBySystem", "cancelled: system gesture: home"),
        ] as [(String, ResolvedFact.Value, String, String)] {
            var explain = Explain()
            explain.add("input-kit", .device, "contact {a} down at ({b:f}, {c:f})", .number(1))
            explain.add(
                "system-server", .router, "contact {a} → {b:n}, until it lifts: touch {c}", .number(1), .word("app:1"),
                .number(7))
            explain.add("app1", .event, "touch {a} began at ({b:p}, {c:p})", .number(7))
            explain.add("system-server", .router, template, .number(7), value)
            explain.add("app1", .event, "touch {a} cancelled", .number(7))
            let finger = try #require(explain.interactions.first)
            #expect(finger.cause.code == word && "\(finger.cause)" == text)
            #expect(finger.lines.count == 2, "\(finger.lines)")
        }
    }

    @Test("a refused scroll gives its measure and limit")
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

    @Test("a recognizer failed by its own code says so")
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

    /// The facts of one touch that two recognizers of one name receive: the first fails, the second acts.
    private func namesakes() -> Explain {
        var explain = Explain()
        let tap = ResolvedFact.Value.word("tap on UIView")
        let (own, view) = (ResolvedFact.Value.word("tap"), ResolvedFact.Value.word("UIView"))
        explain.add("input-kit", .device, "contact {a} down at ({b:f}, {c:f})", .number(1), .number(0), .number(0))
        explain.add(
            "system-server", .router, "contact {a} → {b:n}, until it lifts: touch {c}", .number(1), .word("app:1"),
            .number(7))
        explain.add("app1", .event, "touch {a} began at ({b:p}, {c:p})", .number(7), .number(0), .number(0))
        explain.add("app1", .gesture, "touch {a} received by {b:n}", .number(7), tap, .number(0), .number(1))
        explain.add("app1", .gesture, "touch {a} received by {b:n}", .number(7), tap, .number(0), .number(2))
        explain.add("app1", .gesture, "{a:n} on {b:n} ended", own, view, .number(0), .number(1))
        explain.add("app1", .gesture, "{a:n} on {b:n} ended", own, view, .number(0), .number(2))
        explain.add("app1", .gesture, "{a:n} failed: excluded by {b:n}", tap, tap, .number(2), .number(1))
        explain.add("app1", .gesture, "{a:n} acts: {b:n}", tap, .word("ended"), .number(0), .number(2))
        explain.add("app1", .action, "→ {a:n}", .word("open"))
        explain.add("app1", .gesture, "{a:n} reset", tap, .number(0), .number(0), .number(1))
        explain.add("app1", .gesture, "{a:n} reset", tap, .number(0), .number(0), .number(2))
        return explain
    }

    @Test("two recognizers of one name are two rows, the actor named")
    func alike() throws {
        let finger = try #require(namesakes().interactions.first)
        #expect(finger.recognizers.map(\.name) == ["tap on UIView", "tap on UIView (2)"])
        #expect(finger.recognizers.map(\.sentence) == ["failed: excluded by tap on UIView (2)", "acted: ended"])
        #expect(finger.cause == .recognized("tap on UIView (2)", in: "ended", actions: ["open"]))
    }
}
