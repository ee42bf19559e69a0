// SwipeMachine.swift: the state machine of a swipe.
//
// Station   gesture
// Input     UISwipeGestureRecognizer
// Output    Verdict: ended, while the fingers still move; or failed
// Knows     distances and times. No views, no other recognizers, no clock but the samples' own.
//
//     idle ─landed─▶ tracking ─a move: every finger far enough─▶ ended
//                       └─ too late, behind its start, too far across, lifted, cancelled ─▶ failed
//
// The needed distance along and the allowed distance across both shrink with the time since a finger's own touch-down.
// Time alone fails no swipe: the next move after `maxDuration` does.
// Docs/Reference/Machines/Swipe.md has the whole table.
//
// Sources   documented  UISwipeGestureRecognizer: direction, touches required
//           observed    the limits at six times, no movement back, no speed limit; a horizontal bit in the mask outweighs
//                       the vertical ones (B9.4)
//           inferred    under both opposite directions no finger is ever behind its start

package import Basics

/// A set of directions, with the raw values of UISwipeGestureRecognizer.Direction.
package struct SwipeDirections: OptionSet, Hashable, Sendable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let right = SwipeDirections(rawValue: 1)
    package static let left = SwipeDirections(rawValue: 2)
    package static let up = SwipeDirections(rawValue: 4)
    package static let down = SwipeDirections(rawValue: 8)
    static let horizontal: SwipeDirections = [.right, .left]
    static let vertical: SwipeDirections = [.up, .down]

    /// The directions that count: if the mask has a horizontal one, the vertical ones do not count. (B9.4)
    var counting: SwipeDirections {
        isDisjoint(with: .horizontal) ? intersection(.vertical) : intersection(.horizontal)
    }

    /// Splits a travel into the distance along these directions, which lie on one axis, and the distance across.
    ///
    /// - Returns: `along` is negative behind the start. Under both opposite directions it is never negative, because
    ///   each side of the start is ahead in one of them.
    fileprivate func components(of travel: Travel) -> (along: Double, across: Double) {
        switch self {
        case .right: (travel.dx, travel.dy.magnitude)
        case .left: (-travel.dx, travel.dy.magnitude)
        case .horizontal: (travel.dx.magnitude, travel.dy.magnitude)
        case .up: (-travel.dy, travel.dx.magnitude)
        case .down: (travel.dy, travel.dx.magnitude)
        case .vertical: (travel.dy.magnitude, travel.dx.magnitude)
        default: (0, 0)
        }
    }
}

/// The state machine of a swipe.
package struct SwipeMachine: GestureMachine {
    /// The limits of a swipe.
    package struct Rules: Equatable, Sendable {
        package var fingers = 1
        package var directions = SwipeDirections.right
        /// The longest time since a finger's own touch-down, inclusive.
        package var maxDuration: Duration
        /// The needed distance along the direction at touch-down, in points.
        package var minDistance: Double
        /// The share of `minDistance` that is no longer needed after one second.
        var minDistanceDecay: Double
        /// The allowed distance across the direction at touch-down, in points.
        var maxAcross: Double
        /// The share of `maxAcross` that is no longer allowed after one second.
        var maxAcrossDecay: Double
        /// The allowed distance behind the start, in points.
        var maxBack: Double

        package init(
            fingers: Int = 1, directions: SwipeDirections = .right, _ settings: GestureSettings = GestureSettings()
        ) {
            (self.fingers, self.directions) = (fingers, directions)
            maxDuration = Duration(seconds: settings.swipe.maxDuration)
            minDistance = settings.swipe.minDistance * settings.gesture.sloppiness
            minDistanceDecay = settings.swipe.minDistanceDecay
            maxAcross = settings.swipe.maxSecondary * settings.gesture.sloppiness
            maxAcrossDecay = settings.swipe.maxSecondaryDecay
            maxBack = settings.swipe.maxOpposite * settings.gesture.sloppiness
        }

        /// The distance along the direction that a finger needs this long after its touch-down, in points.
        func distanceNeeded(after time: Duration) -> Double {
            minDistance * max(0, 1 - minDistanceDecay * time.seconds)
        }

        /// The distance across the direction that a finger may have this long after its touch-down, in points.
        func acrossAllowed(after time: Duration) -> Double {
            maxAcross * max(0, 1 - maxAcrossDecay * time.seconds)
        }

        /// The reason why these fingers can no longer make a swipe; nil if they can.
        func failure(of strokes: [Stroke]) -> Failure? {
            for stroke in strokes where stroke.after > maxDuration {
                return .took(stroke.after, limit: maxDuration)
            }
            for stroke in strokes where -stroke.along > maxBack + Self.lastBits {
                return .wentBack(-stroke.along, limit: maxBack)
            }
            for stroke in strokes {
                let limit = acrossAllowed(after: stroke.after)
                if stroke.across > limit + Self.rounding { return .wentAcross(stroke.across, limit: limit) }
            }
            return nil
        }

        /// The finger that lacks most of its distance: its distance along the direction, and the needed distance.
        func slowest(of strokes: [Stroke]) -> (along: Double, needs: Double) {
            var slowest = (along: 0.0, needs: Double.infinity)
            // If no direction counts, no distance suffices.
            guard !directions.counting.isEmpty else { return slowest }
            for stroke in strokes {
                let needs = distanceNeeded(after: stroke.after)
                if needs - stroke.along > slowest.needs - slowest.along || slowest.needs == .infinity {
                    slowest = (stroke.along, needs)
                }
            }
            return slowest
        }

        func areFarEnough(_ strokes: [Stroke]) -> Bool {
            let slowest = slowest(of: strokes)
            return slowest.along >= slowest.needs - Self.rounding
        }

        /// In points. Positions are multiples of 1/64 pt, so that a distance that equals its limit on paper may be 1/64 short.
        private static let rounding = 1.0 / 64
        /// In points. The limit behind the start is 0, which the rounding of positions does not move; the rounding of a sum may.
        private static let lastBits = 1e-9
    }

    /// The movement of one finger since its touch-down.
    package struct Stroke: Equatable, Sendable, CustomStringConvertible {
        /// The distance along the allowed direction, in points; negative behind the start.
        package var along: Double
        /// The distance across the direction, in points.
        package var across: Double
        package var after: Duration

        package init(along: Double, across: Double = 0, after: Duration) {
            (self.along, self.across, self.after) = (along, across, after)
        }

        package var description: String {
            "\(fixedText(along, digits: 1)) pt"
                + (across == 0 ? "" : ", \(fixedText(across, digits: 1)) pt across") + " after \(after.milliseconds)"
        }
    }

    /// The state of a swipe.
    package enum State: Equatable, Sendable, CaseIterable { case idle, tracking, ended, failed }

    /// An event of a swipe.
    package enum Input: Equatable, Sendable {
        /// The number of fingers that are down, with the new one.
        case landed(fingers: Int)
        /// One stroke for each finger that is down, in order of landing.
        case moved([Stroke])
        /// One stroke for each finger, with the fingers that lift.
        case lifted([Stroke])
        case cancelled
        /// The recognizer ignored the last finger.
        case lost
    }

    package var kind: String { "swipe" }
    package var rules = Rules()
    package private(set) var state = State.idle
    package private(set) var fingers = Fingers()
    /// The mean of the fingers' landings. It stays when the fingers lift.
    package private(set) var start: Point<WindowSpace>?

    package init() {}

    package func counts(_ finger: FingerID) -> Bool { fingers.contains(finger) }

    package mutating func reset() {
        state = .idle
        fingers.removeAll()
        start = nil
    }

    // MARK: Measuring

    package mutating func handle(_ phase: SamplePhase, _ samples: [Sample], at now: Instant) -> Verdict {
        switch phase {
        case .began:
            var verdict = Verdict.unchanged
            for sample in samples where state != .ended && state != .failed {
                fingers.land(sample)
                start = fingers.all.landingCentroid
                verdict = verdict.combined(with: step(.landed(fingers: fingers.count)))
            }
            return verdict
        case .moved:
            guard let time = move(samples) else { return .unchanged }
            return step(.moved(strokes(at: time)))
        case .ended:
            guard let time = move(samples) else { return .unchanged }
            let strokes = strokes(at: time)
            for sample in samples { fingers.lift(sample.finger) }
            return step(.lifted(strokes))
        case .cancelled: return samples.contains { counts($0.finger) } ? step(.cancelled) : .unchanged
        }
    }

    /// Moves the counted fingers.
    ///
    /// - Returns: The latest time of the counted samples; nil if no sample's finger is counted.
    private mutating func move(_ samples: [Sample]) -> Instant? {
        var latest: Instant?
        for sample in samples where fingers.contains(sample.finger) {
            fingers.move(sample)
            latest = max(latest ?? sample.time, sample.time)
        }
        return latest
    }

    package mutating func forget(_ finger: FingerID) -> Verdict {
        guard fingers.lift(finger) else { return .unchanged }
        return fingers.isEmpty ? step(.lost) : .unchanged
    }

    /// The stroke of each finger at a time. The time also counts for a finger that has no sample in this event.
    private func strokes(at time: Instant) -> [Stroke] {
        let directions = rules.directions.counting
        return fingers.all.map { finger in
            let (along, across) = directions.components(of: finger.position - finger.landing)
            return Stroke(along: along, across: across, after: finger.landedAt.duration(to: time))
        }
    }

    // MARK: Deciding

    private mutating func step(_ input: Input) -> Verdict {
        let (next, verdict) = Self.transition(from: state, on: input, rules)
        state = next
        return verdict
    }

    /// The whole machine: every state, every input, no default.
    package static func transition(from state: State, on input: Input, _ rules: Rules) -> (State, Verdict) {
        switch (state, input) {
        case (.idle, .landed(let fingers)), (.tracking, .landed(let fingers)):
            guard fingers <= rules.fingers else {
                return (.failed, .failed(.tooManyFingers(fingers, limit: rules.fingers)))
            }
            return (.tracking, .undecided(wakeAt: .never))

        case (.tracking, .moved(let strokes)):
            if let failure = rules.failure(of: strokes) { return (.failed, .failed(failure)) }
            guard strokes.count == rules.fingers, rules.areFarEnough(strokes) else {
                return (.tracking, .undecided(wakeAt: .never))
            }
            return (.ended, .ended)

        case (.tracking, .lifted(let strokes)):
            guard strokes.count == rules.fingers else {
                return (.failed, .failed(.tooFewFingers(strokes.count, needs: rules.fingers)))
            }
            if let failure = rules.failure(of: strokes) { return (.failed, .failed(failure)) }
            let slowest = rules.slowest(of: strokes)
            return (.failed, .failed(.liftedAfterTravel(slowest.along, needs: slowest.needs)))

        case (.tracking, .cancelled): return (.failed, .failed(.systemCancelled))
        case (.tracking, .lost): return (.failed, .failed(.lostTouches))

        // No finger is down: an app's subclass may report one nevertheless.
        case (.idle, .moved), (.idle, .lifted), (.idle, .cancelled), (.idle, .lost): return (.idle, .unchanged)
        // The machine is done until its reset. The fingers may still be down.
        case (.ended, _), (.failed, _): return (state, .unchanged)
        }
    }
}
