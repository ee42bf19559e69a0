// BenchSimulation.swift: core events per second of simulated groups: the same seeds in each repetition, one thread.
//
// A run is what `touchline simulate` does for a seed: the group's setup, its faults and its touches drawn from the seed,
// every law judged, journals digested. No worker process and no output is in the measured time.

import ArgumentParser
import Audit
import Basics
import CSystem
import Simulator

/// The command `touchline bench simulation`.
struct BenchSimulation: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "simulation",
        abstract: "Measure simulated groups: core events per second on one CPU.",
        discussion: """
            Runs a fixed set of seeds in this process, as `touchline simulate` does, with all laws judged. The aim is \
            1,000,000 core events per second. Build with `swift build -c release` first.

            Exits 0 when the measurement is complete, 1 when a law is broken or a figure is beyond a limit, 2 when an \
            option cannot be used.
            """)

    @Option(help: ArgumentHelp("The seeds of each repetition.", valueName: Seeds.valueName))
    var seed = Seeds(first: 1, last: 20)

    @Option(help: ArgumentHelp("Simulated time of each seed.", valueName: "minutes"))
    var minutes = 1.0

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Number of measurements, of which the median is printed.", valueName: "count"))
    var repeats = 5

    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--minutes", minutes, in: 0.001...1440)
        try expect("--repeat", repeats, in: 1...1000)
    }

    func run() throws {
        let judge = try figureOptions.judge()
        let options = try SimulateInput.parse(["--minutes", "\(minutes)"]).options()
        var bar = ProgressBar(linesEvery: .seconds(10))
        var rates: [Double] = []
        var steps: UInt64 = 0
        for repetition in 1...repeats {
            steps = 0
            var nanoseconds: Int64 = 0
            for seed in seed.first...seed.last {
                bar.show("\(repetition) of \(repeats): seed \(seed)")
                let start = system_clock()
                var run = SimulatedRun(seed: seed, options: options)
                let result = run.run()
                nanoseconds += system_clock() - start
                steps += result.coreEvents
                guard let violation = result.violations.first else { continue }
                bar.clear()
                throw Failure.negativeResult(
                    "seed \(seed): \(violation.law.rawValue): \(violation.text); again: touchline simulate --seed \(seed)"
                )
            }
            rates.append(Double(steps) / (Double(max(1, nanoseconds)) / 1e9))
        }
        bar.clear()
        let figures = [
            BenchFigure(
                group: "simulation", name: "standard", metric: "core-events", unit: "events/s", values: rates)
        ]
        try judge.finish(figures, options: result, json: FigureFile(figures)) {
            [
                "seeds \(seed), \(steps) core events in each of \(repeats) repeats, one thread, all laws hold", "",
            ] + figures.table
        }
    }
}
