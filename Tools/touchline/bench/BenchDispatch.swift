// BenchDispatch.swift: the cost of one event inside one app: hit test, recognizers, views; no process, no socket.
//
// Four figures for each event:
//     nanoseconds    the median of several repeats, with the fastest and the slowest
//     events         a second, from that median
//     allocations    every call of malloc and its family in the measured repeats (Sources/CAllocations). A test before
//                    the measurement shows that the counter sees the calls of the Swift runtime.
//     instructions   by callgrind, which simulates each one (Callgrind.swift); only with valgrind
//
// `deliver` is the function that AppCore calls for each event of its queue: touches, hit test,
// `UIApplication.sendEvent`, windows, recognizers, views, clean-up. Frames are made before the measurement.

import ArgumentParser
import Basics
import CAllocations
import Foundation

/// The command `touchline bench dispatch`.
struct BenchDispatch: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "dispatch",
        abstract: "Measure one event in one app: time, allocations, instructions.",
        discussion: """
            Measures UIApplication from `deliver` to the views, in this process. The gestures are moved (a finger that is \
            down circles within 2 points), tap (down, up) and drag (down, two moves past every threshold, up). All figures \
            are for one event. `lift` is the up of a tap alone, the event in which all its recognizers decide.

              a  100 views, 5 deep, no recognizers      c  10,000 views, 5 deep
              b  the same, 10 recognizers on the path   d  1,000 recognizers on one view
              e  10,000 recognizers on one view (fault F19: a frame of moves within 10 ms)

            valgrind's callgrind counts instructions, as the difference between two lengths of the same run. Build with \
            `swift build -c release` first.

            Exits 0 when the measurement is complete, 1 when a figure is beyond a limit, 2 when an option cannot be used, 3 \
            when valgrind fails.
            """)

    @Option(
        name: .customLong("case"), parsing: .upToNextOption,
        help: ArgumentHelp("The cases to measure (default: all).", valueName: "name"))
    var cases: [DispatchCase] = []

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Number of measurements of each row, of which the median is printed.", valueName: "count"))
    var repeats = 15

    @Option(help: ArgumentHelp("Approximate duration of each repeat.", valueName: "seconds"))
    var seconds = 0.05

    @Flag(help: "Record the trace of the app, as host.trace=file does.")
    var traced = false

    @Flag(help: "Do not run valgrind.")
    var noInstructions = false

    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--repeat", repeats, in: 1...1000)
        guard seconds > 0, seconds <= 60 else {
            throw ValidationError("--seconds: expected more than 0 and at most 60, found \(seconds)")
        }
    }

    func run() throws {
        let judge = try figureOptions.judge()
        let chosen = DispatchCase.allCases.filter { cases.isEmpty || cases.contains($0) }
        let work = chosen.flatMap { kind in kind.gestures.map { (kind, $0) } }
        let isCounting = AllocationCounter.isWorking
        let callgrind = noInstructions ? nil : try Callgrind()
        var rows: [DispatchFigures.Row] = []
        var bar = ProgressBar(linesEvery: .seconds(10))
        for (index, (kind, gesture)) in work.enumerated() {
            let progressLabel = "\(index + 1) of \(work.count): \(kind.rawValue) \(gesture.rawValue)"
            let rig = DispatchRig(.one(kind), isTraced: traced)
            var row = rig.run { measure(kind, gesture, on: rig) { bar.show(progressLabel) } }
            if !isCounting { (row.allocations, row.repeatedAllocations) = (nil, []) }
            row.instructions = try callgrind?.instructions(of: gesture, on: .one(kind), isTraced: traced) {
                bar.show("\(progressLabel), instructions")
            }
            rows.append(row)
        }
        bar.clear()
        let whyNot = noInstructions ? "--no-instructions is set" : callgrind == nil ? "valgrind not installed" : nil
        let figures = DispatchFigures(isTraced: traced, repeats: repeats, whyNoInstructions: whyNot, rows: rows)
        try judge.finish(figures.figures, options: result, json: figures) {
            text(rows, isCounting: isCounting, whyNoInstructions: whyNot)
        }
    }

    /// - Parameter meanwhile: Called before each repeat, outside the measurement.
    private func measure(
        _ kind: DispatchCase, _ gesture: DispatchGesture, on rig: DispatchRig, meanwhile: () -> Void
    ) -> DispatchFigures.Row {
        let measured = rig.measure(gesture, repeats: repeats, seconds: seconds, meanwhile: meanwhile)
        let sorted = measured.times.sorted()
        return DispatchFigures.Row(
            kind: kind, gesture: gesture, events: measured.count * gesture.events * repeats,
            nanoseconds: median(sorted), fastest: sorted[0], slowest: sorted[sorted.count - 1],
            allocations: measured.allocations.reduce(0, +) / Double(repeats), times: measured.times,
            repeatedAllocations: measured.allocations, lifts: measured.lifts)
    }

    private func text(_ rows: [DispatchFigures.Row], isCounting: Bool, whyNoInstructions: String?) -> [String] {
        var table = [["case", "", "gesture", "events/s", "ns", "fastest", "slowest", "allocations", "instructions"]]
        for row in rows {
            table.append([
                row.kind.rawValue, row.kind.title, row.gesture.rawValue, "\(Int(1e9 / row.nanoseconds))",
                fixedText(row.nanoseconds, digits: 0), fixedText(row.fastest, digits: 0),
                fixedText(row.slowest, digits: 0), row.allocations.map { fixedText($0, digits: 3) } ?? "-",
                row.instructions.map { fixedText($0, digits: 0) } ?? "-",
            ])
            let lifts = row.lifts.sorted()
            guard !lifts.isEmpty else { continue }
            let lift = [median(lifts), lifts[0], lifts[lifts.count - 1]]
            table.append(
                [row.kind.rawValue, row.kind.title, "its lift", "\(Int(1e9 / lift[0]))"]
                    + lift.map { fixedText($0, digits: 0) } + ["-", "-"])
        }
        var lines = ["per event, \(repeats) repeats, trace \(traced ? "kept" : "off"), one thread", ""]
        lines += aligned(table) + [""]
        if !isCounting { lines.append("allocations: not measured: another malloc replaces the counting one") }
        if let whyNoInstructions { lines.append("instructions: not measured: \(whyNoInstructions)") }
        return lines
    }
}

/// A check of the allocation counter.
enum AllocationCounter {
    private final class Something {}

    /// Whether the counter sees a thousand objects of the Swift runtime and a buffer of Foundation: at least 1001
    /// calls.
    static var isWorking: Bool {
        var held: [Something] = []
        held.reserveCapacity(1000)
        let before = allocations_count()
        for _ in 0..<1000 { held.append(Something()) }
        let data = NSMutableData(length: 100_000)
        return withExtendedLifetime((held, data)) { allocations_count() - before >= 1001 }
    }
}

/// The program of a callgrind run: some gestures and nothing else. A hidden command.
struct BenchDispatchRun: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "dispatch-run", shouldDisplay: false)

    @Argument var load: DispatchLoad
    @Argument var gesture: DispatchGesture
    @Argument var count: Int
    @Flag var traced = false

    func run() throws {
        let rig = DispatchRig(load, isTraced: traced)
        rig.run {
            rig.prepare(for: gesture)
            // Buffers reach their size before the measured gestures.
            rig.play(gesture, count: load.callgrindCounts.few)
            rig.play(gesture, count: count)
            rig.finish(gesture)
        }
    }
}

extension Callgrind {
    /// Returns the instructions of one event.
    func instructions(
        of gesture: DispatchGesture, on load: DispatchLoad, isTraced: Bool = false, meanwhile: () -> Void
    ) throws -> Double {
        let counts = load.callgrindCounts
        return try instructions(between: counts.few, and: counts.many) { count in
            ["bench", "dispatch-run", load.word, gesture.rawValue, "\(count)"] + (isTraced ? ["--traced"] : [])
        } meanwhile: {
            meanwhile()
        } / Double(gesture.events)
    }
}

/// The JSON output. Times in nanoseconds, all figures for one event.
struct DispatchFigures: Encodable {
    struct Row: Encodable {
        var kind: DispatchCase
        var gesture: DispatchGesture
        /// Measured events, in all repeats.
        var events: Int
        /// The median of the repeats.
        var nanoseconds: Double
        var fastest: Double
        var slowest: Double
        var allocations: Double?
        var instructions: Double?
        /// Nanoseconds and allocations of each repeat, in the order measured.
        var times: [Double]
        var repeatedAllocations: [Double]
        /// Nanoseconds of the lift of a tap, of each repeat; empty for other gestures.
        var lifts: [Double] = []

        enum CodingKeys: String, CodingKey {
            case kind = "case"
            case gesture, events, nanoseconds, fastest, slowest, allocations, instructions
        }
    }

    var isTraced: Bool
    var repeats: Int
    var whyNoInstructions: String?
    var rows: [Row]

    var figures: [BenchFigure] {
        rows.flatMap { row in
            func figure(_ metric: String, _ unit: String, _ values: [Double]) -> BenchFigure {
                BenchFigure(
                    group: "dispatch", name: "\(row.kind.rawValue)-\(row.gesture.rawValue)", metric: metric, unit: unit,
                    values: values)
            }
            let all = [
                figure("time", "ns", row.times), figure("lift", "ns", row.lifts),
                figure("allocations", "count", row.repeatedAllocations),
                figure("instructions", "count", row.instructions.map { [$0] } ?? []),
            ]
            return all.filter { !$0.values.isEmpty }
        }
    }
}

extension DispatchCase: ExpressibleByArgument {}
extension DispatchLoad: ExpressibleByArgument {}
extension DispatchGesture: ExpressibleByArgument {}
