// ChaosVerdict.swift: what was demanded of a row, what was measured, and whether that will do.

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

    init(_ row: ChaosRow, times: Int) { (self.row, self.times) = (row, times) }

    var isPassed: Bool { violations.isEmpty && demands.allSatisfy(\.isMet) }

    /// A demand on how long something takes.
    ///
    /// - Parameters:
    ///   - percentile: 0.99, or 1 for every one of them.
    ///   - count: How many there must be: what never came is later than any limit.
    mutating func demand(
        _ what: String, _ measured: [Duration], percentile: Double, within limit: Duration, of count: Int? = nil
    ) {
        let sorted = measured.sorted()
        let missing = max(0, (count ?? 0) - sorted.count)
        let name = percentile == 1 ? "all" : "p\(Int(percentile * 100))"
        let demanded = "\(name) ≤ \(Self.short(limit)) ms"
        guard !sorted.isEmpty else {
            demands.append(
                Demand(
                    what: what, demanded: demanded, measured: count == 0 ? "never asked for" : "none seen",
                    isMet: count == 0))
            return
        }
        func at(_ part: Double) -> Duration { sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))] }
        var text =
            "p50 \(Self.short(at(0.5))), p99 \(Self.short(at(0.99))), max \(Self.short(sorted[sorted.count - 1])) ms"
        if missing > 0 { text += "; \(missing) of \(count ?? 0) never" }
        let judged = percentile == 1 ? sorted[sorted.count - 1] : at(percentile)
        // Of a hundred one may be late.
        let allowed = percentile == 1 ? 0 : Int((1 - percentile) * Double(count ?? sorted.count))
        demands.append(
            Demand(what: what, demanded: demanded, measured: text, isMet: judged <= limit && missing <= allowed))
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

    private static func short(_ duration: Duration) -> String {
        let milliseconds = duration.seconds * 1000
        return fixedText(milliseconds, digits: milliseconds >= 100 ? 0 : milliseconds >= 10 ? 1 : 2)
    }

    // MARK: For people and for scripts

    /// One line a demand, the fault named in the first.
    var table: [[String]] {
        let laws = violations.isEmpty ? "none broken" : "\(violations.count) broken"
        var rows: [[String]] = []
        for demand in demands {
            rows.append([demand.what, demand.demanded, demand.measured, demand.isMet ? "passed" : "MISSED"])
        }
        rows.append(["laws I1–I8", "none broken", laws, violations.isEmpty ? "passed" : "MISSED"])
        return rows.enumerated().map { index, row in
            let isFirst = index == 0
            return [isFirst ? row0.id : "", isFirst ? row0.name : "", isFirst ? "\(times)" : ""] + row
        }
    }

    private var row0: (id: String, name: String) { (row.id, row.rawValue) }

    static let head = ["fault", "name", "times", "what", "demanded", "measured", "verdict"]

    var json: [String: Any] {
        [
            "fault": row.id, "name": row.rawValue, "times": times, "passed": isPassed, "seconds": took.seconds,
            "violations": violations, "remarks": remarks,
            "demands": demands.map { demand in
                [
                    "what": demand.what, "demanded": demand.demanded, "measured": demand.measured,
                    "passed": demand.isMet,
                ] as [String: Any]
            },
        ]
    }
}
