// DefaultAction.swift: whether a control keeps a touch from a recognizer of a view around it.
//
// Station   gesture
// Input     UIGestureRecognizer, before a recognizer that would take touches from a control begins (B5.4)
// Output    gestureRecognizerShouldBegin of the controls that have a default action
// Knows     what the recognizer recognizes, and the way of its fingers on the control
//
//     a tap of one finger          a button, a switch, a stepper, segments, page dots keep it
//     a drag along the track       a slider's and a switch's knob keep it
//     a swipe along the track      a slider's knob keeps it
//     any other gesture            begins, and the control is cancelled
//
// Sources   documented  "Interacting with Other User Interface Controls" of UIGestureRecognizer (B10.9, S77)
//           invented    a disabled control keeps no touch

import Foundation

extension UIControl {
    /// Whether the control keeps no touch from the recognizer: the control is disabled, or the recognizer is attached
    /// to the control itself (S62). An app's own control class has no default action (S70).
    private final func yields(to recognizer: UIGestureRecognizer) -> Bool {
        !isEnabled || recognizer.view === self
    }

    final func keepsTap(from recognizer: UIGestureRecognizer) -> Bool {
        guard !yields(to: recognizer), let tap = recognizer as? UITapGestureRecognizer else { return false }
        return tap.numberOfTapsRequired == 1 && tap.numberOfTouchesRequired == 1
    }

    /// Whether the control keeps a pan of any kind whose finger has the knob and moves along the track rather than
    /// across it.
    final func keepsPan(from recognizer: UIGestureRecognizer, knob: CGRect, isHeld: Bool) -> Bool {
        recognizer is UIPanGestureRecognizer && keepsMove(of: recognizer, knob: knob, isHeld: isHeld)
    }

    final func keepsSwipe(from recognizer: UIGestureRecognizer, knob: CGRect, isHeld: Bool) -> Bool {
        recognizer is UISwipeGestureRecognizer && keepsMove(of: recognizer, knob: knob, isHeld: isHeld)
    }

    private final func keepsMove(of recognizer: UIGestureRecognizer, knob: CGRect, isHeld: Bool) -> Bool {
        guard !yields(to: recognizer) else { return false }
        return recognizer.attemptTouches.contains { touch in
            guard touch.view === self, let window = touch.window else { return false }
            let (from, to) = (convert(touch.landing, from: window), touch.location(in: self))
            // The knob has moved with the tracked finger since the landing.
            let hasKnob = touch === trackedTouch ? isHeld : knob.contains(from)
            return hasKnob && abs(to.x - from.x) >= abs(to.y - from.y)
        }
    }
}
