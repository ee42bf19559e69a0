// PressTracker.swift: buttons and keys become presses with phases, in one long-lived event.
//
// Station   event → gesture → responder
// Fed by    DeviceTracker
// Feeds     UIApplication.sendEvent, then GestureEnvironment+Presses.swift; key commands; typed text
// Knows     which are down and whose they are. Not what anybody makes of them.
//
//     down ─▶ a key command of the chain? its action, and nobody else hears of the key
//          ─▶ a press: first responder, its chain's recognisers ─▶ sendEvent ─▶ nobody kept it? typed text
//
// Sources   documented  keyCommands, UIKeyInput; a press goes to the first responder and up the chain (B14)
//           inferred    a press that somebody handles without calling super is typed nowhere
//           invented    without a first responder the key window has it, without one the application

import Basics
import Foundation
import HID

package final class PressTracker {
    /// Set by the application as it comes to be; it owns the tracker.
    @exclusivity(unchecked) unowned(unsafe) final var application: UIApplication!
    package let event = UIPressesEvent()
    /// Held now, or locked.
    package private(set) var modifierFlags: UIKeyModifierFlags = []
    private var heldModifiers: [(key: HIDUsage, flag: UIKeyModifierFlags)] = []
    private var isCapsLocked = false
    /// Keys a command has taken: their release is nobody's business.
    private var commanded: [HIDUsage] = []
    /// Whether the beginning being told came to the chain's end.
    final var isUnhandled = false

    deinit {
        for press in event.presses { press.leaveRecognizers() }
    }

    /// A button that cannot be told from one that is down is ignored; so is the end of one that never began here.
    func deliver(_ usage: HIDUsage, _ phase: InputPhase, at time: Instant) {
        event.timestamp = time.seconds
        switch phase {
        case .began: began(usage)
        case .ended: over(usage, .ended)
        case .cancelled: over(usage, .cancelled)
        case .changed, .once: return
        }
    }

    private func began(_ usage: HIDUsage) {
        guard !event.presses.contains(where: { $0.usage == usage }), !commanded.contains(usage) else { return }
        hold(usage)
        let isKey = usage.page == HIDUsage.keyboardPage
        let key = isKey ? UIKey(UIKeyboardHIDUsage(Int(usage.usage)), modifierFlags: modifierFlags) : nil
        let window = application.keyWindow
        let responder: UIResponder = window?.firstResponder ?? window ?? application
        if let key, let command = command(for: key, from: responder) {
            commanded.append(usage)
            application.sendAction(command.action, to: command.target, from: command.sender, for: event)
            return
        }
        let press = UIPress(usage: usage, key: key)
        (press.window, press.responder, press.timestamp) = (window, responder, event.timestamp)
        collectRecognizers(for: press, event: event, in: application.gestures)
        for other in event.presses { other.phase = .stationary }
        event.presses.append(press)
        send(press)
    }

    /// The press's beginning, to its responder: at once, or when nobody holds it any more.
    func tellBegan(_ press: UIPress, to responder: UIResponder) {
        isUnhandled = false
        application.call(.presses(.began), of: responder) { responder.pressesBegan(press.alone, with: event) }
        if let key = press.key, isUnhandled { type(key, into: responder) }
    }

    private func over(_ usage: HIDUsage, _ phase: UIPress.Phase) {
        release(usage)
        commanded.removeAll { $0 == usage }
        guard let press = event.presses.first(where: { $0.usage == usage }) else { return }
        for other in event.presses { other.phase = .stationary }
        (press.phase, press.timestamp) = (phase, event.timestamp)
        send(press)
        press.leaveRecognizers()
        event.presses.removeAll { $0 === press }
    }

    private func send(_ press: UIPress) {
        application.emit(.input(.pressed(press)))
        event.modifierFlags = modifierFlags
        event.changed = press
        application.emit(.input(.applicationSends(event)))
        application.sendEvent(event)
        event.changed = nil
    }

    // MARK: Modifiers

    private func hold(_ usage: HIDUsage) {
        guard usage.page == HIDUsage.keyboardPage else { return }
        let key = UIKeyboardHIDUsage(Int(usage.usage))
        if key == .keyboardCapsLock { isCapsLocked.toggle() }
        if let flag = UIKeyModifierFlags(held: key) { heldModifiers.append((usage, flag)) }
        countModifiers()
    }

    private func release(_ usage: HIDUsage) {
        heldModifiers.removeAll { $0.key == usage }
        countModifiers()
    }

    private func countModifiers() {
        let flags: UIKeyModifierFlags = heldModifiers.reduce(isCapsLocked ? .alphaShift : []) { $0.union($1.flag) }
        guard flags != modifierFlags else { return }
        modifierFlags = flags
        // Here, where they change, and not with every frame of fingers.
        application.touchTracker.event.modifierFlags = flags
    }

    // MARK: Commands

    /// The first command in the chain for the key whose action somebody from the first responder on has.
    private func command(
        for key: UIKey, from first: UIResponder
    ) -> (sender: UIKeyCommand, action: Selector, target: Any)? {
        var responder: UIResponder? = first
        while let current = responder {
            for command in current.keyCommands ?? [] where command.matches(key) {
                guard let action = command.action, let target = first.target(forAction: action, withSender: command)
                else { continue }
                return (command, action, target)
            }
            responder = current.chainNext
        }
        return nil
    }

    // MARK: Text

    /// Keys with control or command say something else than letters.
    private func type(_ key: UIKey, into responder: UIResponder) {
        guard key.modifierFlags.isDisjoint(with: [.control, .command]), let input = responder as? any UIKeyInput else {
            return
        }
        switch key.keyCode {
        case .keyboardDeleteOrBackspace: input.deleteBackward()
        case .keyboardReturnOrEnter: input.insertText("\n")
        default:
            // The other named keys' names are no text.
            if key.characters.count == 1 { input.insertText(key.characters) }
        }
    }
}
