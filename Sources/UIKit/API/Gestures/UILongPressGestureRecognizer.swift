// UILongPressGestureRecognizer.swift: recognizes touches that stay in place for a minimum duration.
//
// Station   gesture
// Input     GestureEnvironment
// Output    LongPressMachine, which decides
//
// Sources   documented  UILongPressGestureRecognizer

import Basics
public import Foundation
import Gestures

/// Recognizes touches that stay in place for a minimum duration.
open class UILongPressGestureRecognizer: UIGestureRecognizer, MachineRecognizer {
    @exclusivity(unchecked) final var machine = LongPressMachine()
    @exclusivity(unchecked) final var machineContext = MachineContext()
    private final var customDuration: TimeInterval?
    private final var customMovement: CGFloat?

    /// The number of taps that have to precede the press.
    @exclusivity(unchecked) open var numberOfTapsRequired = 0
    @exclusivity(unchecked) open var numberOfTouchesRequired = 1
    /// In seconds.
    open var minimumPressDuration: TimeInterval {
        get { customDuration ?? settings.longPress.minDuration }
        set { customDuration = newValue }
    }
    /// The distance in points that the touches may move before the recognizer begins.
    open var allowableMovement: CGFloat {
        get { customMovement ?? CGFloat(settings.longPress.allowableMovement) }
        set { customMovement = newValue }
    }

    private final var settings: GestureSettings { application?.settings.gestures ?? GestureSettings() }

    final func rules(_ settings: GestureSettings) -> LongPressMachine.Rules {
        LongPressMachine.Rules(
            precedingTaps: numberOfTapsRequired, fingers: numberOfTouchesRequired, minDuration: minimumPressDuration,
            movement: Double(allowableMovement), settings)
    }

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
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
    override var traceTraits: [String] {
        Self.traits(taps: numberOfTapsRequired, defaultTaps: 0, touches: numberOfTouchesRequired)
    }
}
