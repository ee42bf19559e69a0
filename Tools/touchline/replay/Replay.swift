// Replay.swift: `touchline replay`: plays a recording or a finger script in the running group and prints the result. Or
// replays a group's run from its journals (JournalReplay.swift).

import ArgumentParser
import Basics
import Glibc
import HID
import Wire
import ZeroMQHost

/// The command `touchline replay`.
struct Replay: CommandWithResult {
    static let configuration = CommandConfiguration(
        abstract: "Play a recording into the running group, or replay a run from its journals.",
        discussion: """
            With a file, the command plays it into the running group. It reads the file first, so that a file with a fault \
            never reaches the group. Fingers that are down at the end of the file are cancelled, and Ctrl-C ends the play \
            and cancels them too. Points of scripts and pixels of WebDriver actions are points of the group's screen.

            --latency prints the time of the scans in each hop, as `touchline demo` does, also for the scans in journals.

            With --journal, no group is needed. The command replays the inputs of every process of a run in the same cores, \
            prints the trace, and compares the effects with those of the run.

            An app with a program of its own is replayed by that program, which --app-executable names.

            With --step it stops at each step, first at that of --until. Then n or an empty line shows the next step, p the \
            one before, a number that step, and q ends. With --process it stops at the steps of that process only.

            Exits 0 when all touches arrived or the replayed effects are identical, 1 when touches were lost, a step \
            differs or the journals are incomplete, 2 when a file cannot be read or has another version, 3 when no group \
            is running.
            """)

    @Argument(
        help: ArgumentHelp(
            "A recording in any format that `touchline decode` reads, or a finger script.", valueName: "file")
    )
    var file: String?

    @Option(help: ArgumentHelp("A run directory, or its folder of journals.", valueName: "folder"))
    var journal: String?

    @Option(
        help: ArgumentHelp(
            "Replay the journals up to this time (1500ms or 1.5s) or this number of steps; with --step, from there on.",
            valueName: "time|count"))
    var until: JournalReplay.Limit?

    @Flag(help: "Stop at each step of the journals.")
    var step = false

    @Option(help: ArgumentHelp("Print only this process of the journals: app1, system-server.", valueName: "name"))
    var process: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Speed of the play: 1 is that of the recording, 2 twice as fast, max as fast as the group allows.",
            valueName: "number|max"))
    var speed: PlaySpeed = .times(1)

    @Option(
        name: .customLong("repeat"), parsing: .unconditional,
        help: ArgumentHelp("Number of times to play the file.", valueName: "count"))
    var repeats: Int = 1

    @Option(
        help: ArgumentHelp(
            "The file with the axes of the device, for a recording without them: an evemu file with A: lines.",
            valueName: "file"))
    var describe: String?

    @Flag(help: "Print the latency of each hop.")
    var latency = false

    @OptionGroup var replayed: ReplayProgramsOption
    @OptionGroup var displayOption: DisplayOption

    @OptionGroup var result: ResultOptions
    @OptionGroup var runDirectory: RunDirectory

    func validate() throws {
        try expect("--repeat", repeats, in: 1...1_000_000)
        switch (file, journal) {
        case (nil, nil): throw ValidationError("expected a file to play, or --journal, found neither")
        case (.some, .some): throw ValidationError("expected a file to play, or --journal, found both")
        case (.some, nil) where until != nil || step || process != nil || !replayed.executables.isEmpty:
            throw ValidationError(
                "--until, --step, --process and --app-executable: expected --journal too, found none")
        case (nil, .some) where latency && (step || process != nil):
            throw ValidationError("--latency: expected neither --step nor --process")
        case (nil, .some) where result.json && step: throw ValidationError("expected --json or --step, found both")
        default: break
        }
        if let process, Peer(process) == nil {
            throw ValidationError("--process: expected a name such as app1 or system-server, found \(process)")
        }
    }

    func run() throws {
        if let journal {
            var replay = try JournalReplay(
                folder: absolute(journal), until: until, only: process.flatMap { Peer($0) }, isTraced: !result.json,
                programs: replayed.programs)
            return step ? try replay.walk() : try replay.run(json: result.json, latency: latency)
        }
        if let file { try play(file) }
    }

    private func play(_ file: String) throws {
        let axes = try describe.map { try DeviceDescriptionFile.axes(in: $0) }
        // A useless file is reported without a group as well.
        let group = Result { try runDirectory.connect() }
        let screen = try (try? group.get()).flatMap { try? GroupReport(from: $0) }.flatMap {
            try displayOption.screen(of: $0)
        }
        let recording = try Playable(
            contentsOf: file, axes: axes,
            screen: screen.map { ScreenGeometry(width: $0.width, height: $0.height, rotation: 0) })
        let client = try group.get()
        var order = PlayOrder(
            id: 1, source: .file(absolute(file)), pace: speed.pace, repeats: UInt32(repeats),
            wantsLedgers: latency, ranges: axes)
        order.display = displayOption.display
        var player = GroupPlayer(client: client)
        try player.order(order)
        var latencies = HopLatencies()
        let report = try awaitReport(
            of: file, from: &player, expected: speed.duration(of: recording.duration, repeats: repeats)
        ) { for ledger in $0 { latencies.record(ledger) } }
        let played = ReplayResult(
            file: file, recording: recording, report: report, latencies: latency ? latencies : nil)
        // A play that never began, or lost its input-kit, has no counts.
        if result.json {
            try printJSON(played.json)
        } else if report.sent > 0 {
            for line in played.text { printLine(line) }
        }
        if !report.failure.isEmpty { throw Failure.negativeResult("\(file): stopped early: \(report.failure)") }
        if let losses = played.losses { throw Failure.negativeResult("\(file): \(losses)") }
    }

    /// The limit beyond a play's own length, which at `max` is unknown.
    private static let waitLimit = Duration.seconds(120)

    private func whole(_ duration: Duration) -> String { "\(fixedText(duration.seconds, digits: 0)) s" }

    /// Waits for the report, and prints the expected progress at intervals.
    private func awaitReport(
        of file: String, from player: inout GroupPlayer, expected: Duration, measured: ([Ledger]) -> Void
    ) throws -> PlayReport {
        while true {
            switch try player.next(within: .seconds(2)) {
            case .ended(let report): return report
            case .refused(let reason): throw Failure.group("refused: \(reason)")
            case .measured(let ledgers): measured(ledgers)
            case .other: continue
            case .none:
                let elapsed = player.begun.duration(to: monotonicNow())
                let of = expected == .zero ? "" : " of about \(whole(expected))"
                guard elapsed < expected + Self.waitLimit else {
                    throw Failure.negativeResult(
                        "no report after \(whole(elapsed))\(of): look at the group with `touchline status`")
                }
                printError("playing \(file): \(whole(elapsed))\(of)")
            }
        }
    }
}

/// The speed of a play, as typed.
enum PlaySpeed: ExpressibleByArgument, CustomStringConvertible {
    case times(Double)
    case max

    init?(argument: String) {
        if argument == "max" {
            self = .max
        } else if let factor = Double(argument), (0.001...1000).contains(factor) {
            self = .times(factor)
        } else {
            return nil
        }
    }

    var description: String {
        switch self {
        case .times(let factor): factor == factor.rounded() ? fixedText(factor, digits: 0) : "\(factor)"
        case .max: "max"
        }
    }

    var pace: PlayOrder.Pace {
        switch self {
        case .times(let factor): .times(UInt32((factor * 1000).rounded()))
        case .max: .max
        }
    }

    func duration(of recording: Duration, repeats: Int) -> Duration {
        switch self {
        case .times(let factor): Duration(seconds: recording.seconds * Double(repeats) / factor)
        case .max: .zero
        }
    }
}
