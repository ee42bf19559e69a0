// LongPressMachine.swift: the state machine of a long press: fingers rest long enough.
//
// Station   gesture
// Input     UILongPressGestureRecognizer
// Output    Verdict: failed, or began, changed and ended
// Knows     distances and moments. No views, no other recognizers, no clock.
//
//     idle ─landed─▶ gathering ─all fingers─▶ pressing ─time─▶ held ─one lifts─▶ ended
//      │                 ▲                       │               │
//      └▶ tapping ─▶ waiting                failed: moved,   cancelled
//         (preceding taps)                  lifted, joined
//
// Docs/Reference/Machines/LongPress.md has the whole table.
//
// Sources   documented  UILongPressGestureRecognizer: minimumPressDuration, allowableMovement, numberOfTapsRequired
//           inferred    the time counts from the landing of the last required finger; the first lift ends it (B9.2)
//           invented    a press that lifts before its timer is served fails, however late the main thread is (C5)

package import Basics

/// The state machine of a long press.
package struct LongPressMachine: GestureMachine {
    /// The limits of a long press.
    package struct Rules: Equatable, Sendable {
        /// The rules of the fingers and of the preceding taps.
        package var taps: TapMachine.Rules
        package var precedingTaps = 0
        package var minDuration: Duration
        /// The longest distance of a finger from its landing, in points.
        package var movement: Double

        package var fingers: Int { taps.fingers }

        package init(
            precedingTaps: Int = 0, fingers: Int = 1, minDuration: Double? = nil, movement: Double? = nil,
            _ settings: GestureSettings = GestureSettings()
        ) {
            taps = TapMachine.Rules(taps: precedingTaps, fingers: fingers, settings)
            self.precedingTaps = precedingTaps
            self.minDuration = Duration(seconds: minDuration ?? settings.longPress.minDuration)
            self.movement = (movement ?? settings.longPress.allowableMovement) * settings.gesture.sloppiness
        }
    }

    /// The state of a long press.
    package enum State: Equatable, Sendable {
        case idle
        /// Preceding taps are in progress; another machine counts them.
        case tapping
        /// The preceding taps are done, and the press has not begun.
        case waiting(since: Instant)
        /// Not all required fingers have landed.
        case gathering
        /// The last required finger landed at this time.
        case pressing(since: Instant)
        case held
        case ended
        case cancelled
        case failed
    }

    /// An event of a long press.
    package enum Input: Equatable, Sendable {
        /// The verdict on the preceding taps.
        case tapped(Verdict, at: Instant)
        /// The number of fingers that have landed, with the new one, and their distance from the first tap.
        case landed(fingers: Int, away: Double, at: Instant)
        /// The largest distance between a finger and its landing.
        case moved(Double)
        /// One or more fingers lifted: the number of fingers before, and the largest distance from a landing.
        case lifted(fingers: Int, moved: Double, at: Instant)
        case timePassed(at: Instant)
        case cancelled
        /// One of its fingers was ignored; `left` fingers are still counted.
        case lost(left: Int)
        /// The recognizer's state was assigned from outside the machine.
        case assigned(RecognizerState)
    }

    package var kind: String { "long press" }
    package var rules = Rules() {
        didSet { preceding.rules = rules.taps }
    }
    package private(set) var state = State.idle

    private var preceding = TapMachine()
    package private(set) var fingers = Fingers()

    package init() {}

    package func counts(_ finger: FingerID) -> Bool { fingers.contains(finger) || preceding.counts(finger) }

    package mutating func reset() {
        state = .idle
        preceding.reset()
        fingers.removeAll()
    }

    // MARK: Measuring

    private var isTapping: Bool { state == .tapping || (state == .idle && rules.precedingTaps > 0) }

    package mutating func handle(_ phase: SamplePhase, _ samples: [Sample], at now: Instant) -> Verdict {
        if isTapping { return step(.tapped(preceding.handle(phase, samples, at: now), at: now)) }
        var verdict = Verdict.unchanged
        switch phase {
        case .began:
            for sample in samples { verdict = verdict.combined(with: land(sample, at: now)) }
        case .moved:
            var isOurs = false
            for sample in samples where counts(sample.finger) {
                fingers.move(sample)
                isOurs = true
            }
            if isOurs { verdict = step(.moved(fingers.largestMovement)) }
        case .ended:
            guard samples.contains(where: { counts($0.finger) }) else { return .unchanged }
            for sample in samples { fingers.move(sample) }
            let (count, strayed) = (fingers.count, fingers.largestMovement)
            for sample in samples { fingers.lift(sample.finger) }
            verdict = step(.lifted(fingers: count, moved: strayed, at: now))
        case .cancelled:
            if samples.contains(where: { counts($0.finger) }) { verdict = step(.cancelled) }
        }
        return verdict
    }

    /// Adds a finger. An extra finger fails a press, and is ignored after the press has begun.
    private mutating func land(_ sample: Sample, at now: Instant) -> Verdict {
        guard state != .held || fingers.count < rules.fingers else { return .unchanged }
        fingers.land(sample)
        let isWhole = fingers.count >= rules.fingers
        let away = isWhole ? preceding.firstTapCentroid?.distance(to: fingers.all.landingCentroid) ?? 0 : 0
        return step(.landed(fingers: fingers.count, away: away, at: now))
    }

    package mutating func timePassed(at now: Instant) -> Verdict {
        isTapping ? step(.tapped(preceding.timePassed(at: now), at: now)) : step(.timePassed(at: now))
    }

    package mutating func forget(_ finger: FingerID) -> Verdict {
        if isTapping { return step(.tapped(preceding.forget(finger), at: .never)) }
        guard fingers.lift(finger) else { return .unchanged }
        return step(.lost(left: fingers.count))
    }

    package mutating func assigned(_ state: RecognizerState) {
        // If the gesture was begun in the middle of the preceding taps, the fingers of the tap become those of the press.
        if isTapping, fingers.isEmpty { fingers = preceding.fingers }
        _ = step(.assigned(state))
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
        case (.idle, .tapped(let verdict, let now)), (.tapping, .tapped(let verdict, let now)):
            return tap(verdict, now, in: state, rules)

        case (.idle, .landed(let fingers, let away, let now)),
            (.waiting, .landed(let fingers, let away, let now)),
            (.gathering, .landed(let fingers, let away, let now)):
            return press(fingers: fingers, away: away, now, rules)
        case (.pressing, .landed(let fingers, _, _)):
            return (.failed, .failed(.tooManyFingers(fingers, limit: rules.fingers)))
        case (.held, .landed): return (.held, .unchanged)

        case (.gathering, .moved(let points)):
            guard points <= rules.movement else { return (.failed, .failed(.moved(points, limit: rules.movement))) }
            return (.gathering, .undecided(wakeAt: .never))
        case (.pressing(let since), .moved(let points)):
            guard points <= rules.movement else { return (.failed, .failed(.moved(points, limit: rules.movement))) }
            return (state, .undecided(wakeAt: since.advanced(by: rules.minDuration)))
        case (.held, .moved): return (.held, .changed)

        case (.gathering, .lifted(let fingers, _, _)):
            return (.failed, .failed(.tooFewFingers(fingers, needs: rules.fingers)))
        case (.pressing(let since), .lifted(_, let points, let now)):
            guard points <= rules.movement else { return (.failed, .failed(.moved(points, limit: rules.movement))) }
            return (.failed, .failed(.liftedEarly(after: since.duration(to: now), needs: rules.minDuration)))
        case (.held, .lifted): return (.ended, .ended)

        case (.waiting(let since), .timePassed(let now)):
            let wake = since.advanced(by: rules.taps.maxInterval)
            guard now >= wake else { return (state, .undecided(wakeAt: wake)) }
            return (.failed, .failed(.waitedFor(since.duration(to: now), limit: rules.taps.maxInterval)))
        case (.pressing(let since), .timePassed(let now)):
            let wake = since.advanced(by: rules.minDuration)
            return now >= wake ? (.held, .began) : (state, .undecided(wakeAt: wake))

        case (.waiting, .cancelled), (.gathering, .cancelled), (.pressing, .cancelled):
            return (.failed, .failed(.systemCancelled))
        case (.held, .cancelled), (.held, .lost(left: 0)): return (.cancelled, .cancelled)
        case (.held, .lost): return (.held, .unchanged)
        case (.gathering, .lost(left: 0)), (.pressing, .lost(left: 0)): return (.failed, .failed(.lostTouches))
        // The finger counts as if it had never landed: the press waits for another one.
        case (.gathering, .lost), (.pressing, .lost): return (.gathering, .undecided(wakeAt: .never))

        // An app's subclass may begin or end the gesture at any time.
        case (.idle, .assigned(let stage)), (.tapping, .assigned(let stage)), (.waiting, .assigned(let stage)),
            (.gathering, .assigned(let stage)), (.pressing, .assigned(let stage)), (.held, .assigned(let stage)):
            return (assign(stage, in: state), .unchanged)

        // During the preceding taps the other machine receives all samples, and afterwards it receives none.
        case (.tapping, .landed), (.tapping, .moved), (.tapping, .lifted), (.tapping, .timePassed),
            (.tapping, .cancelled), (.tapping, .lost), (.waiting, .tapped), (.gathering, .tapped),
            (.pressing, .tapped), (.held, .tapped):
            return (state, .unchanged)
        // No finger is down: an app's subclass may report one nevertheless, and a timer may be late.
        case (.idle, .moved), (.idle, .lifted), (.idle, .timePassed), (.idle, .cancelled), (.idle, .lost),
            (.waiting, .moved), (.waiting, .lifted), (.waiting, .lost), (.gathering, .timePassed),
            (.held, .timePassed):
            return (state, .unchanged)
        // The machine is done until its reset. The fingers may still be down.
        case (.ended, _), (.cancelled, _), (.failed, _): return (state, .unchanged)
        }
    }

    private static func tap(
        _ verdict: Verdict, _ now: Instant, in state: State, _ rules: Rules
    ) -> (State, Verdict) {
        switch verdict {
        case .unchanged: (state, .unchanged)
        case .undecided: (.tapping, verdict)
        case .ended: (.waiting(since: now), .undecided(wakeAt: now.advanced(by: rules.taps.maxInterval)))
        case .failed: (.failed, verdict)
        case .began, .changed, .cancelled: preconditionFailure("a tap does not say \(verdict)")
        }
    }

    private static func assign(_ stage: RecognizerState, in state: State) -> State {
        switch stage {
        case .possible: state
        case .began, .changed: .held
        case .ended: .ended
        case .cancelled: state == .held ? .cancelled : .failed
        case .failed: .failed
        }
    }

    private static func press(fingers: Int, away: Double, _ now: Instant, _ rules: Rules) -> (State, Verdict) {
        guard fingers <= rules.fingers else {
            return (.failed, .failed(.tooManyFingers(fingers, limit: rules.fingers)))
        }
        guard away <= rules.taps.movement else {
            return (.failed, .failed(.landedAway(away, limit: rules.taps.movement)))
        }
        guard fingers == rules.fingers else { return (.gathering, .undecided(wakeAt: .never)) }
        // A press that needs no time begins as it lands.
        guard rules.minDuration > .zero else { return (.held, .began) }
        return (.pressing(since: now), .undecided(wakeAt: now.advanced(by: rules.minDuration)))
    }
}
