// GestureClasses.swift: which Swift class a recognizer's `class:` names.
//
// Fed by    SceneBuilder
// Feeds     the scene's views, which get the recognizers
// Knows     UIKit's recognizers, and Touchline's own

import UIKit

enum GestureClasses {
    /// - Returns: Nil for a class that is none of them.
    static func make(_ spec: GestureSpec, _ lines: RecognizerLines) -> UIGestureRecognizer? {
        switch spec.className {
        case "UIGestureRecognizer": UndecidedGestureRecognizer()
        case "UITapGestureRecognizer": UITapGestureRecognizer()
        case "UIShortTapGestureRecognizer": UIShortTapGestureRecognizer()
        case "UILongPressGestureRecognizer": UILongPressGestureRecognizer()
        case "UIPanGestureRecognizer": UIPanGestureRecognizer()
        case "UIScreenEdgePanGestureRecognizer": UIScreenEdgePanGestureRecognizer()
        case "UISwipeGestureRecognizer": UISwipeGestureRecognizer()
        case "UIPinchGestureRecognizer": UIPinchGestureRecognizer()
        case "UIRotationGestureRecognizer": UIRotationGestureRecognizer()
        case "UIHoverGestureRecognizer": UIHoverGestureRecognizer()
        case "ScriptedGestureRecognizer": ScriptedGestureRecognizer(spec, lines)
        default: nil
        }
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
