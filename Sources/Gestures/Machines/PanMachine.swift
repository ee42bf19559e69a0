// PanMachine.swift: the measurements of a pan: translation and velocity of the fingers' centroid.
//
// Station   gesture
// Input     UIPanGestureRecognizer; EdgePanMachine
// Output    amounts for ContinuousGesture, which decides
// Knows     distances. No views, no other recognizers, no clock but the samples' own.
//
// Docs/Reference/Machines/Pan.md has the whole table.
//
// Sources   documented  UIPanGestureRecognizer: minimum and maximum of touches, translation, velocity
//           inferred    10 pt on either axis; the travel before the beginning is no part of the translation; an extra
//                       finger fails it until it has begun, and is ignored from then on (B9.3)
//           invented    nothing counts until enough fingers are down; scrolls begin at once

package import Basics

/// The state machine of a pan.
package struct PanMachine: GestureMachine {
    /// The limits of a pan.
    package struct Rules: Equatable, Sendable {
        package var minFingers = 1
        package var maxFingers = Int.max
        /// Whether fingers beyond the maximum are ignored even before the gesture begins: a scroll view's pan. (B9.3)
        package var ignoresExtraFingers = false
        /// The travel on one axis at which the gesture begins, in points.
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

    /// The states that all continuous gestures share.
    package typealias State = ContinuousGesture.State

    package var kind: String { "pan" }
    package var rules = Rules()
    package private(set) var state = State.idle

    package private(set) var fingers = Fingers()
    /// The travel when the number of fingers last changed, and the centroid at that moment.
    private var storedTravel = Travel.zero
    private var reference = Point<WindowSpace>(0, 0)
    /// The part of the travel that is no translation.
    private var offset = Travel.zero
    private var speed = Velocity()

    package init() {}

    package func counts(_ finger: FingerID) -> Bool { fingers.contains(finger) }

    package mutating func reset() {
        state = .idle
        fingers.removeAll()
        (storedTravel, offset) = (.zero, .zero)
        speed.removeAll()
    }

    /// The travel of the centroid, without its jumps when fingers land or lift.
    package var travel: Travel { fingers.isEmpty ? storedTravel : storedTravel + (fingers.centroid - reference) }

    /// The translation in the window's axes; zero until the gesture begins.
    package var translation: Travel {
        switch state {
        case .idle, .tracking, .failed: .zero
        case .begun, .ended, .cancelled: travel - offset
        }
    }

    /// Makes the current translation equal to this one.
    package mutating func setTranslation(_ translation: Travel) { offset = travel - translation }

    /// The velocity in points per second, in the window's axes.
    package var velocity: Travel { speed.perSecond }

    // MARK: Measuring

    package mutating func handle(_ phase: SamplePhase, _ samples: [Sample], at now: Instant) -> Verdict {
        switch phase {
        case .began:
            var verdict = Verdict.unchanged
            for sample in samples { verdict = verdict.combined(with: land(sample)) }
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

    /// Moves the counted fingers.
    ///
    /// - Returns: The latest time of the counted samples; nil if no sample's finger is counted.
    @inline(__always)
    private mutating func move(_ samples: [Sample]) -> Instant? {
        var latest: Instant?
        for sample in samples where fingers.move(sample) {
            latest = max(latest ?? sample.time, sample.time)
        }
        return latest
    }

    private mutating func land(_ sample: Sample) -> Verdict {
        guard fingers.count < rules.maxFingers else { return step(.landed(fingers: fingers.count + 1)) }
        let (wasEnough, isFirst) = (fingers.count >= rules.minFingers, fingers.isEmpty)
        storeTravel()
        fingers.land(sample)
        reference = fingers.centroid
        if state != .begun, !wasEnough {
            storedTravel = .zero
            speed.removeAll()
            speed.add(.zero, at: sample.time)
        } else if isFirst {
            // The gesture was begun before a finger landed.
            speed.add(storedTravel, at: sample.time)
        }
        return step(.landed(fingers: fingers.count))
    }

    private mutating func lift(_ samples: [Sample]) -> Verdict {
        guard let time = move(samples) else { return .unchanged }
        storeTravel()
        speed.add(storedTravel, at: time)
        let count = fingers.count
        for sample in samples { fingers.lift(sample.finger) }
        reference = fingers.centroid
        return step(.lifted(storedTravel.reach, fingers: count, left: fingers.count))
    }

    /// Stores the travel before the number of fingers changes.
    private mutating func storeTravel() { storedTravel = travel }

    package mutating func forget(_ finger: FingerID) -> Verdict {
        guard counts(finger) else { return .unchanged }
        storeTravel()
        fingers.lift(finger)
        reference = fingers.centroid
        return fingers.isEmpty ? step(.lost) : .unchanged
    }

    /// Handles a scroll of a pointing device. It is ignored while fingers are down.
    package mutating func scrolled(by delta: Travel, phase: SamplePhase, at time: Instant) -> Verdict {
        guard fingers.isEmpty else { return .unchanged }
        storedTravel = storedTravel + delta
        speed.add(storedTravel, at: time)
        return step(.pointer(phase, changes: delta != .zero))
    }

    package mutating func assigned(_ state: RecognizerState) { _ = step(.assigned(state)) }

    // MARK: Deciding

    @inline(__always)
    private mutating func step(_ input: ContinuousGesture.Input) -> Verdict {
        let (next, verdict) = ContinuousGesture.transition(from: state, on: input, rules.limits)
        // The travel of a scroll counts from its beginning.
        if next == .begun, state != .begun, !fingers.isEmpty {
            let travel = self.travel
            offset = Travel(slop(travel.dx), slop(travel.dy))
        }
        state = next
        return verdict
    }

    /// The part of one axis's travel that the beginning used: at most the hysteresis.
    private func slop(_ way: Double) -> Double { min(max(way, -rules.hysteresis), rules.hysteresis) }
}
