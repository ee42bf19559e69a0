// Hand.swift: the deviations of a human hand from its intention, from a seed.
//
// Input     a seed
// Output    Synthesizer
// Knows     a generator. All numbers come from integers, sums and products, so they are the same on every machine.
//
// Sources   invented  all figures; they are typical of touch screens: a tap lasts 50 to 200 ms, a finger trembles by
//                     less than two points, the second of two fingers lands some milliseconds after the first

import Basics

/// Random figures of a human hand.
struct Hand {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// A seed for a separate generator, so that the draws of one gesture do not affect the next.
    mutating func split() -> UInt64 { generator.next() }

    /// A number in 0..<1.
    mutating func share() -> Double { Double(generator.next() >> 11) / 9_007_199_254_740_992 }

    mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + share() * (range.upperBound - range.lowerBound)
    }

    /// An index in 0..<count.
    mutating func index(below count: Int) -> Int { Int(generator.next() % UInt64(max(1, count))) }

    /// Approximately normal, with mean 0 and deviation 1, never beyond ±3.5.
    mutating func deviation() -> Double {
        var sum = 0.0
        for _ in 0..<12 { sum += share() }
        return max(-3.5, min(3.5, sum - 6))
    }

    /// Log-normal around a median, in milliseconds, limited to a range.
    mutating func milliseconds(about median: Double, spread: Double, in range: ClosedRange<Double>) -> Double {
        max(range.lowerBound, min(range.upperBound, median * exponential(spread * deviation())))
    }

    /// The time before a person acts, in milliseconds.
    mutating func reaction() -> Double { milliseconds(about: 250, spread: 0.3, in: 120...700) }
    /// The time between touch-down and lift of a tap, in milliseconds.
    mutating func dwell() -> Double { milliseconds(about: 85, spread: 0.3, in: 40...220) }
    /// The time from one tap's lift to the next touch-down, in milliseconds.
    mutating func betweenTaps() -> Double { milliseconds(about: 120, spread: 0.25, in: 60...240) }
    /// The delay of each further finger's touch-down or lift after the previous one, in milliseconds.
    mutating func lag() -> Double { number(in: 5...25) }
}

/// The tremor of a finger that intends to rest: a random walk with a pull back to its center.
struct Tremor {
    private(set) var x = 0.0
    private(set) var y = 0.0
    /// Points.
    static let limit = 2.0

    mutating func step(_ hand: inout Hand) {
        x = max(-Self.limit, min(Self.limit, 0.8 * x + 0.35 * hand.deviation()))
        y = max(-Self.limit, min(Self.limit, 0.8 * y + 0.35 * hand.deviation()))
    }
}
