// BenchThroughput.swift: events per second that a group of its own delivers to touchesMoved, beside the barest relay.
//
//     one-finger     the default settings: moves that wait for credit are merged into later ones
//     every-event    with credit for each scan of input-kit: every scan is an event of its own, although scans share frames
//     10000-views    as one-finger, in an app with 10,000 views beside each other; not with a scene of the user
//     relay          three processes that pass one libzmq message for each event; relay-batched: one for `batch` events
//
// One finger moves. The server and the app deliver at once. The time of the group is that of the whole play, from the order
// to its report, so it includes the last receipt. A relay has no receipts: a full queue stops its sender. All are measured
// in turns, so that other load of the machine affects all of them.

import ArgumentParser
import Basics
import CSystem
import Foundation
import Wire

/// The command `touchline bench throughput`.
struct BenchThroughput: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "throughput",
        abstract: "Measure how many scans per second a group delivers to an app, beside libzmq's barest relay.",
        discussion: """
            Starts groups of its own and plays one finger as fast as the receivers' credit allows. In each repeat the groups \
            and the relays are measured in turn:

              one-finger     the default settings: a move that waits for credit is merged into a later one
              every-event    server.creditWindow=2048, app.inboxCapacity=2048: no scan waits in the server, so every scan
                             is an event
              10000-views    one-finger in an app with 10,000 views beside each other; not with --scene
              relay          libzmq alone, three processes, one message for each event
              relay-batched  the same with one message for 64 events

            `ratio` is the time of an event in a group divided by its time in the relay with one message for each event, in \
            the same repeat. Build with `swift build -c release` first.

            Exits 0 when the measurement is complete, 1 when a scan is lost or a figure is beyond a limit, 2 when the scene \
            or an option cannot be used, 3 when a group or a relay cannot be started.
            """)

    @Option(help: ArgumentHelp("Approximate duration of all repeats of a case.", valueName: "seconds"))
    var seconds = 10.0

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Number of measurements, of which the median is printed.", valueName: "count"))
    var repeats = 5

    @OptionGroup var groupOptions: MeasuredGroupOptions

    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    /// The events of a message of the batched relay.
    static let batch = 64
    /// More than the scans that input-kit has outstanding.
    static let everyEvent = ["server.creditWindow=2048", "app.inboxCapacity=2048"]

    func validate() throws {
        try expect("--repeat", repeats, in: 1...100)
        guard seconds > 0, seconds <= 3600 else {
            throw ValidationError("--seconds: expected more than 0 and at most 3600, found \(seconds)")
        }
        let ownKeys = Self.everyEvent.map { String($0.prefix { $0 != "=" }) }
        try groupOptions.settings.expectNoneOfTheCommand(GroupSettingsOption.decidedByBenchmarks + ownKeys)
    }

    func run() throws {
        let judge = try figureOptions.judge()
        var bar = ProgressBar(linesEvery: .seconds(10))
        bar.show("warming up")
        var cases = [try Case("one-finger", [], of: self), try Case("every-event", Self.everyEvent, of: self)]
        cases += try manyViews()
        let relays = try RelayThroughput(seconds: seconds / Double(repeats), limit: waitLimit)
        var figures = ThroughputFigures()
        for repetition in 1...repeats {
            bar.show("\(repetition) of \(repeats): relays")
            let relay = try relays.measure(batch: 1)
            figures.add("relay", "events", "events/s", relay)
            figures.add("relay-batched", "events", "events/s", try relays.measure(batch: Self.batch))
            for one in cases {
                bar.show("\(repetition) of \(repeats): \(one.name), \(one.count) scans")
                let measured = try one.play(one.count, waitLimit)
                figures.add(one.name, "events", "events/s", measured.rate)
                figures.add(one.name, "coalesced", "count", measured.coalescedShare)
                figures.add(one.name, "ratio", "ratio", relay / max(1, measured.rate))
            }
        }
        bar.clear()
        for one in cases { _ = try one.session.stop() }
        try judge.finish(figures.all, options: result, json: FigureFile(figures.all)) {
            ["one finger as fast as credit allows, \(repeats) repeats", ""] + figures.all.table
        }
    }

    private var waitLimit: Duration { .seconds(60 + 10 * seconds) }

    private func manyViews() throws -> [Case] {
        guard groupOptions.scene == nil else { return [] }
        return try withTemporaryScene("views", Self.sceneOfViews(columns: 100, rows: 100)) {
            [try Case("10000-views", [], of: self, scene: $0)]
        }
    }

    /// Views beside each other that fill the screen.
    private static func sceneOfViews(columns: Int, rows: Int) -> String {
        let (width, height) = (375 / Double(columns), 667 / Double(rows))
        let views = (0..<columns * rows).map { index in
            let (x, y) = (Double(index % columns) * width, Double(index / columns) * height)
            return "        - { name: v\(index), frame: [\(x), \(y), \(width), \(height)] }\n"
        }
        return """
            id: views
            title: \(columns * rows) views beside each other
            screen: [375, 667]
            windows:
              - name: window
                view:
                  name: root
                  subviews:

            """ + views.joined()
    }

    /// A group with its settings.
    private struct Case {
        let name: String
        let session: GroupSession
        /// The number of scans of a repeat.
        private(set) var count: UInt32 = 0

        init(_ name: String, _ settings: [String], of command: BenchThroughput, scene: String? = nil) throws {
            self.name = name
            session = try GroupSession(
                scene: scene ?? command.groupOptions.scene,
                settings: settings + command.groupOptions.settings.assignments)
            // The rate is known only from a trial, which also warms everything up.
            let trial = try play(5000, command.waitLimit)
            count = UInt32(clamping: Int(max(1000, trial.rate * command.seconds / Double(command.repeats))))
        }

        /// - Returns: Scans per second, and the share of scans that were merged into a later one.
        func play(_ frames: UInt32, _ limit: Duration) throws -> (rate: Double, coalescedShare: Double) {
            let start = system_clock()
            let (report, _) = try session.playWhole(
                PlayOrder(id: 0, source: .synthetic(frames: frames), pace: .max), waitLimit: limit)
            let nanoseconds = Double(max(1, system_clock() - start))
            return (Double(report.sent) / nanoseconds * 1e9, Double(report.coalesced) / Double(max(1, report.sent)))
        }
    }
}

/// libzmq's relay as fast as it can.
private struct RelayThroughput: ~Copyable {
    private let folder: String
    private let limit: Duration
    private var events = 20_000

    init(seconds: Double, limit: Duration) throws {
        self.limit = limit
        folder = FileManager.default.temporaryDirectory.path + "/touchline-relay-\(getpid())"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        events = max(events, Int(try measure(batch: 1) * seconds))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// - Returns: Events per second.
    borrowing func measure(batch: Int) throws -> Double {
        // Every packet is due at once.
        let count = max(1, events / batch)
        var plan = ReferencePlan(.zmq, in: folder, frames: count, warmUp: count / 10, period: 1)
        (plan.burst, plan.batch) = (256, batch)
        return try plan.measure(program: thisProgram.path, arguments: ["bench", "relay"], within: limit).rate
            * Double(batch)
    }
}

/// The figures of a run, as they come in.
private struct ThroughputFigures {
    private(set) var all: [BenchFigure] = []

    mutating func add(_ name: String, _ metric: String, _ unit: String, _ value: Double) {
        if let index = all.firstIndex(where: { $0.name == name && $0.metric == metric }) {
            all[index].values.append(value)
        } else {
            all.append(BenchFigure(group: "throughput", name: name, metric: metric, unit: unit, values: [value]))
        }
    }
}
