// TapMachine.swift: decides whether fingers came, stayed where they were, and went, as often as they should.
//
// Station   gesture
// Fed by    UITapGestureRecognizer; LongPressMachine, for the taps that go before
// Feeds     Verdict: ended or failed
// Knows     distances and moments. No views, no other recognisers, no clock.
//
//     idle ─landed─▶ gathering ─all fingers─▶ pressing ─one lifts─▶ lifting ─all lifted─▶ ended
//                        ▲                                             │
//                        └──────── landed ──────── waiting ◀───────────┘ more taps to come
//
//     failed, from each of them: too far, too long, too many fingers, too few, cancelled
//
// Docs/Machines/Tap.md is the whole table.
//
// Sources   documented  UITapGestureRecognizer: taps and fingers required
//           inferred    45 pt, 1.5 s, 0.35 s (B9.1, E28)
//           invented    each finger's movement counts from where it landed, and so the centroid's is bounded (E2.7);
//                       a press has a duration, by the device's time or by the app's

package import Basics

package struct TapMachine: GestureMachine, Equatable {
    package struct Rules: Equatable, Sendable {
        package var taps = 1
        package var fingers = 1
        /// Of one press, from its first finger's landing.
        package var maxDuration: Duration
        /// Points a finger may stray, and a later tap may be from the first.
        package var movement: Double
        /// From lifting to the next tap's landing.
        package var maxInterval: Duration

        package init(taps: Int = 1, fingers: Int = 1, _ settings: GestureSettings = GestureSettings()) {
            (self.taps, self.fingers) = (taps, fingers)
            maxDuration = Duration(seconds: settings.tap.maxDuration)
            movement = settings.tap.allowableMovement * settings.gesture.sloppiness
            maxInterval = Duration(seconds: settings.tap.maxInterval)
        }
    }

    package enum State: Equatable, Sendable {
        case idle
        /// Fingers are missing. `tap` counts from 1; `since` the press's first finger landed.
        case gathering(tap: Int, since: Instant)
        case pressing(tap: Int, since: Instant)
        /// Some of the fingers have lifted.
        case lifting(tap: Int, since: Instant)
        /// So many taps are done, and one more is to come.
        case waiting(taps: Int, since: Instant)
        case ended
        case failed
    }

    package enum Input: Equatable, Sendable {
        /// With it so many fingers have landed in this press, `away` from the first tap.
        case landed(fingers: Int, away: Double, at: Instant)
        /// The finger that strayed furthest is so far from its landing.
        case moved(Double)
        /// Of so many that landed so many are left; the press lasted so long.
        case lifted(fingers: Int, left: Int, moved: Double, after: Duration, at: Instant)
        case timePassed(at: Instant)
        case cancelled
        /// One of its fingers was ignored; so many are left.
        case lost(left: Int)
    }

    package var kind: String { "tap" }
    package var rules = Rules()
    package private(set) var state = State.idle

    package private(set) var fingers = Fingers()
    /// The fingers of the last press, lifted ones too: what a tap that acts late still has to say.
    package private(set) var pressed: [Finger] = []
    /// The middle of the first tap's landings.
    package private(set) var place: Point<WindowSpace>?

    package init() {}

    package func counts(_ finger: FingerID) -> Bool { fingers.contains(finger) }

    package mutating func reset() {
        state = .idle
        fingers.removeAll()
        pressed.removeAll(keepingCapacity: true)
        place = nil
    }

    // MARK: Measuring

    package mutating func handle(_ phase: SamplePhase, _ samples: [Sample], at now: Instant) -> Verdict {
        var verdict = Verdict.unchanged
        switch phase {
        case .began:
            for sample in samples { verdict = verdict.then(land(sample, at: now)) }
        case .moved:
            for sample in samples { fingers.move(sample) }
            if !fingers.isEmpty { verdict = step(.moved(fingers.strayed)) }
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
        if fingers.isEmpty { pressed.removeAll(keepingCapacity: true) }
        fingers.land(sample)
        pressed.append(Finger(sample))
        let middle = pressed.landingCentroid
        switch state {
        case .idle, .gathering(tap: 1, _): place = middle
        case .gathering, .pressing, .lifting, .waiting, .ended, .failed: break
        }
        // Where a tap is is known when all its fingers are.
        let isWhole = pressed.count >= rules.fingers
        let away = isWhole ? place?.distance(to: middle) ?? 0 : 0
        return step(.landed(fingers: pressed.count, away: away, at: now))
    }

    private mutating func lift(_ samples: [Sample], at now: Instant) -> Verdict {
        guard samples.contains(where: { counts($0.finger) }) else { return .unchanged }
        for sample in samples { fingers.move(sample) }
        let strayed = fingers.strayed
        for finger in fingers.all {
            if let index = pressed.firstIndex(where: { $0.id == finger.id }) { pressed[index] = finger }
        }
        for sample in samples { fingers.lift(sample.finger) }
        return step(
            .lifted(
                fingers: pressed.count, left: fingers.count, moved: strayed,
                after: duration(until: samples.last?.time ?? now, at: now), at: now))
    }

    /// By the device's time; by the app's where the device says none.
    private func duration(until time: Instant, at now: Instant) -> Duration {
        let seen = pressed.first.map { $0.landedAt.duration(to: time) } ?? .zero
        switch state {
        case .gathering(_, let since), .pressing(_, let since), .lifting(_, let since):
            return max(seen, since.duration(to: now))
        case .idle, .waiting, .ended, .failed: return seen
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
        // As if it had never landed: the others wait for one in its place.
        case (.gathering(let tap, let since), .lost), (.pressing(let tap, let since), .lost):
            return (.gathering(tap: tap, since: since), .undecided(wakeAt: since.advanced(by: rules.maxDuration)))
        // Some have lifted, and none can join them any more.
        case (.lifting, .lost): return (.failed, .failed(.lostTouches))

        // No finger is down: an app's subclass may say so nevertheless, and a timer may be late.
        case (.idle, .moved), (.idle, .lifted), (.idle, .timePassed), (.idle, .cancelled), (.idle, .lost),
            (.waiting, .moved), (.waiting, .lifted), (.waiting, .lost):
            return (state, .unchanged)
        // Done until reset; the fingers may still be on the glass.
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
    /// The middle of where they landed; the origin when there is none.
    var landingCentroid: Point<WindowSpace> {
        var (x, y) = (0.0, 0.0)
        for finger in self { (x, y) = (x + finger.landing.x, y + finger.landing.y) }
        let count = Double(Swift.max(1, self.count))
        return Point(x / count, y / count)
    }
}
