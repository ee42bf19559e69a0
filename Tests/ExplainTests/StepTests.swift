import Basics
import Explain
import Testing

/// The steps that `touchline explain` prints.
@Suite("The steps of an interaction")
struct StepTests {
    private func story(_ windows: String, _ script: String, in language: Language = .english) throws -> [String] {
        let all = try explained(windows, playing: script)
        let finger = try #require(all.count == 1 ? all[0] : nil)
        return finger.story(in: language, since: finger.began).map { line in
            line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
    }

    private let tap = "down f1 (100,100) @0.000\nup   f1 @0.080"

    @Test("a tap on a button is told from the panel to the action")
    func button() throws {
        let lines = try story(
            window("- { name: plus, class: UIButton, frame: [50, 50, 100, 100], on: { touchUpInside: add } }"), tap)
        #expect(
            lines == [
                "finger 1 at 100.0,100.0, down for 80.000 ms: app1, UIButton \"plus\" in UIWindow \"W\"",
                "0.000 ms input-kit device the finger lands",
                "0.000 ms system-server router app1 receives it until it lifts",
                "0.000 ms app1 event touch 0 begins at (100.0, 100.0)",
                "0.000 ms app1 hitTest UIButton \"plus\" is hit, in UIWindow \"W\", after 3 views were asked",
                "0.000 ms app1 hitTest the responder chain goes on: UIView \"root\" → UIWindow \"W\" → UIApplication → "
                    + "SceneAppDelegate",
                "0.000 ms app1 responder UIButton \"plus\" is told touchesBegan",
                "0.000 ms app1 action UIButton \"plus\" begins tracking",
                "80.000 ms input-kit device the finger lifts",
                "80.000 ms app1 event app1 receives it in 2 events",
                "80.000 ms app1 event it ends, 0.0 pt from where it began",
                "80.000 ms app1 responder UIButton \"plus\" is told touchesEnded",
                "80.000 ms app1 action UIButton \"plus\" ends tracking",
                "80.000 ms app1 action touchUpInside calls add",
                "so: touchUpInside of UIButton \"plus\" called add",
            ])
    }

    @Test(
        "a view at the point that is not hit has its reason, with measure and limit",
        arguments: [
            ("hidden: yes", "it is hidden"), ("alpha: 0.005", "alpha is 0.005, limit 0.01"),
            ("passThrough: yes", "hitTest or point(inside:) answered otherwise"),
        ])
    func passedOver(property: String, reason: String) throws {
        let lines = try story(
            window(
                "- { name: cover, class: UIButton, frame: [50, 50, 100, 100], \(property), on: { touchUpInside: x } }"),
            tap)
        #expect(lines.contains("0.000 ms app1 hitTest UIButton \"cover\" is passed over: \(reason)"), "\(lines)")
        #expect(
            lines.last
                == "nothing: UIView \"root\" received it, and no recognizer or control acts on it; UIButton \"cover\" in front of it was passed "
                + "over: \(reason)")
    }

    @Test("a button outside its superview's bounds is passed over and named")
    func outside() throws {
        let lines = try story(
            window(
                """
                - name: bar
                  frame: [0, 0, 40, 40]
                  subviews: [{ name: plus, class: UIButton, frame: [50, 50, 100, 100], on: { touchUpInside: x } }]
                """), tap)
        #expect(
            lines.last
                == "nothing: UIView \"root\" received it, and no recognizer or control acts on it; UIButton \"plus\" in front of it was passed "
                + "over: the point is outside UIView \"bar\"")
    }

    @Test("a recognizer that does not receive the touch has its reason")
    func declined() throws {
        let lines = try story(
            window(
                """
                - name: Y
                  frame: [50, 50, 100, 100]
                  gestures:
                    - { name: off, class: UITapGestureRecognizer, enabled: no }
                    - { name: picky, class: UITapGestureRecognizer, delegate: { shouldReceive: no } }
                """), tap)
        #expect(lines.contains("0.000 ms app1 gesture off on UIView \"Y\" does not receive it: it is disabled"))
        #expect(
            lines.contains(
                "0.000 ms app1 gesture picky on UIView \"Y\" does not receive it: its delegate returned false for "
                    + "shouldReceive touch"))
    }

    @Test("moves and changes are counted, moves with the greatest distance")
    func moves() throws {
        let lines = try story(
            window(
                """
                - name: Y
                  frame: [0, 0, 300, 300]
                  gestures: [{ name: pan, class: UIPanGestureRecognizer, action: panned }]
                """),
            """
            down f1 (100,100) @0.000
            move f1 (120,100) @0.050
            move f1 (130,100) @0.100
            move f1 (110,100) @0.150
            up   f1 @0.200
            """)
        #expect(
            lines.contains("50.000 ms app1 event it moves, up to 30.0 pt from where it began, 3 times until 150.000 ms")
        )
        #expect(
            lines.contains(
                "100.000 ms app1 gesture pan on UIView \"Y\" enters the state changed, 2 times until 150.000 ms"))
    }

    @Test("the steps are told in Japanese and Chinese")
    func languages() throws {
        let view = window("- { name: Y, frame: [50, 50, 100, 100], hidden: yes }")
        #expect(try story(view, tap, in: .japanese).contains { $0.hasSuffix("UIView \"Y\" は対象外: 非表示") })
        #expect(try story(view, tap, in: .chinese).contains { $0.hasSuffix("跳过 UIView \"Y\":已隐藏") })
    }

    // MARK: Why not

    private func whyNot(_ part: String, _ windows: String, _ script: String? = nil) throws -> String {
        let finger = try #require(try explained(windows, playing: script ?? tap).first)
        let part = AskedPart(part)
        return finger.whyNot(part).text(of: part, in: .english, since: finger.began)
    }

    @Test("why-not answers for one view or recognizer")
    func whyNot() throws {
        let scene = window(
            """
            - name: Y
              frame: [50, 50, 100, 100]
              gestures:
                - { name: press, class: UILongPressGestureRecognizer }
                - { name: off, class: UITapGestureRecognizer, enabled: no }
            - { name: far, frame: [200, 200, 50, 50] }
            - { name: veil, frame: [0, 0, 300, 300], hidden: yes }
            """)
        #expect(
            try whyNot("Y.press", scene) == "press on UIView \"Y\" failed: lifted after 80.000 ms, needs 500.000 ms")
        #expect(try whyNot("Y.off", scene) == "off on UIView \"Y\" does not receive it: it is disabled")
        #expect(
            try whyNot("Y.other", scene) == "Y is on the way of the touch, and has no recognizer of this name: Y.other")
        #expect(try whyNot("far", scene) == "UIView \"Y\" is hit, and far is neither this view nor around it")
        #expect(try whyNot("veil", scene) == "UIView \"veil\" does not receive it: it is hidden")
    }

    @Test("a part that acted says so")
    func acted() throws {
        let scene = window(
            "- { name: plus, class: UIButton, frame: [50, 50, 100, 100], on: { touchUpInside: add } }")
        #expect(try whyNot("plus", scene) == "plus did act")
    }
}
