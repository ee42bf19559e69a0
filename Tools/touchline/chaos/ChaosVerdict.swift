// ChaosVerdict.swift: the demands on a row, the measured figures, and the verdict.

import Audit
import Basics

/// The verdict on one row.
struct ChaosVerdict {
    let row: ChaosRow
    var times: Int
    var demands: [Demand] = []
    /// Broken laws and other faults, one line each, with evidence indented under it.
    var violations: [String] = []
    /// Remarks without a demand.
    var remarks: [String] = []
    var elapsed = Duration.zero

    /// One demand with its result.
    struct Demand {
        /// The name, such as `detection`.
        var what: String
        /// The limit, such as `p99 ≤ 20 ms`.
        var demanded: String
        /// The figures, such as `p50 1.2, p99 3.4, max 5.6 ms`.
        var measured: String
        var isMet: Bool
    }

    /// The laws that the audit judged in the journals of this row.
    var laws: [Law] = []
    /// Whether durations are judged. On a machine with other load they say nothing about the group.
    let judgesTimes: Bool

    init(_ row: ChaosRow, times: Int, judgesTimes: Bool) {
        (self.row, self.times, self.judgesTimes) = (row, times, judgesTimes)
    }

    /// A row without one performed fault shows nothing and does not pass.
    var isPassed: Bool { times > 0 && !laws.isEmpty && violations.isEmpty && demands.allSatisfy(\.isMet) }

    /// Adds a demand on durations.
    ///
    /// - Parameters:
    ///   - percentile: 0.99, or 1 for all.
    ///   - count: The expected number. A missing event exceeds any limit.
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

    /// Adds a demand on a count.
    mutating func demand(_ what: String, _ found: Int, is wanted: ClosedRange<Int>) {
        let demanded =
            wanted.lowerBound == wanted.upperBound
            ? "\(wanted.lowerBound)"
            : wanted.lowerBound <= 0
                ? "≤ \(wanted.upperBound)"
                : wanted.upperBound == .max ? "≥ \(wanted.lowerBound)" : "\(wanted.lowerBound) to \(wanted.upperBound)"
        demands.append(Demand(what: what, demanded: demanded, measured: "\(found)", isMet: wanted.contains(found)))
    }

    // MARK: Output

    /// One line for each demand, with the fault's name in the first.
    var table: [[String]] {
        let lines = demands.map(\.row) + [Demand(laws: laws, violations: violations).row]
        return lines.enumerated().map { index, line in
            (index == 0 ? [row.id, row.rawValue, "\(times)"] : ["", "", ""]) + line
        }
    }

    static let head = ["fault", "name", "times", "what", "demanded", "measured", "verdict"]

    var json: [String: Any] {
        [
            "fault": row.id, "name": row.rawValue, "times": times, "passed": isPassed, "seconds": elapsed.seconds,
            "violations": violations, "remarks": remarks, "laws": laws.map(\.rawValue),
            "demands": demands.map(\.json),
        ]
    }
}

extension ChaosVerdict.Demand {
    /// The demand that no law is broken.
    init(laws: [Law], violations: [String]) {
        let names = laws.map(\.rawValue).joined(separator: " ")
        self.init(
            what: laws.isEmpty ? "laws" : "laws \(names)", demanded: laws.isEmpty ? "judged" : "none broken",
            measured: !violations.isEmpty
                ? "\(violations.count) broken" : laws.isEmpty ? "no journal read" : "none broken",
            isMet: violations.isEmpty && !laws.isEmpty)
    }

    /// The cells of a table: name, limit, result, verdict.
    var row: [String] { [what, demanded, measured, isMet ? "passed" : "MISSED"] }

    var json: [String: Any] {
        ["what": what, "demanded": demanded, "measured": measured, "passed": isMet]
    }
}

/// The durations of an event that was expected several times.
struct Times {
    private let sorted: [Duration]
    private let count: Int

    /// - Parameter count: The expected number. Missing events count as never, which is late.
    init(_ measured: [Duration], of count: Int) {
        sorted = measured.sorted()
        self.count = max(count, sorted.count)
    }

    /// The smallest duration that this part of all does not exceed. Nil when that event never came, or without events.
    func percentile(_ part: Double) -> Duration? {
        // 0.99 of 200 is 198, also with the rounding error of a Double.
        let rank = max(1, Int((part * Double(count) - 1e-9).rounded(.up)))
        return rank <= sorted.count ? sorted[rank - 1] : nil
    }

    /// The percentiles as text: `p50 1.20, p99 3.40, max 5.60 ms; 2 of 200 never`.
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
