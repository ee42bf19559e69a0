import Basics
import Foundation
import Inspection
import Scenarios
import Testbed
import Testing
import ViewTrees

@Suite("Lint")
struct LintTests {
    /// A scene with the fault of one rule, and a scene without it.
    struct RuleCase: Sendable, CustomTestStringConvertible {
        var finding, faulty, sound: String
        var testDescription: String { finding }
    }

    private static let rules: [RuleCase] = [
        RuleCase(
            finding: "L01 tap on UIView \"a\": isEnabled false",
            faulty: "- { name: a, frame: [0, 0, 100, 100], gestures: [{ name: tap, class: Tap, enabled: no }] }",
            sound: "- { name: a, frame: [0, 0, 100, 100], gestures: [{ name: tap, class: Tap, enabled: yes }] }"),
        RuleCase(
            finding: "L02 UILabel \"a\": isUserInteractionEnabled false",
            faulty: "- { name: a, class: UILabel, frame: [0, 0, 100, 100], gestures: [{ name: tap, class: Tap }] }",
            sound: """
                - { name: a, class: UILabel, frame: [0, 0, 100, 100], userInteractionEnabled: yes, gestures: [{ name: tap, class: Tap }] }
                """),
        RuleCase(
            finding: "L03 UIView \"a\": isHidden true, around UIButton \"b\"",
            faulty: """
                - { name: a, frame: [0, 0, 100, 100], hidden: yes, subviews: [{ name: b, frame: [0, 0, 50, 50], class: UIButton, on: { touchUpInside: go } }] }
                """,
            sound: """
                - { name: a, frame: [0, 0, 100, 100], subviews: [{ name: b, frame: [0, 0, 50, 50], class: UIButton, on: { touchUpInside: go } }] }
                """),
        RuleCase(
            finding: "L04 UIView \"a\": alpha 0",
            faulty: "- { name: a, frame: [0, 0, 100, 100], alpha: 0, gestures: [{ name: tap, class: Tap }] }",
            sound: "- { name: a, frame: [0, 0, 100, 100], alpha: 0.01, gestures: [{ name: tap, class: Tap }] }"),
        RuleCase(
            finding: "L05 UIView \"a\": UIView \"b\" in front of all of it",
            faulty: """
                - { name: a, frame: [10, 10, 100, 100], gestures: [{ name: tap, class: Tap }] }
                - { name: b, frame: [0, 0, 200, 200] }
                """,
            sound: """
                - { name: a, frame: [10, 10, 100, 100], gestures: [{ name: tap, class: Tap }] }
                - { name: b, frame: [0, 0, 200, 200], userInteractionEnabled: no }
                - { name: c, frame: [20, 0, 200, 200] }
                """),
        RuleCase(
            finding: "L06 UIView \"a\": 100 × 0 pt",
            faulty: "- { name: a, frame: [0, 0, 100, 0], gestures: [{ name: tap, class: Tap }] }",
            sound: "- { name: a, frame: [0, 0, 100, 50], gestures: [{ name: tap, class: Tap }] }"),
        RuleCase(
            finding: "L07 first on UIView \"a\": second was added later",
            faulty: """
                - { name: a, frame: [0, 0, 100, 100], gestures: [{ name: first, class: Tap }, { name: second, class: Tap }] }
                """,
            sound: """
                - { name: a, frame: [0, 0, 100, 100], gestures: [{ name: first, class: Tap }, { name: second, class: Tap, touches: 2 }] }
                """),
        RuleCase(
            finding: "L08 s on UIView \"a\": s on UIView \"a\" → t on UIView \"a\" → s on UIView \"a\"",
            faulty: """
                - { name: a, frame: [0, 0, 100, 100], gestures: [{ name: s, class: Swipe, direction: up, requireToFail: [a.t] }, { name: t, class: Swipe, direction: down, requireToFail: [a.s] }] }
                """,
            sound: """
                - { name: a, frame: [0, 0, 100, 100], gestures: [{ name: s, class: Swipe, direction: up, requireToFail: [a.t] }, { name: t, class: Swipe, direction: down }] }
                """),
        RuleCase(
            finding: "L09 UIButton \"b\": 20 pt above UIView \"bar\"",
            faulty: """
                - { name: bar, frame: [0, 300, 375, 49], subviews: [{ name: b, frame: [150, -20, 60, 60], class: UIButton, on: { touchUpInside: go } }] }
                """,
            sound: """
                - { name: bar, frame: [0, 300, 375, 60], subviews: [{ name: b, frame: [150, 0, 60, 60], class: UIButton, on: { touchUpInside: go } }] }
                """),
        RuleCase(
            finding: "L10 UIButton \"b\": 100 × 40 pt",
            faulty: "- { name: b, frame: [0, 0, 100, 40], class: UIButton, on: { touchUpInside: go } }",
            sound: """
                - { name: b, frame: [0, 0, 100, 44], class: UIButton, on: { touchUpInside: go } }
                - { name: s, frame: [0, 100, 51, 31], class: UISwitch, on: { valueChanged: go } }
                - { name: h, frame: [0, 200, 30, 30], hitInsets: [10, 10, 10, 10], class: UIButton, on: { touchUpInside: go } }
                """),
        RuleCase(
            finding: "L11 UIScrollView \"s\": 150 ms, for UIButton \"b\"",
            faulty: """
                - { name: s, class: UIScrollView, frame: [0, 0, 375, 300], subviews: [{ name: b, frame: [0, 0, 100, 50], class: UIButton, on: { touchUpInside: go } }] }
                """,
            sound: """
                - { name: s, class: UIScrollView, frame: [0, 0, 375, 300], delaysContentTouches: no, subviews: [{ name: b, frame: [0, 0, 100, 50], class: UIButton, on: { touchUpInside: go } }] }
                """),
        RuleCase(
            finding: "L12 one on UIView \"a\": 350 ms after the lift, for two",
            faulty: """
                - { name: a, frame: [0, 0, 100, 100], gestures: [{ name: one, class: Tap, requireToFail: [a.two] }, { name: two, class: Tap, taps: 2 }] }
                """,
            sound: """
                - { name: a, frame: [0, 0, 100, 100], gestures: [{ name: one, class: Tap }, { name: two, class: Tap, taps: 2 }] }
                """),
        RuleCase(
            finding: "L13 edge on UIView \"a\": the lower edge, not deferred",
            faulty: """
                - { name: a, frame: [0, 0, 375, 667], gestures: [{ name: edge, class: ScreenEdgePan, edges: bottom }] }
                """,
            sound:
                "- { name: a, frame: [0, 0, 375, 667], gestures: [{ name: edge, class: ScreenEdgePan, edges: left }] }"),
        RuleCase(
            finding: "L14 pan and swipe on UIView \"a\": the pan begins after 10 pt, the swipe needs 50 pt",
            faulty: """
                - { name: a, frame: [0, 0, 375, 300], gestures: [{ name: pan, class: Pan }, { name: swipe, class: Swipe }] }
                """,
            sound: """
                - { name: a, frame: [0, 0, 375, 300], gestures: [{ name: pan, class: Pan, requireToFail: [a.swipe] }, { name: swipe, class: Swipe }] }
                """),
    ]

    @Test("lint finds the fault of a rule, and nothing in a scene without it", arguments: rules)
    func rule(_ example: RuleCase) throws {
        #expect(try tree(example.faulty).shortFindings == [example.finding])
        #expect(try tree(example.sound).shortFindings == [])
    }

    @Test("an app that defers an edge keeps its gesture there")
    func deferred() throws {
        let view =
            "- { name: a, frame: [0, 0, 375, 667], gestures: [{ name: edge, class: ScreenEdgePan, edges: bottom }] }"
        let deferring = try tree(view, window: "controller: { name: VC, defers: bottom }")
        #expect(deferring.shortFindings == [])
    }

    @Test("a view that hit-tests itself has no finding about places")
    func ownHitTest() throws {
        let views = """
            - { name: a, frame: [10, 10, 100, 100], gestures: [{ name: tap, class: Tap }] }
            - { name: b, frame: [0, 0, 200, 200], passThrough: yes }
            """
        #expect(try tree(views).shortFindings == [])
    }

    @Test("a turned view has no finding about places")
    func turned() throws {
        let views = """
            - name: a
              frame: [100, 100, 30, 30]
              transform: { rotate: 30 }
              gestures: [{ name: tap, class: Tap }]
            """
        let turned = try tree(views)
        #expect(turned.view("a")?.corners?.count == 4)
        #expect(turned.shortFindings == [])
    }

    @Test("a delegate decides about two recognizers, and lint does not")
    func delegated() throws {
        let views = """
            - name: a
              frame: [0, 0, 300, 300]
              gestures:
                - { name: first, class: Pinch, delegate: { simultaneous: yes } }
                - { name: second, class: Rotation }
            """
        #expect(try tree(views).shortFindings == [])
    }

    @Test("content of a scroll view may be outside its bounds")
    func scrolled() throws {
        let views = """
            - name: s
              class: UIScrollView
              frame: [0, 0, 375, 300]
              delaysContentTouches: no
              contentSize: [375, 2000]
              subviews:
                - { name: b, frame: [0, 900, 100, 50], class: UIButton, on: { touchUpInside: go } }
            """
        #expect(try tree(views).shortFindings == [])
    }

    @Test("each finding has a reason, a help and a rule of the specification")
    func words() throws {
        let semantics = try String(
            contentsOf: Repository.root.appending(path: "Docs/Spec/Semantics.md"), encoding: .utf8)
        for rule in LintRule.allCases {
            #expect(rule.reason.hasSuffix("."), "\(rule)")
            #expect(rule.help.hasSuffix("."), "\(rule)")
            #expect(semantics.contains("<a id=\"\(rule.rule)\"></a>"), "\(rule) stands on \(rule.rule)")
        }
    }

    @Test("a tree of 10,000 views is linted within seconds")
    func huge() throws {
        var huge = ViewTree(state: .active, sceneFrame: ViewTree.Frame(x: 0, y: 0, width: 375, height: 667))
        huge.views.append(
            ViewTree.View(
                identity: 1, depth: 0, className: "UIWindow", kind: "UIWindow",
                frame: ViewTree.Frame(x: 0, y: 0, width: 375, height: 667)))
        for index in 0..<10_000 {
            var view = ViewTree.View(
                identity: UInt32(index + 2), depth: 1, className: "UIButton", kind: "UIButton",
                frame: ViewTree.Frame(x: Double(index % 300), y: Double(index % 600), width: 44, height: 44))
            view.control = ViewTree.Control()
            huge.views.append(view)
        }
        #expect(huge.lintFindings.isEmpty)
    }

    // MARK: The page

    @Test("Docs/Reference/Lint.md lists the rules")
    func page() {
        let rows = LintRule.allCases.map { rule in
            [
                "<a id=\"\(rule.rawValue)\"></a>\(rule.rawValue)", rule.title, rule.limit, rule.reason, rule.help,
                "[\(rule.rule)](../Spec/Semantics.md#\(rule.rule))",
            ]
        }
        let table = markdownTable(["code", "finding", "expected", "reason", "what helps", "rule"], rows)
        expectDocument("Docs/Reference/Lint.md", equals: Self.introduction + "\n" + table + "\n")
    }

    private static let introduction = """
        # Lint

        `touchline lint SCENE` and `touchline lint --live` look for these faults in the view tree of a scene or of a running app. A
        test writes this page from the table of the rules, `Sources/Inspection/LintRule.swift`.

        A *touch target* is a view with an enabled recognizer of the app, or an enabled control with an action. Lint reports a fault
        only if it is one for certain. It says nothing where an app's own code may decide otherwise: views that override a hit test,
        recognizers with a delegate, subclasses of recognizers, turned views. It does not know what a later change of the tree brings:
        a hidden view may be shown later, and a disabled recognizer enabled.

        The smallest size is that of Apple's Human Interface Guidelines. Controls whose size the system chooses (switches, sliders,
        steppers, segmented controls, page controls, text fields) are left out. The edges of the system are its upper and lower edge;
        a group has system gestures there if `systemGesture.enabled` is set, a phone always has.

        """
}
