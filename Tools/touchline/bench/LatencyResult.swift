// LatencyResult.swift: the result of `bench latency`, as text, as JSON, and as figures with a value for each round.

import Basics

/// The measurements of the group, or of one reference.
struct LatencySeries {
    var latencies = Latencies()
    /// Sums over all its processes and events.
    var counts = EventCounts(systemCalls: 0)
    /// The number of events that were counted.
    var events = 0
    /// The CPUs on which a reference's processes ran; empty for the group.
    var cpus: Set<Int> = []

    mutating func add(_ other: LatencySeries) {
        latencies.add(other.latencies)
        counts = counts + other.counts
        events += other.events
        cpus.formUnion(other.cpus)
    }

    var wakeUps: Double { Double(counts.wakeUps) / Double(max(1, events)) }
    var preemptions: Double { Double(counts.preemptions) / Double(max(1, events)) }
    var systemCalls: Double? { counts.systemCalls.map { Double($0) / Double(max(1, events)) } }
}

/// One round, or the sum of several.
struct LatencyRound {
    var hops = HopLatencies()
    /// Its latencies are those of `hops`.
    var group = LatencySeries()
    var references: [ReferenceTransport: LatencySeries] = [:]

    mutating func add(_ other: LatencyRound) {
        hops.add(other.hops)
        group.add(other.group)
        for (transport, series) in other.references { references[transport, default: LatencySeries()].add(series) }
    }
}

/// The result of all rounds.
struct LatencyResult {
    /// What was measured, one word: `240Hz`, `closed-loop-tuned`.
    let name: String
    let transports: [ReferenceTransport]
    private(set) var sum = LatencyRound()
    private(set) var rounds = 0
    /// A figure for each percentile, ratio and count, with a value for each round.
    private(set) var figures: [BenchFigure] = []
    /// Why system calls are not counted; empty if they are.
    var whyNoSystemCalls = ""
    /// The CPU of `--tuned`; nil without.
    var tunedCPU: Int?
    /// Conditions of `--tuned` that are missing.
    var missing: [String] = []

    init(_ name: String, transports: [ReferenceTransport]) { (self.name, self.transports) = (name, transports) }

    mutating func add(_ round: LatencyRound) {
        sum.add(round)
        rounds += 1
        let group = round.group.latencies
        for (name, percent) in Self.percentiles { add("\(name)", "us", group.microseconds(percent)) }
        for (hop, latencies) in zip(HopLatencies.hops, round.hops.perHop) {
            add("p50-\(hop.name.replacing(" ", with: "-"))", "us", latencies.microseconds(50))
        }
        addCounts(of: round.group, suffix: "")
        for transport in transports {
            guard let series = round.references[transport] else { continue }
            for (name, percent) in Self.percentiles {
                add("\(name)-\(transport.rawValue)", "us", series.latencies.microseconds(percent))
            }
            for (name, percent) in Self.ratios {
                add(Self.ratio(name, to: transport), "ratio", group.ratio(to: series.latencies, at: percent))
            }
            addCounts(of: series, suffix: "-\(transport.rawValue)")
        }
    }

    /// The metrics of a result with every reference.
    static var metrics: [String] {
        let references = ReferenceTransport.allCases.map { "-\($0.rawValue)" }
        let names = percentiles.map(\.0) + ["wake-ups", "preemptions", "syscalls"]
        return ([""] + references).flatMap { suffix in names.map { $0 + suffix } }
            + HopLatencies.hops.map { "p50-\($0.name.replacing(" ", with: "-"))" }
            + ReferenceTransport.allCases.flatMap { transport in ratios.map { ratio($0.0, to: transport) } }
    }

    /// The ratio without a name is that to libzmq.
    private static func ratio(_ percentile: String, to transport: ReferenceTransport) -> String {
        "ratio-\(percentile)" + (transport == .zmq ? "" : "-\(transport.rawValue)")
    }

    private static let percentiles = [("p50", 50.0), ("p90", 90), ("p99", 99), ("p99.9", 99.9)]
    private static let ratios = [("p50", 50.0), ("p99", 99)]

    private mutating func addCounts(of series: LatencySeries, suffix: String) {
        add("wake-ups\(suffix)", "count", series.wakeUps)
        add("preemptions\(suffix)", "count", series.preemptions)
        if let calls = series.systemCalls { add("syscalls\(suffix)", "count", calls) }
    }

    private mutating func add(_ metric: String, _ unit: String, _ value: Double) {
        if let index = figures.firstIndex(where: { $0.metric == metric }) {
            figures[index].values.append(value)
        } else {
            figures.append(BenchFigure(group: "latency", name: name, metric: metric, unit: unit, values: [value]))
        }
    }
}

extension LatencyResult {
    /// The latencies of all rounds, of the group and of each reference.
    var distributions: [(series: String, latencies: Latencies)] {
        [("group", sum.hops.whole)]
            + transports.compactMap { transport in
                sum.references[transport].map { (transport.rawValue, $0.latencies) }
            }
    }
}

// MARK: Text

extension LatencyResult {
    /// One line for each condition of `--tuned` that is missing.
    var tuningRemarks: [String] { missing.map { "tuned: missing: \($0)" } }

    /// - Parameter pace: As a person reads it: `240 Hz`.
    func text(pace: String) -> String {
        let series = transports.compactMap { transport in sum.references[transport].map { (transport, $0) } }
        var table = LatencyTable(title: "")
        table.add(sum.hops, whole: "device to app")
        var ratios = LatencyTable(title: "device to app, divided by", columns: ["p50", "p99"])
        var counts = LatencyTable(title: "per event", columns: ["wake-ups", "preempted", "syscalls"])
        counts.add("  group", [sum.group.wakeUps, sum.group.preemptions, sum.group.systemCalls])
        for (transport, one) in series {
            table.add(transport.title, one.latencies)
            ratios.add(
                "  " + transport.title,
                Self.ratios.map { sum.group.latencies.ratio(to: one.latencies, at: $0.1) })
            counts.add("  " + transport.title, [one.wakeUps, one.preemptions, one.systemCalls])
        }
        let count = sum.group.latencies.count
        var text = "\(pace), \(count) scans in \(rounds) \(rounds == 1 ? "round" : "rounds"), microseconds\n\n"
        text += table.text + "\n"
        if !series.isEmpty { text += "\n" + ratios.text + "\n" }
        text += "\n" + counts.text
        var remarks = tuningRemarks
        if !whyNoSystemCalls.isEmpty { remarks.append("system calls: not counted: \(whyNoSystemCalls)") }
        for beyond in [sum.group.latencies.overflowCount] + series.map(\.1.latencies.overflowCount) where beyond > 0 {
            remarks.append("\(beyond) samples longer than a minute are in no row")
        }
        return text + (remarks.isEmpty ? "" : "\n\n" + remarks.joined(separator: "\n"))
    }
}

// MARK: JSON

/// The JSON output, in microseconds.
struct LatencyJSON: Encodable {
    struct Row: Encodable {
        var count: UInt64
        var p50, p90, p99, p999, max: Double

        init(_ latencies: Latencies) {
            count = latencies.count
            (p50, p90) = (latencies.microseconds(50), latencies.microseconds(90))
            (p99, p999) = (latencies.microseconds(99), latencies.microseconds(99.9))
            max = Double(latencies.maximum) / 1000
        }

        enum CodingKeys: String, CodingKey { case count, p50, p90, p99, p999 = "p99.9", max }
    }

    struct Hop: Encodable {
        var name: String
        /// The share of the time of all scans, 0...1.
        var share: Double
        var latency: Row
    }

    /// Events of the kernel for each scan.
    struct Counts: Encodable {
        var wakeUps, preemptions: Double
        var systemCalls: Double?

        init(_ series: LatencySeries) {
            (wakeUps, preemptions, systemCalls) = (series.wakeUps, series.preemptions, series.systemCalls)
        }
    }

    struct Reference: Encodable {
        struct Ratio: Encodable { var p50, p99: Double }

        var name: ReferenceTransport
        var latency: Row
        var perEvent: Counts
        /// The CPUs on which its processes ran.
        var cpus: [Int]
        /// The group's percentile divided by the reference's.
        var ratio: Ratio
    }

    struct Tuned: Encodable {
        var cpu: Int
        var missing: [String]
    }

    var pace: String
    var rate: Double?
    var burst: Int
    var seconds: Double
    var repeats: Int
    var tuned: Tuned?
    var group: Row
    var perEvent: Counts
    var hops: [Hop]
    var references: [Reference]
    var whyNoSystemCalls: String?
    var figures: [BenchFigure]

    init(_ result: LatencyResult, of command: BenchLatency) {
        pace = command.closedLoop ? "closed-loop" : "paced"
        rate = command.closedLoop ? nil : command.rate
        (burst, seconds, repeats) = (command.burst, command.seconds, command.repeats)
        tuned = result.tunedCPU.map { Tuned(cpu: $0, missing: result.missing) }
        let sum = result.sum
        (group, perEvent) = (Row(sum.group.latencies), Counts(sum.group))
        hops = zip(HopLatencies.hops, zip(sum.hops.perHop, sum.hops.shares)).map { hop, measured in
            Hop(name: hop.name, share: measured.1, latency: Row(measured.0))
        }
        references = result.transports.compactMap { transport in
            sum.references[transport].map { series in
                Reference(
                    name: transport, latency: Row(series.latencies), perEvent: Counts(series),
                    cpus: series.cpus.sorted(),
                    ratio: Reference.Ratio(
                        p50: sum.group.latencies.ratio(to: series.latencies, at: 50),
                        p99: sum.group.latencies.ratio(to: series.latencies, at: 99)))
            }
        }
        whyNoSystemCalls = result.whyNoSystemCalls.isEmpty ? nil : result.whyNoSystemCalls
        figures = result.figures
    }
}
