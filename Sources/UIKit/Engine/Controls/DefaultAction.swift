// DefaultAction.swift: whose finger it is, a control's or that of a recogniser further out.
//
// Station   gesture
// Fed by    UIGestureRecognizer, before one that would take touches from a control begins (B5.4)
// Feeds     gestureRecognizerShouldBegin of the controls that have something of their own to do with a finger
// Knows     what the recogniser looks for, and where its fingers on the control have gone
//
//     a tap of one finger          a button, a switch, a stepper, segments, page dots keep it
//     a drag along the track       a slider's and a switch's knob keep it
//     a swipe along the track      a slider's knob keeps it
//     anything else                goes ahead, and the control is cancelled
//
// Sources   documented  "Interacting with Other User Interface Controls" of UIGestureRecognizer (B10.9, S77)
//           invented    a disabled control keeps nothing

import Foundation

extension UIControl {
    /// A control of one's own has nothing of the kind (S70), and a recogniser on the control itself was meant. (S62)
    private final func stepsAside(for recognizer: UIGestureRecognizer) -> Bool {
        !isEnabled || recognizer.view === self
    }

    final func keepsTap(from recognizer: UIGestureRecognizer) -> Bool {
        guard !stepsAside(for: recognizer), let tap = recognizer as? UITapGestureRecognizer else { return false }
        return tap.numberOfTapsRequired == 1 && tap.numberOfTouchesRequired == 1
    }

    /// A pan, of whatever kind, whose finger has the knob and has moved along the track rather than across.
    final func keepsPan(from recognizer: UIGestureRecognizer, knob: CGRect, isHeld: Bool) -> Bool {
        recognizer is UIPanGestureRecognizer && keepsMove(of: recognizer, knob: knob, isHeld: isHeld)
    }

    final func keepsSwipe(from recognizer: UIGestureRecognizer, knob: CGRect, isHeld: Bool) -> Bool {
        recognizer is UISwipeGestureRecognizer && keepsMove(of: recognizer, knob: knob, isHeld: isHeld)
    }

    private final func keepsMove(of recognizer: UIGestureRecognizer, knob: CGRect, isHeld: Bool) -> Bool {
        guard !stepsAside(for: recognizer) else { return false }
        return recognizer.attemptTouches.contains { touch in
            guard touch.view === self, let window = touch.window else { return false }
            let (from, to) = (convert(touch.landing, from: window), touch.location(in: self))
            // The followed finger's knob has moved with it since.
            let hasKnob = touch === tracked ? isHeld : knob.contains(from)
            return hasKnob && abs(to.x - from.x) >= abs(to.y - from.y)
        }
    }
}
