// TapMachine.swift: the state machine of a tap: fingers land, stay and lift, as often as required.
//
// Station   gesture
// Input     UITapGestureRecognizer; LongPressMachine, for preceding taps
// Output    Verdict: ended or failed
// Knows     distances and moments. No views, no other recognizers, no clock.
//
//     idle ─landed─▶ gathering ─all fingers─▶ pressing ─one lifts─▶ lifting ─all lifted─▶ ended
//                        ▲                                             │
//                        └──────── landed ──────── waiting ◀───────────┘ more taps to come
//
//     failed, from each of them: too far, too long, too many fingers, too few, cancelled
//
// Docs/Reference/Machines/Tap.md has the whole table.
//
// Sources   documented  UITapGestureRecognizer: taps and fingers required
//           inferred    45 pt, 1.5 s, 0.35 s (B9.1, E28)
//           invented    the movement of each finger counts from its landing, which bounds the centroid's (E2.7);
//                       a press has a duration, by the device's time or by the app's

package import Basics

/// The state machine of a tap.
package struct TapMachine: GestureMachine, Equatable {
    /// The limits of a tap.
    package struct Rules: Equatable, Sendable {
        package var taps = 1
        package var fingers = 1
        /// The longest duration of one press, from the landing of its first finger.
        package var maxDuration: Duration
        /// The longest distance, in points, of a finger from its landing and of a later tap from the first.
        package var movement: Double
        /// The longest time from a lift to the next tap's landing.
        package var maxInterval: Duration

        package init(taps: Int = 1, fingers: Int = 1, _ settings: GestureSettings = GestureSettings()) {
            (self.taps, self.fingers) = (taps, fingers)
            maxDuration = Duration(seconds: settings.tap.maxDuration)
            movement = settings.tap.allowableMovement * settings.gesture.sloppiness
            maxInterval = Duration(seconds: settings.tap.maxInterval)
        }
    }

    /// The state of a tap.
    package enum State: Equatable, Sendable {
        case idle
        /// Not all required fingers have landed. `tap` counts from 1; `since` is the landing of the press's first finger.
        case gathering(tap: Int, since: Instant)
        case pressing(tap: Int, since: Instant)
        /// Some of the fingers have lifted.
        case lifting(tap: Int, since: Instant)
        /// `taps` taps are done, and another one is required.
        case waiting(taps: Int, since: Instant)
        case ended
        case failed
    }

    /// An event of a tap.
    package enum Input: Equatable, Sendable {
        /// The number of fingers that have landed in this press, with the new one, and their distance from the first tap.
        case landed(fingers: Int, away: Double, at: Instant)
        /// The largest distance between a finger and its landing.
        case moved(Double)
        /// `fingers` fingers landed, and `left` are still down. `after` is the duration of the press.
        case lifted(fingers: Int, left: Int, moved: Double, after: Duration, at: Instant)
        case timePassed(at: Instant)
        case cancelled
        /// One of its fingers was ignored; `left` fingers are still counted.
        case lost(left: Int)
    }

    package var kind: String { "tap" }
    package var rules = Rules()
    package private(set) var state = State.idle

    package private(set) var fingers = Fingers()
    /// The fingers of the last press, with those that have lifted: a tap that acts late still reports them.
    package private(set) var pressed: [Finger] = []
    /// The mean of the landings of the first tap.
    package private(set) var firstTapCentroid: Point<WindowSpace>?

    package init() {}

    package func counts(_ finger: FingerID) -> Bool { fingers.contains(finger) }

    package mutating func reset() {
        state = .idle
        fingers.removeAll()
        pressed.removeEach()
        firstTapCentroid = nil
    }

    // MARK: Measuring

    package mutating func handle(_ phase: SamplePhase, _ samples: [Sample], at now: Instant) -> Verdict {
        var verdict = Verdict.unchanged
        switch phase {
        case .began:
            for sample in samples { verdict = verdict.combined(with: land(sample, at: now)) }
        case .moved:
            for sample in samples { fingers.move(sample) }
            if !fingers.isEmpty { verdict = step(.moved(fingers.largestMovement)) }
        case .ended: verdict = lift(samples, at: now)
        case .cancelled:
            if samples.contains(where: { counts($0.finger) }) { verdict = step(.cancelled) }
        }
        return verdict
    }

    package mutating func timePassed(at now: Instant) -> Verdict { step(.timePassed(at: now)) }

    package mutating func forget(_ finger: FingerID) -> Verdict {
        guard fingers.lift(finger) else { return .unchanged }
        pressed.removeAll { $0.id == finger }
        return step(.lost(left: fingers.count))
    }

    private mutating func land(_ sample: Sample, at now: Instant) -> Verdict {
        if fingers.isEmpty { pressed.removeEach() }
        fingers.land(sample)
        pressed.append(Finger(sample))
        let middle = pressed.landingCentroid
        switch state {
        case .idle, .gathering(tap: 1, _): firstTapCentroid = middle
        case .gathering, .pressing, .lifting, .waiting, .ended, .failed: break
        }
        // The position of a tap is known when all its fingers have landed.
        let isWhole = pressed.count >= rules.fingers
        let away = isWhole ? firstTapCentroid?.distance(to: middle) ?? 0 : 0
        return step(.landed(fingers: pressed.count, away: away, at: now))
    }

    private mutating func lift(_ samples: [Sample], at now: Instant) -> Verdict {
        guard samples.contains(where: { counts($0.finger) }) else { return .unchanged }
        for sample in samples { fingers.move(sample) }
        let strayed = fingers.largestMovement
        for finger in fingers.all {
            if let index = pressed.firstIndex(where: { $0.id == finger.id }) { pressed[index] = finger }
        }
        for sample in samples { fingers.lift(sample.finger) }
        return step(
            .lifted(
                fingers: pressed.count, left: fingers.count, moved: strayed,
                after: duration(until: samples.last?.time ?? now, at: now), at: now))
    }

    /// The duration of the press: the longer of its durations by the device's time and by the app's time.
    private func duration(until time: Instant, at now: Instant) -> Duration {
        let seen = pressed.first.map { $0.landedAt.duration(to: time) } ?? .zero
        switch state {
        case .gathering(_, let since), .pressing(_, let since), .lifting(_, let since):
            return max(seen, since.duration(to: now))
        case .idle, .waiting, .ended, .failed: return seen
        }
    }

    // MARK: Deciding

    @inline(__always)
    private mutating func step(_ input: Input) -> Verdict {
        let (next, verdict) = Self.transition(from: state, on: input, rules)
        state = next
        return verdict
    }

    /// The whole machine: every state, every input, no default. Inlined, so that each caller has the part for its input.
    @inline(__always)
    package static func transition(from state: State, on input: Input, _ rules: Rules) -> (State, Verdict) {
        switch (state, input) {
        case (.idle, .landed(let fingers, _, let now)):
            return press(1, fingers: fingers, away: 0, since: now, rules)
        case (.waiting(let taps, _), .landed(let fingers, let away, let now)):
            return press(taps + 1, fingers: fingers, away: away, since: now, rules)
        case (.gathering(let tap, let since), .landed(let fingers, let away, _)):
            return press(tap, fingers: fingers, away: away, since: since, rules)
        case (.pressing, .landed(let fingers, _, _)), (.lifting, .landed(let fingers, _, _)):
            return (.failed, .failed(.tooManyFingers(fingers, limit: rules.fingers)))

        case (.gathering(_, let since), .moved(let points)), (.pressing(_, let since), .moved(let points)),
            (.lifting(_, let since), .moved(let points)):
            guard points <= rules.movement else { return (.failed, .failed(.moved(points, limit: rules.movement))) }
            return (state, .undecided(wakeAt: since.advanced(by: rules.maxDuration)))

        case (.gathering, .lifted(let fingers, _, _, _, _)):
            return (.failed, .failed(.tooFewFingers(fingers, needs: rules.fingers)))
        case (.pressing(let tap, let since), .lifted(_, let left, let points, let after, let now)),
            (.lifting(let tap, let since), .lifted(_, let left, let points, let after, let now)):
            guard points <= rules.movement else { return (.failed, .failed(.moved(points, limit: rules.movement))) }
            guard left == 0 else {
                return (.lifting(tap: tap, since: since), .undecided(wakeAt: since.advanced(by: rules.maxDuration)))
            }
            guard after > .zero else { return (.failed, .failed(.liftedAsItLanded)) }
            guard tap < rules.taps else { return (.ended, .ended) }
            return (.waiting(taps: tap, since: now), .undecided(wakeAt: now.advanced(by: rules.maxInterval)))

        case (.gathering(_, let since), .timePassed(let now)), (.pressing(_, let since), .timePassed(let now)),
            (.lifting(_, let since), .timePassed(let now)):
            let wake = since.advanced(by: rules.maxDuration)
            guard now >= wake else { return (state, .undecided(wakeAt: wake)) }
            return (.failed, .failed(.pressedFor(since.duration(to: now), limit: rules.maxDuration)))
        case (.waiting(_, let since), .timePassed(let now)):
            let wake = since.advanced(by: rules.maxInterval)
            guard now >= wake else { return (state, .undecided(wakeAt: wake)) }
            return (.failed, .failed(.waitedFor(since.duration(to: now), limit: rules.maxInterval)))

        case (.gathering, .cancelled), (.pressing, .cancelled), (.lifting, .cancelled), (.waiting, .cancelled):
            return (.failed, .failed(.systemCancelled))
        case (.gathering, .lost(left: 0)), (.pressing, .lost(left: 0)): return (.failed, .failed(.lostTouches))
        // The finger counts as if it had never landed: the press waits for another one.
        case (.gathering(let tap, let since), .lost), (.pressing(let tap, let since), .lost):
            return (.gathering(tap: tap, since: since), .undecided(wakeAt: since.advanced(by: rules.maxDuration)))
        // Some fingers have lifted, and no other finger can land any more.
        case (.lifting, .lost): return (.failed, .failed(.lostTouches))

        // No finger is down: an app's subclass may report one nevertheless, and a timer may be late.
        case (.idle, .moved), (.idle, .lifted), (.idle, .timePassed), (.idle, .cancelled), (.idle, .lost),
            (.waiting, .moved), (.waiting, .lifted), (.waiting, .lost):
            return (state, .unchanged)
        // The machine is done until its reset. The fingers may still be down.
        case (.ended, _), (.failed, _): return (state, .unchanged)
        }
    }

    private static func press(
        _ tap: Int, fingers: Int, away: Double, since: Instant, _ rules: Rules
    ) -> (State, Verdict) {
        guard fingers <= rules.fingers else {
            return (.failed, .failed(.tooManyFingers(fingers, limit: rules.fingers)))
        }
        guard away <= rules.movement else { return (.failed, .failed(.landedAway(away, limit: rules.movement))) }
        return (
            fingers == rules.fingers ? .pressing(tap: tap, since: since) : .gathering(tap: tap, since: since),
            .undecided(wakeAt: since.advanced(by: rules.maxDuration))
        )
    }
}

extension [Finger] {
    /// The mean of the landings; the origin if there are no fingers.
    var landingCentroid: Point<WindowSpace> {
        var (x, y) = (0.0, 0.0)
        for finger in self { (x, y) = (x + finger.landing.x, y + finger.landing.y) }
        let count = Double(Swift.max(1, self.count))
        return Point(x / count, y / count)
    }
}
