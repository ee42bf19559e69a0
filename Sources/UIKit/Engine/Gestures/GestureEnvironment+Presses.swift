// GestureEnvironment+Presses.swift: presses in the gesture phase, as touches, but with a responder in place of a view.
//
// Station   gesture → responder
// Input     DeviceTracker, before the responder phase of an event; the update, with the decisions of recognizers
// Output    recognizers' presses methods; pressesBegan, pressesEnded, pressesCancelled of the press's responder
//
// Sources   documented  cancelsTouchesInView, delaysTouchesBegan and delaysTouchesEnded are for presses too (B14)
//           invented    all else is as for touches: which presses are held, released and discarded

import Basics
import Foundation
import Gestures
import HID

/// The recognizers that withhold a press from its responder, and the withheld phases.
struct PressHold {
    var holders: [UIGestureRecognizer] = []
    /// Began, ended.
    var phases: [UIPress.Phase] = []
}

extension GestureEnvironment {
    /// The gesture phase of a presses event, for the press that changed.
    func handle(_ press: UIPress, of event: UIPressesEvent) {
        guard !active.isEmpty || !heldPresses.isEmpty else { return }
        for recognizer in arranged(press.gestureRecognizers ?? []) {
            guard !recognizer.stage.isFinal else {
                recognizer.leavePresses(keepingAttempt: true)
                continue
            }
            scheduleUpdate(of: recognizer)
            recognizer.modifiers = event.modifiers
            if press.phase != .stationary { call(recognizer, press, of: event) }
        }
        update(event, in: press.window)
    }

    private func call(_ recognizer: UIGestureRecognizer, _ press: UIPress, of event: UIPressesEvent) {
        let phase = press.phase
        application.emitToObserver(.gesture(.entered(recognizer, .presses(phase))))
        switch phase {
        case .began: recognizer.pressesBegan(press.setOfSelf, with: event)
        case .changed: recognizer.pressesChanged(press.setOfSelf, with: event)
        case .ended: recognizer.pressesEnded(press.setOfSelf, with: event)
        case .cancelled: recognizer.pressesCancelled(press.setOfSelf, with: event)
        case .stationary: break
        }
        application.emitToObserver(.gesture(.left(recognizer, .presses(phase))))
    }

    // MARK: Holding

    /// Withholds the changed press from its responder, as the flags of an undecided recognizer demand.
    func holdPresses(for recognizer: UIGestureRecognizer, in event: UIPressesEvent) {
        guard !recognizer.finishesAtReset else { return }
        for press in recognizer.attemptPresses where press.delivery.state != .over && event.changed === press {
            guard
                press.phase == .began && recognizer.delaysTouchesBegan
                    || press.phase == .ended && recognizer.delaysTouchesEnded
            else { continue }
            if press.hold == nil {
                press.hold = PressHold()
                heldPresses.append(press)
            }
            guard press.hold?.holders.contains(where: { $0 === recognizer }) == false else { continue }
            press.hold?.holders.append(recognizer)
            recognizer.attempt.holdsInput = true
        }
    }

    func releaseHoldsOnPresses(by recognizer: UIGestureRecognizer) {
        for press in heldPresses { press.hold?.holders.removeAll { $0 === recognizer } }
    }

    /// Cancels the recognizer's presses in their responders.
    func cancelPresses(of recognizer: UIGestureRecognizer) {
        for press in recognizer.attemptPresses {
            press.hold = nil
            heldPresses.removeAll { $0 === press }
            guard press.delivery.handle(.taken) == .cancel else { continue }
            send(press, in: .cancelled)
        }
    }

    /// Adds the present event to the withheld phases of a held press, and delivers the phases of presses that no
    /// recognizer holds any more.
    func releasePresses(_ event: UIPressesEvent?) {
        if let press = event?.changed, press.hold?.holders.isEmpty == false {
            if press.phase == .cancelled { press.hold?.holders = [] } else { press.hold?.phases.append(press.phase) }
        }
        let free = heldPresses.filter { $0.hold?.holders.isEmpty != false }
        heldPresses.removeAll { $0.hold?.holders.isEmpty != false }
        for press in free {
            let phases = press.hold?.phases ?? []
            press.hold = nil
            for phase in phases where press.advanceDelivery(to: phase) { send(press, in: phase) }
        }
    }

    // MARK: The responder phase

    /// Delivers the changed press to its responder, unless a recognizer holds or has taken it.
    func respond(to press: UIPress) {
        guard press.hold == nil, press.advanceDelivery(to: press.phase) else { return }
        send(press, in: press.phase)
    }

    /// Calls the responder's presses method. All presses reach responders through this function.
    private func send(_ press: UIPress, in phase: UIPress.Phase) {
        guard let responder = press.responder else { return }
        let (real, event) = (press.phase, application.devices.presses.event)
        press.phase = phase
        switch phase {
        case .began: application.devices.presses.deliverBegan(press, to: responder)
        case .changed:
            application.call(.presses(.changed), of: responder) {
                responder.pressesChanged(press.setOfSelf, with: event)
            }
        case .ended:
            application.call(.presses(.ended), of: responder) { responder.pressesEnded(press.setOfSelf, with: event) }
        case .cancelled:
            application.call(.presses(.cancelled), of: responder) {
                responder.pressesCancelled(press.setOfSelf, with: event)
            }
        case .stationary: break
        }
        if press.phase == phase { press.phase = real }
    }
}

extension UIPress {
    /// Whether the responder receives this phase. The call counts as its delivery.
    fileprivate func advanceDelivery(to phase: Phase) -> Bool {
        switch phase {
        case .began: delivery.handle(.began) == .deliver
        case .changed: delivery.handle(.moved) == .deliver
        case .ended: delivery.handle(.ended) == .deliver
        case .cancelled: delivery.handle(.cancelled) == .deliver
        case .stationary: false
        }
    }

    /// Removes an ended press from its recognizers' active input. The press keeps its list of recognizers.
    final func leaveRecognizers() {
        for recognizer in gestureRecognizers ?? [] { recognizer.pressInput.release(self) }
    }
}

extension UIGestureRecognizer {
    final func leavePresses(keepingAttempt: Bool) {
        for press in activePresses { press.gestureRecognizers?.removeAll { $0 === self } }
        pressInput.leaveActive()
        if !keepingAttempt { pressInput.forgetAttempt() }
    }
}

/// Fills the press's list of recognizers, from the responder's view outwards, as for a touch. (B14)
func collectRecognizers(for press: UIPress, event: UIPressesEvent, in environment: GestureEnvironment) {
    press.gestureRecognizers = []
    var responder = press.responder
    while let current = responder {
        // A copy, as for a touch.
        for recognizer in (current as? UIView)?.recognizers ?? [] where recognizer.accepts(press, event: event) {
            press.gestureRecognizers?.append(recognizer)
            recognizer.pressInput.accept(press)
            environment.activate(recognizer, by: .presses)
        }
        responder = current.chainNext
    }
}

extension UIGestureRecognizer {
    /// Whether the recognizer accepts the press. A recognizer that is active with touches accepts none. Otherwise the
    /// questions are allowedPressTypes, then `shouldReceive` of the recognizer and of its delegate, for the event and
    /// then the press.
    fileprivate func accepts(_ press: UIPress, event: UIPressesEvent) -> Bool {
        guard isEnabled, stage.rawValue <= RecognizerState.changed.rawValue else { return false }
        if attempt.isActive, attempt.event != .presses { return false }
        guard allowedPressTypes.contains(where: { $0.intValue == press.type.rawValue }) else { return false }
        let receives = attempt.receivesEvent ?? wants(event)
        attempt.receivesEvent = receives
        guard receives else { return false }
        guard let delegate else { return true }
        return isWanted(event, by: delegate)
            && emitQuestion(
                .shouldReceivePress(self, press), of: delegate,
                answer: delegate.gestureRecognizer(self, shouldReceive: press))
    }
}

extension MachineRecognizer {
    /// Handles presses. For a machine, a press is a finger that stays at one position.
    func handle(_ phase: SamplePhase, presses: Set<UIPress>) {
        guard !stage.isFinal else { return }
        if phase == .began { updateRules() }
        passStateToMachine()
        let now = application?.now ?? .boot
        // A set has no order; presses are sorted by their finger numbers.
        for press in presses.sorted(by: { $0.finger < $1.finger }) {
            apply(
                machine.handle(phase, [Sample(press.finger, Point(0, 0), Instant(seconds: press.timestamp))], at: now))
        }
    }
}
