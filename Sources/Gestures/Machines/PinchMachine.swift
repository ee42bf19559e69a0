// PinchMachine.swift: the measurements of a pinch: scale and velocity of the distance between two fingers.
//
// Station   gesture
// Input     UIPinchGestureRecognizer
// Output    amounts for ContinuousGesture, which decides
// Knows     the distance of two fingers. No views, no other recognizers, no clock but the samples' own.
//
// A pinch with one finger left waits. A finger that lands then continues with the scale that was reached.
//
// Docs/Reference/Machines/Pinch.md has the whole table.
//
// Sources   documented  UIPinchGestureRecognizer: scale, velocity; it ends when both fingers have lifted
//           inferred    8 pt; the scale is 1 as it begins (B9.5)
//           invented    a third finger is not counted; transforms begin at once

package import Basics

/// The state machine of a pinch.
package struct PinchMachine: GestureMachine {
    /// The limits of a pinch.
    package struct Rules: Equatable, Sendable {
        /// The change of the distance at which the gesture begins, in points.
        package var hysteresis: Double

        package init(_ settings: GestureSettings = GestureSettings()) {
            hysteresis = settings.pinch.hysteresis * settings.gesture.sloppiness
        }

        package var limits: ContinuousGesture.Limits {
            ContinuousGesture.Limits(
                measure: .pinch, minFingers: 2, maxFingers: 2, ignoresExtraFingers: true,
                changesWithFewerFingers: false, hysteresis: hysteresis)
        }
    }

    /// The states that all continuous gestures share.
    package typealias State = ContinuousGesture.State

    package var kind: String { "pinch" }
    package var rules = Rules()
    package private(set) var state = State.idle

    package private(set) var fingers = Fingers()
    /// The distance at which the factor was `base`.
    private var reference = 1.0
    private var base = 1.0
    /// The factor by which the app changed the scale.
    private var multiplier = 1.0
    /// The velocity of the distance while two fingers are down; of the factor for a pointing device.
    private var speed = Velocity()
    private var rate = 0.0

    package init() {}

    package func counts(_ finger: FingerID) -> Bool { fingers.contains(finger) }

    package mutating func reset() {
        state = .idle
        fingers.removeAll()
        (reference, base, multiplier, rate) = (1, 1, 1, 0)
        speed.removeAll()
    }

    /// The distance of the two fingers, at least one point so that it can be a divisor; nil without two fingers.
    private var distance: Double? {
        fingers.count == 2 ? max(1, fingers.all[0].position.distance(to: fingers.all[1].position)) : nil
    }

    /// The difference between the distance and the reference, in points.
    private var change: Double { distance.map { ($0 - reference).magnitude } ?? 0 }

    private var factor: Double { distance.map { base * $0 / reference } ?? base }

    /// The scale; 1 until the gesture begins, and when it begins.
    package var scale: Double {
        switch state {
        case .idle, .tracking, .failed: 1
        case .begun, .ended, .cancelled: factor * multiplier
        }
    }

    /// Makes the current scale equal to this one.
    package mutating func setScale(_ scale: Double) { multiplier = scale / factor }

    /// The velocity of the scale, per second. After a lift, the velocity at that moment.
    package var velocity: Double { rate * multiplier }

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
            return step(.moved(change, fingers: fingers.count))
        case .ended:
            guard move(samples) else { return .unchanged }
            let (change, count) = (change, fingers.count)
            storeFactor()
            for sample in samples { fingers.lift(sample.finger) }
            return step(.lifted(change, fingers: count, left: fingers.count))
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
        if let distance {
            speed.add(Travel(distance, 0), at: latest)
            rate = speed.perSecond.dx / reference * base
        }
        return true
    }

    /// Makes the distance the reference, when a second finger has landed.
    private mutating func restartMeasurement(at time: Instant) {
        guard let distance else { return }
        reference = distance
        speed.removeAll()
        speed.add(Travel(distance, 0), at: time)
        rate = 0
    }

    /// Stores the factor before the number of fingers changes.
    private mutating func storeFactor() {
        base = factor
        reference = distance ?? reference
    }

    package mutating func forget(_ finger: FingerID) -> Verdict {
        guard counts(finger) else { return .unchanged }
        storeFactor()
        fingers.lift(finger)
        return fingers.isEmpty ? step(.lost) : .unchanged
    }

    /// Handles a pinch of a pointing device.
    ///
    /// - Parameter scale: The factor since the pointer's gesture began. A value that is not finite and positive is
    ///   ignored, but its phase counts.
    package mutating func transformed(to scale: Double, phase: SamplePhase, at time: Instant) -> Verdict {
        guard fingers.isEmpty else { return .unchanged }
        let scale = scale > 0 && scale.isFinite ? scale : base
        let changes = scale != base
        base = scale
        speed.add(Travel(base, 0), at: time)
        rate = speed.perSecond.dx
        return step(.pointer(phase, changes: changes))
    }

    package mutating func assigned(_ state: RecognizerState) { _ = step(.assigned(state)) }

    // MARK: Deciding

    private mutating func step(_ input: ContinuousGesture.Input) -> Verdict {
        let (next, verdict) = ContinuousGesture.transition(from: state, on: input, rules.limits)
        if next == .begun, state != .begun, let distance {
            rate = speed.perSecond.dx / distance
            (reference, base, multiplier) = (distance, 1, 1)
        }
        state = next
        return verdict
    }
}
