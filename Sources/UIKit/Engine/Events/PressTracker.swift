// PressTracker.swift: turns buttons and keys into presses with phases, in one event that lives as long as the
// application.
//
// Station   event → gesture → responder
// Input     DeviceTracker
// Output    UIApplication.sendEvent, then GestureEnvironment+Presses.swift; key commands; typed text
// Knows     which keys are down, and their responders. Not what a responder does with them.
//
//     down ─▶ is it a key command of the chain? then its action, and no press
//          ─▶ else a press: first responder, its chain's recognizers ─▶ sendEvent ─▶ unhandled? then typed text
//
// Sources   documented  keyCommands, UIKeyInput; a press goes to the first responder and up the chain (B14)
//           inferred    a press that a responder handles without calling super types no text
//           invented    without a first responder the key window receives it, without a key window the application

import Basics
import Foundation
import HID

/// The presses of one application.
package final class PressTracker {
    /// Set when the application is made. The application owns the tracker.
    @exclusivity(unchecked) unowned(unsafe) final var application: UIApplication!
    package let event = UIPressesEvent()
    /// Modifiers that are held or locked.
    package private(set) var modifierFlags: UIKeyModifierFlags = []
    private var heldModifiers: [(key: HIDUsage, flag: UIKeyModifierFlags)] = []
    private var isCapsLocked = false
    /// Keys that a command has used. Their release makes no event.
    private var commandKeys: [HIDUsage] = []
    /// Whether the beginning that is being delivered reached the end of the chain, so that no responder handled it.
    final var isUnhandled = false

    deinit {
        for press in event.presses { press.leaveRecognizers() }
    }

    /// Delivers the beginning or the end of a key or button. A beginning is ignored if the same usage is down already,
    /// and an end if the press did not begin here.
    func deliver(_ usage: HIDUsage, _ phase: InputPhase, at time: Instant) {
        event.timestamp = time.seconds
        switch phase {
        case .began: beginPress(usage)
        case .ended: endPress(usage, phase: .ended)
        case .cancelled: endPress(usage, phase: .cancelled)
        case .changed, .once: return
        }
    }

    private func beginPress(_ usage: HIDUsage) {
        guard !event.presses.contains(where: { $0.usage == usage }), !commandKeys.contains(usage) else { return }
        holdModifier(usage)
        let isKey = usage.page == HIDUsage.keyboardPage
        let key = isKey ? UIKey(UIKeyboardHIDUsage(Int(usage.usage)), modifierFlags: modifierFlags) : nil
        let window = application.keyWindow
        let responder: UIResponder = window?.firstResponder ?? window ?? application
        if let key, let command = command(for: key, from: responder) {
            commandKeys.append(usage)
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

    /// Calls `pressesBegan` of the press's responder: at once, or when no recognizer holds the press any more.
    func deliverBegan(_ press: UIPress, to responder: UIResponder) {
        isUnhandled = false
        application.call(.presses(.began), of: responder) { responder.pressesBegan(press.setOfSelf, with: event) }
        if let key = press.key, isUnhandled { type(key, into: responder) }
    }

    private func endPress(_ usage: HIDUsage, phase: UIPress.Phase) {
        releaseModifier(usage)
        commandKeys.removeAll { $0 == usage }
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

    private func holdModifier(_ usage: HIDUsage) {
        guard usage.page == HIDUsage.keyboardPage else { return }
        let key = UIKeyboardHIDUsage(Int(usage.usage))
        if key == .keyboardCapsLock { isCapsLocked.toggle() }
        if let flag = UIKeyModifierFlags(held: key) { heldModifiers.append((usage, flag)) }
        updateModifierFlags()
    }

    private func releaseModifier(_ usage: HIDUsage) {
        heldModifiers.removeAll { $0.key == usage }
        updateModifierFlags()
    }

    private func updateModifierFlags() {
        let flags: UIKeyModifierFlags = heldModifiers.reduce(isCapsLocked ? .alphaShift : []) { $0.union($1.flag) }
        guard flags != modifierFlags else { return }
        modifierFlags = flags
        // Set when modifiers change, so that touch frames do not have to.
        application.touchTracker.event.modifierFlags = flags
    }

    // MARK: Commands

    /// The first command in the chain for the key, if a responder from `first` on implements its action.
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

    /// Types the key's text. Keys with control or command type none.
    private func type(_ key: UIKey, into responder: UIResponder) {
        guard key.modifierFlags.isDisjoint(with: [.control, .command]), let input = responder as? any UIKeyInput else {
            return
        }
        switch key.keyCode {
        case .keyboardDeleteOrBackspace: input.deleteBackward()
        case .keyboardReturnOrEnter: input.insertText("\n")
        default:
            // A named key without text has a name of several characters.
            if key.characters.count == 1 { input.insertText(key.characters) }
        }
    }
}
