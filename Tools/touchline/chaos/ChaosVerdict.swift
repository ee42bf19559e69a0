// ChaosVerdict.swift: what was demanded of a row, what was measured, and whether that will do.

import Audit
import Basics

struct ChaosVerdict {
    let row: ChaosRow
    var times: Int
    var demands: [Demand] = []
    /// Broken laws and what else should not be, each a line, with evidence indented under it.
    var violations: [String] = []
    /// Worth knowing, demanded by nobody.
    var remarks: [String] = []
    var took = Duration.zero

    struct Demand {
        /// `detection`
        var what: String
        /// `p99 ≤ 20 ms`
        var demanded: String
        /// `p50 1.2, p99 3.4, max 5.6 ms`
        var measured: String
        var isMet: Bool
    }

    /// The laws that a journal of this row was held to.
    var laws: [Law] = []
    /// Whether what takes too long is missed: on a machine that does other things too it says nothing of the group.
    let judgesTimes: Bool

    init(_ row: ChaosRow, times: Int, judgesTimes: Bool) {
        (self.row, self.times, self.judgesTimes) = (row, times, judgesTimes)
    }

    /// A row of which not one time could be done has shown nothing.
    var isPassed: Bool { times > 0 && !laws.isEmpty && violations.isEmpty && demands.allSatisfy(\.isMet) }

    /// A demand on how long something takes.
    ///
    /// - Parameters:
    ///   - percentile: 0.99, or 1 for every one of them.
    ///   - count: How many there must be: what never came is later than any limit.
    mutating func demand(
        _ what: String, _ measured: [Duration], percentile: Double, within limit: Duration, of count: Int
    ) {
        let times = Times(measured, of: count)
        let name = percentile == 1 ? "all" : "p\(Int((percentile * 100).rounded()))"
        let judged = times.percentile(percentile)
        demands.append(
            Demand(
                what: what, demanded: "\(name) ≤ \(Times.short(limit)) ms\(judgesTimes ? "" : ", not judged")",
                measured: times.text, isMet: judged.map { !judgesTimes || $0 <= limit } ?? false))
    }

    /// A demand on a count.
    mutating func demand(_ what: String, _ found: Int, is wanted: ClosedRange<Int>) {
        let demanded =
            wanted.lowerBound == wanted.upperBound
            ? "\(wanted.lowerBound)"
            : wanted.lowerBound <= 0
                ? "≤ \(wanted.upperBound)"
                : wanted.upperBound == .max ? "≥ \(wanted.lowerBound)" : "\(wanted.lowerBound) to \(wanted.upperBound)"
        demands.append(Demand(what: what, demanded: demanded, measured: "\(found)", isMet: wanted.contains(found)))
    }

    // MARK: For people and for scripts

    /// One line a demand, the fault named in the first.
    var table: [[String]] {
        let lines = demands.map(\.row) + [Demand(laws: laws, violations: violations).row]
        return lines.enumerated().map { index, line in
            (index == 0 ? [row.id, row.rawValue, "\(times)"] : ["", "", ""]) + line
        }
    }

    static let head = ["fault", "name", "times", "what", "demanded", "measured", "verdict"]

    var json: [String: Any] {
        [
            "fault": row.id, "name": row.rawValue, "times": times, "passed": isPassed, "seconds": took.seconds,
            "violations": violations, "remarks": remarks, "laws": laws.map(\.rawValue),
            "demands": demands.map(\.json),
        ]
    }
}

extension ChaosVerdict.Demand {
    /// What journals were held to, and how many lines there are against it.
    init(laws: [Law], violations: [String]) {
        let names = laws.map(\.rawValue).joined(separator: " ")
        self.init(
            what: laws.isEmpty ? "laws" : "laws \(names)", demanded: laws.isEmpty ? "judged" : "none broken",
            measured: !violations.isEmpty
                ? "\(violations.count) broken" : laws.isEmpty ? "no journal read" : "none broken",
            isMet: violations.isEmpty && !laws.isEmpty)
    }

    /// For a table: what, demanded, measured, verdict.
    var row: [String] { [what, demanded, measured, isMet ? "passed" : "MISSED"] }

    var json: [String: Any] {
        ["what": what, "demanded": demanded, "measured": measured, "passed": isMet]
    }
}

/// How long something took, each time it was to happen.
struct Times {
    private let sorted: [Duration]
    private let count: Int

    /// - Parameter count: How many there were to be. Those that are missing never came, and never is late.
    init(_ measured: [Duration], of count: Int) {
        sorted = measured.sorted()
        self.count = max(count, sorted.count)
    }

    /// The smallest that so many of all are not above; nil when that one never came, and when there are none.
    func percentile(_ part: Double) -> Duration? {
        // 0.99 of 200 is 198, whatever a Double makes of it.
        let rank = max(1, Int((part * Double(count) - 1e-9).rounded(.up)))
        return rank <= sorted.count ? sorted[rank - 1] : nil
    }

    /// `p50 1.20, p99 3.40, max 5.60 ms; 2 of 200 never`
    var text: String {
        guard count > 0 else { return "none seen" }
        func short(_ part: Double) -> String { percentile(part).map(Self.short) ?? "never" }
        let missing = count - sorted.count
        return "p50 \(short(0.5)), p99 \(short(0.99)), max \(short(1)) ms"
            + (missing > 0 ? "; \(missing) of \(count) never" : "")
    }

    static func short(_ duration: Duration) -> String {
        let milliseconds = duration.seconds * 1000
        return fixedText(milliseconds, digits: milliseconds >= 100 ? 0 : milliseconds >= 10 ? 1 : 2)
    }
}
