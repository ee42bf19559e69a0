// LatencyTable.swift: ledgers and samples as percentiles, one histogram for each row.

import Basics
import Histogram
import Wire

/// Latencies of one kind, in nanoseconds, to three significant digits, up to a minute.
struct Latencies {
    private(set) var histogram = Histogram<UInt64>(highestTrackableValue: 60_000_000_000)
    /// Samples of more than a minute, which the histogram cannot hold. The table shows their number.
    private(set) var overflowCount = 0

    mutating func record(_ nanoseconds: Int64) {
        if !histogram.record(UInt64(max(0, nanoseconds))) { overflowCount += 1 }
    }

    mutating func add(_ other: Latencies) {
        histogram.add(other.histogram)
        overflowCount += other.overflowCount
    }

    var count: UInt64 { histogram.totalCount }

    func percentile(_ percent: Double) -> UInt64 { histogram.valueAtPercentile(percent) }

    func microseconds(_ percent: Double) -> Double { Double(percentile(percent)) / 1000 }

    /// How many times as long as another a percentile of these is.
    func ratio(to other: Latencies, at percent: Double) -> Double {
        Double(percentile(percent)) / Double(max(1, other.percentile(percent)))
    }

    var maximum: UInt64 { histogram.max }
}

/// The hops of one event, each from one stamp of the ledger to the next. Their sum is the whole.
struct HopLatencies {
    struct Hop {
        let name: String
        let from: Ledger.Hop
        let to: Ledger.Hop
    }

    static let hops = [
        Hop(name: "input-kit", from: .device, to: .inputSent),
        Hop(name: "wire to system-server", from: .inputSent, to: .serverReceived),
        Hop(name: "system-server", from: .serverReceived, to: .serverSent),
        Hop(name: "wire to app", from: .serverSent, to: .appReceived),
        Hop(name: "app", from: .appReceived, to: .appHandled),
    ]

    /// The whole way.
    static let wholeHop = Hop(name: "device to app", from: .device, to: .appHandled)

    /// The recorded scans, for a run that writes them to a file.
    var scans: [Ledger] = []
    private(set) var perHop = hops.map { _ in Latencies() }
    private(set) var whole = Latencies()
    /// The nanoseconds of all events in each hop, from which the shares follow.
    private var sums = hops.map { _ in 0.0 }

    mutating func record(_ ledger: Ledger) {
        guard ledger.isComplete, let time = ledger.nanoseconds(of: Self.wholeHop) else { return }
        whole.record(time)
        for (i, hop) in Self.hops.enumerated() {
            guard let time = ledger.nanoseconds(of: hop) else { continue }
            perHop[i].record(time)
            sums[i] += Double(time)
        }
    }

    mutating func add(_ other: HopLatencies) {
        whole.add(other.whole)
        scans += other.scans
        for index in Self.hops.indices {
            perHop[index].add(other.perHop[index])
            sums[index] += other.sums[index]
        }
    }

    /// The share of each hop in the whole time, 0...1.
    var shares: [Double] {
        let total = sums.reduce(0, +)
        return sums.map { total > 0 ? $0 / total : 0 }
    }
}

/// Rows of percentiles in microseconds, or of other numbers, as text.
struct LatencyTable {
    private var lines: [String]

    init(title: String) {
        lines = [Self.row(title, ["p50", "p90", "p99", "p99.9", "max"], "share")]
    }

    init(title: String, columns: [String]) { lines = [Self.row(title, columns, "")] }

    /// - Parameter numbers: Nil for what was not measured.
    mutating func add(_ name: String, _ numbers: [Double?]) {
        lines.append(Self.row(name, numbers.map { $0.map { fixedText($0, digits: 2) } ?? "-" }, ""))
    }

    mutating func add(_ name: String, _ latencies: Latencies, share: Double? = nil) {
        guard latencies.count > 0 else {
            lines.append(Self.row(name, Array(repeating: "-", count: 5), ""))
            return
        }
        let columns = [50, 90, 99, 99.9].map { Self.microseconds(latencies.percentile($0)) }
        lines.append(
            Self.row(
                name, columns + [Self.microseconds(latencies.maximum)],
                share.map { fixedText($0 * 100, digits: 0) + " %" } ?? ""))
    }

    mutating func add(_ hops: HopLatencies, whole name: String = HopLatencies.wholeHop.name) {
        for (i, hop) in HopLatencies.hops.enumerated() { add("  " + hop.name, hops.perHop[i], share: hops.shares[i]) }
        add(name, hops.whole)
    }

    var text: String { lines.joined(separator: "\n") }

    private static func microseconds(_ nanoseconds: UInt64) -> String {
        fixedText(Double(nanoseconds) / 1000, digits: 1)
    }

    private static func row(_ name: String, _ columns: [String], _ last: String) -> String {
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(1, width - text.count)) + text
        }
        let left = name + String(repeating: " ", count: max(0, 26 - name.count))
        let cells = columns.map { right($0, 10) }.joined()
        let text = left + cells + right(last, 8)
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}

extension HopLatencies {
    /// A heading and the table of all hops, as `demo` and `replay --latency` print them.
    var table: String {
        var table = LatencyTable(title: "")
        table.add(self)
        return "The time of \(whole.count) scans by hop, in microseconds:\n\n\(table.text)"
    }

    /// The keys `microseconds` and `hops` of the same commands.
    var json: [String: Any] {
        func microseconds(_ latencies: Latencies) -> [String: Any] {
            [
                "count": Int(clamping: latencies.count), "p50": Double(latencies.percentile(50)) / 1000,
                "p99": Double(latencies.percentile(99)) / 1000, "max": Double(latencies.maximum) / 1000,
            ]
        }
        let hops = zip(Self.hops, perHop).map { hop, latency in
            microseconds(latency).merging(["name": hop.name]) { $1 }
        }
        return ["microseconds": microseconds(whole), "hops": hops]
    }
}

extension Ledger {
    /// Returns the nanoseconds of one hop; nil without both of its stamps.
    func nanoseconds(of hop: HopLatencies.Hop) -> Int64? {
        guard let from = self[hop.from], let to = self[hop.to] else { return nil }
        return from.duration(to: to).nanoseconds
    }
}
