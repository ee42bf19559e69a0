// BenchLatency.swift: the latency from the device's scan to the app's handled touch, beside the barest relays.
//
// A reference relay consists of three processes. They pass packets of the same sizes over one transport and do nothing
// else (ReferenceRelay.swift). The references and the group alternate for several rounds, so that other load of the
// machine affects all of them.
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
        abstract: "Measure the latency of one finger's scans, hop by hop, against the barest relays.",
        discussion: """
            Starts a group of its own and stops it. In each round the group and the references are measured in turn, at the \
            same pace, with packets of the same sizes. A reference is three processes that only pass packets on:

              zmq        libzmq, a dealer and a router on each hop, as in the group
              seqpacket  unix sockets of the type SOCK_SEQPACKET
              ring       rings in shared memory with a futex

            Latencies are in microseconds. A wake-up is a thread that slept and runs again, in any process on the way.

            --tuned sets all threads on the way to one CPU that stays awake, under SCHED_FIFO, for the group and the \
            references alike, and needs CAP_SYS_NICE. A line reports what is missing. While it runs, the CPU may have no \
            time for other work.

            Build with `swift build -c release` first.

            Exits 0 when the measurement is complete, 1 when a scan is lost or a figure is beyond a limit, 2 when the scene \
            or an option cannot be used, 3 when the group or a reference cannot be started.
            """)

    @Option(help: ArgumentHelp("Scans per second, or bursts of scans.", valueName: "Hz"))
    var rate = 240.0

    @Flag(help: "Send each scan when the receipt of the one before has arrived, instead of at a rate.")
    var closedLoop = false

    @Option(help: ArgumentHelp("Number of scans that are due at once.", valueName: "count"))
    var burst = 1

    @Option(
        help: ArgumentHelp("Duration of the measurement of the group, and of each reference.", valueName: "seconds"))
    var seconds = 20.0

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Number of rounds, in each of which group and references are measured.", valueName: "count"))
    var repeats = 4

    @Option(help: ArgumentHelp("The references, separated by commas, or none.", valueName: "names"))
    var reference = ReferenceList()

    @Option(
        help: ArgumentHelp(
            "Pin every process and its I/O thread to this CPU, in group and references.", valueName: "number"))
    var affinity: String?

    @Flag(help: "Poll instead of sleeping, in group and references.")
    var spin = false

    @Flag(help: "Use one CPU that stays awake, and SCHED_FIFO (by default the last CPU; --affinity names another).")
    var tuned = false

    @OptionGroup var groupOptions: MeasuredGroupOptions

    @Option(
        help: ArgumentHelp(
            "Write each distribution to this folder, as .hgrm and .hlog of HdrHistogram.", valueName: "folder"))
    var histograms: String?

    @Option(
        help: ArgumentHelp(
            "Write each scan of the group to this file, as CSV: when it was due, and its nanoseconds in each hop.",
            valueName: "file"))
    var scans: String?

    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--rate", rate, in: 1...100_000)
        guard seconds > 0, seconds <= 3600 else {
            throw ValidationError("--seconds: expected more than 0 and at most 3600, found \(seconds)")
        }
        try expect("--repeat", repeats, in: 1...100)
        try expect("--burst", burst, in: 1...256)
        if closedLoop, burst > 1 { throw ValidationError("--burst: a closed loop has one scan at a time") }
        let scans = BenchSlice.paced(rate: rate, seconds: seconds / Double(repeats), burst: burst).scans
        guard closedLoop || scans <= UInt32.max else {
            throw ValidationError(
                "--rate, --burst and --seconds: expected at most \(UInt32.max) scans in a round, found \(scans)")
        }
        try groupOptions.settings.expectNoneOfTheCommand(GroupSettingsOption.decidedByBenchmarks)
        guard tuned else { return }
        if spin { throw ValidationError("--tuned: with --spin no process would leave the CPU to the next one") }
        // The CPU may have no time for anything else.
        try expect("--seconds", seconds, in: 0...300, unit: "s with --tuned")
        if let affinity, Int(affinity).map({ !(0..<1024).contains($0) }) ?? true {
            throw ValidationError("--affinity: expected one CPU with --tuned, found \(affinity)")
        }
    }

    func run() throws {
        let judge = try figureOptions.judge()
        if let histograms {
            do {
                try FileManager.default.createDirectory(atPath: histograms, withIntermediateDirectories: true)
            } catch { throw Failure.badInput("\(histograms): cannot be made") }
        }
        if let scans {
            let file = open(scans, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
            guard file >= 0 else {
                throw Failure.badInput("\(scans): cannot be written: \(String(cString: strerror(errno)))")
            }
            close(file)
        }
        var bar = ProgressBar(linesEvery: .seconds(10))
        let measured = try measure { bar.show($0) }
        bar.clear()
        for line in measured.tuningRemarks { printError(line) }
        if let histograms {
            for (series, latencies) in measured.distributions {
                try latencies.writeHistogram(caseName, series, to: histograms, seconds: seconds)
            }
        }
        if let scans { try write(measured.sum.hops.scans, to: scans) }
        var pace = closedLoop ? "closed loop" : "\(fixedText(rate, digits: 0)) Hz"
        if burst > 1 { pace += ", bursts of \(burst)" }
        if let cpu = measured.tunedCPU { pace += ", tuned on CPU \(cpu)" }
        try judge.finish(measured.figures, options: result, json: LatencyJSON(measured, of: self)) {
            measured.text(pace: pace).split(separator: "\n", omittingEmptySubsequences: false)
                .map(String.init)
        }
    }

    /// Writes a line for each scan, in the order of their receipts.
    ///
    /// - Throws: `Failure` with exit code 2.
    private func write(_ scans: [Ledger], to file: String) throws {
        let hops = HopLatencies.hops + [HopLatencies.wholeHop]
        var text = (["due"] + hops.map { $0.name.replacing(" ", with: "-") }).joined(separator: ",") + "\n"
        for scan in scans {
            let times = hops.map { scan.nanoseconds(of: $0) }
            let row = [scan[.device]?.nanoseconds] + times
            text += row.map { $0.map { "\($0)" } ?? "" }.joined(separator: ",") + "\n"
        }
        do { try Data(text.utf8).write(to: URL(filePath: file)) } catch {
            throw Failure.badInput("\(file): cannot be written: \(error.localizedDescription)")
        }
    }

    /// What is measured, in one word.
    private var caseName: String {
        let pace = closedLoop ? "closed-loop" : "\(fixedText(rate, digits: 0))Hz"
        return pace + (burst > 1 ? "-burst\(burst)" : "") + (tuned ? "-tuned" : "")
    }

    /// Measures all rounds, with a group of its own.
    ///
    /// - Parameter show: Receives lines about the progress.
    func measure(showing show: (String) -> Void) throws -> LatencyResult {
        var settings = ["host.spin=\(spin)"]
        if !tuned, let affinity, !affinity.isEmpty { settings.append("host.affinity=\(affinity)") }
        let group = try GroupSession(scene: groupOptions.scene, settings: settings + groupOptions.settings.assignments)
        let report = try group.report()
        let processes = report.processes.compactMap { $0.pid > 0 ? Int32($0.pid) : nil }
        let tuning =
            tuned ? Tuning(cpu: affinity.flatMap { Int($0) } ?? Tuning.lastCPU(), isAlwaysBusy: closedLoop) : nil
        // Its end gives everything back.
        defer { withExtendedLifetime(tuning) {} }
        tuning?.apply(to: processes, besides: [getpid(), report.pid])
        let tracepoint = EventCounter.tracepoint()
        let counter = EventCounter(of: processes, tracepoint: tracepoint.id)
        let references = try ReferenceBench(
            affinity: tuning.map { "\($0.cpu)" } ?? affinity ?? "", spins: spin,
            priority: tuning?.referencePriority ?? 0,
            tracepoint: tracepoint.id)
        let slice = try slice(of: group)

        var result = LatencyResult(caseName, transports: reference.transports)
        result.whyNoSystemCalls = tracepoint.reason
        (result.tunedCPU, result.missing) = (tuning?.cpu, tuning?.missing ?? [])
        for round in 1...repeats {
            var measured = LatencyRound()
            // Each round begins with another one, so that none is always the first.
            let turns = reference.transports.map(Optional.some) + [nil]
            for turn in turns.indices {
                let transport = turns[(turn + round - 1) % turns.count]
                show("round \(round) of \(repeats): \(transport?.title ?? "group")")
                if let transport {
                    measured.references[transport] = try references.measure(transport, slice, limit: waitLimit)
                } else {
                    try measure(group, slice, counter, screen: report.screen, into: &measured)
                }
            }
            result.add(measured)
        }
        _ = try group.stop()
        return result
    }

    private var waitLimit: Duration { .seconds(60 + 2 * seconds) }

    /// Returns what one round plays: the same number of scans, at the same pace, for the group and the references.
    private func slice(of group: GroupSession) throws -> BenchSlice {
        let each = seconds / Double(repeats)
        guard closedLoop else {
            return .paced(rate: rate, seconds: each, burst: burst)
        }
        // The rate of a closed loop is known only from a trial.
        let trial = PlayOrder(id: 0, source: .synthetic(frames: 2000), pace: .closedLoop)
        let clock = ContinuousClock()
        let start = clock.now
        _ = try group.play(trial, waitLimit: .seconds(30))
        let perSecond = 2000 / (clock.now - start).seconds
        return BenchSlice(bursts: max(1, Int(perSecond * each)), warmUp: 500, burst: 1, period: nil)
    }

    private func measure(
        _ group: GroupSession, _ slice: BenchSlice, _ counter: EventCounter, screen: Rect<ScreenSpace>?,
        into round: inout LatencyRound
    ) throws {
        let before = counter.counts()
        let (report, ledgers) = try group.playWhole(slice.order(on: screen), waitLimit: waitLimit)
        let counts = counter.counts() - before
        for ledger in ledgers { round.hops.record(ledger) }
        if scans != nil { round.hops.scans = ledgers }
        round.group = LatencySeries(latencies: round.hops.whole, counts: counts, events: Int(report.sent))
    }
}

/// The references of a run, as an option.
struct ReferenceList: ExpressibleByArgument {
    var transports = ReferenceTransport.allCases

    init() {}

    init?(argument: String) {
        let names = argument == "none" ? [] : argument.split(separator: ",", omittingEmptySubsequences: false)
        let transports = names.compactMap { ReferenceTransport(rawValue: String($0)) }
        guard transports.count == names.count, Set(transports).count == transports.count else { return nil }
        self.transports = transports
    }

    var defaultValueDescription: String { transports.map(\.rawValue).joined(separator: ",") }
}

/// The reference relays, in rounds.
struct ReferenceBench: ~Copyable {
    private let folder: String
    private let affinity: String
    private let spins: Bool
    private let priority: Int32
    private let tracepoint: UInt64?

    init(affinity: String, spins: Bool, priority: Int32, tracepoint: UInt64?) throws {
        (self.affinity, self.spins, self.priority, self.tracepoint) = (affinity, spins, priority, tracepoint)
        folder = FileManager.default.temporaryDirectory.path + "/touchline-relay-\(getpid())"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    borrowing func measure(
        _ transport: ReferenceTransport, _ slice: BenchSlice, limit: Duration
    ) throws -> LatencySeries {
        var plan = ReferencePlan(
            transport, in: folder, frames: slice.bursts * slice.burst, warmUp: slice.warmUp * slice.burst,
            period: slice.period)
        (plan.burst, plan.affinity, plan.spins) = (slice.burst, affinity, spins)
        (plan.priority, plan.tracepoint) = (priority, tracepoint ?? 0)
        let run = try plan.measure(program: thisProgram.path, arguments: ["bench", "relay"], within: limit)
        var series = LatencySeries(counts: run.counts, events: plan.frames, cpus: run.cpus)
        for sample in run.samples {
            series.latencies.record(sample.received.nanoseconds - sample.due.nanoseconds)
        }
        return series
    }
}

/// The processes of a reference relay. A hidden command.
struct BenchRelay: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "relay", shouldDisplay: false)

    @Argument(parsing: .captureForPassthrough) var role: [String] = []

    func run() throws { throw ExitCode(ReferencePlan.play(role)) }
}
