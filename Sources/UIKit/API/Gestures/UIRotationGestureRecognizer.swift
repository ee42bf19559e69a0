// UIRotationGestureRecognizer.swift: two fingers that turn about each other.
//
// Station   gesture
// Fed by    GestureEnvironment; transform events of pointing devices
// Feeds     RotationMachine, which decides and counts the turn
//
// Sources   documented  UIRotationGestureRecognizer

import Basics
public import Foundation
import Gestures

open class UIRotationGestureRecognizer: UIGestureRecognizer, MachineRecognizer {
    @exclusivity(unchecked) final var machine = RotationMachine()
    @exclusivity(unchecked) final var wear = MachineWear()
    /// Where the pointer is, in the window's coordinates, while it transforms.
    @exclusivity(unchecked) private final var pointer: CGPoint?

    final func rules(_ settings: GestureSettings) -> RotationMachine.Rules { RotationMachine.Rules(settings) }

    /// Radians since it began, clockwise. Setting it makes later ones count from there.
    open var rotation: CGFloat {
        get { CGFloat(machine.rotation) }
        set {
            keepUp()
            machine.setRotation(Double(newValue))
        }
    }

    /// Radians per second.
    open var velocity: CGFloat { CGFloat(machine.velocity) }

    open override func location(in view: UIView?) -> CGPoint {
        guard let pointer else { return super.location(in: view) }
        return converted(pointer, to: view)
    }

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) { hear(.began, touches, event) }
    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) { hear(.moved, touches, event) }
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) { hear(.ended, touches, event) }
    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.cancelled, touches, event)
    }

    open override func ignore(_ touch: UITouch, for event: UIEvent) {
        super.ignore(touch, for: event)
        forget(touch)
    }

    open override func reset() {
        super.reset()
        pointer = nil
        rewind()
    }

    override var traceKind: String { machine.kind }

    /// A pointing device pinched or turned; a rotation makes nothing of the pinch.
    ///
    /// - Parameters:
    ///   - scale: The factor since the pointer began.
    ///   - rotation: Radians, clockwise, since the pointer began.
    ///   - location: Of the pointer, in the window's coordinates.
    package final func transformed(
        scale: CGFloat, rotation: CGFloat, phase: UITouch.Phase, at location: CGPoint
    ) {
        guard !stage.isFinal, let phase = SamplePhase(pointer: phase), let application else { return }
        if stage == .possible { prepare() }
        pointer = location
        keepUp()
        take(machine.transformed(to: Double(rotation), phase: phase, at: application.now))
    }
}
