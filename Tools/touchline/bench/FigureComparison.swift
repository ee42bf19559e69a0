// FigureComparison.swift: one figure of two runs, judged better, worse or noise by an interval over the repetitions.
//
//     values before, values after ─▶ RankInterval of the shift ─▶ whole interval beyond the margin? better or worse
//
// The method is the interval of Hodges and Lehmann: sort the differences of each later value with each earlier one. The
// median difference estimates the shift, and the distribution of Mann and Whitney's U says how many differences to leave
// out at each end. It was chosen for these reasons:
//
// - Benchmarks have few repetitions, 3 to 15, and their times have outliers on one side. A mean with a deviation
//   follows the outliers. A bootstrap of so few values draws the same few medians again and promises more than it has.
// - The distribution of U is exact for any two equal distributions, so the stated confidence holds for 3 values.
// - It uses no chance, so the same files always give the same verdict.
//
// Many figures are compared at once, and one of twenty intervals misses by chance. So a figure changes only when the
// whole interval is beyond a margin, 2 % of the earlier median. The interval describes the two runs. It cannot see that
// the machine itself was slower during one of them; ratios, which are measured in turns with their reference, can.
//
// Counts that were the same in each repetition have no noise: each difference beyond a thousandth is a change.
//
// Sources   documented  Hodges and Lehmann, Estimates of Location Based on Rank Tests, 1963

import Basics

/// One figure in two runs.
struct FigureComparison: Codable, Equatable {
    enum Verdict: String, Codable, CaseIterable {
        case better, worse
        /// The values do not show a difference beyond the margin.
        case noise
        /// Too few repetitions for an interval.
        case unknown
        /// Only one of the runs has the figure.
        case missing
    }

    var key: String
    var unit: String
    /// The medians; nil for a missing figure.
    var before: Double?
    var after: Double?
    /// The ends of the interval of the shift, in the unit; nil without one.
    var low: Double?
    var high: Double?
    /// The probability with which an interval of this kind contains the shift, 0...1; nil without an interval.
    var confidence: Double?
    var verdict: Verdict
    var reason: String

    /// A shift that matters, as a share of the earlier median.
    static let margin = 0.02
    /// The difference of exact counts that matters, as a share and in absolute terms. A buffer that grows in one run at
    /// another moment is less.
    static let (countMargin, countSlack) = (0.001, 0.005)

    /// Compares two runs by the keys of their figures, in the order of the later run; what only the earlier run has is
    /// last.
    static func compare(_ before: [BenchFigure], _ after: [BenchFigure]) -> [FigureComparison] {
        var earlier: [String: BenchFigure] = [:]
        for figure in before.finite { earlier[figure.key] = figure }
        var rows: [FigureComparison] = []
        var seen: Set<String> = []
        for figure in after.finite where seen.insert(figure.key).inserted {
            rows.append(FigureComparison(earlier[figure.key], figure))
        }
        for figure in before.finite where seen.insert(figure.key).inserted {
            rows.append(FigureComparison(figure, nil))
        }
        return rows
    }

    private init(_ before: BenchFigure?, _ after: BenchFigure?) {
        let some = after ?? before
        (key, unit) = (some?.key ?? "", some?.unit ?? "")
        (self.before, self.after) = (before?.value, after?.value)
        guard let before, let after else {
            (verdict, reason) = (.missing, before == nil ? "only in the later run" : "only in the earlier run")
            return
        }
        guard before.unit == after.unit else {
            (verdict, reason) = (.missing, "\(before.unit) in the earlier run, \(after.unit) in the later")
            return
        }
        let sign = after.isBetterWhenGreater ? -1.0 : 1.0
        if before.isExact, after.isExact {
            let shift = after.value - before.value
            (low, high, confidence) = (shift, shift, 1)
            let slack = max(Self.countSlack, before.value.magnitude * Self.countMargin)
            (verdict, reason) = (Self.verdict(low: sign * shift, high: sign * shift, slack), "counted exactly")
            return
        }
        guard let interval = RankInterval(before.values, after.values) else {
            verdict = .unknown
            let counts = "\(before.values.count) and \(after.values.count)"
            let isSingle = before.values.count == 1 && after.values.count == 1
            reason =
                isSingle
                ? "one value each, so no interval: repeat the benchmark"
                : "\(counts) values are too few for an interval: at least 3 and 3"
            return
        }
        (low, high, confidence) = (interval.low, interval.high, interval.confidence)
        let ends = [sign * interval.low, sign * interval.high].sorted()
        verdict = Self.verdict(low: ends[0], high: ends[1], before.value.magnitude * Self.margin)
        reason = "\(before.values.count) and \(after.values.count) values"
    }

    /// - Parameters:
    ///   - low, high: The ends of the interval; positive is worse.
    private static func verdict(low: Double, high: Double, _ slack: Double) -> Verdict {
        if low > slack { return .worse }
        return high < -slack ? .better : .noise
    }

    /// The change of the median as a share of the earlier one; nil without one.
    var change: Double? {
        guard let before, let after, before != 0 else { return nil }
        return (after - before) / before.magnitude
    }

    /// `85.2 us → 97.1 us, +14.0 %, interval +10.8…+12.9 us at 97 %`
    var summary: String {
        guard let before, let after else { return reason }
        let percent = change.map { ", \(Self.signed($0 * 100, digits: 1)) %" } ?? ""
        let medians = "\(figureText(before)) \(unit) → \(figureText(after)) \(unit)\(percent)"
        guard let low, let high, let confidence, confidence < 1 else { return "\(medians), \(reason)" }
        let range = "\(Self.signedFigure(low))…\(Self.signedFigure(high)) \(unit)"
        return "\(medians), interval \(range) at \(fixedText(confidence * 100, digits: 0)) %"
    }

    private static func signed(_ value: Double, digits: Int) -> String {
        (value >= 0 ? "+" : "") + fixedText(value, digits: digits)
    }

    private static func signedFigure(_ value: Double) -> String { (value >= 0 ? "+" : "") + figureText(value) }

    /// The row of the table.
    var row: [String] {
        [
            key, verdict.rawValue, before.map(figureText) ?? "-", after.map(figureText) ?? "-", unit,
            change.map { Self.signed($0 * 100, digits: 1) + " %" } ?? "-",
            low.flatMap { low in high.map { "\(Self.signedFigure(low))…\(Self.signedFigure($0))" } } ?? "-",
            confidence.map { "\(fixedText($0 * 100, digits: 0)) %" } ?? "-", reason,
        ]
    }

    static let head = ["figure", "verdict", "before", "after", "unit", "change", "shift", "confidence", ""]
}

extension BenchFigure {
    /// Whether the figure is a count that was the same in each repetition.
    fileprivate var isExact: Bool { isCount && Set(values).count == 1 }
}

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
