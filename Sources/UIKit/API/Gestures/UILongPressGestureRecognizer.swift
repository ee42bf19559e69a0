// UILongPressGestureRecognizer.swift: recognizes touches that stay in place for a minimum duration.
//
// Station   gesture
// Input     GestureEnvironment
// Output    LongPressMachine, which decides
//
// Sources   documented  UILongPressGestureRecognizer

public import Foundation
import Gestures

/// Recognizes touches that stay in place for a minimum duration.
open class UILongPressGestureRecognizer: UIGestureRecognizer, MachineRecognizer {
    @exclusivity(unchecked) final var machine = LongPressMachine()
    @exclusivity(unchecked) final var wear = MachineWear()
    private final var givenDuration: TimeInterval?
    private final var givenMovement: CGFloat?

    /// The number of taps that have to precede the press.
    open var numberOfTapsRequired = 0
    open var numberOfTouchesRequired = 1
    /// In seconds.
    open var minimumPressDuration: TimeInterval {
        get { givenDuration ?? settings.longPress.minDuration }
        set { givenDuration = newValue }
    }
    /// The distance in points that the touches may move before the recognizer begins.
    open var allowableMovement: CGFloat {
        get { givenMovement ?? CGFloat(settings.longPress.movement) }
        set { givenMovement = newValue }
    }

    private final var settings: GestureSettings { application?.settings.gestures ?? GestureSettings() }

    final func rules(_ settings: GestureSettings) -> LongPressMachine.Rules {
        LongPressMachine.Rules(
            tapsBefore: numberOfTapsRequired, fingers: numberOfTouchesRequired, minDuration: minimumPressDuration,
            movement: Double(allowableMovement), settings)
    }

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) { hear(.began, touches, event) }
    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) { hear(.moved, touches, event) }
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) { hear(.ended, touches, event) }
    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.cancelled, touches, event)
    }

    open override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) { hear(.began, presses) }
    open override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) { hear(.ended, presses) }
    open override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {
        hear(.cancelled, presses)
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
        rewind()
    }

    override var traceKind: String { machine.kind }
    override var traceTraits: [String] {
        Self.traits(taps: numberOfTapsRequired, usually: 0, touches: numberOfTouchesRequired)
    }
}
