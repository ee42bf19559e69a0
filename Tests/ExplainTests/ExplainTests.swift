import Explain
import Testbed
import Testing
import Trace

@Suite("The root cause of each interaction")
struct ExplainTests {

    private static let tap = """
        down f1 (100,100) @0.000
        up   f1 @0.080
        """

    private func one(_ windows: String, _ script: String = tap, settings: String = "") throws -> Interaction {
        let all = try explained(windows, playing: script, settings: settings)
        return try #require(all.count == 1 ? all[0] : nil, "\(all.map(\.lines))")
    }

    // MARK: Actions

    @Test("a tapped button's explanation names event, target and position")
    func button() throws {
        let tapped = try one(
            window("- { name: plus, class: UIButton, frame: [50, 50, 100, 100], on: { touchUpInside: add } }"))
        #expect(
            tapped.lines == [
                "finger 1 at 100.0,100.0, down for 80.000 ms: app1, UIButton \"plus\" in UIWindow \"W\"",
                "  told: UIButton \"plus\"  touchesBegan, touchesEnded",
                "  touchUpInside of UIButton \"plus\" → add",
                "  so: touchUpInside of UIButton \"plus\" called add",
            ])
        #expect(tapped.cause.isAction)
        #expect(tapped.receivers == ["UIButton \"plus\" touchesBegan", "UIButton \"plus\" touchesEnded"])
    }

    @Test("a recognizer that acted is the cause; excluded ones name it")
    func recognised() throws {
        let tapped = try one(
            window(
                """
                - name: Y
                  frame: [50, 50, 100, 100]
                  gestures:
                    - { name: tap, class: UITapGestureRecognizer, action: tapped }
                    - { name: press, class: UILongPressGestureRecognizer, action: pressed }
                """))
        #expect(tapped.cause.code == "recognized")
        #expect(tapped.actions.map(\.target) == ["tapped"])
        #expect(tapped.recognizers.map(\.name) == ["tap on UIView \"Y\"", "press on UIView \"Y\""])
        #expect(
            tapped.recognizers.map(\.sentence) == [
                "acted: ended", "failed: lifted after 80.000 ms, needs 500.000 ms",
            ])
    }

    @Test("two touches are two interactions, each with view and cause")
    func fingers() throws {
        let all = try explained(
            window(
                """
                - { name: left, class: UIButton, frame: [0, 0, 100, 100], on: { touchUpInside: l } }
                - { name: right, class: UIButton, frame: [200, 0, 100, 100], on: { touchUpInside: r } }
                """),
            playing: """
                down f1 (50,50) @0.000
                down f2 (250,50) @0.010
                up   f1 @0.100
                up   f2 @0.200
                """)
        #expect(all.map(\.hit.view) == ["UIButton \"left\"", "UIButton \"right\""])
        #expect(all.map { $0.actions.map(\.target) } == [["l"], ["r"]])
    }

    @Test("an action belongs to the touch that lifted on the button")
    func twoFingersOnOneButton() throws {
        let all = try explained(
            window("- { name: plus, class: UIButton, frame: [50, 50, 100, 100], on: { touchUpInside: add } }"),
            playing: """
                down f1 (100,100) @0.000
                down f2 (120,100) @0.100
                up   f1 @0.300
                up   f2 @0.500
                """)
        #expect(all.map { $0.actions.map(\.target) } == [["add"], []])
    }

    @Test("two buttons with one name each keep their own touch's action")
    func namesakes() {
        var explain = Explain()
        for number in [1, 2] as [Int64] {
            explain.add("input-kit", .device, "contact {a} down at ({b:f}, {c:f})", .number(number))
            explain.add(
                "system-server", .router, "contact {a} → {b:n}, until it lifts: touch {c}", .number(number),
                .word("app:1"), .number(number + 4))
            explain.add("app1", .event, "touch {a} began at ({b:p}, {c:p})", .number(number + 4))
            explain.add(
                "app1", .hitTest, "touch {a} → {b:n} in {d:n}, after testing {c} views", .number(number + 4),
                .word("UIButton"), .number(3), .word("UIWindow"))
            explain.add("app1", .responder, "{a:n} touchesBegan", .word("UIButton"), .number(number + 5))
        }
        explain.add("app1", .event, "touch {a} ended at ({b:p}, {c:p})", .number(5))
        explain.add("app1", .responder, "{a:n} touchesEnded", .word("UIButton"), .number(6))
        explain.add("app1", .action, "{a:n} → {b:n}", .word("touchUpInside"), .word("left"))
        #expect(explain.interactions.map { $0.actions.map(\.target) } == [["left"], []])
        #expect(
            explain.interactions.map(\.receivers) == [
                ["UIButton touchesBegan", "UIButton touchesEnded"], ["UIButton touchesBegan"],
            ])
    }

    @Test("both taps of a double tap have its recognizer's action")
    func doubleTap() throws {
        let all = try explained(
            window(
                """
                - name: Y
                  frame: [50, 50, 100, 100]
                  gestures: [{ name: twice, class: UITapGestureRecognizer, taps: 2, action: doubled }]
                """),
            playing: """
                down f1 (100,100) @0.000
                up   f1 @0.060
                down f1 (100,100) @0.150
                up   f1 @0.210
                """)
        #expect(all.count == 2)
        #expect(all.allSatisfy { $0.cause.code == "recognized" && $0.actions.map(\.target) == ["doubled"] })
    }

    // MARK: A view received the touch, and no action followed

    @Test("a failed recognizer is explained with measure and limit")
    func failed() throws {
        let strayed = try one(
            window(
                """
                - name: Y
                  frame: [50, 50, 100, 100]
                  gestures: [{ name: press, class: UILongPressGestureRecognizer, action: pressed }]
                """),
            """
            down f1 (100,100) @0.000
            move f1 (150,100) @0.100
            up   f1 @0.200
            """)
        #expect(strayed.cause == .failed("press on UIView \"Y\"", "moved 50.0 pt, limit 10.0 pt"))
        #expect(!strayed.cause.isAction)
        #expect(strayed.lines.last == "  nothing: press on UIView \"Y\" failed: moved 50.0 pt, limit 10.0 pt")
    }

    @Test("a touch on a plain view is unclaimed")
    func unclaimed() throws {
        let touched = try one(window("- { name: Y, frame: [50, 50, 100, 100] }"))
        #expect(touched.cause == .unclaimed(view: "UIView \"Y\""))
    }

    @Test("a disabled button is the cause although another view was hit")
    func disabled() throws {
        let touched = try one(
            window(
                "- { name: b, class: UIButton, frame: [50, 50, 100, 100], enabled: false, on: { touchUpInside: add } }"
            ))
        #expect(touched.cause == .disabled("UIButton \"b\""))
    }

    @Test("a view without user interaction is the cause")
    func passedOver() throws {
        let touched = try one(
            window(
                """
                - name: panel
                  frame: [50, 50, 100, 100]
                  userInteractionEnabled: false
                  subviews:
                    - { name: b, class: UIButton, frame: [0, 0, 100, 100], on: { touchUpInside: add } }
                """))
        #expect(touched.cause == .passedOver("UIView \"panel\"", hit: "UIView \"root\""))
    }

    @Test("a double tap that waits is undecided, then failed")
    func undecided() throws {
        let script = """
            down f1 (100,100) @0.000
            up   f1 @0.060
            """
        let waited = try one(
            window(
                """
                - name: Y
                  frame: [50, 50, 100, 100]
                  gestures: [{ name: twice, class: UITapGestureRecognizer, taps: 2, action: doubled }]
                """), script)
        guard case .failed(let name, let why) = waited.cause else {
            Issue.record("\(waited.cause)")
            return
        }
        #expect(name == "twice on UIView \"Y\"")
        #expect(why.hasPrefix("no tap for "))
    }

    // MARK: No view

    @Test("a touch outside every window has the cause noView")
    func noView() throws {
        let touched = try one(
            """
            - name: W
              frame: [200, 200, 100, 100]
              view: { name: root, frame: [0, 0, 100, 100] }
            """)
        guard case .noView = touched.cause else {
            Issue.record("\(touched.cause)")
            return
        }
    }

    // MARK: No app

    @Test("a touch on a locked screen lands on nothing")
    func locked() throws {
        let touched = try one(
            window("- { name: Y, frame: [50, 50, 100, 100] }"),
            """
            lock @0.000
            down f1 (100,100) @0.100
            up   f1 @0.200
            """)
        #expect(touched.cause == .landedOnNothing)
    }

    @Test("a touch on the home screen is taken by home")
    func home() throws {
        let touched = try one(
            window("- { name: Y, frame: [50, 50, 100, 100] }"),
            """
            home @0.000
            down f1 (100,100) @0.100
            up   f1 @0.200
            """)
        #expect(touched.cause == .taken(by: "home"))
    }

    @Test("a call that cancels a touch is the cause")
    func interrupted() throws {
        let touched = try one(
            window("- { name: Y, class: UIButton, frame: [50, 50, 100, 100], on: { touchUpInside: add } }"),
            """
            down f1 (100,100) @0.000
            interrupt call @0.100
            up   f1 @0.200
            """)
        #expect(touched.cause == .cancelled(by: .call))
        #expect(touched.cause.code == "call")
    }

    @Test("an app's death under a touch is the cause")
    func died() throws {
        let touched = try one(
            window("- { name: Y, class: UIButton, frame: [50, 50, 100, 100], on: { touchUpInside: add } }"),
            """
            down f1 (100,100) @0.000
            crash app @0.100
            up   f1 @0.200
            """)
        #expect(touched.cause == .appGone(app: "app1"))
    }

    // MARK: Input without a contact

    @Test("a key press is one interaction with its receivers")
    func key() throws {
        let pressed = try one(
            window("- { name: Y, frame: [50, 50, 100, 100] }"),
            """
            key a down @0.000
            key a up @0.100
            """)
        #expect(pressed.subject == .input("key hidden"))
        #expect(pressed.process == "app1")
        #expect(!pressed.receivers.isEmpty)
        #expect(pressed.ended != nil)
    }
}
