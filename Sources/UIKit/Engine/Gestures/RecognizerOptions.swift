// RecognizerOptions.swift: the input that a recognizer accepts, and its effects on touches in their views.
//
// Station   gesture
// Input     UIGestureRecognizer's properties. UIKit reads the properties, because a subclass may override them.
//
// Sources   documented  the defaults (B9.12)

import Foundation

/// The touches and presses that a recognizer accepts.
struct AcceptedInput {
    /// Nil stands for all types, so that a new recognizer makes no numbers.
    private var customTouchTypes: [NSNumber]?
    /// Bit n is set if raw value n is accepted.
    private var touchTypeBits: UInt8 = 0b1111
    /// Raw values of `UITouch.TouchType`.
    var touchTypes: [NSNumber] {
        get { customTouchTypes ?? [0, 1, 2, 3] }
        set {
            customTouchTypes = newValue
            touchTypeBits = newValue.reduce(0) { bits, type in
                (0...3).contains(type.intValue) ? bits | 1 << type.intValue : bits
            }
        }
    }
    /// Raw values of `UIPress.PressType`.
    var pressTypes: [NSNumber] = []
    /// Whether a recognizer with touches of one type refuses touches of another.
    var requiresOneTouchType = true

    func accepts(_ type: UITouch.TouchType) -> Bool { touchTypeBits & 1 << type.rawValue != 0 }
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
