// FigureComparison.swift: one figure of two runs, judged better, worse or noise by an interval over the repetitions.
//
//     values before, values after ─▶ RankInterval of the shift ─▶ beyond the margin, and not by chance: better or worse
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
// Many figures are compared at once, and one of ten intervals of 3 and 3 values misses by chance. So a change needs the
// whole interval beyond a margin, 2 % of the earlier median, and one of these:
//
// - The order of the values is so unlikely that it is not expected once in 20 comparisons of this many figures.
// - The gap between the runs is more than twice the larger range within a run. Equal normal distributions have such a
//   gap in 0.08 % of comparisons of 3 and 3 values, and in 0.003 % with 4 and 4 (by simulation).
//
// The interval describes the two runs. It cannot see that the machine itself was slower during one of them; ratios,
// which are measured in turns with their reference, can. The references' own figures get no verdict.
//
// What a deterministic machine counts has no noise: with equal repetitions each difference beyond a thousandth is a
// change. Wake-ups and system calls are counts of a group that runs in time, and are judged as times are.
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
        /// The figure is one of a reference, which no change of Touchline changes.
        case reference
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
    /// The difference of exact counts that matters, as a share.
    static let countMargin = 0.001
    /// The least difference of any count that matters. A buffer that grows in one run at another moment is less.
    static let countSlack = 0.005
    /// The probability with which chance may put the values of some figure of a comparison into their order.
    static let chance = 0.05

    /// Compares two runs by the keys of their figures, in the order of the later run; what only the earlier run has is
    /// last.
    static func compare(_ before: [BenchFigure], _ after: [BenchFigure]) -> [FigureComparison] {
        var earlier: [String: BenchFigure] = [:]
        for figure in before.finite { earlier[figure.key] = figure }
        var rows: [FigureComparison] = []
        var seen: Set<String> = []
        let pairs = after.finite.compactMap { figure in
            seen.insert(figure.key).inserted ? (before: earlier[figure.key], after: figure) : nil
        }
        let count = pairs.count { pair in pair.before.map { Self.isJudgedByInterval($0, pair.after) } ?? false }
        for (before, after) in pairs { rows.append(FigureComparison(before, after, among: count)) }
        for figure in before.finite where seen.insert(figure.key).inserted {
            rows.append(FigureComparison(figure, nil, among: count))
        }
        return rows
    }

    /// Whether chance takes part in the verdict about a figure.
    private static func isJudgedByInterval(_ before: BenchFigure, _ after: BenchFigure) -> Bool {
        before.unit == after.unit && !after.isReference && !(before.isExact && after.isExact)
            && RankInterval(before.values, after.values) != nil
    }

    /// - Parameter count: The number of figures that are judged by an interval.
    private init(_ before: BenchFigure?, _ after: BenchFigure?, among count: Int) {
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
        guard !after.isReference else {
            (verdict, reason) = (.reference, "of a reference")
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
                : "\(counts) values are too few for an interval of 90 %"
            return
        }
        (low, high, confidence) = (interval.low, interval.high, interval.confidence)
        let ends = [sign * interval.low, sign * interval.high].sorted()
        let slack = max(before.value.magnitude * Self.margin, after.isCount ? Self.countSlack : 0)
        verdict = Self.verdict(low: ends[0], high: ends[1], slack)
        reason = "\(before.values.count) and \(after.values.count) values"
        guard verdict != .noise, !Self.isBeyondChance(before.values, after.values, among: count) else { return }
        verdict = .noise
        reason += ": such an order is expected by chance among \(count) figures"
    }

    /// Whether chance does not explain that the values of one run are greater.
    ///
    /// - Parameter count: The number of figures that are compared.
    static func isBeyondChance(_ before: [Double], _ after: [Double], among count: Int) -> Bool {
        let (less, greater) = median(before) < median(after) ? (before, after) : (after, before)
        let probability = RankInterval.probabilityOfOrder(less, greater)
        // The smallest samples reach the limit exactly.
        if probability <= chance / Double(max(1, count)) + 1e-12 { return true }
        guard let lowest = less.min(), let low = less.max(), let high = greater.min(), let highest = greater.max()
        else { return false }
        return high - low > 2 * max(low - lowest, highest - high)
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
    /// Whether a deterministic machine counted the figure, with the same result in each repetition.
    fileprivate var isExact: Bool { isDeterministic && Set(values).count == 1 }

    /// Whether each run of one build has this figure: callgrind's instructions, allocations, and the bytes of an index.
    private var isDeterministic: Bool {
        switch unit {
        case "count": metric == "allocations" || metric == "instructions" || metric.hasSuffix("-instructions")
        case "bytes": group == "hit-test" && metric == "memory" || metric == "index-memory"
        default: false
        }
    }

    /// Whether the figure is one of a reference beside Touchline: a relay, a ring, a walk through all views. A ratio to
    /// a reference is not.
    var isReference: Bool {
        switch group {
        case "latency":
            !metric.hasPrefix("ratio-") && ReferenceTransport.allCases.contains { metric.hasSuffix("-\($0.rawValue)") }
        case "throughput": name.hasPrefix("relay")
        case "hit-test", GrowthCost.group: metric == "walk"
        default: false
        }
    }
}
