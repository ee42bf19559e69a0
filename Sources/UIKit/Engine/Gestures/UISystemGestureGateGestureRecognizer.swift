// UISystemGestureGateGestureRecognizer.swift: withholds touches at the screen's edges from views while a system gesture
// may still take them.
//
// Station   gesture
// Input     GestureEnvironment, with gated touches only; TouchTracker, when the server opens a gate
// Output    its own failure, which releases the touches to their views
//
//     gated touch ──held──▶ closed ──the server leaves it to the app, or a timeout──▶ open: views receive the touch
//                             └──cancelled: the system has taken it──▶ discarded: views never receive it
//
// A window makes two at its first gated touch. One holds beginnings. The other holds nothing and discards touches that
// are cancelled behind a closed gate. On a phone both receive every touch and fail at once for ungated ones; here they
// never receive these, with the same result. A gate recognizes nothing and excludes none: an app's recognizers receive
// a gated touch at once, and may take it from its view.
//
// Sources   observed    two on every window, by this name: one delays beginnings, one does not delay ends
//           documented  Docs/Spec/Semantics.md D8
//           invented    that a cancelled touch whose gate is closed is discarded, whatever cancels it

import Basics
import Foundation
import Gestures
import HID

/// A recognizer that only withholds gated touches.
final class UISystemGestureGateGestureRecognizer: UIGestureRecognizer {
    private var timer: HeldTimer?

    init(of window: UIWindow, holds: Bool) {
        super.init(target: nil, action: nil)
        attachedView = window
        (delaysTouchesBegan, delaysTouchesEnded, cancelsTouchesInView) = (holds, false, false)
    }

    override var onlyHoldsTouches: Bool { true }
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

    /// Releases the touch, which belongs to its app.
    func gateOpened(for touch: UITouch) {
        application?.gestures.releaseHold(on: touch, by: self)
        failIfIdle()
    }

    private func leave(_ touches: Set<UITouch>) { failIfIdle(besides: touches) }

    private func failIfIdle(besides touches: Set<UITouch> = []) {
        guard attempt.isActive, !activeTouches.contains(where: { $0.isGateClosed && !touches.contains($0) }) else {
            return
        }
        state = .failed
    }

    /// Opens the gates of all touches: the server has not answered, or this app has missed its answer.
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
    /// Opens the touch's gate: no system gesture withholds the touch from its view any more.
    final func openGate() {
        guard isGateClosed else { return }
        isGateClosed = false
        guard let gates = window?.systemGestureGates else { return }
        for gate in gates { gate.gateOpened(for: self) }
    }
}

extension UIWindow {
    /// Adds the touch, whose gate is closed, to the window's two gates. They are the last recognizers in its list.
    final func addGates(to touch: UITouch, by event: UIEvent) {
        guard let application else { return }
        let gates =
            systemGestureGates
            ?? [
                UISystemGestureGateGestureRecognizer(of: self, holds: true),
                UISystemGestureGateGestureRecognizer(of: self, holds: false),
            ]
        systemGestureGates = gates
        for gate in gates {
            touch.recognizers.append(gate)
            gate.accept(touch)
            application.gestures.activate(gate, by: event.type)
        }
    }
}
