// BenchThroughput.swift: events per second that a group of its own delivers to touchesMoved, as fast as credit allows.
//
// One finger moves. Each scan is an event of its own: the server and the app deliver at once, and nothing is coalesced.
// The time is that of the whole play, from the order to its report, so it includes the last receipt.

import ArgumentParser
import Basics
import CSystem
import Wire

/// The command `touchline bench throughput`.
struct BenchThroughput: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "throughput",
        abstract: "Measure how many scans per second a group delivers to an app.",
        discussion: """
            Starts a group of its own and plays one finger as fast as the receivers' credit allows. Every scan must arrive \
            as an event. Build with `swift build -c release` first.

            Exits 0 when the measurement is complete, 1 when a scan is lost or a figure is beyond a limit, 2 when the scene \
            or an option cannot be used, 3 when the group cannot be started.
            """)

    @Option(help: ArgumentHelp("Approximate duration of all repeats.", valueName: "seconds"))
    var seconds = 10.0

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Number of measurements, of which the median is printed.", valueName: "count"))
    var repeats = 5

    @OptionGroup var groupOptions: MeasuredGroupOptions

    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--repeat", repeats, in: 1...100)
        guard seconds > 0, seconds <= 3600 else {
            throw ValidationError("--seconds: expected more than 0 and at most 3600, found \(seconds)")
        }
    }

    func run() throws {
        let judge = try figureOptions.judge()
        let session = try GroupSession(scene: groupOptions.scene, settings: groupOptions.changes)
        var bar = ProgressBar(linesEvery: .seconds(10))
        bar.show("warming up")
        // The rate is known only from a trial, which also warms everything up.
        let trial = try play(5000, on: session)
        let count = UInt32(clamping: Int(max(1000, trial.rate * seconds / Double(repeats))))
        var (rates, shares): ([Double], [Double]) = ([], [])
        for repetition in 1...repeats {
            bar.show("\(repetition) of \(repeats): \(count) scans")
            let measured = try play(count, on: session)
            rates.append(measured.rate)
            shares.append(measured.coalescedShare)
        }
        bar.clear()
        _ = try session.stop()
        let figures = [
            BenchFigure(group: "throughput", name: "one-finger", metric: "events", unit: "events/s", values: rates),
            BenchFigure(group: "throughput", name: "one-finger", metric: "coalesced", unit: "count", values: shares),
        ]
        try judge.finish(figures, options: result, json: FigureFile(figures)) {
            ["\(count) scans of one finger in each of \(repeats) repeats, as fast as credit allows", ""] + figures.table
        }
    }

    /// - Returns: Scans per second, and the share of scans that were merged into a later one.
    private func play(_ frames: UInt32, on session: GroupSession) throws -> (rate: Double, coalescedShare: Double) {
        let start = system_clock()
        let (report, _) = try session.playWhole(
            PlayOrder(id: 0, source: .synthetic(frames: frames), pace: .max), waitLimit: .seconds(60 + 10 * seconds))
        let nanoseconds = Double(max(1, system_clock() - start))
        return (Double(report.sent) / nanoseconds * 1e9, Double(report.coalesced) / Double(max(1, report.sent)))
    }
}
