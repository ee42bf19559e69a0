// BenchStart.swift: the start of a group and its memory: from `touchline up` until every process is ready.
//
// The time is the one that `up` itself prints: from its first line of code until the last process has reported that it
// is ready. The memory is read right after that, before any touch.

import ArgumentParser
import Basics
import Foundation
import Wire
import ZeroMQHost

/// The command `touchline bench start`.
struct BenchStart: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Measure the start of a group until it is ready, and the memory of its processes.",
        discussion: """
            Starts and stops groups of its own. The memory of a process is its resident set (rss), and its proportional \
            set (pss), which divides shared pages among the processes that have them. Only root may read the latter. With \
            several apps the figures of `app` are the median of the apps.

            Exits 0 when the measurement is complete, 1 when a figure is beyond a limit, 2 when an option cannot be used, 3 \
            when a group cannot be started.
            """)

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Number of apps in the group; several numbers are several cases.", valueName: "count"))
    var apps: [Int] = []

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Number of starts of each group, of which the median is printed.", valueName: "count"))
    var repeats = 5

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp("Change one key of the group's configuration; may be repeated.", valueName: "key=value"))
    var changes: [String] = []

    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        for count in apps { try expect("--apps", count, in: 1...128) }
        try expect("--repeat", repeats, in: 1...100)
    }

    func run() throws {
        let judge = try figureOptions.judge()
        var figures: [BenchFigure] = []
        var bar = ProgressBar(linesEvery: .seconds(10))
        for count in apps.isEmpty ? [1] : apps {
            var series = Series(name: count == 1 ? "1-app" : "\(count)-apps")
            for repetition in 1...repeats {
                bar.show("\(repetition) of \(repeats): \(count) \(count == 1 ? "app" : "apps")")
                try measure(count, into: &series)
            }
            figures += series.figures
        }
        bar.clear()
        try judge.finish(figures, options: result, json: FigureFile(figures)) { figures.table }
    }

    private func measure(_ apps: Int, into series: inout Series) throws {
        let group = try OwnGroup(settings: changes, apps: apps)
        defer { group.stop() }
        guard let milliseconds = Self.milliseconds(ofReadyLine: group.readyLine) else {
            throw Failure.group("expected the time of the start, found \(group.readyLine)")
        }
        series.add("start", "ready", "ms", milliseconds)
        let report = try GroupReport(from: try .connect(to: group.runDirectory))
        var memory: [(role: String, memory: ProcessMemory)] = []
        for (name, pid) in [("supervisor", Int64(report.pid))] + report.processes.map({ ($0.name, $0.pid) }) {
            guard let found = ProcessMemory(pid: pid) else { throw Failure.group("\(name) has ended") }
            memory.append((name.hasPrefix("app") ? "app" : name, found))
        }
        for role in ["supervisor", "input-kit", "system-server", "app"] {
            let own = memory.filter { $0.role == role }.map { $0.memory }
            series.add("memory", "rss-\(role)", "bytes", median(own.map(\.resident)))
            series.add("memory", "pss-\(role)", "bytes", median(own.compactMap(\.proportional)))
            series.add("memory", "private-\(role)", "bytes", median(own.compactMap(\.unshared)))
        }
        series.add("memory", "rss-group", "bytes", memory.map { $0.memory.resident }.reduce(0, +))
        let shares = memory.compactMap { $0.memory.proportional }
        series.add("memory", "pss-group", "bytes", shares.count == memory.count ? shares.reduce(0, +) : .nan)
    }

    /// The time at the end of `ready: input-kit 4711, app1 4713 in 84.123 ms`.
    static func milliseconds(ofReadyLine line: String) -> Double? {
        let words = line.split(separator: " ")
        guard words.count > 3, words.last == "ms", words[words.count - 3] == "in" else { return nil }
        return Double(words[words.count - 2])
    }

    /// The figures of one number of apps, as they come in.
    private struct Series {
        let name: String
        private(set) var figures: [BenchFigure] = []

        init(name: String) { self.name = name }

        /// Adds a value of a repetition. A value that is no number, because this user may not know it, is left out.
        mutating func add(_ group: String, _ metric: String, _ unit: String, _ value: Double) {
            guard value.isFinite else { return }
            if let index = figures.firstIndex(where: { $0.group == group && $0.metric == metric }) {
                figures[index].values.append(value)
            } else {
                figures.append(BenchFigure(group: group, name: name, metric: metric, unit: unit, values: [value]))
            }
        }
    }
}

/// The memory of one process.
struct ProcessMemory: Equatable {
    /// Bytes in memory, also those that other processes share.
    var resident: Double
    /// Bytes, each shared page divided by its number of processes. Nil where this user may not know.
    var proportional: Double?
    /// Bytes that no other process has. Nil where this user may not know.
    var unshared: Double?

    /// - Returns: Nil when the process is gone.
    init?(pid: Int64) {
        // A process that is not this user's, or that may not be dumped, shows its size only.
        let rollup = (try? String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8)) ?? ""
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        self.init(rollup: rollup, status: status)
    }

    /// - Returns: Nil for texts without a size.
    init?(rollup: String, status: String) {
        let (of, rest) = (CounterText(rollup), CounterText(status))
        guard let resident = of["Rss"] ?? rest["VmRSS"] else { return nil }
        self.resident = Double(resident) * 1024
        proportional = of["Pss"].map { Double($0) * 1024 }
        if let clean = of["Private_Clean"], let dirty = of["Private_Dirty"] {
            unshared = Double(clean + dirty) * 1024
        }
    }
}
