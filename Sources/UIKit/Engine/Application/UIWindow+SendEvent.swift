// UIWindow+SendEvent.swift: the delivery of an event's touches to views.
//
// Station   responder
// Input     UIWindow.sendEvent, after recognizers received the event
// Output    touchesBegan, touchesMoved, touchesEnded, touchesCancelled of the touches' views
//
// Sources   documented  a set holds only touches whose `view` is the receiving responder (B9v.2)
//           invented    views in the order of their first touch; phases in the order began, moved, ended, cancelled
//                       (B9v.1)

import Foundation
import HID
import Trace

extension UIWindow {
    final func sendTouchesToViews(of event: UIEvent, by application: UIApplication) {
        if event.touches.count == 1 {
            let touch = event.touches[0]
            if touch.ownWindow === self, touch.hold == nil, let view = touch.ownView,
                touch.advanceDelivery(to: touch.ownPhase)
            {
                application.send(touch.setOfSelf, in: touch.ownPhase, to: view, of: event)
            }
            return
        }
        // A copy, because a handler may change the event's list.
        let touches = event.touches
        for (index, touch) in touches.enumerated() where touch.ownWindow === self {
            guard let view = touch.ownView,
                !touches[..<index].contains(where: { $0.ownView === view && $0.ownWindow === self })
            else { continue }
            deliver(touches, to: view, of: event, by: application)
        }
    }

    private func deliver(_ touches: [UITouch], to view: UIView, of event: UIEvent, by application: UIApplication) {
        for phase in [UITouch.Phase.began, .moved, .ended, .cancelled] {
            var only: UITouch?
            var set: Set<UITouch> = []
            for touch in touches
            where touch.ownView === view && touch.ownPhase == phase && touch.hold == nil
                && touch.advanceDelivery(to: phase)
            {
                if let first = only {
                    if set.isEmpty { set.insert(first) }
                    set.insert(touch)
                } else {
                    only = touch
                }
            }
            if let only { application.send(set.isEmpty ? only.setOfSelf : set, in: phase, to: view, of: event) }
        }
    }
}

extension UIApplication {
    /// Sends the event to the window. UIKit calls `UIWindow.sendEvent` here only.
    @inline(__always)
    final func send(_ event: UIEvent, to window: UIWindow) {
        emit(.input(.windowSends(window, event)))
        window.sendEvent(event)
    }

    /// The gesture phase and the view phase of an event in one window.
    ///
    /// Not a part of the window's method, where the compiler counts references to the application and to its parts.
    @inline(never)
    final func divide(_ event: UIEvent, in window: UIWindow) {
        gestures.handle(event, in: window)
        window.sendTouchesToViews(of: event, by: self)
    }

    /// Calls the view's touches method. All touches of an event reach views through this function.
    final func send(_ touches: Set<UITouch>, in phase: UITouch.Phase, to view: UIView, of event: UIEvent) {
        if trace.isEnabled || event.isIntercepted {
            let call = UIKitEvent.TouchesCall(phase: phase, touches: touches, event: event, isForwarded: false)
            return watch(call, of: view)
        }
        view.receive(touches, in: phase, of: event)
    }
}
