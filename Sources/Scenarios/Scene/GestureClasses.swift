// GestureClasses.swift: which Swift class a recognizer's `class:` names.
//
// Fed by    SceneBuilder; ClassNames, for the names
// Feeds     the scene's views, which get the recognizers
// Knows     UIKit's recognizers, and Touchline's own

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

enum GestureClasses {
    /// The one list of them. A new class is one line here.
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

    /// - Returns: Nil for a class that is none of them.
    static func make(_ spec: GestureSpec, _ lines: RecognizerLines) -> UIGestureRecognizer? {
        all.first { $0.name == spec.className }?.make(spec, lines)
    }
}

/// Decides nothing, as an app's subclass that overrides nothing. A plain `UIGestureRecognizer` is failed by UIKit when its
/// touches have gone; a subclass is not.
final class UndecidedGestureRecognizer: UIGestureRecognizer {}

extension UIGestureRecognizer {
    /// What `twoTap` stands for in a delegate's answer (S53).
    var needsTwoTaps: Bool { (self as? UITapGestureRecognizer)?.numberOfTapsRequired == 2 }
}

/// `(12,0)`: a pan's translation in its view, to a tenth of a point. A panel's own grid is little finer.
func translationText(of recognizer: UIGestureRecognizer) -> String {
    guard let pan = recognizer as? UIPanGestureRecognizer else { return "none" }
    return tenthsText(pan.translation(in: pan.view))
}
