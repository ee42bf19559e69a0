// RecognizerCollection.swift: the recognizers that receive a new touch.
//
// Station   gesture
// Input     TouchTracker, once for each touch that begins, before `UIApplication.sendEvent`
// Output    UITouch.gestureRecognizers
//
//     from the hit view outwards to the window, each view's recognizers in the order they were added:
//     enabled? in no final state? right type of touch? shouldReceive(event)? delegate: event? delegate: touch?
//
// Sources   observed    the order of views, and that the list grows as recognizers accept (S04, S36)
//           documented  the order of questions to one recognizer (B4.1)

import Foundation

/// Fills the touch's list of recognizers.
func collectRecognizers(for touch: UITouch, event: UIEvent, in environment: GestureEnvironment) {
    let isWatched = environment.application.isWatched
    var view = touch.ownView
    while let current = view {
        // Read before the questions, because a delegate may take the view out of the tree.
        let parent = current.parent
        // A copy: delegates may add and remove recognizers, and added ones do not receive this touch. (B4.5)
        for recognizer in current.recognizers
        where recognizer.attachedView === current && recognizer.accepts(touch, event: event)
            && recognizer.attachedView === current && recognizer.isEnabled
        {
            touch.recognizers.append(recognizer)
            recognizer.accept(touch)
            environment.activate(recognizer, by: event.type)
            if isWatched { environment.noteReceipt(of: touch, by: recognizer) }
        }
        view = parent
    }
    if touch.isGateClosed { touch.window?.addGates(to: touch, by: event) }
}

extension UIGestureRecognizer {
    /// Whether the recognizer accepts touches of this type. Only an app's subclass can override the list of types.
    private final func allows(_ type: UITouch.TouchType) -> Bool {
        ownClass.isOfUIKit
            ? acceptedInput.accepts(type) : allowedTouchTypes.contains { $0.intValue == type.rawValue }
    }

    fileprivate final func accepts(_ touch: UITouch, event: UIEvent) -> Bool {
        guard isEnabled, state.rawValue <= State.changed.rawValue else { return false }
        if let work = attempt.event, work != event.type { return false }
        guard allows(touch.type) else { return false }
        if requiresExclusiveTouchType, let other = activeTouches.first, other.type != touch.type { return false }
        // Asked once while the recognizer is active. An inactive recognizer is asked for each touch. (B4.1)
        let receives = attempt.isActive ? attempt.receivesEvent ?? wants(event) : wants(event)
        attempt.receivesEvent = receives
        guard receives else { return false }
        guard let delegate else { return true }
        return isWanted(event, by: delegate)
            && emitQuestion(
                .shouldReceive(self, touch), of: delegate,
                answer: delegate.gestureRecognizer(self, shouldReceive: touch))
    }
}
