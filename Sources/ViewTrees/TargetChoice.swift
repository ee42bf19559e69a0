// TargetChoice.swift: the one view that a name means, among those that fit.
//
// Input     TouchlineTesting (views), `touchline input tap --id` (views of a tree)
// Output    the view, or several views that fit equally
//
// Sources   invented, after XCUITest: a hidden view is meant only if no other one fits

/// The view that a name means, among the views that fit.
public enum TargetChoice<View> {
    case none
    case one(View)
    case several([View])

    /// - Parameters:
    ///   - fitting: The views that fit, the frontmost window and the outermost view first.
    ///   - isShown: Whether a person could see the view.
    public init(among fitting: [View], isShown: (View) -> Bool) {
        let shown = fitting.filter(isShown)
        let meant = shown.isEmpty ? fitting : shown
        self = meant.isEmpty ? .none : meant.count == 1 ? .one(meant[0]) : .several(meant)
    }
}

extension ViewTree {
    /// Whether each view could be seen: neither the view nor a view around it is hidden or transparent.
    public var visibility: [Bool] {
        var visible: [Bool] = []
        for (index, parent) in parents.enumerated() {
            let own = !views[index].isHidden && views[index].alpha >= 0.01
            visible.append(own && (parent.map { visible[$0] } ?? true))
        }
        return visible
    }

    /// Finds the view with an `accessibilityIdentifier`.
    public func view(withIdentifier identifier: String) -> TargetChoice<View> {
        let visible = visibility
        let fitting = views.indices.filter { views[$0].identifier == identifier }
        switch TargetChoice(among: fitting, isShown: { visible[$0] }) {
        case .none: return .none
        case .one(let index): return .one(views[index])
        case .several(let indices): return .several(indices.map { views[$0] })
        }
    }
}
