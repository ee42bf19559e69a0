// PinchMachine.swift: decides whether two fingers spread or close, and says by what factor.
//
// Station   gesture
// Fed by    UIPinchGestureRecognizer
// Feeds     Verdict: failed, or began, changed and ended
// Knows     the distance of two fingers. No views, no other recognisers, no clock but the samples' own.
//
//     idle ─landed─▶ tracking ─8 pt nearer or farther─▶ begun ─both lifted─▶ ended
//                       └─ both lifted, cancelled ─▶ failed  └─▶ cancelled
//
// With one finger left it waits; another that lands takes up where the first left off.
// A pointing device's transform goes the same way without fingers.
//
// Docs/Machines/Pinch.md is the whole table.
//
// Sources   documented  UIPinchGestureRecognizer: scale, velocity; it ends when both fingers have lifted
//           inferred    8 pt; the scale is 1 as it begins (B9.5)
//           invented    a third finger is not counted; transforms begin at once

package import Basics

package struct PinchMachine: GestureMachine {
    package struct Rules: Equatable, Sendable {
        /// Points by which the distance has to change.
        package var hysteresis: Double

        package init(_ settings: GestureSettings = GestureSettings()) {
            hysteresis = settings.pinchHysteresis * settings.gestureSloppiness
        }
    }

    package enum State: Equatable, Sendable, CaseIterable { case idle, tracking, begun, ended, cancelled, failed }

    package enum Input: Equatable, Sendable {
        case landed
        /// The distance of the two changed by so much since both were down.
        case moved(change: Double)
        /// One that has no partner moved.
        case movedAlone
        case lifted(change: Double, fingers: Int, left: Int)
        case transformed(SamplePhase, changes: Bool)
        case cancelled
        /// Its last finger was ignored.
        case lost
        /// The recogniser was put there by others.
        case assigned(RecognizerState)
    }

    package var kind: String { "pinch" }
    package var rules = Rules()
    package private(set) var state = State.idle

    package private(set) var fingers = Fingers()
    /// The distance at which the factor was `base`.
    private var reference = 1.0
    private var base = 1.0
    /// What the app's setting of the scale has made of the factor.
    private var multiplier = 1.0
    /// Of the distance, while there is one; of the factor, where no fingers are.
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

    /// At least a point, so that it may be divided by.
    private var distance: Double? {
        fingers.count == 2 ? max(1, fingers.all[0].position.distance(to: fingers.all[1].position)) : nil
    }

    private var factor: Double { distance.map { base * $0 / reference } ?? base }

    /// 1 until it begins, and as it begins.
    package var scale: Double {
        switch state {
        case .idle, .tracking, .failed: 1
        case .begun, .ended, .cancelled: factor * multiplier
        }
    }

    package mutating func setScale(_ scale: Double) { multiplier = scale / factor }

    /// Of the scale, per second. Of fingers that have lifted, as it was then.
    package var velocity: Double { rate * multiplier }

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
            return step(distance.map { .moved(change: $0 - reference) } ?? .movedAlone)
        case .ended:
            guard move(samples) else { return .unchanged }
            let change = distance.map { $0 - reference } ?? 0
            let count = fingers.count
            settle()
            for sample in samples { fingers.lift(sample.finger) }
            return step(.lifted(change: change, fingers: count, left: fingers.count))
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
        if let distance {
            speed.add(Travel(distance, 0), at: latest)
            rate = speed.perSecond.dx / reference * base
        }
        return true
    }

    /// Two fingers are down anew: from here their distance counts.
    private mutating func refer(at time: Instant) {
        guard let distance else { return }
        reference = distance
        speed.removeAll()
        speed.add(Travel(distance, 0), at: time)
        rate = 0
    }

    private mutating func settle() {
        base = factor
        reference = distance ?? reference
    }

    package mutating func forget(_ finger: FingerID) -> Verdict {
        guard counts(finger) else { return .unchanged }
        settle()
        fingers.lift(finger)
        return fingers.isEmpty ? step(.lost) : .unchanged
    }

    /// - Parameter scale: The factor since the pointer began. One that is none, 0 or below, says nothing; its phase
    ///   does.
    package mutating func transformed(to scale: Double, phase: SamplePhase, at time: Instant) -> Verdict {
        guard fingers.isEmpty else { return .unchanged }
        let scale = scale > 0 && scale.isFinite ? scale : base
        let changes = scale != base
        base = scale
        speed.add(Travel(base, 0), at: time)
        rate = speed.perSecond.dx
        return step(.transformed(phase, changes: changes))
    }

    package mutating func assigned(_ state: RecognizerState) { _ = step(.assigned(state)) }

    // MARK: Deciding

    private mutating func step(_ input: Input) -> Verdict {
        let (next, verdict) = Self.transition(from: state, on: input, rules)
        if next == .begun, state != .begun, let distance {
            rate = speed.perSecond.dx / distance
            (reference, base, multiplier) = (distance, 1, 1)
        }
        state = next
        return verdict
    }

    /// The whole machine: every state, every input, no default.
    package static func transition(from state: State, on input: Input, _ rules: Rules) -> (State, Verdict) {
        switch (state, input) {
        case (.idle, .landed), (.tracking, .landed): return (.tracking, .undecided(wakeAt: .never))
        case (.begun, .landed): return (.begun, .unchanged)

        case (.tracking, .moved(let change)):
            return change.magnitude >= rules.hysteresis ? (.begun, .began) : (.tracking, .undecided(wakeAt: .never))
        case (.tracking, .movedAlone): return (.tracking, .undecided(wakeAt: .never))
        case (.begun, .moved): return (.begun, .changed)
        case (.begun, .movedAlone): return (.begun, .unchanged)

        case (.tracking, .lifted(let change, let fingers, let left)):
            guard left == 0 else { return (.tracking, .undecided(wakeAt: .never)) }
            guard fingers == 2 else { return (.failed, .failed(.tooFewFingers(fingers, needs: 2))) }
            return (.failed, .failed(.liftedAfterPinch(change.magnitude, needs: rules.hysteresis)))
        case (.begun, .lifted(_, _, let left)): return left == 0 ? (.ended, .ended) : (.begun, .unchanged)

        case (.idle, .transformed(.began, let changes)), (.tracking, .transformed(.began, let changes)),
            (.idle, .transformed(.moved, let changes)), (.tracking, .transformed(.moved, let changes)):
            return changes ? (.begun, .began) : (.tracking, .undecided(wakeAt: .never))
        case (.begun, .transformed(.began, _)), (.begun, .transformed(.moved, _)): return (.begun, .changed)
        // A step of a device that has no phases is one whole transform.
        case (.idle, .transformed(.ended, changes: true)), (.tracking, .transformed(.ended, changes: true)):
            return (.ended, .ended)
        case (.tracking, .transformed(.ended, changes: false)):
            return (.failed, .failed(.liftedAfterPinch(0, needs: rules.hysteresis)))
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
            (.idle, .transformed(.ended, changes: false)), (.idle, .transformed(.cancelled, _)):
            return (.idle, .unchanged)
        // Done until reset; the fingers may still be on the glass.
        case (.ended, _), (.cancelled, _), (.failed, _): return (state, .unchanged)
        }
    }
}
