// Lint.swift: the faults of a view tree, found without a touch.
//
//     ViewTree ─▶ for each touch target: blocked? no area? covered? outside? small?   ─┐
//              ─▶ for each recognizer: disabled? excluded? in a cycle? waits?         ─┼─▶ findings, in the tree's order
//              ─▶ for each scroll view: delays its controls?                          ─┘
//
// A touch target is a view with an enabled recognizer of the app, or an enabled control with an action. Where an app's code
// may answer otherwise (its own hit test, a delegate, a subclass), lint finds nothing: a wrong finding is worse than a missing
// one.
//
// Input     a tree of a scene before its first touch, or of a running app
// Output    findings
// Knows     LintRule and geometry. No view.
//
// Sources   LintRule

import Basics
public import ViewTrees

/// One fault.
public struct LintFinding: Hashable, Sendable, Encodable {
    public let rule: LintRule
    /// The view or the recognizer: `UIButton "plus"`, `tap on UIView "card"`.
    public var subject: String
    /// The identity of the view.
    public var view: UInt32
    /// The found value: `40 × 40 pt`.
    public var measure: String

    private enum Key: String, CodingKey { case code, title, subject, view, measure, limit, reason, help, rule }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(rule.rawValue, forKey: .code)
        try fields.encode(rule.title, forKey: .title)
        try fields.encode(subject, forKey: .subject)
        try fields.encode(view, forKey: .view)
        try fields.encode(measure, forKey: .measure)
        try fields.encode(rule.limit, forKey: .limit)
        try fields.encode(rule.reason, forKey: .reason)
        try fields.encode(rule.help, forKey: .help)
        try fields.encode(rule.rule, forKey: .rule)
    }

    /// The finding for a person.
    public var lines: [String] {
        [
            "\(rule.rawValue)  \(rule.title): \(subject)", "     found \(measure); expected \(rule.limit)",
            "     \(rule.reason) (\(rule.rule))", "     \(rule.help)",
        ]
    }
}

extension ViewTree {
    /// The faults of the tree, by rule and in the order of the tree.
    public var lintFindings: [LintFinding] { Lint(self).findings }
}

private struct Lint {
    private let tree: ViewTree
    private let parents: [Int?]
    private(set) var findings: [LintFinding] = []

    /// For each view: the points at which a touch can reach it or a view inside it. Nil if the view or one around it is turned
    /// or hit-tests itself, so that lint does not know.
    private var reach: [ViewTree.Frame?] = []
    /// For each view: the view that keeps touches away by hidden, alpha or interaction: itself or one around it.
    private var blockers: [Int?] = []

    /// The shortest side of a touch target in points.
    private static let shortestSide = 44.0
    /// Points from the upper and lower edge in which system gestures begin (`systemGesture.zone`).
    private static let systemZone = 20.0
    /// Differences below this, in points, come from rounding.
    private static let tolerance = 0.5

    init(_ tree: ViewTree) {
        (self.tree, parents) = (tree, tree.parents)
        for (index, view) in tree.views.enumerated() {
            let parent = parents[index]
            blockers.append(parent.flatMap { blockers[$0] } ?? (view.admitsTouches ? nil : index))
            let isKnown = view.corners == nil && !view.hasOwnHitTest
            let outer = parent.map { reach[$0] } ?? view.frame
            reach.append(isKnown ? outer.map { $0.intersection(view.frame) } : nil)
        }
        findBlockedTargets()
        for index in tree.views.indices where isTarget(index) && blockers[index] == nil { checkPlace(of: index) }
        for index in tree.views.indices { checkRecognizers(of: index) }
        findCycles()
        for index in tree.views.indices { checkScrolling(of: index) }
        findings = findings.enumerated()
            .sorted { ($0.element.rule.rawValue, $0.offset) < ($1.element.rule.rawValue, $1.offset) }.map(\.element)
    }

    private mutating func add(_ rule: LintRule, _ index: Int, _ subject: String? = nil, _ measure: String) {
        let view = tree.views[index]
        findings.append(
            LintFinding(rule: rule, subject: subject ?? view.label, view: view.identity, measure: measure))
    }

    // MARK: Targets

    /// The recognizers that the app attached and that decide something.
    private func ownRecognizers(of index: Int) -> [ViewTree.Recognizer] {
        tree.views[index].recognizers.filter { !$0.isOfUIKit && $0.kind != "UIHoverGestureRecognizer" }
    }

    private func isUsedControl(_ index: Int) -> Bool {
        tree.views[index].control.map { $0.isEnabled && $0.hasActions } ?? false
    }

    private func isTarget(_ index: Int) -> Bool {
        isUsedControl(index) || ownRecognizers(of: index).contains(where: \.isEnabled)
    }

    private mutating func findBlockedTargets() {
        var blocked: [(blocker: Int, targets: [Int])] = []
        for index in tree.views.indices where isTarget(index) {
            guard let blocker = blockers[index] else { continue }
            if let place = blocked.firstIndex(where: { $0.blocker == blocker }) {
                blocked[place].targets.append(index)
            } else {
                blocked.append((blocker, [index]))
            }
        }
        for (blocker, targets) in blocked {
            let view = tree.views[blocker]
            let (rule, measure): (LintRule, String) =
                view.isHidden
                ? (.hidden, "isHidden true")
                : view.alpha < 0.01
                    ? (.transparent, "alpha \(shownNumber(view.alpha))")
                    : (.noInteraction, "isUserInteractionEnabled false")
            let others = targets.count > 1 ? " and \(targets.count - 1) more" : ""
            let inside = targets == [blocker] ? "" : ", around \(tree.views[targets[0]].label)\(others)"
            add(rule, blocker, nil, measure + inside)
        }
    }

    // MARK: Places

    private mutating func checkPlace(of index: Int) {
        let view = tree.views[index]
        if view.frame.isEmpty, !view.hasOwnHitTest, view.corners == nil {
            return add(.noArea, index, nil, "\(shownNumber(view.frame.width)) × \(shownNumber(view.frame.height)) pt")
        }
        checkSuperviews(of: index)
        checkSize(of: index)
        checkCover(of: index)
    }

    private mutating func checkSuperviews(of index: Int) {
        let view = tree.views[index]
        guard view.corners == nil else { return }
        // Beyond the screen no finger lands.
        let visible = view.frame.intersection(tree.bounds)
        guard !visible.isEmpty else { return }
        var outer = parents[index]
        while let superview = outer {
            let around = tree.views[superview]
            // A scroll view brings its content into its bounds. The answer of an override is unknown.
            guard around.scroll == nil, !around.hasOwnHitTest, around.corners == nil, around.depth > 0 else { return }
            let frame = around.frame
            let distances = [
                ("left of", frame.x - visible.x), ("right of", visible.maxX - frame.maxX),
                ("above", frame.y - visible.y), ("below", visible.maxY - frame.maxY),
            ]
            if let most = distances.max(by: { $0.1 < $1.1 }), most.1 > Self.tolerance {
                return add(.outsideSuperview, index, nil, "\(shownNumber(most.1)) pt \(most.0) \(around.label)")
            }
            outer = parents[superview]
        }
    }

    private mutating func checkSize(of index: Int) {
        let view = tree.views[index]
        // The system's controls have the sizes that the system gives them.
        let systemKinds = [
            "UISwitch", "UIStepper", "UISlider", "UISegmentedControl", "UIPageControl", "UITextField",
        ]
        let isTapped =
            isUsedControl(index)
            || ownRecognizers(of: index).contains { $0.isEnabled && $0.kind == "UITapGestureRecognizer" }
        guard isTapped, !systemKinds.contains(view.kind), view.corners == nil, !view.hasOwnHitTest else { return }
        guard min(view.frame.width, view.frame.height) < Self.shortestSide - Self.tolerance else { return }
        add(.smallTarget, index, nil, "\(shownNumber(view.frame.width)) × \(shownNumber(view.frame.height)) pt")
    }

    private mutating func checkCover(of index: Int) {
        guard let own = reach[index], !own.isEmpty else { return }
        // Views that follow in the tree and are not inside this one are in front of it.
        for front in tree.descendants(of: index).upperBound..<tree.views.count where blockers[front] == nil {
            guard let other = reach[front], other.contains(own) else { continue }
            return add(.covered, index, nil, "\(tree.views[front].label) in front of all of it")
        }
    }

    // MARK: Recognizers

    private func name(_ recognizer: ViewTree.Recognizer, _ index: Int) -> String {
        "\(recognizer.label) on \(tree.views[index].label)"
    }

    private mutating func checkRecognizers(of index: Int) {
        let own = ownRecognizers(of: index)
        for recognizer in own where !recognizer.isEnabled {
            add(.disabledRecognizer, index, name(recognizer, index), "isEnabled false")
        }
        let enabled = own.filter(\.isEnabled)
        for (place, first) in enabled.enumerated() {
            checkWaiting(first, index)
            checkEdge(first, index)
            for second in enabled[(place + 1)...] { check(first, second, index) }
        }
    }

    /// Checks two recognizers of one view, in the order in which they were added.
    private mutating func check(_ first: ViewTree.Recognizer, _ second: ViewTree.Recognizer, _ index: Int) {
        let areDecided =
            first.hasDelegate || second.hasDelegate || first.isSubclass || second.isSubclass
            || first.requiredToFail.contains(second.identity) || second.requiredToFail.contains(first.identity)
        guard !areDecided else { return }
        if first.isEqualGesture(to: second) {
            return add(.alwaysExcluded, index, name(first, index), "\(second.label) was added later")
        }
        guard let measure = exclusion(first, second) ?? exclusion(second, first) else { return }
        add(.silentExclusion, index, "\(first.label) and \(second.label) on \(tree.views[index].label)", measure)
    }

    /// Why a gesture of the first recognizer is also one of the second; nil if they differ.
    private func exclusion(_ a: ViewTree.Recognizer, _ b: ViewTree.Recognizer) -> String? {
        switch (a.kind, b.kind) {
        case ("UIPanGestureRecognizer", "UISwipeGestureRecognizer")
        where a.touches <= b.touches && b.touches <= a.mostTouches:
            "the pan begins after 10 pt, the swipe needs 50 pt"
        case ("UIPinchGestureRecognizer", "UIRotationGestureRecognizer"):
            "the pinch begins after 8 pt, the rotation after 10°"
        case ("UIPanGestureRecognizer", "UIPinchGestureRecognizer") where a.mostTouches >= 2,
            ("UIPanGestureRecognizer", "UIRotationGestureRecognizer") where a.mostTouches >= 2:
            "two fingers of \(b.label) also pan after 10 pt"
        default: nil
        }
    }

    private mutating func checkWaiting(_ recognizer: ViewTree.Recognizer, _ index: Int) {
        guard recognizer.kind == "UITapGestureRecognizer", recognizer.taps == 1 else { return }
        for identity in recognizer.requiredToFail {
            guard let (other, _) = found(identity), other.kind == "UITapGestureRecognizer", !other.isSubclass,
                other.isEnabled, other.taps > 1, other.touches == recognizer.touches
            else { continue }
            let wait = shownNumber(tree.times.tapInterval * 1000)
            return add(.delayedTap, index, name(recognizer, index), "\(wait) ms after the lift, for \(other.label)")
        }
    }

    private mutating func checkEdge(_ recognizer: ViewTree.Recognizer, _ index: Int) {
        let scene = tree.sceneFrame
        // Only the main display has system gestures, and only a scene that reaches its edges.
        guard tree.display == 1, tree.orientation == .portrait, scene.x == 0, scene.y == 0 else { return }
        let frame = tree.views[index].frame
        for (edge, name, isAt) in [
            (UInt8(1), "upper", frame.maxY <= Self.systemZone),
            (4, "lower", frame.y >= tree.bounds.maxY - Self.systemZone),
        ] where tree.deferredEdges & edge == 0 {
            switch recognizer.kind {
            case "UIScreenEdgePanGestureRecognizer" where recognizer.directions & Int(edge) != 0:
                add(.systemEdge, index, self.name(recognizer, index), "the \(name) edge, not deferred")
            case "UIPanGestureRecognizer", "UISwipeGestureRecognizer":
                guard isAt, !frame.isEmpty else { continue }
                let zone = shownNumber(Self.systemZone)
                add(.systemEdge, index, self.name(recognizer, index), "all of it within \(zone) pt of the \(name) edge")
            default: continue
            }
        }
    }

    // MARK: Requirements

    private func found(_ identity: UInt32) -> (ViewTree.Recognizer, Int)? {
        for (index, view) in tree.views.enumerated() {
            if let recognizer = view.recognizers.first(where: { $0.identity == identity }) {
                return (recognizer, index)
            }
        }
        return nil
    }

    /// Reports each recognizer's shortest way along requirements back to itself, once for each cycle.
    private mutating func findCycles() {
        var places: [UInt32: (recognizer: ViewTree.Recognizer, index: Int)] = [:]
        for (index, view) in tree.views.enumerated() {
            for recognizer in view.recognizers { places[recognizer.identity] = (recognizer, index) }
        }
        var reported: Set<Set<UInt32>> = []
        for view in tree.views {
            for recognizer in view.recognizers where !recognizer.requiredToFail.isEmpty {
                var paths = [[recognizer.identity]]
                var seen: Set<UInt32> = []
                search: while !paths.isEmpty {
                    let path = paths.removeFirst()
                    guard let last = path.last, let next = places[last]?.recognizer.requiredToFail else { continue }
                    for identity in next {
                        if identity == recognizer.identity {
                            if reported.insert(Set(path)).inserted { reportCycle(path, places) }
                            break search
                        }
                        if places[identity] != nil, seen.insert(identity).inserted { paths.append(path + [identity]) }
                    }
                }
            }
        }
    }

    private mutating func reportCycle(
        _ path: [UInt32], _ places: [UInt32: (recognizer: ViewTree.Recognizer, index: Int)]
    ) {
        guard let first = path.first.flatMap({ places[$0] }) else { return }
        let names = (path + path.prefix(1)).compactMap { places[$0].map { name($0.recognizer, $0.index) } }
        add(.requirementCycle, first.index, name(first.recognizer, first.index), names.joined(separator: " → "))
    }

    // MARK: Scroll views

    private mutating func checkScrolling(of index: Int) {
        guard let scroll = tree.views[index].scroll, scroll.isScrollEnabled, scroll.delaysContentTouches,
            tree.times.contentTouchDelay > 0, blockers[index] == nil
        else { return }
        let controls = tree.descendants(of: index).filter { inside in
            guard isUsedControl(inside), blockers[inside] == nil, tree.views[inside].kind != "UITextField" else {
                return false
            }
            // The innermost scroll view delays the touch.
            var outer = parents[inside]
            while let superview = outer, superview != index {
                if tree.views[superview].scroll != nil { return false }
                outer = parents[superview]
            }
            return true
        }
        guard let first = controls.first else { return }
        let others = controls.count > 1 ? " and \(controls.count - 1) more" : ""
        let delay = shownNumber(tree.times.contentTouchDelay * 1000)
        add(.delayedContentTouches, index, nil, "\(delay) ms, for \(tree.views[first].label)\(others)")
    }
}

extension ViewTree.Recognizer {
    /// Whether each gesture of the other recognizer is one of this recognizer.
    fileprivate func isEqualGesture(to other: ViewTree.Recognizer) -> Bool {
        let kinds = [
            "UITapGestureRecognizer", "UIPanGestureRecognizer", "UILongPressGestureRecognizer",
            "UISwipeGestureRecognizer",
            "UIPinchGestureRecognizer", "UIRotationGestureRecognizer",
        ]
        return kinds.contains(kind) && kind == other.kind && taps == other.taps && touches == other.touches
            && mostTouches == other.mostTouches && directions == other.directions && duration == other.duration
    }
}
