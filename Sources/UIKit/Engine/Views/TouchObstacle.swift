// TouchObstacle.swift: whether a touch would reach a view, and if not, why.
//
// Station   hitTest
// Input     TestPhone, which waits until a view can be touched; ViewTree+Application.swift
// Output    the position of a touch, or the first obstacle in words
// Knows     what a hit test answers. It sends no event.
//
// Sources   documented  a touch goes to the frontmost window with a view at the point, whose hit test decides
//           invented    which obstacle is named, and that a label counts as the view around it

package import Foundation

extension UIApplication {
    /// Returns the view that a touch at a point of the interface would reach; nil if none.
    package final func hitView(at point: CGPoint) -> UIView? {
        for window in windows.reversed() where !window.isHidden && window.isUserInteractionEnabled {
            if let view = window.hitTest(window.pointFromSuperview(point), with: nil) { return view }
        }
        return nil
    }

    /// The point of the interface at an offset of a view, by default at its center.
    package final func interfacePoint(of view: UIView, at offset: CGPoint? = nil) -> CGPoint {
        let inner = offset ?? CGPoint(x: view.bounds.midX, y: view.bounds.midY)
        guard let window = view.window else { return inner }
        return window.pointToSuperview(view.convert(inner, to: window))
    }

    /// Why a touch would not reach a view; nil if it would.
    ///
    /// - Parameter offset: A point in the view's coordinates; nil for its center.
    package final func touchObstacle(to view: UIView, at offset: CGPoint? = nil) -> String? {
        guard view.window != nil else { return "it is in no window" }
        guard applicationState == .active else { return "the app is \(applicationState)" }
        if isIgnoringInteractionEvents { return "the app ignores interaction events" }
        if let concealment = view.concealment { return concealment }
        let point = interfacePoint(of: view, at: offset)
        let interface = sceneBounds
        guard interface.contains(point) else {
            return "(\(point.x), \(point.y)) is not on the screen, 0 to \(interface.width) and 0 to \(interface.height)"
        }
        let hit = hitView(at: point)
        guard let hit else { return "no view takes a touch at (\(point.x), \(point.y))" }
        if hit.isDescendant(of: view) { return nil }
        if view.isDescendant(of: hit) {
            let disabled = sequence(first: view, next: \.superview).prefix { $0 !== hit }
                .filter { !$0.isUserInteractionEnabled }
            // The text of a button or a row takes no touch itself, and a person means the view around it.
            if disabled == [view], view is UILabel || view is UIImageView { return nil }
            if let first = disabled.first {
                return "\(first === view ? "it" : first.traceLabel) has isUserInteractionEnabled set to false"
            }
        }
        return "\(hit.traceLabel) takes a touch at (\(point.x), \(point.y))"
    }
}

extension UIView {
    /// Why a person does not see the view, by itself or a view around it; nil if it is shown.
    package final var concealment: String? {
        for ancestor in sequence(first: self, next: \.superview) {
            let own = ancestor === self ? "it" : ancestor.traceLabel
            if ancestor.isHidden { return "\(own) is hidden" }
            if ancestor.alpha < 0.01 { return "\(own) has an alpha of \(ancestor.alpha), less than 0.01" }
        }
        return nil
    }

    /// What a person reads on the view itself; nil for a view without text. A button's own label repeats its title and
    /// has none.
    package final var shownText: String? {
        switch self {
        case let button as UIButton: button.currentTitle
        case let label as UILabel: superview is UIButton ? nil : label.text
        case let field as UITextField: field.text?.isEmpty == false ? field.text : field.placeholder
        default: nil
        }
    }
}
