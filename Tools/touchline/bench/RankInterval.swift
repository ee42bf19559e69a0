// RankInterval.swift: the interval of Hodges and Lehmann, and the distribution of Mann and Whitney's U under it.
//
// Input     FigureComparison: the values of one figure in two runs
// Output    the interval of the shift; the probability of an order
//
// Sources   documented  Hodges and Lehmann, Estimates of Location Based on Rank Tests, 1963
//           documented  Mann and Whitney, On a Test of Whether one of Two Random Variables is Stochastically Larger, 1947

import Foundation

/// The interval of Hodges and Lehmann for the shift between two samples.
struct RankInterval: Equatable {
    var low: Double
    var high: Double
    /// The probability with which such an interval contains the shift.
    var confidence: Double

    /// The aimed probability; fewer values reach less.
    private static let aim = 0.95
    /// The least useful probability: two samples of three values reach it, with the interval of all differences.
    private static let leastConfidence = 0.9
    /// The size of samples up to which the distribution of U is exact.
    private static let exactLimit = 400

    /// - Returns: Nil when the samples are too small for 90 %.
    init?(_ before: [Double], _ after: [Double]) {
        guard !before.isEmpty, !after.isEmpty else { return nil }
        let (omitted, tail) = Self.omittedDifferences(before.count, after.count)
        guard 1 - 2 * tail >= Self.leastConfidence - 1e-9 else { return nil }
        let differences = after.flatMap { after in before.map { after - $0 } }.sorted()
        (low, high) = (differences[omitted], differences[differences.count - 1 - omitted])
        confidence = 1 - 2 * tail
    }

    /// Returns the number of differences to leave out at each end, and the probability that the shift lies beyond one
    /// end.
    static func omittedDifferences(_ n: Int, _ m: Int) -> (count: Int, tail: Double) {
        let target = (1 - aim) / 2
        guard n * m <= exactLimit else {
            // U is nearly normal: mean nm/2, variance nm(n+m+1)/12.
            let (pairs, sum) = (Double(n) * Double(m), Double(n + m + 1))
            return (max(0, Int((pairs / 2 - 1.96 * (pairs * sum / 12).squareRoot()).rounded(.down)) - 1), target)
        }
        let frequencies = frequenciesOfU(n, m)
        let total = frequencies.reduce(0, +)
        // U ≤ k has this probability; k = 0 keeps every difference.
        var (count, tail) = (0, frequencies[0] / total)
        while count + 1 < frequencies.count / 2, tail + frequencies[count + 1] / total <= target {
            count += 1
            tail += frequencies[count] / total
        }
        return (count, tail)
    }

    /// Returns the probability that two equal distributions have an order of their values as clear as this one: U, the
    /// number of pairs in which the value of `less` is not less, is at most the observed one.
    static func probabilityOfOrder(_ less: [Double], _ greater: [Double]) -> Double {
        let (n, m) = (less.count, greater.count)
        guard n > 0, m > 0 else { return 1 }
        let u = less.reduce(0) { sum, one in sum + greater.count { $0 <= one } }
        guard n * m <= exactLimit else {
            let (pairs, sum) = (Double(n) * Double(m), Double(n + m + 1))
            let deviation = (pairs * sum / 12).squareRoot()
            return erfc((pairs / 2 - Double(u) - 0.5) / deviation / 2.0.squareRoot()) / 2
        }
        let frequencies = frequenciesOfU(n, m)
        return frequencies[...u].reduce(0, +) / frequencies.reduce(0, +)
    }

    /// Returns the number of arrangements of `n` and `m` values for each U: the coefficients of the Gaussian binomial.
    static func frequenciesOfU(_ n: Int, _ m: Int) -> [Double] {
        var polynomial = [Double](repeating: 0, count: n * m + 1)
        polynomial[0] = 1
        for i in 1...n {
            // Times (1 - q^(m+i)), from the end.
            for u in stride(from: n * m, through: m + i, by: -1) { polynomial[u] -= polynomial[u - m - i] }
            // Divided by (1 - q^i), from the beginning.
            for u in stride(from: i, through: n * m, by: 1) { polynomial[u] += polynomial[u - i] }
        }
        return polynomial
    }
}
