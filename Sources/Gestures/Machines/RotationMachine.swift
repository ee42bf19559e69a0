// RotationMachine.swift: decides whether two fingers turn about each other, and says by how much.
//
// Station   gesture
// Fed by    UIRotationGestureRecognizer
// Feeds     Verdict: failed, or began, changed and ended
// Knows     the line between two fingers. No views, no other recognisers, no clock but the samples' own.
//
//     idle ─landed─▶ tracking ─turned by 10°─▶ begun ─both lifted─▶ ended
//                       └─ both lifted, cancelled ─▶ failed  └─▶ cancelled
//
// With one finger left it waits; another that lands takes up where the first left off.
// A pointing device's transform goes the same way without fingers.
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
            hysteresis = settings.rotationHysteresis * Double.pi / 180
        }
    }

    package enum State: Equatable, Sendable, CaseIterable { case idle, tracking, begun, ended, cancelled, failed }

    package enum Input: Equatable, Sendable {
        case landed
        /// The two have turned by so much, in radians, since both were down.
        case moved(turn: Double)
        /// One that has no partner moved.
        case movedAlone
        case lifted(turn: Double, fingers: Int, left: Int)
        case transformed(SamplePhase, turns: Bool)
        case cancelled
        /// Its last finger was ignored.
        case lost
        /// The recogniser was put there by others.
        case assigned(RecognizerState)
    }

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
                verdict = verdict.then(step(.landed))
            }
            return verdict
        case .moved:
            guard move(samples) else { return .unchanged }
            return step(fingers.count == 2 ? .moved(turn: turned - origin) : .movedAlone)
        case .ended:
            guard move(samples) else { return .unchanged }
            let count = fingers.count
            for sample in samples { fingers.lift(sample.finger) }
            return step(.lifted(turn: turned - origin, fingers: count, left: fingers.count))
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
        return step(.transformed(phase, turns: turns))
    }

    package mutating func assigned(_ state: RecognizerState) { _ = step(.assigned(state)) }

    // MARK: Deciding

    private mutating func step(_ input: Input) -> Verdict {
        let (next, verdict) = Self.transition(from: state, on: input, rules)
        if next == .begun, state != .begun, !fingers.isEmpty { origin = turned }
        state = next
        return verdict
    }

    /// The whole machine: every state, every input, no default.
    package static func transition(from state: State, on input: Input, _ rules: Rules) -> (State, Verdict) {
        switch (state, input) {
        case (.idle, .landed), (.tracking, .landed): return (.tracking, .undecided(wakeAt: .never))
        case (.begun, .landed): return (.begun, .unchanged)

        case (.tracking, .moved(let turn)):
            return turn.magnitude >= rules.hysteresis ? (.begun, .began) : (.tracking, .undecided(wakeAt: .never))
        case (.tracking, .movedAlone): return (.tracking, .undecided(wakeAt: .never))
        case (.begun, .moved): return (.begun, .changed)
        case (.begun, .movedAlone): return (.begun, .unchanged)

        case (.tracking, .lifted(let turn, let fingers, let left)):
            guard left == 0 else { return (.tracking, .undecided(wakeAt: .never)) }
            guard fingers == 2 else { return (.failed, .failed(.tooFewFingers(fingers, needs: 2))) }
            return (.failed, .failed(.liftedAfterTurn(degrees(turn), needs: degrees(rules.hysteresis))))
        case (.begun, .lifted(_, _, let left)): return left == 0 ? (.ended, .ended) : (.begun, .unchanged)

        case (.idle, .transformed(.began, let turns)), (.tracking, .transformed(.began, let turns)),
            (.idle, .transformed(.moved, let turns)), (.tracking, .transformed(.moved, let turns)):
            return turns ? (.begun, .began) : (.tracking, .undecided(wakeAt: .never))
        case (.begun, .transformed(.began, _)), (.begun, .transformed(.moved, _)): return (.begun, .changed)
        // A step of a device that has no phases is one whole transform.
        case (.idle, .transformed(.ended, turns: true)), (.tracking, .transformed(.ended, turns: true)):
            return (.ended, .ended)
        case (.tracking, .transformed(.ended, turns: false)):
            return (.failed, .failed(.liftedAfterTurn(0, needs: degrees(rules.hysteresis))))
        case (.begun, .transformed(.ended, _)): return (.ended, .ended)

        case (.tracking, .cancelled), (.tracking, .transformed(.cancelled, _)):
            return (.failed, .failed(.systemCancelled))
        case (.tracking, .lost): return (.failed, .failed(.lostTouches))
        case (.begun, .cancelled), (.begun, .transformed(.cancelled, _)), (.begun, .lost):
            return (.cancelled, .cancelled)

        // An app's subclass begins, or gives up, when it likes.
        case (.idle, .assigned(let stage)), (.tracking, .assigned(let stage)):
            switch stage {
            case .possible: return (state, .unchanged)
            case .began, .changed: return (.begun, .unchanged)
            case .ended: return (.ended, .unchanged)
            case .cancelled, .failed: return (.failed, .unchanged)
            }
        case (.begun, .assigned(let stage)):
            switch stage {
            case .possible, .began, .changed: return (.begun, .unchanged)
            case .ended: return (.ended, .unchanged)
            case .cancelled: return (.cancelled, .unchanged)
            case .failed: return (.failed, .unchanged)
            }

        // No finger is down: an app's subclass may say so nevertheless.
        case (.idle, .moved), (.idle, .movedAlone), (.idle, .lifted), (.idle, .cancelled), (.idle, .lost),
            (.idle, .transformed(.ended, turns: false)), (.idle, .transformed(.cancelled, _)):
            return (.idle, .unchanged)
        // Done until reset; the fingers may still be on the glass.
        case (.ended, _), (.cancelled, _), (.failed, _): return (state, .unchanged)
        }
    }
}

private func degrees(_ radians: Double) -> Double { radians.magnitude * 180 / Double.pi }

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
