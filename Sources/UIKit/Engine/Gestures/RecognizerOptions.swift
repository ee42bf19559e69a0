// RecognizerOptions.swift: the input that a recognizer accepts, and its effects on touches in their views.
//
// Station   gesture
// Input     UIGestureRecognizer's properties. UIKit reads the properties, because a subclass may override them.
//
// Sources   documented  the defaults (B9.12)

import Foundation

/// The touches and presses that a recognizer accepts.
struct AcceptedInput {
    /// Raw values of `UITouch.TouchType`.
    var touchTypes: [NSNumber] = [0, 1, 2, 3]
    /// Raw values of `UIPress.PressType`.
    var pressTypes: [NSNumber] = []
    /// Whether a recognizer with touches of one type refuses touches of another.
    var requiresOneTouchType = true
}

/// The effects of a recognizer on its touches and presses in their views.
struct ViewTouchEffects {
    /// Whether they are canceled when the recognizer acts.
    var cancels = true
    /// Whether beginnings are withheld while the recognizer is undecided.
    var delaysBegan = false
    /// Whether ends are withheld while the recognizer is undecided.
    var delaysEnded = true
}
