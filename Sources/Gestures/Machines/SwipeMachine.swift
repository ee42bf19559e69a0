// SwipeMachine.swift: decides whether fingers went fast and straight one way.
//
// Station   gesture
// Fed by    UISwipeGestureRecognizer
// Feeds     Verdict: ended, while the fingers still move; or failed
// Knows     distances and speeds. No views, no other recognisers, no clock but the samples' own.
//
//     idle ─landed─▶ tracking ─far and fast enough─▶ ended
//                       └─ took too long, went back or across, lifted, cancelled ─▶ failed
//
// Time alone fails no swipe: its next move does.
//
// Docs/Machines/Swipe.md is the whole table.
//
// Sources   documented  UISwipeGestureRecognizer: direction, touches required
//           inferred    0.5 s, 30 pt, 200 pt/s (B9.4)
//           invented    50 pt across, 10 pt back; the speed is along the direction (E2.6)

package import Basics

/// Raw values are UISwipeGestureRecognizer.Direction's.
package struct SwipeDirections: OptionSet, Hashable, Sendable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let right = SwipeDirections(rawValue: 1)
    package static let left = SwipeDirections(rawValue: 2)
    package static let up = SwipeDirections(rawValue: 4)
    package static let down = SwipeDirections(rawValue: 8)

    static let each: [SwipeDirections] = [.right, .left, .up, .down]

    /// The part of a way that goes in this one direction, and the part across.
    fileprivate func parts(of way: Travel) -> (along: Double, across: Double) {
        switch self {
        case .right: (way.dx, way.dy)
        case .left: (-way.dx, way.dy)
        case .up: (-way.dy, way.dx)
        default: (way.dy, way.dx)
        }
    }
}

package struct SwipeMachine: GestureMachine {
    package struct Rules: Equatable, Sendable {
        package var fingers = 1
        package var directions = SwipeDirections.right
        package var maxDuration: Duration
        /// Points.
        package var minDistance: Double
        /// Points per second.
        package var minRate: Double
        /// Points.
        package var maxAcross: Double
        /// Points, where one direction is allowed; where several are there is no back.
        package var maxBack: Double

        package init(
            fingers: Int = 1, directions: SwipeDirections = .right, _ settings: GestureSettings = GestureSettings()
        ) {
            (self.fingers, self.directions) = (fingers, directions)
            maxDuration = Duration(seconds: settings.swipeMaxDuration)
            minDistance = settings.swipeMinDistance * settings.gestureSloppiness
            minRate = settings.swipeMinRate
            maxAcross = settings.swipeMaxSecondary * settings.gestureSloppiness
            maxBack = settings.swipeMaxOpposite * settings.gestureSloppiness
        }
    }

    /// The stroke of all fingers, seen along one direction: the least that any of them did for it, and the most that
    /// any did against it.
    package struct Stroke: Equatable, Sendable {
        /// Points; negative is back.
        package var along: Double
        /// Points per second in the last segment.
        package var rate: Double
        /// Points.
        package var across: Double
        package var back: Double

        package init(along: Double, rate: Double, across: Double = 0, back: Double = 0) {
            (self.along, self.rate, self.across, self.back) = (along, rate, across, back)
        }

        func isBroken(by rules: Rules) -> Bool { across > rules.maxAcross || back > rules.maxBack }
    }

    package enum State: Equatable, Sendable, CaseIterable { case idle, tracking, ended, failed }

    package enum Input: Equatable, Sendable {
        /// With it so many fingers are down.
        case landed(fingers: Int)
        case moved(Stroke, fingers: Int, after: Duration)
        case lifted(Stroke, fingers: Int)
        case cancelled
        /// Its last finger was ignored.
        case lost
    }

    package var kind: String { "swipe" }
    package var rules = Rules()
    package private(set) var state = State.idle
    package private(set) var fingers = Fingers()
    /// The middle of where its fingers landed, kept when they lift.
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
                verdict = verdict.then(step(.landed(fingers: fingers.count)))
            }
            return verdict
        case .moved:
            guard let time = move(samples), let first = fingers.all.first else { return .unchanged }
            return step(.moved(stroke, fingers: fingers.count, after: first.landedAt.duration(to: time)))
        case .ended:
            guard move(samples) != nil else { return .unchanged }
            let (stroke, count) = (self.stroke, fingers.count)
            for sample in samples { fingers.lift(sample.finger) }
            return step(.lifted(stroke, fingers: count))
        case .cancelled: return samples.contains { counts($0.finger) } ? step(.cancelled) : .unchanged
        }
    }

    /// - Returns: The latest of the counted fingers' times; nil if none is.
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

    /// Along the allowed direction that has most to show for it, of those nothing speaks against if there are such.
    private var stroke: Stroke {
        var best: Stroke?
        for direction in SwipeDirections.each where rules.directions.contains(direction) {
            let stroke = self.stroke(along: direction)
            guard let known = best else {
                best = stroke
                continue
            }
            let (old, new) = (known.isBroken(by: rules), stroke.isBroken(by: rules))
            if old == new ? stroke.along > known.along : old { best = stroke }
        }
        return best ?? Stroke(along: 0, rate: 0)
    }

    private func stroke(along direction: SwipeDirections) -> Stroke {
        var stroke = Stroke(along: .infinity, rate: .infinity)
        let isOnly = rules.directions == direction
        for finger in fingers.all {
            let (along, across) = direction.parts(of: finger.position - finger.landing)
            // Panels that report faster than this say too little in one step.
            let time = max(finger.lastTime.duration(to: finger.time), .milliseconds(10))
            let rate = direction.parts(of: finger.position - finger.lastPosition).along / time.seconds
            stroke.along = min(stroke.along, along)
            stroke.rate = min(stroke.rate, rate)
            stroke.across = max(stroke.across, across.magnitude)
            if isOnly { stroke.back = max(stroke.back, -along) }
        }
        return stroke
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

        case (.tracking, .moved(let stroke, let fingers, let after)):
            guard after <= rules.maxDuration else { return (.failed, .failed(.took(after, limit: rules.maxDuration))) }
            guard stroke.back <= rules.maxBack else {
                return (.failed, .failed(.wentBack(stroke.back, limit: rules.maxBack)))
            }
            guard stroke.across <= rules.maxAcross else {
                return (.failed, .failed(.wentAcross(stroke.across, limit: rules.maxAcross)))
            }
            guard fingers == rules.fingers, stroke.along >= rules.minDistance, stroke.rate >= rules.minRate else {
                return (.tracking, .undecided(wakeAt: .never))
            }
            return (.ended, .ended)

        case (.tracking, .lifted(let stroke, let fingers)):
            guard fingers == rules.fingers else {
                return (.failed, .failed(.tooFewFingers(fingers, needs: rules.fingers)))
            }
            guard stroke.along >= rules.minDistance else {
                return (.failed, .failed(.liftedAfterTravel(max(0, stroke.along), needs: rules.minDistance)))
            }
            return (.failed, .failed(.tooSlow(max(0, stroke.rate), needs: rules.minRate)))

        case (.tracking, .cancelled): return (.failed, .failed(.systemCancelled))
        case (.tracking, .lost): return (.failed, .failed(.lostTouches))

        // No finger is down: an app's subclass may say so nevertheless.
        case (.idle, .moved), (.idle, .lifted), (.idle, .cancelled), (.idle, .lost): return (.idle, .unchanged)
        // Done until reset; the fingers may still be on the glass.
        case (.ended, _), (.failed, _): return (state, .unchanged)
        }
    }
}
