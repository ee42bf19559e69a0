// RotationMachine.swift: decides whether two fingers turn about each other, and says by how much.
//
// Station   gesture
// Fed by    UIRotationGestureRecognizer
// Feeds     ContinuousGesture, which decides
// Knows     the line between two fingers. No views, no other recognizers, no clock but the samples' own.
//
// With one finger left a rotation waits; another that lands takes up where the first left off.
//
// Docs/Machines/Rotation.md is the whole table.
//
// Sources   documented  UIRotationGestureRecognizer: rotation in radians, clockwise; velocity
//           inferred    10°; no more than 45° count from one sample to the next; 0 as it begins (B9.5)
//           invented    a third finger is not counted; transforms begin at once

package import Basics

package struct RotationMachine: GestureMachine {
    package struct Rules: Equatable, Sendable {
        /// Radians.
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

    package typealias State = ContinuousGesture.State

    package var kind: String { "rotation" }
    package var rules = Rules()
    package private(set) var state = State.idle

    package private(set) var fingers = Fingers()
    /// From the first finger to the second, as last seen.
    private var line: Travel?
    /// Radians, clockwise, since the machine was reset; and where of that the rotation is 0.
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

    /// Radians, clockwise. 0 until it begins, and as it begins.
    package var rotation: Double {
        switch state {
        case .idle, .tracking, .failed: 0
        case .begun, .ended, .cancelled: turned - origin
        }
    }

    package mutating func setRotation(_ rotation: Double) { origin = turned - rotation }

    /// Radians per second. Of fingers that have lifted, as it was then.
    package var velocity: Double { rate }

    // MARK: Measuring

    package mutating func handle(_ phase: SamplePhase, _ samples: [Sample], at now: Instant) -> Verdict {
        switch phase {
        case .began:
            var verdict = Verdict.unchanged
            for sample in samples where fingers.count < 2 {
                fingers.land(sample)
                refer(at: sample.time)
                verdict = verdict.then(step(.landed(fingers: fingers.count)))
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

    /// - Returns: Whether one of them counts.
    private mutating func move(_ samples: [Sample]) -> Bool {
        var latest: Instant?
        for sample in samples where fingers.contains(sample.finger) {
            fingers.move(sample)
            latest = max(latest ?? sample.time, sample.time)
        }
        guard let latest else { return false }
        if fingers.count == 2 {
            let now = fingers.all[1].position - fingers.all[0].position
            // Two fingers in one place have no direction; the last one they had holds.
            if now != .zero {
                if let line { turned += turn(from: line, to: now) }
                line = now
            }
            speed.add(Travel(turned, 0), at: latest)
            rate = speed.perSecond.dx
        }
        return true
    }

    /// Two fingers are down anew: from here their direction counts.
    private mutating func refer(at time: Instant) {
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

    /// - Parameter rotation: Radians, clockwise, since the pointer began.
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

/// Radians from one direction to another, clockwise on a screen whose y grows downwards, and at most 45° either way.
package func turn(from a: Travel, to b: Travel) -> Double {
    let most = Double.pi / 4
    let (cross, dot) = (a.dx * b.dy - a.dy * b.dx, a.dx * b.dx + a.dy * b.dy)
    guard dot > cross.magnitude else {
        // More than the cap. Exactly opposite is neither way round; it counts as clockwise.
        return cross < 0 ? -most : most
    }
    return arcTangent(cross / dot)
}

/// Of −1...1. Here because layers below UIKit do without the C library.
func arcTangent(_ slope: Double) -> Double {
    // Halve the angle twice: tan(a/2) = t / (1 + √(1 + t²)). Then x < 0.2, and eleven terms are exact.
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
