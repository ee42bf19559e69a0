// UIRotationGestureRecognizer.swift: recognizes two touches that turn about each other.
//
// Station   gesture
// Input     GestureEnvironment; transform events of pointing devices
// Output    RotationMachine, which decides and measures the rotation
//
// Sources   documented  UIRotationGestureRecognizer

import Basics
public import Foundation
import Gestures

/// Recognizes two touches that turn about each other.
open class UIRotationGestureRecognizer: UIGestureRecognizer, MachineRecognizer {
    @exclusivity(unchecked) final var machine = RotationMachine()
    @exclusivity(unchecked) final var machineContext = MachineContext()
    /// The position of the pointer in the coordinates of the window while it transforms; otherwise nil.
    @exclusivity(unchecked) private final var pointerPosition: CGPoint?

    final func rules(_ settings: GestureSettings) -> RotationMachine.Rules { RotationMachine.Rules(settings) }

    /// The rotation since the recognizer began, in radians, clockwise. Later changes add to a value that is set.
    open var rotation: CGFloat {
        get { CGFloat(machine.rotation) }
        set {
            passStateToMachine()
            machine.setRotation(Double(newValue))
        }
    }

    /// In radians per second.
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

    /// Handles a pinch or a turn of a pointing device. A rotation recognizer ignores the pinch.
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
        apply(machine.transformed(to: Double(rotation), phase: phase, at: application.now))
    }
}
