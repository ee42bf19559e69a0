// GestureEnvironment+Delivery.swift: the calls of recognizers' touches methods for one event.
//
// Station   gesture
// Input     GestureEnvironment.handle, once for each window of an event
// Output    touchesBegan … touchesCancelled of each recognizer, once, with its touches of the event
//
// Nearly every event has one touch, and nearly every event is a move. The recognizers of the only touch are then called
// in place, and UIKit's own recognizers receive its sample without a set of touches (Docs/Internals/Dispatch.md).
//
// Sources   documented  each recognizer receives the touches of one phase together (B6.1)

import Basics
import Foundation
import Gestures

extension GestureEnvironment {
    /// Calls each recognizer once, with its touches of the event, phase by phase. (B6.1)
    func deliver(_ event: UIEvent, in window: UIWindow) {
        eventNumber &+= 1
        if event.touches.count == 1, !shufflesOrders {
            deliver(event.touches[0], of: event, in: window)
            return
        }
        let touches = event.touches
        var receivers: [UIGestureRecognizer] = []
        swap(&receivers, &self.receivers)
        for touch in touches where touch.ownPhase != .stationary && touch.ownWindow === window {
            touch.recognizers.forEach { recognizer in
                if isFirstDelivery(to: recognizer) { receivers.append(recognizer) }
            }
        }
        arrange(&receivers)
        for recognizer in receivers { callTouchesMethods(of: recognizer, for: event) }
        receivers.removeAll(keepingCapacity: true)
        swap(&receivers, &self.receivers)
    }

    /// Whether the recognizer has not received the present event yet. The call counts as its delivery.
    @inline(__always)
    private func isFirstDelivery(to recognizer: UIGestureRecognizer) -> Bool {
        guard recognizer.attempt.deliveredEventNumber != eventNumber else { return false }
        recognizer.attempt.deliveredEventNumber = eventNumber
        return true
    }

    /// Delivers the only touch of an event.
    private func deliver(_ touch: UITouch, of event: UIEvent, in window: UIWindow) {
        let phase = touch.ownPhase
        guard phase != .stationary, touch.ownWindow === window else { return }
        // A copy: an app's code may change the touch's recognizers, and the copy keeps all of them alive.
        let recognizers = touch.recognizers
        guard phase == .moved, !event.isIntercepted else {
            recognizers.forEach { recognizer in
                if isFirstDelivery(to: recognizer) { callTouchesMethods(of: recognizer, for: event) }
            }
            return
        }
        if samples.isEmpty { samples.append(Sample(touch)) } else { samples[0] = Sample(touch) }
        let (samples, application) = (samples, application!)
        recognizers.forEach { recognizer in
            guard isFirstDelivery(to: recognizer) else { return }
            if recognizer.ownClass.isOfUIKit, !recognizer.stage.isFinal, recognizer.touchInput.isActive(only: touch) {
                recognizer.receiveMove(of: touch, as: samples, at: application.now, in: event)
            } else {
                callTouchesMethods(of: recognizer, for: event)
            }
        }
    }

    private func callTouchesMethods(of recognizer: UIGestureRecognizer, for event: UIEvent) {
        guard !recognizer.stage.isFinal else {
            // A recognizer in a final state receives no more touches (B5.8). One that waits may still cancel touches,
            // so it may hold them.
            if recognizer.attempt.state.isWaiting {
                scheduleUpdate(of: recognizer)
            } else {
                recognizer.leaveTouches(keepingAttempt: true)
            }
            return
        }
        if recognizer.activeTouches.count == 1 {
            let touch = recognizer.activeTouches[0]
            callTouchesMethod(of: recognizer, with: touch.setOfSelf, in: touch.ownPhase, for: event)
            return
        }
        for phase in [UITouch.Phase.began, .moved, .ended, .cancelled] {
            let touches = recognizer.activeTouches.filter { $0.ownPhase == phase }
            if !touches.isEmpty { callTouchesMethod(of: recognizer, with: Set(touches), in: phase, for: event) }
            // A recognizer that one phase has decided receives no later phase.
            if recognizer.stage.isFinal { break }
        }
    }

    private func callTouchesMethod(
        of recognizer: UIGestureRecognizer, with touches: Set<UITouch>, in phase: UITouch.Phase, for event: UIEvent
    ) {
        if event.isIntercepted { return watch(recognizer, touches, in: phase, of: event) }
        prepare(recognizer, for: phase, of: event)
        recognizer.receive(touches, in: phase, of: event)
    }

    @inline(__always)
    func prepare(_ recognizer: UIGestureRecognizer, for phase: UITouch.Phase, of event: UIEvent) {
        switch phase {
        case .began:
            scheduleUpdate(of: recognizer)
            recognizer.modifiers = event.modifiers
        case .ended, .cancelled: scheduleUpdate(of: recognizer)
        case .moved, .stationary, .regionEntered, .regionMoved, .regionExited: break
        }
    }
}
