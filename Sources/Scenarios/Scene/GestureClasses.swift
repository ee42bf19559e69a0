// GestureClasses.swift: which Swift class a recogniser's `class:` names, and how its keys are said to that class.
//
// Fed by    SceneBuilder
// Feeds     nobody: the recognisers it makes stand on the scene's views
// Knows     UIKit's recognisers as probes, and Touchline's own

import UIKit

enum GestureClasses {
    /// - Returns: Nil for a class that is none of them.
    static func make(_ spec: GestureSpec, _ lines: RecognizerLines) -> UIGestureRecognizer? {
        let recognizer: UIGestureRecognizer? =
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
        recognizer?.take(spec)
        return recognizer
    }
}

extension UIGestureRecognizer {
    /// The keys that only some classes have. On another class they were refused when the file was read.
    fileprivate func take(_ spec: GestureSpec) {
        switch self {
        case let tap as UITapGestureRecognizer:
            if let taps = spec.taps { tap.numberOfTapsRequired = taps }
            if let touches = spec.touches { tap.numberOfTouchesRequired = touches }
        case let press as UILongPressGestureRecognizer:
            if let taps = spec.taps { press.numberOfTapsRequired = taps }
            if let touches = spec.touches { press.numberOfTouchesRequired = touches }
            if let duration = spec.minimumPressDuration { press.minimumPressDuration = duration }
            if let movement = spec.allowableMovement { press.allowableMovement = CGFloat(movement) }
        case let pan as UIPanGestureRecognizer:
            if let touches = spec.minimumTouches { pan.minimumNumberOfTouches = touches }
            if let touches = spec.maximumTouches { pan.maximumNumberOfTouches = touches }
            if let edges = spec.edges, let pan = pan as? UIScreenEdgePanGestureRecognizer {
                pan.edges = edges.reduce(into: UIRectEdge()) { $0.insert(UIRectEdge($1)) }
            }
        case let swipe as UISwipeGestureRecognizer:
            if let touches = spec.touches { swipe.numberOfTouchesRequired = touches }
            if let directions = spec.direction {
                swipe.direction = directions.reduce(into: UISwipeGestureRecognizer.Direction()) { $0.insert(.init($1)) }
            }
        default: return
        }
    }

    /// What `twoTap` stands for in a delegate's answer (S53).
    var needsTwoTaps: Bool { (self as? UITapGestureRecognizer)?.numberOfTapsRequired == 2 }
}

/// `(12,0)`: a pan's translation in its view, to a tenth of a point. A panel's own grid is little finer.
func translationText(of recognizer: UIGestureRecognizer) -> String {
    guard let pan = recognizer as? UIPanGestureRecognizer else { return "none" }
    return tenthsText(pan.translation(in: pan.view))
}

extension UISwipeGestureRecognizer.Direction {
    fileprivate init(_ word: GestureSpec.SwipeDirection) {
        self =
            switch word {
            case .right: .right
            case .left: .left
            case .up: .up
            case .down: .down
            }
    }
}

extension UIRectEdge {
    init(_ word: GestureSpec.ScreenEdge) {
        self =
            switch word {
            case .top: .top
            case .left: .left
            case .bottom: .bottom
            case .right: .right
            case .all: .all
            }
    }
}

extension UIPress.PressType {
    /// Of a word that `HIDUsage.buttons` has.
    init(button: String) {
        self =
            switch button {
            case "upArrow": .upArrow
            case "downArrow": .downArrow
            case "leftArrow": .leftArrow
            case "rightArrow": .rightArrow
            case "select": .select
            case "menu": .menu
            case "playPause": .playPause
            case "pageUp": .pageUp
            case "pageDown": .pageDown
            default: preconditionFailure("\(button) was accepted as a button")
            }
    }
}
