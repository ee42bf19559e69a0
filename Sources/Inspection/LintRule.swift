// LintRule.swift: the rules of `touchline lint`, as one table.
//
// Input     Lint.swift, which finds what a rule is about; Docs/Reference/Lint.md, which a test writes from the table
// Knows     words. No tree.
//
// Sources   the rules of Docs/Spec/Semantics.md that `rule` names
//           documented  Human Interface Guidelines: a target of at least 44 × 44 pt

/// A fault of a view tree for which touches do something else than a person expects.
public enum LintRule: String, CaseIterable, Sendable {
    case disabledRecognizer = "L01"
    case noInteraction = "L02"
    case hidden = "L03"
    case transparent = "L04"
    case covered = "L05"
    case noArea = "L06"
    case alwaysExcluded = "L07"
    case requirementCycle = "L08"
    case outsideSuperview = "L09"
    case smallTarget = "L10"
    case delayedContentTouches = "L11"
    case delayedTap = "L12"
    case systemEdge = "L13"
    case silentExclusion = "L14"

    /// What the rule finds.
    public var title: String { text.title }
    /// The value that a view without the fault has.
    public var limit: String { text.limit }
    /// Why touches do something else than a person expects.
    public var reason: String { text.reason }
    public var help: String { text.help }
    /// The rule of Docs/Spec/Semantics.md that decides it.
    public var rule: String { text.rule }

    private struct Text {
        var title, limit, reason, help, rule: String
    }

    private var text: Text {
        switch self {
        case .disabledRecognizer:
            Text(
                title: "disabled recognizer", limit: "isEnabled true",
                reason: "A disabled recognizer receives no touch, so its action never runs.",
                help: "Set isEnabled to true, or remove the recognizer.", rule: "B4.1")
        case .noInteraction:
            Text(
                title: "touch target without interaction", limit: "isUserInteractionEnabled true",
                reason:
                    "A hit test skips a view without interaction and everything inside it. Labels and image views begin "
                    + "without it.",
                help: "Set isUserInteractionEnabled to true.", rule: "B3.2")
        case .hidden:
            Text(
                title: "hidden touch target", limit: "isHidden false",
                reason: "A hit test skips a hidden view and everything inside it.",
                help: "Show the view before it is used, or remove it.", rule: "B3.2")
        case .transparent:
            Text(
                title: "transparent touch target", limit: "alpha at least 0.01",
                reason: "A hit test skips a view whose alpha is less than 0.01, and everything inside it.",
                help: "Use an alpha of at least 0.01, or a clear background color with an alpha of 1.", rule: "B3.2")
        case .covered:
            Text(
                title: "covered touch target", limit: "no view in front that takes every touch",
                reason:
                    "The hit test ends at the view in front, and neither the covered view nor its recognizers receive "
                    + "the touch.",
                help: "Move the view to the front, or set isUserInteractionEnabled of the covering view to false.",
                rule: "B3.1")
        case .noArea:
            Text(
                title: "touch target without area", limit: "more than 0 × 0 pt",
                reason: "No point is inside empty bounds, so no touch reaches the view or its subviews.",
                help: "Give the view a size. Subviews that are visible outside of it receive no touches.", rule: "B3.3")
        case .alwaysExcluded:
            Text(
                title: "recognizer that another one always excludes", limit: "one recognizer of a kind on a view",
                reason:
                    "Of two equal recognizers on one view, the one that was added last acts and excludes the other.",
                help: "Remove one of the two, or let a delegate answer shouldRecognizeSimultaneouslyWith with true.",
                rule: "B7.3")
        case .requirementCycle:
            Text(
                title: "failure requirements in a cycle", limit: "no cycle",
                reason:
                    "Each of the recognizers waits until the next one has failed, so none acts while the others are "
                    + "undecided.",
                help: "Remove one of the calls of require(toFail:).", rule: "B7.6")
        case .outsideSuperview:
            Text(
                title: "touch target outside its superview", limit: "inside the bounds of each view around it",
                reason:
                    "A hit test asks a superview first, and a point outside of it reaches no subview, even if the subview "
                    + "is visible there.",
                help: "Enlarge the superview, or override its point(inside:with:).", rule: "B3.4")
        case .smallTarget:
            Text(
                title: "small touch target", limit: "44 × 44 pt",
                reason:
                    "Only points inside the bounds are hits, and a finger is less precise than a smaller target needs.",
                help: "Enlarge the bounds, or override point(inside:with:) to accept points around them.", rule: "B3.3")
        case .delayedContentTouches:
            Text(
                title: "control in a scroll view that delays touches", limit: "0 ms",
                reason:
                    "The scroll view holds each touch until it knows that the finger does not scroll, so the control responds "
                    + "late.",
                help:
                    "Set delaysContentTouches to false, and let touchesShouldCancel(in:) return true for controls, so that "
                    + "dragging over them still scrolls.",
                rule: "B12.1")
        case .delayedTap:
            Text(
                title: "tap that waits for a double tap", limit: "0 ms",
                reason:
                    "The tap waits until the double tap has failed, which is when no second finger has landed in time.",
                help:
                    "Remove require(toFail:) if the tap's action may also run before a double tap's, or put the second "
                    + "action on another gesture.",
                rule: "B7.6")
        case .systemEdge:
            Text(
                title: "gesture at an edge of the system", limit: "no system gesture at the edge, or deferred",
                reason:
                    "A swipe from the upper or lower edge belongs to the system, which cancels the touch of the app.",
                help: "Override preferredScreenEdgesDeferringSystemGestures, or move the gesture away from the edge.",
                rule: "D8")
        case .silentExclusion:
            Text(
                title: "recognizers of one view that exclude each other", limit: "a delegate or a requirement decides",
                reason:
                    "The recognizer that begins first excludes the other, and nothing says which one the app prefers.",
                help: "Use require(toFail:), or let a delegate answer shouldRecognizeSimultaneouslyWith.", rule: "B7.1")
        }
    }
}
