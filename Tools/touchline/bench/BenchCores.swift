// BenchCores.swift: the cost of one step of a core: one `handle` call, with its outbox drained.
//
//     group   the three cores of a group in turn, one finger at 120 Hz (CoreRig.swift), with the passing of frames
//     alone   each core alone, with the inputs and moments of the group run; its effects are dropped
//
// Moments are numbers, so nothing sleeps. The aim is a million core events a second on one CPU. Then a seed of 60
// simulated seconds takes about 50 ms.

import ArgumentParser
import Basics
import CAllocations
import CSystem
import Foundation
import Hosting
import Settings
import Trace
import Wire

/// The command `touchline bench cores`.
struct BenchCores: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "cores",
        abstract: "Measure one step of a core: the cores of a group in turn, and each core alone.",
        discussion: """
            One finger at 120 Hz goes from input-kit through the server to an app, and its receipts return: five core \
            events for each frame. The first row is the three cores that pass frames to each other without a link. The \
            other rows are each core alone with the same inputs. The aim is 1,000,000 core events per second. Build with \
            `swift build -c release` first.

            Exits 0 when the measurement is complete, 1 when a frame is lost or a figure is beyond a limit, 2 when the scene \
            or an option cannot be used.
            """)

    @Option(help: ArgumentHelp("Number of frames in each repeat.", valueName: "count"))
    var frames: UInt32 = 20_000

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Number of measurements of each row, of which the median is printed.", valueName: "count"))
    var repeats = 7

    @Option(help: ArgumentHelp("The scene that the app shows (default: an empty window).", valueName: "file"))
    var scene: String?

    @Flag(help: "Record the trace of every process, as host.trace=file does.")
    var traced = false

    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--frames", frames, in: 100...10_000_000)
        try expect("--repeat", repeats, in: 1...1000)
    }

    func run() throws {
        let judge = try figureOptions.judge()
        let rows: [CoreFigures.Row]
        do {
            let settings = try Settings(scene.map { [Setting(key: "app.scene", value: $0)] } ?? [])
            rows = try measure(settings)
        } catch let failure as Failure {
            throw failure
        } catch { throw Failure.badInput("\(error)") }
        let figures = CoreFigures(frames: Int(frames), repeats: repeats, isTraced: traced, rows: rows)
        try judge.finish(figures.figures, options: result, json: figures) { figures.text }
    }

    private func measure(_ settings: Settings) throws -> [CoreFigures.Row] {
        var rows: [CoreFigures.Row] = []
        var group = try CoreRig(settings: settings, isTraced: traced)
        // Buffers reach their size before the measurement.
        _ = group.play(frames: 1000)
        rows.append(
            try timed("group", of: { 0 }) { round, _ in
                let handled = group.play(frames: frames, id: UInt32(round) + 2)
                let delivered = group.report?.delivered ?? 0
                guard delivered == UInt64(frames) else {
                    throw Failure.negativeResult("group: expected \(frames) frames delivered, found \(delivered)")
                }
                return handled
            })

        var keeper = try CoreRig(settings: settings, isTraced: traced, keeps: true)
        _ = keeper.play(frames: frames)
        for part in CoreRig.Part.allCases {
            let given = keeper.inputs(to: part)
            rows.append(
                try timed(part.rawValue, of: { SingleCore(keeper.core(part), isTraced: traced) }) { _, alone in
                    alone.handle(given)
                    return given.count
                })
        }
        return rows
    }

    private struct SingleCore {
        private var core: any ProcessCore
        private var outbox = Outbox()
        private var effects: [Effect] = []

        init(_ core: any ProcessCore, isTraced: Bool) {
            self.core = core
            outbox.trace.isEnabled = isTraced
        }

        mutating func handle(_ given: [CoreRig.TimedInput]) {
            for given in given {
                core.handle(given.input, at: given.at, into: &outbox)
                outbox.trace.removeFacts()
                outbox.drain(into: &effects)
            }
        }
    }

    /// - Parameter body: The measured work; returns its number of core events.
    private func timed<Subject>(
        _ name: String, of make: () throws -> Subject, _ body: (Int, inout Subject) throws -> Int
    ) throws -> CoreFigures.Row {
        var (times, allocations): ([Double], [Double]) = ([], [])
        var events = 0
        for round in 0..<repeats {
            var subject = try make()
            let (held, start) = (allocations_count(), system_clock())
            let handled = try body(round, &subject)
            let (end, holds) = (system_clock(), allocations_count())
            guard handled > 0 else { throw Failure.negativeResult("\(name): nothing was handled") }
            times.append(Double(end - start) / Double(handled))
            allocations.append(Double(holds - held) / Double(handled))
            events += handled
        }
        if !AllocationCounter.isWorking { allocations = [] }
        let sorted = times.sorted()
        return CoreFigures.Row(
            name: name, events: events, nanoseconds: median(sorted), fastest: sorted[0],
            slowest: sorted[sorted.count - 1],
            allocations: allocations.isEmpty ? nil : allocations.reduce(0, +) / Double(repeats), times: times,
            repeatedAllocations: allocations)
    }
}

/// The JSON output. Times in nanoseconds, all figures for one core event.
struct CoreFigures: Encodable {
    struct Row: Encodable {
        var name: String
        /// Measured events, in all repeats.
        var events: Int
        /// The median of the repeats.
        var nanoseconds: Double
        var fastest: Double
        var slowest: Double
        var allocations: Double?
        /// Nanoseconds and allocations of each repeat, in the order measured.
        var times: [Double]
        var repeatedAllocations: [Double]

        enum CodingKeys: String, CodingKey { case name, events, nanoseconds, fastest, slowest, allocations }
    }

    var frames: Int
    var repeats: Int
    var isTraced: Bool
    var rows: [Row]

    var figures: [BenchFigure] {
        rows.flatMap { row in
            [
                BenchFigure(group: "cores", name: row.name, metric: "time", unit: "ns", values: row.times),
                BenchFigure(
                    group: "cores", name: row.name, metric: "allocations", unit: "count",
                    values: row.repeatedAllocations),
            ].filter { !$0.values.isEmpty }
        }
    }

    var text: [String] {
        var table = [["core", "events/s", "ns", "fastest", "slowest", "allocations"]]
        for row in rows {
            table.append([
                row.name, "\(Int(1e9 / row.nanoseconds))", fixedText(row.nanoseconds, digits: 0),
                fixedText(row.fastest, digits: 0), fixedText(row.slowest, digits: 0),
                row.allocations.map { fixedText($0, digits: 3) } ?? "-",
            ])
        }
        return ["per core event, \(repeats) repeats, trace \(isTraced ? "kept" : "off"), one thread", ""]
            + aligned(table)
    }
}
