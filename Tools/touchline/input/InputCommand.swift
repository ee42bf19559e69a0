// InputCommand.swift: `touchline input`: gestures, keys and pointers for the running group.

import ArgumentParser
import Basics
import Synthesis
import Wire

/// The command `touchline input`.
struct InputCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "input",
        abstract: "Tap, swipe, pinch, type into the running group, and wait until the app has handled it.",
        discussion: """
            Points are screen points, as 100,200 or as 100 200; what is not said is chosen: the screen's middle, half \
            of the screen. A gesture is drawn with a ruler at an even pace; with --human SEED by a hand that trembles, \
            and the same seed gives the same script. --print writes the script, which `touchline replay` plays.

            Every word returns when what it sent has been handled. `touchline input --marker` returns when everything \
            sent before it has been, by whatever command or device. Behind an app that handles nothing for 2 s it is \
            refused, however long it may wait.

            --receipt says of each finger and each key which app and view had it, which recognizers heard it and how \
            each ended, which actions it called, and one cause: why it did what it did, or why nothing. It waits for \
            recognizers that wait, at most 2 s.

            Exits 0 when everything arrived or was taken by a touch monitor or a system gesture, 1 when something was \
            lost, 2 when what was asked for is no such gesture, 3 when no group is running, or it is busy for too long.

            EXAMPLES
              touchline input tap 187,333
              touchline input swipe left
              touchline input tap 187,333 --receipt
              touchline input pinch --scale 2 --human 7
              touchline input tap --display 2
              touchline input text 'hello'
              touchline input tap --repeat 10 --interval 0.5 --print | touchline input script -
            """,
        subcommands: [
            TapCommand.self, DoubleTapCommand.self, TripleTapCommand.self, TwoFingerTapCommand.self,
            LongPressCommand.self,
            SwipeCommand.self, PanCommand.self, DragCommand.self, EdgeSwipeCommand.self, PinchCommand.self,
            RotateCommand.self,
            PressCommand.self, KeyCommand.self, TextCommand.self, HeadsetCommand.self, ShakeCommand.self,
            ScrollCommand.self,
            WheelCommand.self, HoverCommand.self, ActCommand.self, ScriptCommand.self, MarkerCommand.self,
            InputWithoutSubcommand.self,
        ],
        defaultSubcommand: InputWithoutSubcommand.self)
}

/// The command `touchline input marker`.
struct MarkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marker",
        abstract: "Play nothing; return when the app has handled everything sent before. Also `--marker`.")

    @OptionGroup var options: MarkerOptions

    func run() throws { try options.run() }
}

/// The options of a marker, as a word or as a flag.
struct MarkerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Seconds to wait for it; 30 by default.", valueName: "seconds"))
    var wait: Double?

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @OptionGroup var runDirectory: RunDirectory

    func validate() throws {
        if let wait, !(0...86_400).contains(wait) {
            throw ValidationError("--wait: expected 0 to 86400 seconds, found \(wait)")
        }
    }

    func run() throws {
        let client = try runDirectory.connect()
        let begun = monotonicNow()
        var player = GroupPlayer(client: client, waitLimit: Duration(seconds: wait ?? 30))
        let report = try player.play(.marker, length: .zero)
        let waited = begun.duration(to: monotonicNow())
        guard report.failure.isEmpty else { throw Failure.negativeResult("marker: \(report.failure)") }
        if json {
            try printJSON(["waitedSeconds": waited.seconds])
        } else {
            printLine("everything sent before has been handled; waited \(waited.milliseconds)")
        }
    }
}

/// The command without a word, or with options before the word: `touchline input --marker`, `touchline input --run-dir
/// DIR tap`.
struct InputWithoutSubcommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "none", shouldDisplay: false)

    @Flag(help: "As the word marker.")
    var marker = false

    /// A word after the options, with its own arguments; or an unknown word.
    @Argument(parsing: .captureForPassthrough, help: .hidden) var words: [String] = []

    @OptionGroup var options: MarkerOptions

    func run() throws {
        if let word = words.first { return try run(word) }
        guard marker else {
            throw Failure.badInput("input: expected what to do, as `touchline input tap`, or --marker; see --help")
        }
        try options.run()
    }

    /// Runs `touchline input --run-dir DIR tap`: the options belong to the word.
    private func run(_ word: String) throws {
        let commands = InputCommand.configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
        let known = commands.compactMap(\.commandName)
        guard known.contains(word) || commands.contains(where: { $0.aliases.contains(word) }) else {
            let near = nearestName(to: word, among: known).map { ", did you mean \($0)?" } ?? "; see --help"
            throw Failure.badInput("input: expected what to do, found \(quoted(word))\(near)")
        }
        let given =
            (options.runDirectory.givenPath.map { ["--run-dir", $0] } ?? [])
            + (options.wait.map { ["--wait", "\($0)"] } ?? []) + (options.json ? ["--json"] : [])
        var command = try InputCommand.parseAsRoot([word] + given + words.dropFirst())
        try command.run()
    }
}

/// The options of every word.
struct InputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("By a human hand out of this seed, instead of with a ruler.", valueName: "seed"))
    var human: UInt64?

    @Option(help: ArgumentHelp("Samples a second, 20 to 240.", valueName: "Hz"))
    var rate = 60

    @Option(name: .customLong("repeat"), help: ArgumentHelp("Do it so many times.", valueName: "count"))
    var repeats = 1

    @Option(help: ArgumentHelp("Seconds between one time and the next.", valueName: "seconds"))
    var interval: Double = 0.5

    @Flag(name: .customLong("print"), help: "Print the script instead of playing it.")
    var prints = false

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @Flag(help: "Then say of each finger and key who had it, what heard it, and what came of it or why nothing.")
    var receipt = false

    @Option(
        help: ArgumentHelp(
            "The screen's size in points, instead of asking the group for it.", valueName: "width,height"))
    var screen: String?

    @OptionGroup var displayOption: DisplayOption

    @Option(help: ArgumentHelp("Seconds to wait for a group that is busy with another play.", valueName: "seconds"))
    var wait: Double = 30

    @OptionGroup var runDirectory: RunDirectory

    func validate() throws {
        func expect(_ option: String, _ isSo: Bool, _ expected: String, _ found: String) throws {
            guard isSo else { throw ValidationError("\(option): expected \(expected), found \(found)") }
        }
        try expect("--rate", Synthesizer.rates.contains(rate), "20 to 240", "\(rate)")
        try expect("--repeat", (1...100_000).contains(repeats), "1 to 100000", "\(repeats)")
        try expect("--interval", (0...3600).contains(interval), "0 to 3600 seconds", "\(interval)")
        try expect("--wait", (0...86_400).contains(wait), "0 to 86400 seconds", "\(wait)")
        if let screen {
            let numbers = try PointArguments.numbers(screen, called: "--screen")
            let isSize = numbers.count == 2 && numbers.allSatisfy { (1...100_000).contains($0) }
            try expect("--screen", isSize, "a size as 375,667", "\"\(screen)\"")
        }
    }

    /// The size of `--screen`; nil to use the group's.
    var givenScreen: Rect<ScreenSpace>? {
        guard let screen, let numbers = try? PointArguments.numbers(screen, called: "--screen") else { return nil }
        return Rect(x: 0, y: 0, width: numbers[0], height: numbers[1])
    }
}

/// Points as typed: `100,200`, `100 200`, `10,20 300,400`.
enum PointArguments {
    static func numbers(_ text: String, called name: String) throws -> [Double] {
        try text.split(whereSeparator: { $0 == "," || $0 == " " }).map { word in
            guard let number = Double(word), number.isFinite else {
                throw Failure.badInput("\(name): expected numbers as 100,200, found \"\(word)\"")
            }
            return number
        }
    }

    /// - Parameter counts: The allowed numbers of points.
    static func points(
        _ words: [String], _ counts: ClosedRange<Int>, called name: String
    ) throws -> [Point<ScreenSpace>] {
        let numbers = try words.flatMap { try Self.numbers($0, called: name) }
        let count = numbers.count / 2
        guard numbers.count % 2 == 0, counts.contains(count) else {
            let most = counts.upperBound
            let expected =
                counts.lowerBound == most
                ? (most == 1 ? "a point" : "\(most) points")
                : most == 1 ? "a point or nothing" : "at most \(most) points"
            throw Failure.badInput(
                "\(name): expected \(expected), as 100,200, found \"\(words.joined(separator: " "))\"")
        }
        return (0..<count).map { Point(numbers[2 * $0], numbers[2 * $0 + 1]) }
    }
}
