// RecognizerOptions.swift: which input a recognizer takes, and what becomes of its touches in their views.
//
// Input     UIGestureRecognizer's properties, which a subclass may override: UIKit reads them there
//
// Sources   documented  the defaults (B9.12)

import Foundation

/// Which touches and presses a recognizer takes.
struct AcceptedInput {
    /// Raw values of `UITouch.TouchType`.
    var touchTypes: [NSNumber] = [0, 1, 2, 3]
    /// Raw values of `UIPress.PressType`.
    var pressTypes: [NSNumber] = []
    /// Whether, having touches of one type, it refuses those of another.
    var requiresOneTouchType = true
}

/// What a recognizer does to its touches and presses in their views.
struct ViewTouchEffects {
    /// They are canceled when the recognizer acts.
    var cancels = true
    /// What began is withheld while the recognizer is undecided.
    var delaysBegan = false
    /// What ended is withheld while the recognizer is undecided.
    var delaysEnded = true
}
