// UIPinchGestureRecognizer.swift: recognizes two touches whose distance changes.
//
// Station   gesture
// Input     GestureEnvironment; transform events of pointing devices
// Output    PinchMachine, which decides and measures the scale
//
// Sources   documented  UIPinchGestureRecognizer

import Basics
public import Foundation
import Gestures

/// Recognizes two touches whose distance changes.
open class UIPinchGestureRecognizer: UIGestureRecognizer, MachineRecognizer {
    @exclusivity(unchecked) final var machine = PinchMachine()
    @exclusivity(unchecked) final var machineContext = MachineContext()
    /// The position of the pointer in the coordinates of the window while it transforms; otherwise nil.
    @exclusivity(unchecked) private final var pointerPosition: CGPoint?

    final func rules(_ settings: GestureSettings) -> PinchMachine.Rules { PinchMachine.Rules(settings) }

    /// The distance of the touches, relative to the distance when the recognizer began. Later changes multiply a value
    /// that is set.
    open var scale: CGFloat {
        get { CGFloat(machine.scale) }
        set {
            passStateToMachine()
            machine.setScale(Double(newValue))
        }
    }

    /// The change of the scale per second.
    open var velocity: CGFloat { CGFloat(machine.velocity) }

    open override func location(in view: UIView?) -> CGPoint {
        guard let pointerPosition else { return super.location(in: view) }
        return converted(pointerPosition, to: view)
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

    open override func ignore(_ touch: UITouch, for event: UIEvent) {
        super.ignore(touch, for: event)
        forget(touch)
    }

    open override func reset() {
        super.reset()
        pointerPosition = nil
        resetMachine()
    }

    override var traceKind: String { machine.kind }

    /// Handles a pinch or a turn of a pointing device. A pinch recognizer ignores the turn.
    ///
    /// - Parameters:
    ///   - scale: The factor since the device's gesture began.
    ///   - rotation: In radians, clockwise, since the device's gesture began.
    ///   - location: Of the pointer, in the coordinates of the window.
    package final func handleTransform(
        scale: CGFloat, rotation: CGFloat, phase: UITouch.Phase, at location: CGPoint
    ) {
        guard !stage.isFinal, let phase = SamplePhase(pointer: phase), let application else { return }
        if stage == .possible { updateRules() }
        pointerPosition = location
        passStateToMachine()
        apply(machine.transformed(to: Double(scale), phase: phase, at: application.now))
    }
}
