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
    var view = touch.ownView?.nearestWithRecognizers
    while let current = view {
        // Read before the questions, because a delegate may take the view out of the tree.
        let parent = current.parent
        // A copy: delegates may add and remove recognizers, and added ones do not receive this touch. (B4.5)
        for recognizer in current.recognizers where recognizer.attachedView === current {
            if let refusal = recognizer.refusal(of: touch, event: event) {
                if isWatched { environment.noteRefusal(of: touch, by: recognizer, refusal) }
                continue
            }
            guard recognizer.attachedView === current, recognizer.isEnabled else { continue }
            touch.recognizers.append(recognizer)
            recognizer.accept(touch)
            environment.activate(recognizer, by: event.type)
            if isWatched { environment.noteReceipt(of: touch, by: recognizer) }
        }
        view = parent?.nearestWithRecognizers
    }
    if touch.isGateClosed { touch.window?.addGates(to: touch, by: event) }
}

/// Why a recognizer on the hit view or around it does not receive a touch.
package enum TouchRefusal: String {
    case disabled = "it is disabled"
    case finished = "it has already decided, and waits for its reset"
    case otherEvent = "it handles an event of another type"
    case touchType = "allowedTouchTypes does not contain the type"
    case mixedTypes = "requiresExclusiveTouchType is true, and it has touches of another type"
    case ownAnswer = "its shouldReceive(_ event:) returned false"
    case delegateEvent = "its delegate returned false for shouldReceive event"
    case delegateTouch = "its delegate returned false for shouldReceive touch"
}

extension UIGestureRecognizer {
    /// Whether the recognizer accepts touches of this type. Only an app's subclass can override the list of types.
    private final func allows(_ type: UITouch.TouchType) -> Bool {
        ownClass.isOfUIKit
            ? acceptedInput.accepts(type) : allowedTouchTypes.contains { $0.intValue == type.rawValue }
    }

    /// - Returns: Nil if it receives the touch.
    fileprivate final func refusal(of touch: UITouch, event: UIEvent) -> TouchRefusal? {
        guard isEnabled else { return .disabled }
        guard state.rawValue <= State.changed.rawValue else { return .finished }
        if let work = attempt.event, work != event.type { return .otherEvent }
        guard allows(touch.type) else { return .touchType }
        if requiresExclusiveTouchType, let other = activeTouches.first, other.type != touch.type { return .mixedTypes }
        // Asked once while the recognizer is active. An inactive recognizer is asked for each touch. (B4.1)
        let receives = attempt.isActive ? attempt.receivesEvent ?? wants(event) : wants(event)
        attempt.receivesEvent = receives
        guard receives else { return .ownAnswer }
        guard let delegate else { return nil }
        guard isWanted(event, by: delegate) else { return .delegateEvent }
        let answer = emitQuestion(
            .shouldReceive(self, touch), of: delegate, answer: delegate.gestureRecognizer(self, shouldReceive: touch))
        return answer ? nil : .delegateTouch
    }
}
