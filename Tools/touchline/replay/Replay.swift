// Replay.swift: `touchline replay`: plays a recording or a finger script in the running group and prints the result. Or
// replays a group's run from its journals (JournalReplay.swift).

import ArgumentParser
import Basics
import Glibc
import HID
import Wire
import ZeroMQHost

/// The command `touchline replay`.
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a recording into the running group, or a group's journals through its cores again.",
        discussion: """
            With a file: the file is read here first: one that cannot be read never reaches the group. Fingers still down at its \
            end are cancelled, and so they are when this command is ended by Ctrl-C: the play ends with it.

            Exits 0 when everything sent arrived, 1 when something was lost, 2 when the file cannot be read, 3 when \
            no group is running. A script's points, and WebDriver's pixels, are of the group's screen.

            With --journal: no group is needed. What every process of a run was given is given to the same cores again, \
            and its trace printed. Exits 0 when every core answered as it did, 1 at the first step that differs and when \
            journals are not whole, 2 when they cannot be read or are another version's.

            With --step it stops at each step, the first being that of --until; then n or an empty line is the next, p \
            the one before, a number that step, q the end. With --process all of these are that process's.
            """)

    @Argument(
        help: ArgumentHelp("A recording in any format `touchline decode` reads, or a finger script.", valueName: "file")
    )
    var file: String?

    @Option(help: ArgumentHelp("A run directory, or its folder of journals.", valueName: "folder"))
    var journal: String?

    @Option(
        help: ArgumentHelp(
            "Replay journals up to here, or with --step from here: 1500ms or 1.5s since they begin, or so many steps.",
            valueName: "time|step"))
    var until: JournalReplay.Limit?

    @Flag(help: "Stop at every step of the journals.")
    var step = false

    @Option(help: ArgumentHelp("Of the journals, print this process only: app1, system-server.", valueName: "name"))
    var process: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "1 is the recording's own pace, 2 twice as fast, max as fast as it is taken.", valueName: "1|N|max"))
    var speed: PlaySpeed = .times(1)

    @Option(
        name: .customLong("loop"), parsing: .unconditional,
        help: ArgumentHelp("Play it so many times.", valueName: "count"))
    var repeats: Int = 1

    @Option(
        help: ArgumentHelp(
            "The device's description, for a recording of events alone: an evemu file with A: lines.",
            valueName: "file"))
    var describe: String?

    @OptionGroup var displayOption: DisplayOption

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @OptionGroup var runDirectory: RunDirectory

    func validate() throws {
        guard (1...1_000_000).contains(repeats) else {
            throw ValidationError("--loop: expected a whole number from 1 to 1000000, found \(repeats)")
        }
        switch (file, journal) {
        case (nil, nil): throw ValidationError("expected a file to play, or --journal, found neither")
        case (.some, .some): throw ValidationError("expected a file to play, or --journal, found both")
        case (.some, nil) where until != nil || step || process != nil:
            throw ValidationError("--until, --step and --process: expected --journal with them, found none")
        case (nil, .some) where json && step: throw ValidationError("expected --json or --step, found both")
        default: break
        }
        if let process, Peer(process) == nil {
            throw ValidationError("--process: expected a name such as app1 or system-server, found \(process)")
        }
    }

    func run() throws {
        if let journal {
            var replay = try JournalReplay(
                folder: absolute(journal), until: until, only: process.flatMap { Peer($0) }, isTraced: !json)
            return step ? try replay.walk() : try replay.run(json: json)
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
            ranges: axes)
        order.display = displayOption.display
        var player = GroupPlayer(client: client)
        try player.order(order)
        let report = try awaitReport(
            of: file, from: &player, expected: speed.duration(of: recording.duration, repeats: repeats))
        let result = ReplayResult(file: file, recording: recording, report: report)
        // A play that never began, or lost its input-kit, has no counts.
        if json { try printJSON(result.json) } else if report.sent > 0 { for line in result.text { printLine(line) } }
        if !report.failure.isEmpty { throw Failure.negativeResult("\(file): stopped early: \(report.failure)") }
        if let losses = result.losses { throw Failure.negativeResult("\(file): \(losses)") }
    }

    /// The limit beyond a play's own length, which at `max` is unknown.
    private static let waitLimit = Duration.seconds(120)

    private func whole(_ duration: Duration) -> String { "\(fixedText(duration.seconds, digits: 0)) s" }

    /// Waits for the report, and prints the expected progress at intervals.
    private func awaitReport(of file: String, from player: inout GroupPlayer, expected: Duration) throws -> PlayReport {
        while true {
            switch try player.next(within: .seconds(2)) {
            case .ended(let report): return report
            case .refused(let reason): throw Failure.group("refused: \(reason)")
            case .measured, .other: continue
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
