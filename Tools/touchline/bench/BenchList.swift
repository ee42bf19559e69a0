// BenchList.swift: the list of benchmarks. A new one is a command and an entry here.
//
//     entry ─┬▶ subcommand of `touchline bench`
//            ├▶ runs of `bench all`, and sections of its page
//            └▶ the figures that a budget may name
//
// Sources   invented

import ArgumentParser

/// A benchmark: its command, its figures, and what `bench all` runs of it.
struct Benchmark {
    let command: any ParsableCommand.Type
    /// The keys of its figures; `*` stands for one part: `dispatch/*/allocations`.
    let figures: [String]
    /// The groups of its figures, as sections of the page.
    let sections: [BenchSection]
    let runs: [BenchRun]

    var name: String { command._commandName }
}

/// A section of the page: one group of figures.
struct BenchSection: Equatable {
    let group: String
    let title: String
    /// What is measured, in one or two sentences.
    let meaning: String
    /// The metrics that are bars of one plot, for each case. Empty for all metrics, in as few plots as possible.
    var plots: [Plot] = []

    struct Plot: Equatable {
        let title: String
        let metrics: [String]
    }
}

/// One run of a benchmark's command by `bench all`.
struct BenchRun {
    /// The name of the run in progress and errors: `latency 240Hz`.
    let name: String
    /// The arguments after the command's name: those of every run, and those of a full run.
    let arguments: [String]
    let full: [String]
    /// The arguments of a short run instead of a full one, for --quick.
    let quick: [String]
    /// The arguments of a run that only counts, for --counts; nil if it has no counts.
    var counting: [String]?
    /// An option without which the command cannot do this run; nil for none.
    var needs: String?

    init(
        _ name: String, _ arguments: [String] = [], full: [String] = [], quick: [String], counting: [String]? = nil,
        needs: String? = nil
    ) {
        (self.name, self.arguments, self.full, self.quick) = (name, arguments, full, quick)
        (self.counting, self.needs) = (counting, needs)
    }
}

/// All benchmarks, in the order of the page.
enum BenchList {
    static let all = [
        latency, throughput, dispatch, hitTest, cores, windows, decode, simulation, start, counts, growth,
    ]

    static let sections = all.flatMap(\.sections)

    /// Whether a benchmark can give a figure with this key.
    static func has(_ key: String) -> Bool {
        let parts = key.split(separator: "/", omittingEmptySubsequences: false)
        return all.flatMap(\.figures).contains { pattern in
            let words = pattern.split(separator: "/", omittingEmptySubsequences: false)
            return words.count == parts.count
                && zip(words, parts).allSatisfy { word, part in
                    word == "*" ? !part.isEmpty : word == part
                }
        }
    }

    private static let latency = Benchmark(
        command: BenchLatency.self,
        figures: LatencyResult.metrics.map { "latency/*/\($0)" },
        sections: [
            BenchSection(
                group: "latency", title: "Latency",
                meaning: """
                    From the moment a scan is due until the app has handled its touch, beside references that only pass \
                    packets, in the same run. A scan that is late because an earlier one was late counts as late.
                    """,
                plots: [
                    BenchSection.Plot(
                        title: "median by hop",
                        metrics: HopLatencies.hops.map { "p50-\($0.name.replacing(" ", with: "-"))" }),
                    BenchSection.Plot(
                        title: "median beside the references", metrics: ["p50", "p50-zmq", "p50-seqpacket", "p50-ring"]),
                    BenchSection.Plot(
                        title: "99 % beside the references", metrics: ["p99", "p99-zmq", "p99-seqpacket", "p99-ring"]),
                ])
        ],
        runs: [60, 120, 240, 1000].map {
            BenchRun("latency \($0)Hz", ["--rate", "\($0)"], full: longLatency, quick: shortLatency)
        } + [
            BenchRun("latency closed-loop", ["--closed-loop"], full: longLatency, quick: shortLatency),
            BenchRun(
                "latency 120Hz-burst8", ["--rate", "120", "--burst", "8"], full: longLatency, quick: shortLatency,
                needs: "--burst"),
        ])

    private static let longLatency = ["--seconds", "20", "--repeat", "5"]
    private static let shortLatency = ["--seconds", "2", "--repeat", "4"]

    private static let throughput = Benchmark(
        command: BenchThroughput.self,
        figures: ["throughput/*/events", "throughput/*/coalesced", "throughput/*/ratio"],
        sections: [
            BenchSection(
                group: "throughput", title: "Throughput",
                meaning: """
                    Scans per second that arrive in touchesMoved, as fast as the receivers' credit allows; and libzmq's relay \
                    beside them, as fast as it can.
                    """)
        ],
        runs: [BenchRun("throughput", full: ["--seconds", "10"], quick: ["--seconds", "2", "--repeat", "3"])])

    private static let dispatch = Benchmark(
        command: BenchDispatch.self,
        figures: DispatchCase.allCases.flatMap { kind in
            kind.gestures.flatMap { gesture in
                (["time", "allocations", "instructions"] + (gesture == .tap ? ["lift"] : []))
                    .map { "dispatch/\(kind.rawValue)-\(gesture.rawValue)/\($0)" }
            }
        },
        sections: [
            BenchSection(
                group: "dispatch", title: "Dispatch in an app",
                meaning: """
                    One event in one app, from the event queue to the views. Cases: a, 100 views; b, 10 recognizers on \
                    the path; c, 10,000 views; d, 1,000 and e, 10,000 recognizers on one view.
                    """)
        ],
        runs: [
            BenchRun(
                "dispatch", quick: ["--repeat", "5", "--seconds", "0.01", "--case", "a", "b", "c", "d"],
                counting: ["--repeat", "3", "--seconds", "0.002", "--case", "a", "b", "c", "d"])
        ])

    private static let hitTest = Benchmark(
        command: BenchHitTest.self,
        figures: HitTestRig.metrics.map { "hit-test/*/\($0)" },
        sections: [
            BenchSection(
                group: "hit-test", title: "Hit tests in an app",
                meaning: "The search for the view at a point of a window, by the index and by a walk through the views."
            )
        ],
        runs: [BenchRun("hit-test", quick: ["--views", "100", "10000", "--repeat", "5", "--seconds", "0.005"])])

    private static let cores = Benchmark(
        command: BenchCores.self,
        figures: ["group", "inputKit", "systemServer", "app"].flatMap {
            ["cores/\($0)/time", "cores/\($0)/allocations"]
        },
        sections: [
            BenchSection(
                group: "cores", title: "Steps of the cores",
                meaning:
                    "One input of a process's core, without links: the three cores of a group in turn, and each alone.")
        ],
        runs: [
            BenchRun(
                "cores", quick: ["--frames", "5000", "--repeat", "5"],
                counting: ["--frames", "5000", "--repeat", "3"])
        ])

    private static let windows = Benchmark(
        command: BenchWindows.self,
        figures: ["search", "change"].flatMap { action in
            ["spread", "heap"].flatMap { layout in ["p50", "p99"].map { "windows/\(layout)-\(action)/\($0)" } }
        },
        sections: [
            BenchSection(
                group: "windows", title: "Windows of the server",
                meaning: "The search for the window at a point among 10,000, and a change to one of them.")
        ],
        runs: [BenchRun("windows", quick: ["--searches", "20000", "--repeat", "3"])])

    private static let decode = Benchmark(
        command: BenchDecode.self,
        figures: BenchDecodeFormat.allCases.flatMap { format in
            ["speed", "events", "frames", "growth"].map { "decode/\(format.rawValue)/\($0)" }
        },
        sections: [
            BenchSection(
                group: "decode", title: "Reading of recordings",
                meaning: "Each format is read as `touchline decode` reads it: file, reader, summary, on one thread.")
        ],
        runs: [
            BenchRun("decode", full: ["--repeat", "5"], quick: ["--megabytes", "10", "--repeat", "3"])
        ])

    private static let simulation = Benchmark(
        command: BenchSimulation.self,
        figures: ["simulation/standard/core-events"],
        sections: [
            BenchSection(
                group: "simulation", title: "Simulation",
                meaning: "Core events per second of simulated groups with faults, on one CPU, with all laws judged.")
        ],
        runs: [
            BenchRun("simulation", quick: ["--seed", "1..5", "--repeat", "3"])
        ])

    private static let start = Benchmark(
        command: BenchStart.self,
        figures: MeasuredStart.startMetrics.map { "start/*/\($0)" }
            + MeasuredStart.memoryMetrics.map { "memory/*/\($0)" },
        sections: [
            BenchSection(
                group: "start", title: "Start-up",
                meaning: "From `touchline up` until every process has reported that it is ready."),
            BenchSection(
                group: "memory", title: "Memory",
                meaning: """
                    Right after the start, before any touch: the resident set (rss), shared pages divided among their \
                    processes (pss), and pages of one process alone (private).
                    """),
        ],
        runs: [
            BenchRun("start", ["--apps", "1,10"], full: ["--repeat", "9"], quick: ["--repeat", "3"])
        ])

    private static let counts = Benchmark(
        command: BenchCounts.self,
        figures: BenchCounts.allMetrics.map { "counts/*/\($0)" },
        sections: [
            BenchSection(
                group: "counts", title: "Wake-ups, context switches and system calls",
                meaning: """
                    For one scan on its way to the app and its receipt on the way back. A wake-up is a voluntary switch of a \
                    thread: it waited, and runs again.
                    """)
        ],
        runs: [
            BenchRun(
                "counts", quick: ["--frames", "300", "--repeat", "3"],
                counting: ["--frames", "300", "--repeat", "3"])
        ])

    private static let growth = Benchmark(
        command: BenchGrowth.self,
        figures: ["\(GrowthCost.group)/*/*"],
        sections: [
            BenchSection(
                group: GrowthCost.group, title: "Cost as work grows",
                meaning: """
                    Latency, CPU time and the cost in one app against the amount of work. A line is the fitted curve of \
                    the slowest order that describes the points. The table has each claimed order beside the fitted one.
                    """)
        ],
        runs: [BenchRun("growth", quick: ["--quick"])])
}
