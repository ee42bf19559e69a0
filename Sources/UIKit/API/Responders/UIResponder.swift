// UIResponder.swift: an object that receives events and forwards them to the next responder.
//
// Station   responder
// Input     the view phase (UIWindow+SendEvent.swift), and the previous responder
// Output    `next`
//
// Sources   documented  event methods forward their arguments to `next` unless they are overridden (B9v.3)
//           documented  the first responder and the hit view are independent (B13.4, E24)

public import Foundation
import HID

/// An object that receives events and forwards them to the next responder.
open class UIResponder: NSObject {
    /// The registered methods and the behavior, which few responders have. (ResponderBehavior.swift, Selector.swift)
    @exclusivity(unchecked) final var extras: ResponderExtras?

    public override init() { super.init() }

    // MARK: Chain

    /// The next object in the responder chain, or nil at its end.
    open var next: UIResponder? { nil }

    /// The next responder by UIKit's rule, whatever an app's override of `next` returns. For facts, which call no code of
    /// an app.
    var standardNext: UIResponder? { nil }

    /// The responder that receives the touches that this one forwards: `next`, or the first responder behind it whose class
    /// may do more with touches than forward them. (TouchForwarding.swift)
    var nextTouchReceiver: UIResponder? { next }

    /// The window whose first responder this object can be.
    var responderWindow: UIWindow? { nil }

    // MARK: Touches

    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        if let event, event.isIntercepted { return watchForwarding(touches, .began, event) }
        nextTouchReceiver?.touchesBegan(touches, with: event)
    }
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        if let event, event.isIntercepted { return watchForwarding(touches, .moved, event) }
        nextTouchReceiver?.touchesMoved(touches, with: event)
    }
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        if let event, event.isIntercepted { return watchForwarding(touches, .ended, event) }
        nextTouchReceiver?.touchesEnded(touches, with: event)
    }
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        if let event, event.isIntercepted { return watchForwarding(touches, .cancelled, event) }
        nextTouchReceiver?.touchesCancelled(touches, with: event)
    }
    /// Does nothing and forwards nothing: only the receivers of a touch receive its corrections.
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

    /// The key commands that apply while this responder is in the first responder's chain.
    open var keyCommands: [UIKeyCommand]? { nil }

    open func remoteControlReceived(with event: UIEvent?) {
        forward(.remoteControl, event) { $0.remoteControlReceived(with: event) }
    }

    // MARK: First responder

    /// Whether the responder may become first responder. False by default.
    open var canBecomeFirstResponder: Bool { false }
    open var canResignFirstResponder: Bool { true }
    open var isFirstResponder: Bool { responderWindow?.firstResponder === self }

    /// Makes this the first responder of its window, after the current one has resigned.
    ///
    /// - Returns: Whether this is the first responder now. A responder outside a window cannot be.
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

    /// Gives up the state of first responder.
    ///
    /// - Returns: Whether this is not the first responder now.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard canResignFirstResponder else { return false }
        responderWindow?.firstResponder = nil
        return true
    }

    // MARK: Actions

    /// Whether this responder has the action. An override refuses actions, or accepts actions that another object runs.
    open func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool { responds(to: action) }

    /// The first responder in the chain, starting here, that can perform the action.
    open func target(forAction action: Selector, withSender sender: Any?) -> Any? {
        canPerformAction(action, withSender: sender) ? self : chainNext?.target(forAction: action, withSender: sender)
    }
}
