// BenchCounts.swift: what one event costs the kernel in a running group: wake-ups, context switches, system calls.
//
// One finger moves in a group of its own. In a closed loop each scan waits for the receipt of the one before, so all
// processes sleep between two scans. At a pace the group sleeps as well, and its timers take part.
//
//     wake-ups           voluntary switches of all threads: each is followed by exactly one wake-up
//     preemptions        involuntary switches
//     context switches   both
//     system calls       by strace (SystemCallCounter.swift), closed loop only
//
// The figures are differences of two lengths, so that the order and the report of a play cancel out.

import ArgumentParser
import Basics
import Wire

/// The command `touchline bench counts`.
struct BenchCounts: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "counts",
        abstract: "Count wake-ups, context switches and system calls for one event in a group.",
        discussion: """
            Starts a group of its own and moves one finger. All figures are for one scan on its way to the app and its \
            receipt on the way back, of input-kit, system-server and the app together and of each alone. strace counts \
            system calls, which needs the right to trace them (root).

            Exits 0 when the measurement is complete, 1 when a scan is lost or a figure is beyond a limit, 2 when an option \
            cannot be used, 3 when the group cannot be started.
            """)

    @Option(help: ArgumentHelp("Scans per second of the paced case.", valueName: "Hz"))
    var rate = 240.0

    @Option(help: ArgumentHelp("Number of scans of a measurement.", valueName: "count"))
    var frames: UInt32 = 1000

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Number of measurements, of which the median is printed.", valueName: "count"))
    var repeats = 5

    @OptionGroup var groupOptions: MeasuredGroupOptions

    @Flag(name: .customLong("no-syscalls"), help: "Do not run strace.")
    var noSystemCalls = false

    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--rate", rate, in: 1...100_000)
        try expect("--frames", frames, in: 50...1_000_000)
        try expect("--repeat", repeats, in: 1...100)
        try groupOptions.settings.expectNoneOfTheCommand(GroupSettingsOption.decidedByBenchmarks)
    }

    /// The processes of the way, by the names in figures.
    private static let names = ["input-kit", "system-server", "app"]
    private static let metrics = ["wake-ups", "preemptions", "context-switches", "syscalls"]
    /// The metrics of its figures: each of the group, and of each process.
    static let allMetrics = metrics.flatMap { metric in [metric] + names.map { "\(metric)-\($0)" } }

    func run() throws {
        let judge = try figureOptions.judge()
        let session = try GroupSession(scene: groupOptions.scene, settings: groupOptions.settings.assignments)
        let pids = try session.report().processes.map(\.pid)
        guard pids.count == Self.names.count else {
            throw Failure.group("expected \(Self.names.count) processes, found \(pids.count)")
        }
        let pacedCase = "\(fixedText(rate, digits: 0))Hz"
        var (loop, paced) = (Self.Counts(name: "closed-loop"), Self.Counts(name: pacedCase))
        var bar = ProgressBar(linesEvery: .seconds(10))
        bar.show("warming up")
        try play(500, .closedLoop, on: session)
        for repetition in 1...repeats {
            bar.show("\(repetition) of \(repeats): switches")
            loop.add(try switches(of: pids) { try play($0, .closedLoop, on: session) })
            paced.add(try switches(of: pids) { try play($0, .every(UInt64(1e9 / rate)), on: session) })
        }
        var figures = loop.figures + paced.figures
        var whyNot = noSystemCalls ? "--no-syscalls is set" : nil
        if !noSystemCalls {
            if let strace = SystemCallCounter.program {
                do {
                    for repetition in 1...repeats {
                        bar.show("\(repetition) of \(repeats): system calls")
                        loop.add(systemCalls: try systemCalls(of: pids, with: strace, on: session))
                    }
                    figures = loop.figures + paced.figures
                } catch let denied as TracingDenied { whyNot = denied.reason }
            } else {
                whyNot = "strace is not installed"
            }
        }
        bar.clear()
        _ = try session.stop()
        try judge.finish(figures, options: result, json: Output(whyNoSystemCalls: whyNot, calls: loop.names)) {
            text(figures, loop, whyNot)
        }
    }

    private func text(_ figures: [BenchFigure], _ loop: Counts, _ whyNot: String?) -> [String] {
        var lines = ["for one scan and its receipt, \(frames) scans in each of \(repeats) repeats", ""] + figures.table
        if let names = loop.names {
            lines += ["", "system calls of a scan in a closed loop, last repeat:"]
            for (process, calls) in zip(Self.names, names) {
                let sorted = calls.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                lines.append(
                    "  \(process): " + sorted.map { "\(figureText($0.value)) \($0.key)" }.joined(separator: ", "))
            }
        }
        if let whyNot { lines.append("system calls: not measured: \(whyNot)") }
        return lines
    }

    private func play(_ frames: UInt32, _ pace: PlayOrder.Pace, on session: GroupSession) throws {
        _ = try session.playWhole(
            PlayOrder(id: 0, source: .synthetic(frames: frames), pace: pace),
            waitLimit: .seconds(60 + 2 * Double(frames) / rate))
    }

    /// The two lengths whose difference is measured.
    private var lengths: (short: UInt32, long: UInt32) { (frames / 10, frames / 10 + frames) }

    /// Returns the switches of each process for one scan.
    private func switches(of pids: [Int64], _ play: (UInt32) throws -> Void) throws -> [[String: Double]] {
        let counters = pids.map { EventCounter(of: [Int32($0)], tracepoint: nil) }
        func counted(_ frames: UInt32) throws -> [EventCounts] {
            let before = counters.map { $0.counts() }
            try play(frames)
            return zip(counters, before).map { $0.counts() - $1 }
        }
        let (short, long) = (try counted(lengths.short), try counted(lengths.long))
        return zip(short, long).map { short, long in
            // A short run can be preempted more often than a long one: then a scan costs nothing that could be measured.
            let wakeUps = max(0, Double(long.wakeUps) - Double(short.wakeUps)) / Double(frames)
            let preemptions = max(0, Double(long.preemptions) - Double(short.preemptions)) / Double(frames)
            return ["wake-ups": wakeUps, "preemptions": preemptions, "context-switches": wakeUps + preemptions]
        }
    }

    /// Returns the system calls of each process for one scan, by name.
    private func systemCalls(
        of pids: [Int64], with program: String, on session: GroupSession
    ) throws -> [[String: Double]] {
        func counted(_ frames: UInt32) throws -> [[String: Int]] {
            let counter = try SystemCallCounter(pids: pids, with: program)
            try play(frames, .closedLoop, on: session)
            return try counter.finish()
        }
        let (short, long) = (try counted(lengths.short), try counted(lengths.long))
        return zip(short, long).map { short, long in
            Dictionary(
                uniqueKeysWithValues: long.map { name, calls in
                    (name, Double(calls - (short[name] ?? 0)) / Double(frames))
                }.filter { $0.1 >= 0.005 })
        }
    }

    /// The figures of one pace, as they come in.
    private struct Counts {
        let name: String
        /// By metric, for each process and then for the sum, one value for each repetition.
        private var values: [String: [[Double]]] = [:]
        /// The system calls of each process by name, in the last repetition.
        private(set) var names: [[String: Double]]?

        init(name: String) { self.name = name }

        mutating func add(_ measured: [[String: Double]]) {
            for metric in measured.first?.keys.sorted() ?? [] {
                let each = measured.map { $0[metric] ?? 0 }
                var series = values[metric] ?? Array(repeating: [], count: each.count + 1)
                for (index, value) in (each + [each.reduce(0, +)]).enumerated() { series[index].append(value) }
                values[metric] = series
            }
        }

        mutating func add(systemCalls: [[String: Double]]) {
            names = systemCalls
            add(systemCalls.map { ["syscalls": $0.values.reduce(0, +)] })
        }

        var figures: [BenchFigure] {
            BenchCounts.metrics.flatMap { metric -> [BenchFigure] in
                guard let series = values[metric], let sum = series.last else { return [] }
                let parts = zip(BenchCounts.names, series).map { process, values in
                    BenchFigure(
                        group: "counts", name: name, metric: "\(metric)-\(process)", unit: "count", values: values)
                }
                return [BenchFigure(group: "counts", name: name, metric: metric, unit: "count", values: sum)] + parts
            }
        }
    }

    /// The JSON output.
    private struct Output: Encodable {
        var whyNoSystemCalls: String?
        /// Of input-kit, system-server and the app, for one scan.
        var calls: [[String: Double]]?
    }
}
