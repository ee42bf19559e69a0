// Target.swift: a view or a place of the screen, as a test names it.
//
// Input     tests
// Output    TestPhone, which searches the shown windows for it
//
// Sources   invented, after Flutter's finders and XCUIElementQuery

public import Foundation
public import UIKit

/// The view or the point that a test touches.
///
///     try phone.tap("save")                              // by accessibilityIdentifier
///     try phone.tap(.text("Save"))                       // by what a person reads
///     try phone.drag(.type(KnobView.self), by: CGVector(dx: 0, dy: -80))
///     try phone.tap(.first(where: { $0.tag == 7 }))
///     try phone.tap(.point(187, 300))
///
/// A target is resolved when it is used, so it may name a view that is not there yet.
public struct Target: CustomStringConvertible {
    enum Place {
        case point(CGPoint)
        case view((UIView) -> Bool, isFirst: Bool)
    }

    let place: Place
    /// The enclosing targets, innermost first.
    private(set) var containers: [Target] = []
    /// What a failure says: `"save"`, `the text "Save"`.
    public let description: String

    private init(_ place: Place, _ description: String) { (self.place, self.description) = (place, description) }

    static func matching(
        _ description: String, isFirst: Bool = false, _ fits: @escaping (UIView) -> Bool
    ) -> Target {
        Target(.view(fits, isFirst: isFirst), description)
    }

    /// The view with this `accessibilityIdentifier`.
    public static func id(_ identifier: String) -> Target {
        matching("\"\(identifier)\"") { $0.accessibilityIdentifier == identifier }
    }

    /// The view of this class or a subclass.
    public static func type(_ type: (some UIView).Type) -> Target {
        matching("a \(type)") { view in isKind(view, of: type) }
    }

    private static func isKind<View: UIView>(_ view: UIView, of type: View.Type) -> Bool { view is View }

    /// The view that shows this text: a label, a button by its title, a text field by its text or placeholder.
    public static func text(_ text: String) -> Target {
        matching("the text \"\(text)\"") { $0.shownText == text }
    }

    /// The first view that fits, outermost view and frontmost window first.
    public static func first(
        _ description: String = "a view that fits", where fits: @escaping (UIView) -> Bool
    ) -> Target {
        matching(description, isFirst: true, fits)
    }

    /// This view itself.
    public static func view(_ view: UIView) -> Target {
        Target(.view({ $0 === view }, isFirst: false), view.traceLabel)
    }

    /// A point of the app's interface, in points.
    public static func point(_ point: CGPoint) -> Target {
        Target(.point(point), "(\(point.x), \(point.y))")
    }

    /// A point of the app's interface, in points.
    public static func point(_ x: CGFloat, _ y: CGFloat) -> Target { .point(CGPoint(x: x, y: y)) }

    /// The same target, but only within the view of another target.
    public func inside(_ container: Target) -> Target {
        var target = Target(place, "\(description) inside \(container)")
        target.containers = containers + [container]
        return target
    }
}

extension Target: ExpressibleByStringLiteral {
    public init(stringLiteral identifier: String) { self = .id(identifier) }
}
