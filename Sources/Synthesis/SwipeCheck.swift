// SwipeCheck.swift: checks a stroke by the rules of the swipe recognizer.
//
// Input     Gesture.check, before a swipe is synthesized
// Output    the reason for a refusal
// Knows     SwipeMachine and the two ways to draw a stroke: exactly, and by a hand

import Basics
import Gestures

extension Gesture.Stroke {
    /// The reason why a swipe recognizer rejects this stroke, with the measure and its limit. Nil if it accepts the
    /// stroke exactly, and by the fastest and the slowest hand, bent to either side.
    ///
    /// - Parameter rate: Samples a second.
    func swipeFailure(rate: Int) -> Failure? {
        let bend = Self.mostBend(length: length)
        if let failure = swipeFailure(rate: rate, tempo: 1, bend: 0, profile: { $0 }) { return failure }
        for tempo in [Self.swipeTempo.lowerBound, Self.swipeTempo.upperBound] {
            for bend in [-bend, bend] {
                if let failure = swipeFailure(rate: rate, tempo: tempo, bend: bend, profile: flick) { return failure }
            }
        }
        return nil
    }

    /// The duration of a hand's swipe, as a share of the requested one.
    static let swipeTempo = 0.8...1

    /// The most points by which a hand bends a stroke of this length to one side.
    static func mostBend(length: Double) -> Double { min(10, 0.04 * length) }

    private func swipeFailure(
        rate: Int, tempo: Double, bend: Double, profile: (Double) -> Double
    ) -> Failure? {
        let movement = (dx: to.x - from.x, dy: to.y - from.y)
        var machine = SwipeMachine()
        machine.rules.directions =
            movement.dx.magnitude >= movement.dy.magnitude
            ? (movement.dx > 0 ? .right : .left) : (movement.dy > 0 ? .down : .up)
        // A hand bends at a right angle to the stroke. This puts all of the bend across the direction, which is the
        // upper bound.
        let side = movement.dx.magnitude >= movement.dy.magnitude ? (dx: 0.0, dy: 1.0) : (dx: 1.0, dy: 0.0)
        let length = duration.seconds * tempo
        let count = max(2, Int((length * Double(rate)).rounded()))
        let moment = Instant(seconds: 0)
        func sample(_ step: Int) -> Sample {
            let share = profile(Double(min(step, count)) / Double(count))
            let offset = bend * bow(share)
            return Sample(
                FingerID(rawValue: 1),
                Point(movement.dx * share + side.dx * offset, movement.dy * share + side.dy * offset),
                Instant(seconds: length * Double(step) / Double(count)))
        }
        _ = machine.handle(.began, [sample(0)], at: moment)
        for step in 1...count {
            switch machine.handle(.moved, [sample(step)], at: moment) {
            case .ended: return nil
            case .failed(let failure): return failure
            case .unchanged, .undecided, .began, .changed, .cancelled: continue
            }
        }
        guard case .failed(let failure) = machine.handle(.ended, [sample(count + 1)], at: moment) else { return nil }
        return failure
    }
}
