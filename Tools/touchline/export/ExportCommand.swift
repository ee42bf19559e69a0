// ExportCommand.swift: `touchline export`: the facts of a run in a format of other programs.
//
//    RunSource ─▶ ObservedRun ─┬▶ facts ────▶ Timeline ─▶ chrome, perfetto
//                              │         └──▶ RunSums, FactTable ─▶ openmetrics, csv, ndjson
//                              └▶ ledgers ──▶ HopLatencies ─▶ openmetrics, hdr
//
// Knows     which export needs what. The module Exports and HistogramLog.swift write the formats.

import ArgumentParser
import Basics
import Exports
import Foundation
import Runs
import Scenarios
import Trace
import Wire

/// The command `touchline export`.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the facts of a run in a format of other programs.",
        discussion: """
            A run is a scenario or a recording, played in the simulator, or the run directory of a group, whose journals \
            are replayed. The export has all facts since the first input, or since the start of the group.

            chrome       JSON for ui.perfetto.dev and chrome://tracing: a track for each station, a span for each contact, \
            touch and recognizer, a flow from device to action, counters
            perfetto     the same as a Perfetto trace, in protobuf
            openmetrics  counts of scans, touches, actions and facts, and the latency of each hop, for Prometheus
            csv, ndjson  one fact in each line
            hdr          a log of HdrHistogram with the latency of each hop

            Positions and keys that a process hid are `hidden` or null in every format. In a simulated run a hop takes the \
            time that the simulator gives it, often none.

            If the run is incomplete (the group still runs, a journal is cut), a line on stderr says what is missing, and \
            the export has the rest.

            Exits 0 when the file is written, 1 when it is written and the run is incomplete, 2 when the run cannot be \
            read (no journals, another version) or the file cannot be written.
            """)

    /// The format of an export.
    enum Format: String, ExpressibleByArgument, CaseIterable { case chrome, perfetto, openmetrics, csv, ndjson, hdr }

    @OptionGroup var source: RunSource

    @Option(help: ArgumentHelp("The format of the export.", valueName: "name"))
    var format: Format

    @OptionGroup var output: RunOutput

    func validate() throws { try output.check(against: source) }

    func run() throws {
        let run = try source.observed()
        let out = try output.open()
        var bytes: [UInt8] = []
        switch format {
        case .chrome: bytes = ChromeTrace.bytes(of: Timeline(facts: run.events, origin: run.origin))
        case .perfetto: bytes = PerfettoTrace.bytes(of: Timeline(facts: run.events, origin: run.origin))
        case .openmetrics:
            bytes = Array(RunMetrics.text(of: RunSums(of: run.events), hops: run.hopTimes).utf8)
        case .csv:
            var table = FactTable(origin: run.origin)
            CSV.append(FactTable.columns, to: &bytes)
            for fact in run.events {
                table.appendCSV(fact, to: &bytes)
                if bytes.count >= OutputFile.pieceSize { try out.write(&bytes) }
            }
        case .ndjson:
            var table = FactTable(origin: run.origin)
            for fact in run.events {
                table.appendNDJSON(fact, to: &bytes)
                if bytes.count >= OutputFile.pieceSize { try out.write(&bytes) }
            }
        case .hdr: bytes = Array(run.histogramLog.utf8)
        }
        try out.write(&bytes)
        try out.finish()
        for gap in run.gapsOfWhole { printError("\(source.name): \(gap)") }
        if !run.gapsOfWhole.isEmpty { throw ExitCode(1) }
    }
}

extension ObservedRun {
    /// The moment of time 0 in exports: the first input, or the first fact if it comes earlier.
    var origin: Instant { events.first { _ in true }.map { min($0.at, zero) } ?? zero }

    /// The latencies of the answered scans.
    var latencies: HopLatencies {
        var latencies = HopLatencies()
        for ledger in ledgers { latencies.record(ledger) }
        return latencies
    }

    /// The times of the answered scans in each hop, and of the whole way.
    var hopTimes: [HopTimes] {
        let hops = HopLatencies.hops + [HopLatencies.wholeHop]
        return hops.map { hop in
            HopTimes(hop: hop.name, nanoseconds: ledgers.compactMap { $0.time(from: hop.from, to: hop.to) })
        }
    }

    /// A log of HdrHistogram with an entry for each hop, in nanoseconds. Its times count from the run's beginning,
    /// because a run has no date.
    var histogramLog: String {
        let latencies = latencies
        let seconds = ledgers.last.flatMap { $0[.appHandled] }.map { origin.duration(to: $0).seconds } ?? 0
        let series =
            zip(HopLatencies.hops.map(\.name), latencies.perHop) + [(HopLatencies.wholeHop.name, latencies.whole)]
        return HistogramLog.text(
            of: series.filter { $0.1.count > 0 }.map { name, latencies in
                HistogramLog.Entry(tag: name, log: HistogramLog(latencies), maximum: latencies.maximum)
            }, start: 0, seconds: seconds)
    }
}

extension Ledger {
    /// The nanoseconds from one stamp to another; nil without both.
    fileprivate func time(from start: Hop, to end: Hop) -> Int64? {
        guard let start = self[start], let end = self[end] else { return nil }
        return start.duration(to: end).nanoseconds
    }
}
