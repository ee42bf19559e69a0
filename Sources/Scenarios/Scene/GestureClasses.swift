// GestureClasses.swift: which Swift class a recogniser's `class:` names.
//
// Fed by    SceneBuilder
// Feeds     nobody: the recognisers it makes stand on the scene's views
// Knows     UIKit's recognisers as probes, and Touchline's own

import UIKit

enum GestureClasses {
    /// - Returns: Nil for a class that is none of them.
    static func make(_ spec: GestureSpec, _ lines: RecognizerLines) -> UIGestureRecognizer? {
        switch spec.className {
        case "UIGestureRecognizer": ProbeRecognizer(lines)
        case "UITapGestureRecognizer": ProbeTapGestureRecognizer(lines)
        case "UIShortTapGestureRecognizer": ProbeShortTapGestureRecognizer(lines)
        case "UILongPressGestureRecognizer": ProbeLongPressGestureRecognizer(lines)
        case "UIPanGestureRecognizer": ProbePanGestureRecognizer(lines)
        case "UIScreenEdgePanGestureRecognizer": ProbeScreenEdgePanGestureRecognizer(lines)
        case "UISwipeGestureRecognizer": ProbeSwipeGestureRecognizer(lines)
        case "UIPinchGestureRecognizer": ProbePinchGestureRecognizer(lines)
        case "UIRotationGestureRecognizer": ProbeRotationGestureRecognizer(lines)
        case "UIHoverGestureRecognizer": ProbeHoverGestureRecognizer(lines)
        case "ScriptedGestureRecognizer": ProbeScriptedGestureRecognizer(lines, spec)
        default: nil
        }
    }
}

extension UIGestureRecognizer {
    /// What `twoTap` stands for in a delegate's answer (S53).
    var needsTwoTaps: Bool { (self as? UITapGestureRecognizer)?.numberOfTapsRequired == 2 }
}

/// `(12,0)`: a pan's translation in its view, to a tenth of a point. A panel's own grid is little finer.
func translationText(of recognizer: UIGestureRecognizer) -> String {
    guard let pan = recognizer as? UIPanGestureRecognizer else { return "none" }
    return tenthsText(pan.translation(in: pan.view))
}
