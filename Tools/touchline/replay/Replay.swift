// Replay.swift: plays a recording or a finger script into a running group and says what arrived.

import ArgumentParser
import Basics
import Glibc
import HID
import Wire
import ZeroMQHost

struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a recording or a finger script into the running group and report what arrived.",
        discussion: """
            The file is read here first: one that cannot be read never reaches the group. Fingers still down at its \
            end are cancelled, and so they are when this command is ended by Ctrl-C: the play ends with it.

            Exits 0 when everything sent arrived, 1 when something was lost, 2 when the file cannot be read, 3 when \
            no group is running. A script's points, and WebDriver's pixels, are of the group's screen.
            """)

    @Argument(
        help: ArgumentHelp("A recording in any format `touchline decode` reads, or a finger script.", valueName: "file")
    )
    var file: String

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

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @OptionGroup var runDirectory: RunDirectory

    func validate() throws {
        guard (1...1_000_000).contains(repeats) else {
            throw ValidationError("--loop: expected a whole number from 1 to 1000000, found \(repeats)")
        }
    }

    func run() throws {
        let axes = try describe.map { try DeviceDescriptionFile.axes(in: $0) }
        // A file that is no use is one without a group as well.
        let group = Result { try runDirectory.connect() }
        let screen = (try? group.get()).flatMap { try? GroupReport(from: $0).screen }
        let recording = try Playable(
            contentsOf: file, axes: axes,
            screen: screen.map { ScreenGeometry(width: $0.width, height: $0.height, rotation: 0) })
        let client = try group.get()
        let order = PlayOrder(
            id: 1, source: .file(absolute(file)), pace: speed.pace, repeats: UInt32(repeats),
            ranges: axes)
        try client.ask(.play(order))
        let report = try awaitReport(from: client, expected: speed.duration(of: recording.duration, repeats: repeats))
        let result = ReplayResult(file: file, recording: recording, report: report)
        // Of a play that never began, or whose input-kit died, there is nothing to count.
        if json { try printJSON(result.json) } else if report.sent > 0 { for line in result.text { say(line) } }
        if !report.failure.isEmpty { throw Failure.no("\(file): stopped early: \(report.failure)") }
        if result.isLossy { throw Failure.no("\(file): \(result.losses)") }
    }

    /// Beyond a play's own length, which at `max` is not known.
    private static let patience = Duration.seconds(120)

    private func whole(_ duration: Duration) -> String { "\(fixedText(duration.seconds, digits: 0)) s" }

    /// Waits for the report, saying once in a while how far it should be.
    private func awaitReport(from client: ControlClient, expected: Duration) throws -> PlayReport {
        let begun = monotonicNow()
        while true {
            switch try client.next(timeout: .seconds(2)) {
            case .played(let report): return report
            case .refused(let reason): throw Failure(code: 3, line: "refused: \(reason)")
            case .some: continue
            case nil:
                let elapsed = begun.duration(to: monotonicNow())
                let of = expected == .zero ? "" : " of about \(whole(expected))"
                guard elapsed < expected + Self.patience else {
                    throw Failure.no(
                        "no report after \(whole(elapsed))\(of): look at the group with `touchline status`")
                }
                complain("playing \(file): \(whole(elapsed))\(of)")
            }
        }
    }
}

/// How fast, as a person says it.
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
