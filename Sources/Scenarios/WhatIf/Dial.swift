// Dial.swift: one number of a scenario that a what-if turns: a time, a distance, a threshold, a property.
//
//     from ──▶ steps outward, each way, until the outcome flips ──▶ bisected to the smallest change that flips it
//
// Input     WhatIf
// Output    Change
//
// Sources   invented

import Basics
import Explain

/// A change of a scenario, with the size by which changes are ranked.
struct Change: Sendable {
    let phrase: Phrase
    /// 1 is a flag. Times, distances and factors are compared with it: 100 ms, 20 pt, a factor of e.
    let cost: Double
    /// Whether it only switches a view or a recognizer off.
    var isBlunt = false
    let apply: @Sendable (inout Scenario) -> Void
}

/// A number of a scenario.
struct Dial: Sendable {
    /// The present value.
    let from: Double
    /// The allowed values.
    let range: ClosedRange<Double>
    /// The values that are tried are the present one and multiples of this away from it.
    let resolution: Double
    /// Whether the outcome may flip back farther away. Otherwise the end of the range decides whether it flips at all.
    let isWavy: Bool
    /// The size of a change of 1.
    let unit: Unit
    let change: @Sendable (_ value: Double) -> (Phrase, @Sendable (inout Scenario) -> Void)

    /// The measure of a change.
    enum Unit: Sendable {
        /// Seconds; 100 ms cost as much as a flag.
        case seconds
        /// Points; 20 pt cost as much as a flag.
        case points
        /// A factor; e costs as much as a flag.
        case factor
        /// A count: 1 costs as much as a flag.
        case count
    }

    func cost(of value: Double) -> Double {
        let distance = (value - from).magnitude
        switch unit {
        case .seconds: return distance / 0.1
        case .points: return distance / 20
        case .count: return distance
        case .factor:
            guard from > 0, value > 0 else { return distance > 0 ? 3 : 0 }
            return (logarithm(value) - logarithm(from)).magnitude
        }
    }

    func made(_ value: Double) -> Change {
        let (phrase, apply) = change(value)
        return Change(phrase: phrase, cost: cost(of: value), apply: apply)
    }

    /// Returns the smallest change in one direction that flips the outcome; nil if none was found.
    ///
    /// - Parameters:
    ///   - sign: 1 or -1.
    ///   - flips: Plays the changed scenario; nil when there is no time for more plays.
    func smallest(_ sign: Double, flips: (Change) -> Bool?) -> Change? {
        let end = sign > 0 ? range.upperBound : range.lowerBound
        let most = Int(((end - from) * sign / resolution).rounded(.down))
        guard most >= 1 else { return nil }
        func change(_ steps: Int) -> Change { made(from + sign * Double(steps) * resolution) }
        var (low, high) = (0, most)
        if isWavy {
            var steps = 1
            while true {
                guard let isFlipped = flips(change(steps)) else { return nil }
                if isFlipped { break }
                guard steps < most else { return nil }
                (low, steps) = (steps, min(most, steps * 2))
            }
            high = steps
        } else {
            guard flips(change(most)) == true else { return nil }
        }
        // The outcome flips at `high` and not at `low`.
        while high - low > 1 {
            let middle = low + (high - low) / 2
            guard let isFlipped = flips(change(middle)) else { return change(high) }
            if isFlipped { high = middle } else { low = middle }
        }
        return change(high)
    }

    /// The natural logarithm, to three digits: enough for a rank, and without Foundation.
    private func logarithm(_ value: Double) -> Double {
        var (rest, whole) = (value, 0.0)
        while rest > 1.5 { (rest, whole) = (rest / 2, whole + 0.693_147) }
        while rest < 0.75 { (rest, whole) = (rest * 2, whole - 0.693_147) }
        let x = (rest - 1) / (rest + 1)
        return whole + 2 * (x + x * x * x / 3 + x * x * x * x * x / 5)
    }
}
