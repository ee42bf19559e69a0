// BenchLatency.swift: the latency from the device's scan to the app's handled touch, and the share of the transport.
//
// The raw relay consists of three processes. They pass packets of the same sizes over the same kind of sockets and do
// nothing else. The relay and the group alternate for several rounds, so that other load of the machine affects both.
//
// At a pace, the time of a scan starts when it is due, not when it is sent. So a stall counts for every scan that it
// delays (no coordinated omission). In a closed loop the next scan starts with the receipt of the last one.

import ArgumentParser
import Basics
import Foundation
import Wire
import ZeroMQHost

/// The command `touchline bench latency`.
struct BenchLatency: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract: "Measure the latency of one finger's scans, hop by hop, against a raw libzmq relay.",
        discussion: """
            Starts a group of its own and stops it. Latencies are in microseconds; the ratio is that of the medians. Build \
            with `swift build -c release` first.

            Exits 0 when the measurement is complete, 1 when a scan is lost, 2 when the scene or an option cannot be used, \
            3 when the group cannot be started.
            """)

    @Option(help: ArgumentHelp("Scans per second.", valueName: "Hz"))
    var rate = 240.0

    @Flag(help: "Send each scan when the receipt of the one before has arrived, instead of at a rate.")
    var closedLoop = false

    @Option(help: ArgumentHelp("Duration of the measurement of the group, and of the relay.", valueName: "seconds"))
    var seconds = 20.0

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Number of rounds, in each of which group and relay are measured.", valueName: "count"))
    var repeats = 4

    @Option(
        help: ArgumentHelp("Pin every process and its I/O thread to this CPU, in group and relay.", valueName: "number")
    )
    var affinity: String?

    @Flag(help: "Poll instead of sleeping, in group and relay.")
    var spin = false

    @Option(help: ArgumentHelp("The scene that the app shows (default: an empty window).", valueName: "file"))
    var scene: String?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp("Change one key of the group's configuration; may be repeated.", valueName: "key=value"))
    var changes: [String] = []

    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--rate", rate, in: 1...100_000)
        guard seconds > 0, seconds <= 3600 else {
            throw ValidationError("--seconds: expected more than 0 and at most 3600, found \(seconds)")
        }
        try expect("--repeat", repeats, in: 1...100)
    }

    func run() throws {
        let affinity = affinity ?? ""
        var settings = ["host.spin=\(spin)"]
        if !affinity.isEmpty { settings.append("host.affinity=\(affinity)") }
        let group = try GroupSession(scene: scene, settings: settings + changes)
        let relay = try RelayBench(affinity: affinity, spins: spin)
        let plan = try slice(of: group)

        var hops = HopLatencies()
        var raw = Latencies()
        var bar = ProgressBar(linesEvery: .seconds(10))
        for round in 1...repeats {
            bar.show("round \(round) of \(repeats): raw relay")
            try relay.measure(plan, into: &raw)
            bar.show("round \(round) of \(repeats): group")
            try measure(group, plan, into: &hops)
        }
        bar.clear()
        _ = try group.stop()
        try report(hops, raw)
    }

    /// Returns what one round plays: the same number of scans, at the same pace, for the group and the relay.
    private func slice(of group: GroupSession) throws -> BenchSlice {
        let each = seconds / Double(repeats)
        guard closedLoop else {
            return BenchSlice(
                frames: max(1, Int(rate * each)), warmUp: max(50, Int(rate / 4)), period: UInt64(1e9 / rate))
        }
        // The rate of a closed loop is known only from a trial.
        let trial = PlayOrder(id: 0, source: .synthetic(frames: 2000), pace: .closedLoop)
        let clock = ContinuousClock()
        let start = clock.now
        _ = try group.play(trial, waitLimit: .seconds(30))
        let perSecond = 2000 / (clock.now - start).seconds
        return BenchSlice(frames: max(1, Int(perSecond * each)), warmUp: 500, period: nil)
    }

    private func measure(_ group: GroupSession, _ slice: BenchSlice, into hops: inout HopLatencies) throws {
        let order = PlayOrder(
            id: 0, source: .synthetic(frames: UInt32(slice.frames + slice.warmUp)),
            pace: slice.period.map { .every($0) } ?? .closedLoop, warmUpFrames: UInt32(slice.warmUp), wantsLedgers: true
        )
        let (report, ledgers) = try group.play(order, waitLimit: .seconds(60 + 2 * seconds))
        guard report.failure.isEmpty else { throw Failure.group(report.failure) }
        guard report.sent == report.delivered else {
            throw Failure.negativeResult("\(report.sent) scans sent, \(report.delivered) handled by the app")
        }
        for ledger in ledgers { hops.record(ledger) }
    }

    private func report(_ hops: HopLatencies, _ raw: Latencies) throws {
        let ratio = Double(hops.whole.percentile(50)) / Double(max(1, raw.percentile(50)))
        if result.json {
            return try printJSON(
                BenchFigures(
                    pace: closedLoop ? "closed-loop" : "paced", rate: closedLoop ? nil : rate, seconds: seconds,
                    repeats: repeats, group: .init(hops.whole), relay: .init(raw),
                    hops: zip(HopLatencies.hops, zip(hops.perHop, hops.shares)).map { hop, measured in
                        BenchFigures.Hop(name: hop.name, share: measured.1, latency: .init(measured.0))
                    },
                    ratio: ratio))
        }
        var table = LatencyTable(title: "")
        table.add(hops, whole: "device to app")
        table.add("raw libzmq relay", raw)
        let pace = closedLoop ? "closed loop" : "\(fixedText(rate, digits: 0)) Hz"
        printText(
            "\(pace), \(hops.whole.count) scans in \(repeats) \(repeats == 1 ? "round" : "rounds"), microseconds\n")
        printText(table.text)
        printText("\nratio of medians \(fixedText(ratio, digits: 2))")
        for beyond in [hops.whole.overflowCount, raw.overflowCount] where beyond > 0 {
            printLine("\(beyond) samples longer than a minute are in no row")
        }
    }
}

/// The load of one round.
struct BenchSlice {
    var frames: Int
    /// Frames before the measured ones, not counted.
    var warmUp: Int
    /// In nanoseconds; nil for a closed loop.
    var period: UInt64?
}

/// The raw relay, in rounds.
struct RelayBench: ~Copyable {
    private let folder: String
    private let affinity: String
    private let spins: Bool

    init(affinity: String, spins: Bool) throws {
        (self.affinity, self.spins) = (affinity, spins)
        folder = FileManager.default.temporaryDirectory.path + "/touchline-relay-\(getpid())"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    borrowing func measure(_ slice: BenchSlice, into latencies: inout Latencies) throws {
        var plan = RawRelay.Plan(
            folder: folder, frames: slice.frames, warmUp: slice.warmUp,
            pace: slice.period.map { .every($0) } ?? .closedLoop)
        plan.affinity = affinity
        plan.spins = spins
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        for sample in try RawRelay.measure(plan, program: program, arguments: ["bench", "relay"]) {
            latencies.record(sample.received.nanoseconds - sample.due.nanoseconds)
        }
    }
}

/// The processes of the raw relay. A hidden command.
struct BenchRelay: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "relay", shouldDisplay: false)

    @Argument(parsing: .captureForPassthrough) var role: [String] = []

    func run() throws { throw ExitCode(RawRelay.run(role)) }
}

/// The JSON output, in microseconds.
struct BenchFigures: Encodable {
    struct Row: Encodable {
        var count: UInt64
        var p50, p90, p99, p999, max: Double

        init(_ latencies: Latencies) {
            func microseconds(_ percent: Double) -> Double { Double(latencies.percentile(percent)) / 1000 }
            count = latencies.count
            (p50, p90, p99, p999) = (microseconds(50), microseconds(90), microseconds(99), microseconds(99.9))
            max = Double(latencies.maximum) / 1000
        }

        enum CodingKeys: String, CodingKey { case count, p50, p90, p99, p999 = "p99.9", max }
    }

    struct Hop: Encodable {
        var name: String
        /// The share of the time of all scans, 0...1.
        var share: Double
        var latency: Row
    }

    var pace: String
    var rate: Double?
    var seconds: Double
    var repeats: Int
    var group: Row
    var relay: Row
    var hops: [Hop]
    /// The group's median divided by the relay's.
    var ratio: Double
}
