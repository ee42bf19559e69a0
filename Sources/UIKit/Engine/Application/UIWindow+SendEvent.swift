// UIWindow+SendEvent.swift: an event, view by view.
//
// Station   responder
// Fed by    UIWindow.sendEvent, after the recognisers have had the event
// Feeds     touchesBegan, touchesMoved, touchesEnded, touchesCancelled of the touches' views
//
// Sources   documented  a set holds only touches whose `view` is the responder asked (B9v.2)
//           invented    views in first-touch order; phases in the order began, moved, ended, cancelled (B9v.1)

import Foundation
import HID
import Trace

extension UIWindow {
    final func viewPhase(of event: UIEvent) {
        guard let application else { return }
        // A copy: handlers may do anything, but this event's list is this event's.
        let touches = event.touches
        if touches.count == 1 {
            let touch = touches[0]
            if touch.window === self, touch.hold == nil, let view = touch.view, touch.hears(touch.phase) {
                application.send(touch.alone, in: touch.phase, to: view, of: event)
            }
            return
        }
        for (index, touch) in touches.enumerated() where touch.window === self {
            guard let view = touch.view, !touches[..<index].contains(where: { $0.view === view && $0.window === self })
            else { continue }
            deliver(touches, to: view, of: event, by: application)
        }
    }

    private func deliver(_ touches: [UITouch], to view: UIView, of event: UIEvent, by application: UIApplication) {
        for phase in [UITouch.Phase.began, .moved, .ended, .cancelled] {
            var only: UITouch?
            var set: Set<UITouch> = []
            for touch in touches
            where touch.view === view && touch.phase == phase && touch.hold == nil && touch.hears(phase) {
                if let first = only {
                    if set.isEmpty { set.insert(first) }
                    set.insert(touch)
                } else {
                    only = touch
                }
            }
            if let only { application.send(set.isEmpty ? only.alone : set, in: phase, to: view, of: event) }
        }
    }
}

extension UIApplication {
    /// UIKit's one place from which a view receives touches of an event.
    final func send(_ touches: Set<UITouch>, in phase: UITouch.Phase, to view: UIView, of event: UIEvent) {
        if trace.isEnabled || event.isIntercepted {
            let call = UIKitEvent.TouchesCall(phase: phase, touches: touches, event: event, isForwarded: false)
            return watch(call, of: view)
        }
        view.receive(touches, in: phase, of: event)
    }
}
