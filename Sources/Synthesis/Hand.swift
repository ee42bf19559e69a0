// Hand.swift: how a human hand differs from what it means to do, out of a seed.
//
// Fed by    a seed
// Feeds     Synthesizer
// Knows     a generator. Every number is made of integers, sums and products, so that it is the same everywhere.
//
// Sources   invented  all figures; they are of the size touch screens see: a tap lasts 50 to 200 ms, a finger trembles
//                     by less than two points, the second of two fingers comes some milliseconds after the first

import Basics

struct Hand {
    private var chance: SeededGenerator

    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    /// A generator of its own, so that what one gesture draws changes nothing in the next.
    mutating func split() -> UInt64 { chance.next() }

    /// 0..<1
    mutating func share() -> Double { Double(chance.next() >> 11) / 9_007_199_254_740_992 }

    mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + share() * (range.upperBound - range.lowerBound)
    }

    /// From 0 up to this.
    mutating func index(below count: Int) -> Int { Int(chance.next() % UInt64(max(1, count))) }

    /// About normal, of mean 0 and deviation 1, never beyond ±3.5.
    mutating func deviation() -> Double {
        var sum = 0.0
        for _ in 0..<12 { sum += share() }
        return max(-3.5, min(3.5, sum - 6))
    }

    /// Log-normal about a median, in milliseconds, kept within a range.
    mutating func milliseconds(about median: Double, spread: Double, in range: ClosedRange<Double>) -> Double {
        max(range.lowerBound, min(range.upperBound, median * exponential(spread * deviation())))
    }

    /// Before somebody acts.
    mutating func reaction() -> Double { milliseconds(about: 250, spread: 0.3, in: 120...700) }
    /// A finger's stay in a tap.
    mutating func dwell() -> Double { milliseconds(about: 85, spread: 0.3, in: 40...220) }
    /// Between a tap's lifting and the next one's landing.
    mutating func betweenTaps() -> Double { milliseconds(about: 120, spread: 0.25, in: 60...240) }
    /// By which a further finger lands, or lifts, after the one before.
    mutating func lag() -> Double { number(in: 5...25) }
}

/// How a finger that means to be still trembles: a walk that is drawn back, and never gets far.
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
