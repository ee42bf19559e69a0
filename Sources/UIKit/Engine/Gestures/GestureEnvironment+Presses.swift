// GestureEnvironment+Presses.swift: recognisers and presses: as with touches, but that a press has a responder for view.
//
// Station   gesture → responder
// Fed by    DeviceTracker, before the responder phase of an event; the update, for what recognisers decide
// Feeds     recognisers' presses methods; pressesBegan, pressesEnded, pressesCancelled of the press's responder
//
// Sources   documented  cancelsTouchesInView, delaysTouchesBegan and delaysTouchesEnded are for presses too (B14)
//           invented    the rest, after touches: what is held, released and discarded

import Basics
import Foundation
import Gestures
import HID

/// Why a responder has not heard of a press yet, and what of.
struct PressHold {
    var holders: [UIGestureRecognizer] = []
    /// Began, ended.
    var phases: [UIPress.Phase] = []
}

extension GestureEnvironment {
    /// The gesture phase of a presses event: of the one press that changed.
    func handle(_ press: UIPress, of event: UIPressesEvent) {
        guard !active.isEmpty || !heldPresses.isEmpty else { return }
        for recognizer in arranged(press.gestureRecognizers ?? []) {
            guard !recognizer.stage.isFinal else {
                recognizer.leavePresses(keepingAttempt: true)
                continue
            }
            needsLook(recognizer)
            recognizer.modifiers = event.modifiers
            if press.phase != .stationary { call(recognizer, press, of: event) }
        }
        update(event, in: press.window)
    }

    private func call(_ recognizer: UIGestureRecognizer, _ press: UIPress, of event: UIPressesEvent) {
        let phase = press.phase
        application.emitToObserver(.gesture(.entered(recognizer, .presses(phase))))
        switch phase {
        case .began: recognizer.pressesBegan(press.alone, with: event)
        case .changed: recognizer.pressesChanged(press.alone, with: event)
        case .ended: recognizer.pressesEnded(press.alone, with: event)
        case .cancelled: recognizer.pressesCancelled(press.alone, with: event)
        case .stationary: break
        }
        application.emitToObserver(.gesture(.left(recognizer, .presses(phase))))
    }

    // MARK: Holding

    /// Undecided, it keeps from the responder what its flags say.
    func takeHolds(_ recognizer: UIGestureRecognizer, ofPressesIn event: UIPressesEvent) {
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
            recognizer.attempt.holds = true
        }
    }

    func letGoOfPresses(_ recognizer: UIGestureRecognizer) {
        for press in heldPresses { press.hold?.holders.removeAll { $0 === recognizer } }
    }

    /// The recogniser has its presses for itself.
    func cancelPresses(of recognizer: UIGestureRecognizer) {
        for press in recognizer.attemptPresses {
            press.hold = nil
            heldPresses.removeAll { $0 === press }
            guard press.delivery.handle(.taken) == .cancel else { continue }
            send(press, in: .cancelled)
        }
    }

    /// Keeps what this event says of a press that is held, and delivers what was kept of those that no longer are.
    func releasePresses(_ event: UIPressesEvent?) {
        if let press = event?.changed, press.hold?.holders.isEmpty == false {
            if press.phase == .cancelled { press.hold?.holders = [] } else { press.hold?.phases.append(press.phase) }
        }
        let free = heldPresses.filter { $0.hold?.holders.isEmpty != false }
        heldPresses.removeAll { $0.hold?.holders.isEmpty != false }
        for press in free {
            let phases = press.hold?.phases ?? []
            press.hold = nil
            for phase in phases where press.hears(phase) { send(press, in: phase) }
        }
    }

    // MARK: The responder phase

    /// What is left for the responder of what just changed.
    func respond(to press: UIPress) {
        guard press.hold == nil, press.hears(press.phase) else { return }
        send(press, in: press.phase)
    }

    /// The one place from which a responder hears of presses.
    private func send(_ press: UIPress, in phase: UIPress.Phase) {
        guard let responder = press.responder else { return }
        let (real, event) = (press.phase, application.devices.presses.event)
        press.phase = phase
        switch phase {
        case .began: application.devices.presses.tellBegan(press, to: responder)
        case .changed:
            application.call(.presses(.changed), of: responder) { responder.pressesChanged(press.alone, with: event) }
        case .ended:
            application.call(.presses(.ended), of: responder) { responder.pressesEnded(press.alone, with: event) }
        case .cancelled:
            application.call(.presses(.cancelled), of: responder) {
                responder.pressesCancelled(press.alone, with: event)
            }
        case .stationary: break
        }
        if press.phase == phase { press.phase = real }
    }
}

extension UIPress {
    /// Whether its responder is told of this phase; from then on it has been.
    fileprivate func hears(_ phase: Phase) -> Bool {
        switch phase {
        case .began: delivery.handle(.began) == .tell
        case .changed: delivery.handle(.moved) == .tell
        case .ended: delivery.handle(.ended) == .tell
        case .cancelled: delivery.handle(.cancelled) == .tell
        case .stationary: false
        }
    }

    /// The press is over, and recognisers let go of it. It still says who had it.
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

/// Fills the press's list: the responder's view outwards, as for a touch. (B14)
func collectRecognizers(for press: UIPress, event: UIPressesEvent, in environment: GestureEnvironment) {
    press.gestureRecognizers = []
    var responder = press.responder
    while let current = responder {
        // A copy, as for a touch.
        for recognizer in (current as? UIView)?.recognizers ?? [] where recognizer.accepts(press, event: event) {
            press.gestureRecognizers?.append(recognizer)
            recognizer.pressInput.accept(press)
            environment.join(recognizer, by: .presses)
        }
        responder = current.chainNext
    }
}

extension UIGestureRecognizer {
    /// One at work on touches takes no press. Otherwise allowedPressTypes, then `shouldReceive` of the recogniser and
    /// of its delegate, for the event and then the press.
    fileprivate func accepts(_ press: UIPress, event: UIPressesEvent) -> Bool {
        guard isEnabled, stage.rawValue <= RecognizerState.changed.rawValue else { return false }
        if attempt.isActive, attempt.event != .presses { return false }
        guard allowedPressTypes.contains(where: { $0.intValue == press.type.rawValue }) else { return false }
        let receives = attempt.receivesEvent ?? wants(event)
        attempt.receivesEvent = receives
        guard receives else { return false }
        guard let delegate else { return true }
        return isWanted(event, by: delegate)
            && asked(
                .shouldReceivePress(self, press), of: delegate, delegate.gestureRecognizer(self, shouldReceive: press))
    }
}

extension MachineRecognizer {
    /// To a machine a press is a finger that stays in one place.
    func hear(_ phase: SamplePhase, _ presses: Set<UIPress>) {
        guard !stage.isFinal else { return }
        if phase == .began { prepare() }
        keepUp()
        let now = application?.now ?? .boot
        // A set has no order; presses have that of their fingers' numbers.
        for press in presses.sorted(by: { $0.finger < $1.finger }) {
            take(machine.handle(phase, [Sample(press.finger, Point(0, 0), Instant(seconds: press.timestamp))], at: now))
        }
    }
}
