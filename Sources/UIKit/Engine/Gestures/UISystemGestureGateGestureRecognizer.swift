// UISystemGestureGateGestureRecognizer.swift: keeps touches at the screen's edges from views while the system may yet
// take them.
//
// Station   gesture
// Fed by    GestureEnvironment, as any recogniser, with gated touches only; TouchTracker, when the server opens a gate
// Feeds     its own failing, which is when views hear
//
//     gated touch ──held──▶ closed ──the server leaves it to the app, or says nothing for too long──▶ open: views hear
//                             └──cancelled: the system has it──▶ discarded: views never knew
//
// Each window has two: one holds what begins, the other holds nothing and sees that what is cancelled behind a closed
// gate is discarded. On a phone both are given every touch and fail at once for those that are not gated; here they are
// not asked about them, which nobody can tell apart. They recognise nothing and are in nobody's way: an app's own
// recognisers hear of a gated touch at once, and one that wins takes it from its view as ever.
//
// Sources   observed    two on every window, by this name: one delays touches that begin, one does not delay their ends
//           documented  Docs/Spec/Semantics.md D8
//           invented    that a cancelled touch whose gate is closed is discarded, whatever cancels it

import Basics
import Foundation
import Gestures
import HID

final class UISystemGestureGateGestureRecognizer: UIGestureRecognizer {
    private var timer: HeldTimer?

    init(of window: UIWindow, holds: Bool) {
        super.init(target: nil, action: nil)
        attachedView = window
        (delaysTouchesBegan, delaysTouchesEnded, cancelsTouchesInView) = (holds, false, false)
    }

    override var isOutOfSight: Bool { true }
    override var traceKind: String { "system gesture gate" }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        guard delaysTouchesBegan, timer == nil, let application, let loop = application.mainLoop else { return }
        let moment = application.now.advanced(by: Duration(seconds: application.settings.gateTimeout))
        timer = HeldTimer(on: loop, at: moment) { [weak self] in self?.timeOut() }
    }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        for touch in activeTouches where touches.contains(touch) && touch.isGateClosed {
            if !delaysTouchesBegan { application?.gestures.discard(touch) }
        }
        leave(touches)
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) { leave(touches) }

    override func reset() {
        super.reset()
        timer = nil
    }

    /// The touch is its app's.
    func opens(for touch: UITouch) {
        application?.gestures.letGo(of: touch, by: self)
        failIfIdle()
    }

    private func leave(_ touches: Set<UITouch>) { failIfIdle(besides: touches) }

    private func failIfIdle(besides touches: Set<UITouch> = []) {
        guard attempt.isActive, !activeTouches.contains(where: { $0.isGateClosed && !touches.contains($0) }) else {
            return
        }
        state = .failed
    }

    /// The server says nothing, or this app was not there to hear it.
    private func timeOut() {
        timer = nil
        guard let application else { return }
        for touch in activeTouches where touch.isGateClosed {
            let limit = Duration(seconds: application.settings.gateTimeout)
            application.emit(.input(.gateTimedOut(touch.id, after: limit)))
            touch.openGate()
        }
        if attempt.isActive { state = .failed }
    }
}

extension UITouch {
    /// No gesture of the system's keeps it from its view any more.
    final func openGate() {
        guard isGateClosed else { return }
        isGateClosed = false
        guard let gates = window?.gatesInUse else { return }
        for gate in gates { gate.opens(for: self) }
    }
}

extension UIWindow {
    /// The window's two, which are given a touch whose gate is closed after everybody else.
    final func gate(_ touch: UITouch, by event: UIEvent) {
        guard let application else { return }
        let gates =
            gatesInUse
            ?? [
                UISystemGestureGateGestureRecognizer(of: self, holds: true),
                UISystemGestureGateGestureRecognizer(of: self, holds: false),
            ]
        gatesInUse = gates
        for gate in gates {
            touch.gestureRecognizers?.append(gate)
            gate.take(touch)
            application.gestures.join(gate, by: event.type)
        }
    }
}
