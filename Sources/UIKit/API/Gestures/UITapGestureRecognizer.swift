// UITapGestureRecognizer.swift: recognizes touches that land, stay in place and lift, a set number of times.
//
// Station   gesture
// Input     GestureEnvironment
// Output    TapMachine, which decides
//
// Sources   documented  UITapGestureRecognizer; a tap does not prevent a tap that needs more taps of as many touches
//                       (UITapGestureRecognizer.h, B7.5)

import Basics
public import Foundation
import Gestures

/// Recognizes touches that land, stay in place and lift, a set number of times.
open class UITapGestureRecognizer: UIGestureRecognizer, MachineRecognizer {
    @exclusivity(unchecked) final var machine = TapMachine()
    @exclusivity(unchecked) final var machineContext = MachineContext()

    @exclusivity(unchecked) open var numberOfTapsRequired = 1
    @exclusivity(unchecked) open var numberOfTouchesRequired = 1
    /// The buttons of a pointer that have to be down. Touches of fingers have no buttons.
    open var buttonMaskRequired = UIEvent.ButtonMask.primary

    final func rules(_ settings: GestureSettings) -> TapMachine.Rules {
        TapMachine.Rules(taps: numberOfTapsRequired, fingers: numberOfTouchesRequired, settings)
    }

    // MARK: Position

    /// The number of touches in the current tap, or in the tap that was just recognized.
    open override var numberOfTouches: Int { machine.pressed.count }

    /// The position of the first tap: the center of its touches when they landed.
    open override func location(in view: UIView?) -> CGPoint {
        guard let place = machine.firstTapCentroid else { return super.location(in: view) }
        return converted(CGPoint(place), to: view)
    }

    open override func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint {
        let pressed = machine.pressed
        precondition(
            pressed.indices.contains(touchIndex),
            "\(traceText): touch \(touchIndex) was asked for, and it has \(pressed.count)")
        let finger = machine.fingers.all.first { $0.id == pressed[touchIndex].id } ?? pressed[touchIndex]
        return converted(CGPoint(finger.position), to: view)
    }

    // MARK: Relations

    /// Whether this tap may exclude the other recognizer: not if the other is a tap with more taps of as many touches. (B7.5)
    open override func canPrevent(_ preventedGestureRecognizer: UIGestureRecognizer) -> Bool {
        guard let tap = preventedGestureRecognizer as? UITapGestureRecognizer,
            tap.numberOfTouchesRequired == numberOfTouchesRequired
        else { return super.canPrevent(preventedGestureRecognizer) }
        return tap.numberOfTapsRequired <= numberOfTapsRequired
    }

    // MARK: Touches

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        if let mask = pointerMask(of: touches, event), !mask.isSuperset(of: buttonMaskRequired) {
            return apply(.failed(.wrongButton(mask.rawValue, needs: buttonMaskRequired.rawValue)))
        }
        handle(.began, touches: touches, for: event)
    }

    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        handle(.moved, touches: touches, for: event)
    }
    override func receiveMove(of touch: UITouch, as samples: [Sample], at now: Instant, in event: UIEvent) {
        passStateToMachine()
        applyMove(machine.handle(.moved, samples, at: now))
    }
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        handle(.ended, touches: touches, for: event)
    }
    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        handle(.cancelled, touches: touches, for: event)
    }

    open override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        handle(.began, presses: presses)
    }
    open override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        handle(.ended, presses: presses)
    }
    open override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        handle(.cancelled, presses: presses)
    }

    open override func ignore(_ touch: UITouch, for event: UIEvent) {
        super.ignore(touch, for: event)
        forget(touch)
    }

    open override func ignore(_ button: UIPress, for event: UIPressesEvent) {
        super.ignore(button, for: event)
        forget(button)
    }

    open override func reset() {
        super.reset()
        resetMachine()
    }

    override var traceKind: String { machine.kind }
    override var traceTraits: [String] { Self.traits(taps: numberOfTapsRequired, touches: numberOfTouchesRequired) }
}

extension UIGestureRecognizer {
    /// The buttons that are down if one of the touches is a pointer's and its device reports buttons; otherwise nil.
    final func pointerMask(of touches: Set<UITouch>, _ event: UIEvent) -> UIEvent.ButtonMask? {
        guard !event.buttonMask.isEmpty, touches.contains(where: { $0.type == .indirectPointer }) else { return nil }
        return event.buttonMask
    }
}
