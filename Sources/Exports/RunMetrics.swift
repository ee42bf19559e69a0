// RunMetrics.swift: the counts and latencies of one run as metrics.
//
// Input     RunSums; the times of each hop, from ledgers
// Output    `touchline export --format openmetrics`
// Knows     the names of the metrics (Docs/HowTo/ExportARun.md). No facts.
//
// Sources   invented

import Trace

/// The times of all scans in one hop.
package struct HopTimes: Sendable {
    /// The name of the hop: `input-kit`, `wire to app`.
    package var hop: String
    package var nanoseconds: [Int64]

    package init(hop: String, nanoseconds: [Int64]) { (self.hop, self.nanoseconds) = (hop, nanoseconds) }
}

/// The metrics of one run.
package enum RunMetrics {
    /// Returns the OpenMetrics text.
    package static func text(of sums: RunSums, hops: [HopTimes]) -> String {
        var metrics = OpenMetrics()
        let processes = sums.processes.sorted()
        metrics.add("touchline_scans", .counter, "The scans that input-kit sent.", [.init(sums.scans)])
        metrics.add(
            "touchline_contacts", .counter, "Changes of contacts on devices, by phase.",
            RunSums.Phase.allCases.map { .init(sums.contacts[$0] ?? 0, [("phase", $0.rawValue)]) })
        metrics.add(
            "touchline_touches", .counter, "Changes of touches in apps, by phase.",
            processes.filter { $0.hasPrefix("app") }.flatMap { process in
                RunSums.Phase.allCases.map { phase in
                    let count = sums.touches[RunSums.Entry(process: process, key: phase)] ?? 0
                    return .init(count, [("process", process), ("phase", phase.rawValue)])
                }
            })
        metrics.add(
            "touchline_actions", .counter, "Calls of actions and selections.",
            processes.filter { $0.hasPrefix("app") }.map { .init(sums.actions[$0] ?? 0, [("process", $0)]) })
        metrics.add(
            "touchline_facts", .counter, "Facts by station.",
            processes.flatMap { process in
                Station.allCases.compactMap { station -> OpenMetrics.Sample? in
                    guard let count = sums.facts[RunSums.Entry(process: process, key: station)] else { return nil }
                    return .init(count, [("process", process), ("station", station.rawValue)])
                }
            })
        metrics.add(
            histogram: "touchline_hop_latency_seconds", "The time of answered scans and other inputs in each hop.",
            hops.map { (labels: [("hop", $0.hop)], nanoseconds: $0.nanoseconds) })
        return metrics.text
    }
}
