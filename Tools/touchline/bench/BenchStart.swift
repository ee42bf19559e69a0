// BenchStart.swift: the start of a group by phase, and the memory of each of its processes.
//
//     spawn       the supervisor begins ─▶ it starts the child
//     load        ─▶ the first fact of the child's core: exec, dynamic linking, settings, the scene, the ZeroMQ context
//     handshake   ─▶ the child is ready at the supervisor
//
// The phases come from the traces of the processes, the memory from the kernel (/proc/PID/smaps_rollup) once every
// process is quiet. Each repetition is a new group.

import ArgumentParser
import Basics

/// The command `touchline bench start`.
struct BenchStart: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Measure the start of a group by phase, and the memory of its processes.",
        discussion: """
            Starts a group of its own for each repetition and stops it. With several apps, a phase is the median of the \
            apps, and the memory that of the largest.

              spawn      from the begin of the supervisor to the start of the child
              load       to the child's first fact: exec, dynamic linking, settings, the scene
              handshake  to the child's readiness at the supervisor

            RSS counts each page that a process maps, also those that it shares with others; PSS divides a shared page \
            among the processes that map it; private counts the pages of one process alone. PSS and private need root \
            or, for other users, a group without the sandbox (host.seccomp=false, which this command then sets). Build \
            with `swift build -c release` first.

            Exits 0 when the measurement is complete, 1 when a figure is beyond a limit, 2 when the scene or an option \
            cannot be used, 3 when a group cannot be started.
            """)

    @Option(help: ArgumentHelp("Numbers of apps, measured one after the other.", valueName: "count,..."))
    var apps = AppCounts([1])

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "Number of groups for each number of apps, of which the median is printed.", valueName: "count"))
    var repeats = 5

    @OptionGroup var groupOptions: MeasuredGroupOptions

    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--repeat", repeats, in: 1...1000)
        // The phases are read from the traces.
        try groupOptions.settings.expectNoneOfTheCommand()
    }

    func run() throws {
        let judge = try figureOptions.judge()
        var bar = ProgressBar(linesEvery: .seconds(10))
        let figures = try Self.figures(
            apps: apps.counts, repeats: repeats, scene: groupOptions.scene, settings: groupOptions.settings.assignments
        ) { bar.show($0) }
        bar.clear()
        try judge.finish(figures, options: result, json: StartFigures(repeats: repeats)) {
            Array(apps.counts.map { text(figures, apps: $0) }.joined(separator: [""]))
        }
    }

    /// Measures the start and the memory of groups of their own.
    ///
    /// - Parameters:
    ///   - apps: The numbers of apps.
    ///   - repeats: The number of groups for each of them.
    ///   - scene: The scene of the apps; nil for an empty window.
    ///   - settings: `key=value`, as for `--set`.
    ///   - show: Receives the progress.
    /// - Returns: The figures of `start/apps-N`: times in microseconds, memory in bytes, one value for each group.
    static func figures(
        apps: [Int], repeats: Int, scene: String? = nil, settings: [String] = [],
        progress show: (String) -> Void = { _ in }
    ) throws -> [BenchFigure] {
        var figures: [BenchFigure] = []
        for count in apps {
            for round in 1...repeats {
                show("\(count) \(count == 1 ? "app" : "apps"), start \(round) of \(repeats)")
                let start = try MeasuredStart(apps: count, scene: scene, settings: settings)
                for (metric, unit, value) in start.values {
                    let name = "apps-\(count)"
                    if let index = figures.firstIndex(where: { $0.name == name && $0.metric == metric }) {
                        figures[index].values.append(value)
                    } else {
                        figures.append(
                            BenchFigure(
                                group: unit == "bytes" ? "memory" : "start", name: name, metric: metric, unit: unit,
                                values: [value]))
                    }
                }
            }
        }
        return figures
    }

    private func text(_ figures: [BenchFigure], apps: Int) -> [String] {
        func cell(_ metric: String, per divisor: Double, digits: Int) -> String {
            let figure = figures.first { $0.name == "apps-\(apps)" && $0.metric == metric }
            return figure.map { fixedText($0.value / divisor, digits: digits) } ?? "-"
        }
        func milliseconds(_ metric: String) -> String { cell(metric, per: 1000, digits: 1) }
        func mebibytes(_ metric: String) -> String { cell(metric, per: 1_048_576, digits: 2) }
        let starts = "\(repeats) \(repeats == 1 ? "start" : "starts")"
        let title = "\(apps) \(apps == 1 ? "app" : "apps"), \(starts), milliseconds and MiB"
        var rows = [["process", "spawn", "load", "handshake", "ready", "RSS", "PSS", "private"]]
        for name in MeasuredStart.names {
            rows.append(
                [name] + ["spawn", "load", "handshake", "ready"].map { milliseconds("\($0)-\(name)") }
                    + ["rss", "pss", "private"].map { mebibytes("\($0)-\(name)") })
        }
        rows.append(["group", "-", "-", "-", milliseconds("ready")] + ["rss", "pss", "private"].map(mebibytes))
        let ready = figures.first { $0.name == "apps-\(apps)" && $0.metric == "ready" }?.values ?? []
        let ends = [ready.min(), ready.max()].map { fixedText(($0 ?? 0) / 1000, digits: 1) }
        return [title, ""] + aligned(rows) + [
            "",
            "the group was ready after \(ends[0]) to \(ends[1]) ms; `touchline up` printed that "
                + "\(milliseconds("command")) ms after its own start",
        ]
    }
}

/// Numbers of apps, as `1,10,100`.
struct AppCounts: ExpressibleByArgument {
    let counts: [Int]

    init(_ counts: [Int]) { self.counts = counts }

    init?(argument: String) {
        let words = argument.split(separator: ",", omittingEmptySubsequences: false)
        let counts = words.compactMap { Int($0) }.filter { (1...128).contains($0) }
        guard counts.count == words.count, Set(counts).count == counts.count else { return nil }
        self.counts = counts
    }

    var defaultValueDescription: String { counts.map { "\($0)" }.joined(separator: ",") }
}

/// The JSON output, beside the figures.
struct StartFigures: Encodable {
    var repeats: Int
}
