// UIResponder.swift: whatever can be told of an event, and whom it tells next.
//
// Station   responder
// Fed by    the view phase (UIWindow+SendEvent.swift), and the responder before
// Feeds     `next`
//
// Sources   documented  every method here hands its arguments to `next` unless overridden (B9v.3)
//           documented  first responder and hit view are different things (B13.4, E24)

public import Foundation
import HID

open class UIResponder: NSObject {
    /// What few responders have: answers that are no overrides. (ResponderBehavior.swift, Selector.swift)
    @exclusivity(unchecked) final var extras: ResponderExtras?

    public override init() { super.init() }

    // MARK: Chain

    open var next: UIResponder? { nil }

    /// The window whose first responder this could be.
    var responderWindow: UIWindow? { nil }

    // MARK: Touches

    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        if let event, event.isIntercepted { return watchForwarding(touches, .began, event) }
        next?.touchesBegan(touches, with: event)
    }
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        if let event, event.isIntercepted { return watchForwarding(touches, .moved, event) }
        next?.touchesMoved(touches, with: event)
    }
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        if let event, event.isIntercepted { return watchForwarding(touches, .ended, event) }
        next?.touchesEnded(touches, with: event)
    }
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        if let event, event.isIntercepted { return watchForwarding(touches, .cancelled, event) }
        next?.touchesCancelled(touches, with: event)
    }
    /// Not forwarded: an estimate is corrected where the touch went.
    open func touchesEstimatedPropertiesUpdated(_ touches: Set<UITouch>) {}

    // MARK: Presses, motion, remote control

    open func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        forward(.presses(.began), event) { $0.pressesBegan(presses, with: event) }
    }
    open func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        forward(.presses(.changed), event) { $0.pressesChanged(presses, with: event) }
    }
    open func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        forward(.presses(.ended), event) { $0.pressesEnded(presses, with: event) }
    }
    open func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        forward(.presses(.cancelled), event) { $0.pressesCancelled(presses, with: event) }
    }

    open func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        forward(.motion(.began), event) { $0.motionBegan(motion, with: event) }
    }
    open func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        forward(.motion(.ended), event) { $0.motionEnded(motion, with: event) }
    }
    open func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        forward(.motion(.cancelled), event) { $0.motionCancelled(motion, with: event) }
    }

    /// What keys stand for while this or somebody below it is first responder.
    open var keyCommands: [UIKeyCommand]? { nil }

    open func remoteControlReceived(with event: UIEvent?) {
        forward(.remoteControl, event) { $0.remoteControlReceived(with: event) }
    }

    // MARK: First responder

    open var canBecomeFirstResponder: Bool { false }
    open var canResignFirstResponder: Bool { true }
    open var isFirstResponder: Bool { responderWindow?.firstResponder === self }

    /// - Returns: Whether this is the first responder now. Outside a window it cannot be.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard mayBecomeFirstResponder, let window = responderWindow else { return false }
        guard let current = window.firstResponder else {
            window.firstResponder = self
            return true
        }
        if current === self { return true }
        guard current.canResignFirstResponder, current.resignFirstResponder() else { return false }
        window.firstResponder = self
        return true
    }

    /// - Returns: Whether this is not, or no longer, the first responder.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard canResignFirstResponder else { return false }
        responderWindow?.firstResponder = nil
        return true
    }

    // MARK: Actions

    /// Whether this responder has the action. Overrides refuse what they have, or offer what others do for them.
    open func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool { responds(to: action) }

    /// The first in the chain, from here on, that can perform the action.
    open func target(forAction action: Selector, withSender sender: Any?) -> Any? {
        canPerformAction(action, withSender: sender) ? self : chainNext?.target(forAction: action, withSender: sender)
    }
}
