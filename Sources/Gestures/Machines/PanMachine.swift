// PanMachine.swift: decides whether fingers drag, and says how far.
//
// Station   gesture
// Fed by    UIPanGestureRecognizer; EdgePanMachine
// Feeds     ContinuousGesture, which decides
// Knows     distances. No views, no other recognizers, no clock but the samples' own.
//
// Docs/Machines/Pan.md is the whole table.
//
// Sources   documented  UIPanGestureRecognizer: minimum and maximum of touches, translation, velocity
//           inferred    10 pt on either axis; what it takes to begin is no part of the translation; a finger too many
//                       fails it until it has begun, and is ignored from then on (B9.3)
//           invented    until enough fingers are down nothing counts; scrolls begin at once

package import Basics

package struct PanMachine: GestureMachine {
    package struct Rules: Equatable, Sendable {
        package var minFingers = 1
        package var maxFingers = Int.max
        /// Whether fingers beyond the maximum are ignored even before it begins: a scroll view's pan. (B9.3)
        package var ignoresExtraFingers = false
        /// Points on one axis.
        package var hysteresis: Double

        package init(
            minFingers: Int = 1, maxFingers: Int = .max, ignoresExtraFingers: Bool = false,
            _ settings: GestureSettings = GestureSettings()
        ) {
            (self.minFingers, self.maxFingers) = (minFingers, maxFingers)
            self.ignoresExtraFingers = ignoresExtraFingers
            hysteresis = settings.pan.hysteresis * settings.gesture.sloppiness
        }

        package var limits: ContinuousGesture.Limits {
            ContinuousGesture.Limits(
                measure: .travel, minFingers: minFingers, maxFingers: maxFingers,
                ignoresExtraFingers: ignoresExtraFingers, changesWithFewerFingers: true, hysteresis: hysteresis)
        }
    }

    package typealias State = ContinuousGesture.State

    package var kind: String { "pan" }
    package var rules = Rules()
    package private(set) var state = State.idle

    package private(set) var fingers = Fingers()
    /// How far it had gone when fingers last joined or left, and where their middle was then.
    private var settled = Travel.zero
    private var reference = Point<WindowSpace>(0, 0)
    /// What of the way is no translation.
    private var offset = Travel.zero
    private var speed = Velocity()

    package init() {}

    package func counts(_ finger: FingerID) -> Bool { fingers.contains(finger) }

    package mutating func reset() {
        state = .idle
        fingers.removeAll()
        (settled, offset) = (.zero, .zero)
        speed.removeAll()
    }

    /// The way of the fingers' middle, without the jumps it makes as fingers join and leave.
    package var travel: Travel { fingers.isEmpty ? settled : settled + (fingers.centroid - reference) }

    /// In the window's axes. Zero until it begins.
    package var translation: Travel {
        switch state {
        case .idle, .tracking, .failed: .zero
        case .begun, .ended, .cancelled: travel - offset
        }
    }

    package mutating func setTranslation(_ translation: Travel) { offset = travel - translation }

    /// Points per second, in the window's axes.
    package var velocity: Travel { speed.perSecond }

    // MARK: Measuring

    package mutating func handle(_ phase: SamplePhase, _ samples: [Sample], at now: Instant) -> Verdict {
        switch phase {
        case .began:
            var verdict = Verdict.unchanged
            for sample in samples { verdict = verdict.then(land(sample)) }
            return verdict
        case .moved:
            guard let time = move(samples) else { return .unchanged }
            let travel = self.travel
            if fingers.count >= rules.minFingers || state == .begun { speed.add(travel, at: time) }
            return step(.moved(travel.reach, fingers: fingers.count))
        case .ended: return lift(samples)
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

    private mutating func land(_ sample: Sample) -> Verdict {
        guard fingers.count < rules.maxFingers else { return step(.landed(fingers: fingers.count + 1)) }
        let (wasEnough, isFirst) = (fingers.count >= rules.minFingers, fingers.isEmpty)
        settle()
        fingers.land(sample)
        reference = fingers.centroid
        if state != .begun, !wasEnough {
            settled = .zero
            speed.removeAll()
            speed.add(.zero, at: sample.time)
        } else if isFirst {
            // It was begun before anything landed.
            speed.add(settled, at: sample.time)
        }
        return step(.landed(fingers: fingers.count))
    }

    private mutating func lift(_ samples: [Sample]) -> Verdict {
        guard let time = move(samples) else { return .unchanged }
        settle()
        speed.add(settled, at: time)
        let count = fingers.count
        for sample in samples { fingers.lift(sample.finger) }
        reference = fingers.centroid
        return step(.lifted(settled.reach, fingers: count, left: fingers.count))
    }

    private mutating func settle() { settled = travel }

    package mutating func forget(_ finger: FingerID) -> Verdict {
        guard counts(finger) else { return .unchanged }
        settle()
        fingers.lift(finger)
        reference = fingers.centroid
        return fingers.isEmpty ? step(.lost) : .unchanged
    }

    /// A pointing device scrolled by so much. Fingers that are down have precedence.
    package mutating func scrolled(by delta: Travel, phase: SamplePhase, at time: Instant) -> Verdict {
        guard fingers.isEmpty else { return .unchanged }
        settled = settled + delta
        speed.add(settled, at: time)
        return step(.pointer(phase, changes: delta != .zero))
    }

    package mutating func assigned(_ state: RecognizerState) { _ = step(.assigned(state)) }

    // MARK: Deciding

    private mutating func step(_ input: ContinuousGesture.Input) -> Verdict {
        let (next, verdict) = ContinuousGesture.transition(from: state, on: input, rules.limits)
        // What a scroll took to begin is its way already.
        if next == .begun, state != .begun, !fingers.isEmpty {
            let travel = self.travel
            offset = Travel(slop(travel.dx), slop(travel.dy))
        }
        state = next
        return verdict
    }

    /// What one axis spent on getting going: at most the hysteresis.
    private func slop(_ way: Double) -> Double { min(max(way, -rules.hysteresis), rules.hysteresis) }
}
