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
    /// The one place from which a view hears of touches.
    final func send(_ touches: Set<UITouch>, in phase: UITouch.Phase, to view: UIView, of event: UIEvent) {
        if trace.isEnabled { note(touches, in: phase, to: view) }
        switch phase {
        case .began: view.touchesBegan(touches, with: event)
        case .moved: view.touchesMoved(touches, with: event)
        case .ended: view.touchesEnded(touches, with: event)
        case .cancelled: view.touchesCancelled(touches, with: event)
        case .stationary, .regionEntered, .regionMoved, .regionExited: break
        }
    }

    /// No template prints `b`, `c` and `d`: the touches' numbers plus one, or zeros for more than three touches.
    private func note(_ touches: Set<UITouch>, in phase: UITouch.Phase, to view: UIView) {
        let numbers = touches.count > 3 ? [] : touches.map { Int64($0.id.rawValue) + 1 }.sorted()
        let (b, c, d) = (numbers.first ?? 0, numbers.dropFirst().first ?? 0, numbers.dropFirst(2).first ?? 0)
        let name = view.traceName(in: self)
        switch phase {
        case .began: trace.note(now, .responder, "{a:n} touchesBegan", name, b, c, d)
        case .moved: trace.note(now, .responder, "{a:n} touchesMoved", name, b, c, d)
        case .ended: trace.note(now, .responder, "{a:n} touchesEnded", name, b, c, d)
        case .cancelled: trace.note(now, .responder, "{a:n} touchesCancelled", name, b, c, d)
        case .stationary, .regionEntered, .regionMoved, .regionExited: break
        }
    }
}
