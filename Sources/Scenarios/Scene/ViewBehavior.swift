// ViewBehavior.swift: the answers of a scene's responder that replace those of its class.
//
// Station   hitTest, gesture, responder, action
// Input     SceneBuilder, once for each view and controller
// Output    UIKit, as a `ResponderBehavior`
// Knows     the keys for answers of one view, and its answers as a delegate. No lines.

import UIKit

extension Probe {
    /// - Returns: Nil for a view whose class gives all answers.
    func behavior(of view: UIView) -> ResponderBehavior? {
        guard answers != ViewAnswers() || wantsEvents || !delegations.isEmpty else { return nil }
        var behavior = ResponderBehavior()
        behavior.consumes = answers.touches == .consume
        if answers.drag {
            behavior.willReceive = { [unowned view] phase, touches in
                if phase == .moved { Self.drag(view, by: touches) }
            }
        }
        if answers.passThrough { behavior.hitTest = { [unowned view] found in found === view ? nil : found } }
        if answers.hitInsets != nil || !answers.pointInsideAlso.isEmpty {
            behavior.pointInside = { [self, unowned view] point, event in isInside(view, point, event) }
        }
        behavior.shouldBegin = { [self, unowned view] recognizer in shouldBegin(recognizer, touching: view) }
        if !delegations.isEmpty { behavior.delegate = SceneDelegate(self) }
        behavior.beginTracking = answers.beginTracking ?? true
        behavior.continueTracking = answers.continueTracking ?? true
        if let name = answers.next {
            behavior.next = { [unowned scene] in name == "nil" ? nil : scene.responder(named: name) }
        }
        behavior.canBecomeFirstResponder = wantsEvents
        return behavior
    }

    /// - Returns: Nil if the class decides.
    private func isInside(_ view: UIView, _ point: CGPoint, _ event: UIEvent?) -> Bool? {
        for other in answers.pointInsideAlso {
            guard let descendant = scene.view(named: other) else { continue }
            if descendant.watchIsInside(view.convert(point, to: descendant), event) { return true }
        }
        guard let insets = answers.hitInsets else { return nil }
        let bounds = view.bounds
        return point.x >= bounds.minX - insets[1] && point.x < bounds.maxX + insets[3]
            && point.y >= bounds.minY - insets[0] && point.y < bounds.maxY + insets[2]
    }

    /// `gestureRecognizerShouldBegin` is one method for the touched view and for a delegate that is a view.
    private func shouldBegin(_ recognizer: UIGestureRecognizer, touching view: UIView) -> Bool? {
        let own = recognizer.asks(asTouched: view) ? answers.shouldBegin : nil
        return own ?? delegations.shouldBegin(recognizer)
    }

    /// Moves the view by location − previousLocation in its own space, as the demo of seed 0 (S18).
    private static func drag(_ view: UIView, by touches: Set<UITouch>) {
        guard let touch = touches.min(by: { $0.id < $1.id }) else { return }
        let (now, before) = (touch.location(in: view), touch.previousLocation(in: view))
        view.transform = view.transform.translatedBy(x: now.x - before.x, y: now.y - before.y)
    }
}

extension UIGestureRecognizer {
    /// Whether a view is asked because a touch of the recognizer landed on it, rather than as a delegate. Views are not
    /// asked if the recognizer does not cancel touches (B5.4).
    func asks(asTouched view: UIView) -> Bool {
        guard cancelsTouchesInView else { return false }
        return UIApplication.current?.touchTracker.liveTouches.contains {
            $0.view === view && $0.gestureRecognizers?.contains { $0 === self } == true
        } ?? false
    }
}
