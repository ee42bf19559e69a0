// GestureClasses.swift: the Swift class for a recognizer's `class:`.
//
// Input     SceneBuilder; ClassNames, for the names
// Output    the recognizers of the scene's views
// Knows     UIKit's recognizers, and the project's own

import UIKit

/// A recognizer class that a scene may name.
struct GestureClass: Sendable {
    let name: String
    /// The superclass, if it is not UIGestureRecognizer.
    let superclass: String?
    fileprivate let make: @Sendable (GestureSpec, RecognizerLines) -> UIGestureRecognizer

    fileprivate init(
        _ name: String, of superclass: String? = nil,
        _ make: @escaping @Sendable (GestureSpec, RecognizerLines) -> UIGestureRecognizer
    ) {
        (self.name, self.superclass, self.make) = (name, superclass, make)
    }
}

/// The table of recognizer classes.
enum GestureClasses {
    /// All classes. A new class is one entry here.
    static let all: [GestureClass] = [
        GestureClass("UIGestureRecognizer") { _, _ in UndecidedGestureRecognizer() },
        GestureClass("UITapGestureRecognizer") { _, _ in UITapGestureRecognizer() },
        GestureClass("UIPanGestureRecognizer") { _, _ in UIPanGestureRecognizer() },
        GestureClass("UILongPressGestureRecognizer") { _, _ in UILongPressGestureRecognizer() },
        GestureClass("UISwipeGestureRecognizer") { _, _ in UISwipeGestureRecognizer() },
        GestureClass("UIPinchGestureRecognizer") { _, _ in UIPinchGestureRecognizer() },
        GestureClass("UIRotationGestureRecognizer") { _, _ in UIRotationGestureRecognizer() },
        GestureClass("UIScreenEdgePanGestureRecognizer", of: "UIPanGestureRecognizer") { _, _ in
            UIScreenEdgePanGestureRecognizer()
        },
        GestureClass("UIHoverGestureRecognizer") { _, _ in UIHoverGestureRecognizer() },
        GestureClass("UIShortTapGestureRecognizer", of: "UITapGestureRecognizer") { _, _ in
            UIShortTapGestureRecognizer()
        },
        GestureClass("ScriptedGestureRecognizer") { ScriptedGestureRecognizer($0, $1) },
    ]

    /// - Returns: Nil if the class is not in the table.
    static func make(_ spec: GestureSpec, _ lines: RecognizerLines) -> UIGestureRecognizer? {
        all.first { $0.name == spec.className }?.make(spec, lines)
    }
}

/// A recognizer that decides nothing, like an app's subclass without overrides. UIKit lets a plain
/// `UIGestureRecognizer` fail when its touches have ended; a subclass stays undecided.
final class UndecidedGestureRecognizer: UIGestureRecognizer {}

extension UIGestureRecognizer {
    /// Whether the word `twoTap` in a delegate's answer means this recognizer (S53).
    var needsTwoTaps: Bool { (self as? UITapGestureRecognizer)?.numberOfTapsRequired == 2 }
}

/// `(12,0)`: a pan's translation in its view, to a tenth of a point. The grid of a panel is little finer.
func translationText(of recognizer: UIGestureRecognizer) -> String {
    guard let pan = recognizer as? UIPanGestureRecognizer else { return "none" }
    return tenthsText(pan.translation(in: pan.view))
}
