// RotationMachine.swift: the measurements of a rotation: angle and velocity of the line between two fingers.
//
// Station   gesture
// Input     UIRotationGestureRecognizer
// Output    amounts for ContinuousGesture, which decides
// Knows     the line between two fingers. No views, no other recognizers, no clock but the samples' own.
//
// A rotation with one finger left waits. A finger that lands then continues with the angle that was reached.
//
// Docs/Reference/Machines/Rotation.md has the whole table.
//
// Sources   documented  UIRotationGestureRecognizer: rotation in radians, clockwise; velocity
//           inferred    10°; no more than 45° count from one sample to the next; 0 as it begins (B9.5)
//           invented    a third finger is not counted; transforms begin at once

package import Basics

/// The state machine of a rotation.
package struct RotationMachine: GestureMachine {
    /// The limits of a rotation.
    package struct Rules: Equatable, Sendable {
        /// The angle at which the gesture begins, in radians.
        package var hysteresis: Double

        package init(_ settings: GestureSettings = GestureSettings()) {
            hysteresis = settings.rotation.hysteresis * Double.pi / 180
        }

        package var limits: ContinuousGesture.Limits {
            ContinuousGesture.Limits(
                measure: .turn, minFingers: 2, maxFingers: 2, ignoresExtraFingers: true,
                changesWithFewerFingers: false, hysteresis: hysteresis)
        }
    }

    /// The states that all continuous gestures share.
    package typealias State = ContinuousGesture.State

    package var kind: String { "rotation" }
    package var rules = Rules()
    package private(set) var state = State.idle

    package private(set) var fingers = Fingers()
    /// The last known vector from the first finger to the second.
    private var line: Travel?
    /// The angle since the machine was reset, in radians, clockwise; and the angle at which the rotation is 0.
    private var turned = 0.0
    private var origin = 0.0
    private var speed = Velocity()
    private var rate = 0.0

    package init() {}

    package func counts(_ finger: FingerID) -> Bool { fingers.contains(finger) }

    package mutating func reset() {
        state = .idle
        fingers.removeAll()
        line = nil
        (turned, origin, rate) = (0, 0, 0)
        speed.removeAll()
    }

    /// The rotation in radians, clockwise; 0 until the gesture begins, and when it begins.
    package var rotation: Double {
        switch state {
        case .idle, .tracking, .failed: 0
        case .begun, .ended, .cancelled: turned - origin
        }
    }

    /// Makes the current rotation equal to this one.
    package mutating func setRotation(_ rotation: Double) { origin = turned - rotation }

    /// The velocity in radians per second. After a lift, the velocity at that moment.
    package var velocity: Double { rate }

    // MARK: Measuring

    package mutating func handle(_ phase: SamplePhase, _ samples: [Sample], at now: Instant) -> Verdict {
        switch phase {
        case .began:
            var verdict = Verdict.unchanged
            for sample in samples where fingers.count < 2 {
                fingers.land(sample)
                restartMeasurement(at: sample.time)
                verdict = verdict.combined(with: step(.landed(fingers: fingers.count)))
            }
            return verdict
        case .moved:
            guard move(samples) else { return .unchanged }
            return step(.moved((turned - origin).magnitude, fingers: fingers.count))
        case .ended:
            guard move(samples) else { return .unchanged }
            let count = fingers.count
            for sample in samples { fingers.lift(sample.finger) }
            return step(.lifted((turned - origin).magnitude, fingers: count, left: fingers.count))
        case .cancelled: return samples.contains { counts($0.finger) } ? step(.cancelled) : .unchanged
        }
    }

    /// Moves the counted fingers.
    ///
    /// - Returns: Whether a sample's finger is counted.
    private mutating func move(_ samples: [Sample]) -> Bool {
        var latest: Instant?
        for sample in samples where fingers.contains(sample.finger) {
            fingers.move(sample)
            latest = max(latest ?? sample.time, sample.time)
        }
        guard let latest else { return false }
        if fingers.count == 2 {
            let now = fingers.all[1].position - fingers.all[0].position
            // Two fingers at one position have no direction, so their last direction stays in force.
            if now != .zero {
                if let line { turned += turn(from: line, to: now) }
                line = now
            }
            speed.add(Travel(turned, 0), at: latest)
            rate = speed.perSecond.dx
        }
        return true
    }

    /// Makes the direction the reference, when a second finger has landed.
    private mutating func restartMeasurement(at time: Instant) {
        guard fingers.count == 2 else { return }
        let now = fingers.all[1].position - fingers.all[0].position
        line = now == .zero ? nil : now
        if state != .begun { origin = turned }
        speed.removeAll()
        speed.add(Travel(turned, 0), at: time)
        rate = 0
    }

    package mutating func forget(_ finger: FingerID) -> Verdict {
        guard fingers.lift(finger) else { return .unchanged }
        return fingers.isEmpty ? step(.lost) : .unchanged
    }

    /// Handles a rotation of a pointing device.
    ///
    /// - Parameter rotation: In radians, clockwise, since the pointer's gesture began.
    package mutating func transformed(to rotation: Double, phase: SamplePhase, at time: Instant) -> Verdict {
        guard fingers.isEmpty else { return .unchanged }
        let turns = rotation != turned
        turned = rotation
        speed.add(Travel(turned, 0), at: time)
        rate = speed.perSecond.dx
        return step(.pointer(phase, changes: turns))
    }

    package mutating func assigned(_ state: RecognizerState) { _ = step(.assigned(state)) }

    // MARK: Deciding

    private mutating func step(_ input: ContinuousGesture.Input) -> Verdict {
        let (next, verdict) = ContinuousGesture.transition(from: state, on: input, rules.limits)
        if next == .begun, state != .begun, !fingers.isEmpty { origin = turned }
        state = next
        return verdict
    }
}

/// The angle from one direction to another in radians, clockwise if y grows downwards, limited to 45° either way.
package func turn(from a: Travel, to b: Travel) -> Double {
    let most = Double.pi / 4
    let (cross, dot) = (a.dx * b.dy - a.dy * b.dx, a.dx * b.dx + a.dy * b.dy)
    guard dot > cross.magnitude else {
        // The angle is at least the limit. Exactly opposite directions count as clockwise.
        return cross < 0 ? -most : most
    }
    return arcTangent(cross / dot)
}

/// The arc tangent of a slope in −1...1. The modules below UIKit do not use the C library.
func arcTangent(_ slope: Double) -> Double {
    // The angle is halved twice: tan(a/2) = t / (1 + √(1 + t²)). Then x < 0.2, and eleven terms reach the precision of
    // a Double; the loop adds twelve.
    var x = slope
    for _ in 0..<2 { x = x / (1 + (1 + x * x).squareRoot()) }
    let square = x * x
    var (sum, power) = (0.0, x)
    for term in 0..<12 {
        sum += (term % 2 == 0 ? power : -power) / Double(2 * term + 1)
        power *= square
    }
    return 4 * sum
}
