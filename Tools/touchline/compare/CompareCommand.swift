// CompareCommand.swift: `touchline compare`: a live run compared with the same run in the simulator.

import ArgumentParser
import Basics
import Configuration
import Foundation
import Scenarios
import Simulator

/// The command `touchline compare`.
struct CompareCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Repeat a live group's run in the simulator, and compare the two.",
        discussion: """
            A run leaves its journals in <run-dir>/journal. The simulator repeats the run in the same group without \
            faults: plays, system acts, URLs and the answers of touch monitors, each at its time. The command then counts \
            facts and sent frames in both runs. The counts must be equal; the times may differ.

            The comparison omits what depends on timing alone: starts, pids, run-loop turns, wake-ups, hellos, control \
            links. A script that moves a finger more often than the display refreshes can differ too, because timing \
            decides which moves share a frame.

            The command prints the differences, and the time that frames took between the live processes. --write-links \
            writes these times as a model of links, which `touchline simulate --links` reads.

            Exits 0 when both runs are equal, 1 when they differ, 2 when the run cannot be compared (no journals, a \
            process died that no act terminated, a play was interrupted, faults were injected, the group still runs).
            """)

    @Argument(help: ArgumentHelp("A run directory, or its folder of journals.", valueName: "folder"))
    var folder: String

    @Option(
        help: ArgumentHelp(
            "The model of links in the simulator (default: measured times, as Config/Links/measured.yaml).",
            valueName: "file"))
    var links: String?

    @Option(
        help: ArgumentHelp("Write the times of this run's frames to this file, as a model of links.", valueName: "file")
    )
    var writeLinks: String?

    @OptionGroup var result: ResultOptions

    func run() throws {
        let inside = "\(folder)/journal"
        let folder = FileManager.default.fileExists(atPath: inside) ? inside : self.folder
        let live: LiveRun
        let comparison: Comparison
        var meter = ReplayMeter()
        defer { meter.clear() }
        do {
            var group = try ReplayedGroup(folder: folder, isTraced: true)
            live = try LiveRun(&group) { meter.show($0, at: $1) }
            meter.clear()
            comparison = try Comparison(live, links: try links.map { try LinkModel(contentsOf: $0) } ?? .measured)
        } catch let error as IncomparableRun { throw Failure.badInput("\(folder): \(error)") } catch let
            error as InvalidConfiguration
        { throw Failure.badInput(error) } catch {
            throw Failure.badInput("\(error)")
        }
        if let writeLinks {
            do { try live.delays.text.write(toFile: writeLinks, atomically: true, encoding: .utf8) } catch {
                throw Failure.badInput("\(writeLinks): \(error.localizedDescription)")
            }
        }
        if result.json { try printJSON(object(live, comparison)) } else { printComparison(live, comparison) }
        let count = comparison.differences.count
        guard count == 0 else {
            throw Failure.negativeResult("\(folder): \(count) \(count == 1 ? "difference" : "differences")")
        }
    }

    private static let shares: [(name: String, share: Double)] = [
        ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1),
    ]

    private func printComparison(_ live: LiveRun, _ comparison: Comparison) {
        for difference in comparison.differences {
            printLine(
                "live \(difference.live), simulated \(difference.simulated): \(difference.subject) \(difference.text)")
        }
        let isEqual = comparison.differences.isEmpty ? ", the same in both" : ""
        printLine("\(comparison.facts) facts and \(comparison.effects) effects\(isEqual)")
        for (name, times) in [("data", live.delays.data), ("control", live.delays.control)] {
            let quantiles = Self.shares.map { "\($0.name) \(LinkDelays.quantile($0.share, of: times).milliseconds)" }
            printLine("\(name) links: \(times.count) frames, \(quantiles.joined(separator: ", "))")
        }
    }

    private func object(_ live: LiveRun, _ comparison: Comparison) -> [String: Any] {
        func delays(_ times: [Int64]) -> [String: Any] {
            var object: [String: Any] = ["frames": times.count]
            for (name, share) in Self.shares {
                object[name] = Int(clamping: LinkDelays.quantile(share, of: times).nanoseconds)
            }
            return object
        }
        return [
            "folder": folder, "isEqual": comparison.differences.isEmpty, "facts": comparison.facts,
            "effects": comparison.effects,
            "differences": comparison.differences.map {
                [
                    "subject": $0.subject.rawValue, "text": $0.text, "live": $0.live, "simulated": $0.simulated,
                ] as [String: Any]
            },
            "links": ["data": delays(live.delays.data), "control": delays(live.delays.control)],
        ]
    }
}
