// BenchFigure.swift: one measured figure, in the same form for every benchmark.
//
//     a benchmark ─▶ [BenchFigure] ─▶ lines, JSON, thresholds, budgets, `bench compare`, the page of `bench all`
//
// Sources   invented

/// A figure of a benchmark, with one value for each repetition.
struct BenchFigure: Codable, Hashable {
    /// The benchmark: `latency`, `dispatch`, `hit-test`.
    var group: String
    /// What was measured in it, one word: `240Hz`, `a-moved`, `flat-10000`.
    var name: String
    /// The figure: `p50`, `ratio-p50`, `instructions`, `allocations`, `syscalls`.
    var metric: String
    /// The unit of the values: `us`, `ns`, `count`, `ratio`, `bytes`, `events/s`.
    var unit: String
    /// One value for each repetition, in the order measured.
    var values: [Double]

    /// The value to print: the median of the repetitions.
    var value: Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The figure without its values, as budgets and thresholds name it: `latency/240Hz/p50`.
    var key: String { "\(group)/\(name)/\(metric)" }

    /// Whether a greater value is better: rates are, times and counts are not.
    var isBetterWhenGreater: Bool { unit.hasSuffix("/s") }

    enum CodingKeys: String, CodingKey {
        case group, metric, unit, values
        case name = "case"
    }
}
