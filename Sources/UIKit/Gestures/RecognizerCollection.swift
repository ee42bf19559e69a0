// RecognizerCollection.swift: which recognisers a new touch is given to.
//
// Station   gesture
// Fed by    TouchTracker, once for each touch that begins, before `UIApplication.sendEvent`
// Feeds     UITouch.gestureRecognizers
//
//     from the hit view outwards to the window, each view's recognisers in the order they were added:
//     enabled? still open? right type of touch? shouldReceive(event)? delegate: event? delegate: touch?
//
// Sources   observed    the order of views, and that the list grows as recognisers accept (S04, S36)
//           documented  the order of questions to one recogniser (B4.1)

import Foundation

/// Fills the touch's list.
func collectRecognizers(for touch: UITouch, event: UIEvent) {
    var view = touch.view
    while let current = view {
        // A copy: delegates may add and remove recognisers, and those added are not for this touch. (B4.5)
        for recognizer in current.recognizers where recognizer.accepts(touch, event: event) {
            touch.gestureRecognizers?.append(recognizer)
            recognizer.activeTouches.append(touch)
        }
        view = current.parent
    }
}

extension UIGestureRecognizer {
    fileprivate func accepts(_ touch: UITouch, event: UIEvent) -> Bool {
        guard isEnabled, state.rawValue <= State.changed.rawValue else { return false }
        guard allowedTouchTypes.contains(where: { $0.intValue == touch.type.rawValue }) else { return false }
        if requiresExclusiveTouchType, let other = activeTouches.first, other.type != touch.type { return false }
        let receives = receivesEvent ?? shouldReceive(event)
        receivesEvent = receives
        guard receives else { return false }
        guard let delegate else { return true }
        return delegate.gestureRecognizer(self, shouldReceive: event)
            && delegate.gestureRecognizer(self, shouldReceive: touch)
    }
}
