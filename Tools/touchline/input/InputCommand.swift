// InputCommand.swift: `touchline input`: gestures, keys and pointers for the running group.

import ArgumentParser
import Basics
import HID
import Synthesis
import Wire

/// The command `touchline input`.
struct InputCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "input",
        abstract: "Play gestures, keys and buttons into the running group, and wait until its apps have handled them.",
        discussion: """
            Points are screen points, as 100,200 or as 100 200. Missing points and lengths have defaults: the middle of the \
            screen, half of the screen. Fingers move straight and at an even pace. With --human they move as a hand does, \
            drawn from --seed. --id begins at the middle of the view with this accessibilityIdentifier, as soon as a touch \
            reaches it. --print prints the script, which `touchline input script` and `touchline replay` play.

            Each subcommand returns when the group has handled its input. `touchline input --marker` returns when the group has \
            handled all earlier input, of any command or device. It is refused if an app handles nothing for 2 s.

            --receipt explains each finger and each key: its app and view, its recognizers with the end of each, the called \
            actions, and one cause for the outcome. It waits for undecided recognizers, at most 2 s.

            \(InputOptions.exits)

            EXAMPLES
              touchline input tap 187,333
              touchline input tap --id card
              touchline input swipe left
              touchline input tap 187,333 --receipt
              touchline input pinch --scale 2 --human --seed 7
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
struct MarkerCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "marker",
        abstract: "Wait until the group has handled all earlier input. Also `touchline input --marker`.",
        discussion: """
            Exits 0 when all earlier input has been handled, 1 when an app does not handle its input, 2 when an option \
            cannot be used, 3 when no group is running or it stays busy for longer than --timeout.
            """)

    @OptionGroup var options: MarkerOptions

    var result: ResultOptions { options.result }

    func run() throws { try options.run() }
}

/// The options of a marker, as a word or as a flag.
struct MarkerOptions: ParsableArguments {
    @OptionGroup var timeoutOption: TimeoutOption
    @OptionGroup var result: ResultOptions
    @OptionGroup var runDirectory: RunDirectory

    func run() throws {
        let client = try runDirectory.connect()
        let begun = monotonicNow()
        var player = GroupPlayer(client: client, waitLimit: timeoutOption.limit)
        let report = try player.play(.marker, length: .zero)
        let waited = begun.duration(to: monotonicNow())
        guard report.failure.isEmpty else { throw Failure.negativeResult("marker: \(report.failure)") }
        if result.json {
            try printJSON(["waitedSeconds": waited.seconds])
        } else {
            printLine("all earlier input has been handled; waited \(waited.milliseconds)")
        }
    }
}

/// The command without a word, or with options before the word: `touchline input --marker`, `touchline input --run-dir
/// DIR tap`.
struct InputWithoutSubcommand: CommandWithResult {
    static let configuration = CommandConfiguration(commandName: "none", shouldDisplay: false)

    @Flag(help: "Wait until the group has handled all earlier input, as the word marker.")
    var marker = false

    /// A word after the options, with its own arguments; or an unknown word.
    @Argument(parsing: .captureForPassthrough, help: .hidden) var words: [String] = []

    @OptionGroup var options: MarkerOptions

    var result: ResultOptions { options.result }

    func run() throws {
        if let word = words.first { return try run(word) }
        guard marker else {
            throw Failure.badInput("input: expected a subcommand such as `tap`, or --marker, found nothing; see --help")
        }
        try options.run()
    }

    /// Runs `touchline input --run-dir DIR tap`: the options belong to the word.
    private func run(_ word: String) throws {
        let commands = InputCommand.configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
        let known = commands.compactMap(\.commandName)
        guard known.contains(word) || commands.contains(where: { $0.aliases.contains(word) }) else {
            let near = nearestName(to: word, among: known).map { ", did you mean \($0)?" } ?? "; see --help"
            throw Failure.badInput("input: expected a subcommand such as `tap`, found \(quoted(word))\(near)")
        }
        let given =
            (options.runDirectory.givenPath.map { ["--run-dir", $0] } ?? [])
            + (options.timeoutOption.timeout.map { ["--timeout", "\($0)"] } ?? []) + result.words
        var command = try InputCommand.parseAsRoot([word] + given + words.dropFirst())
        if let command = command as? any CommandWithResult { try command.result.redirectOutput() }
        try command.run()
    }
}

/// --timeout, the limit for a group that is busy with another play.
struct TimeoutOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Wait at most S seconds for a group that is busy with another play (default: 30).", valueName: "seconds"))
    var timeout: Double?

    var limit: Duration { Duration(seconds: timeout ?? 30) }

    func validate() throws {
        try expect("--timeout", timeout, in: 0...86_400, unit: "seconds")
    }
}

/// A word of `touchline input` that plays something.
protocol InputWord: CommandWithResult {
    var input: InputOptions { get }
}

extension InputWord {
    var result: ResultOptions { input.result }
}

/// The options of every subcommand.
struct InputOptions: ParsableArguments {
    /// The exit codes of every subcommand that plays input.
    static let exits = """
        Exits 0 when all input arrived or was taken by a touch monitor or a system gesture, 1 when some was lost or the \
        view of --id takes no touch, 2 when the input or an option cannot be used, 3 when no group is running or it stays busy for longer than --timeout.
        """

    @Flag(help: "Move the fingers as a human hand does, drawn from --seed.")
    var human = false

    @Option(help: ArgumentHelp("With --human: the seed of the hand (default: 1).", valueName: Seeds.singleValueName))
    var seed: Seeds?

    @Option(help: ArgumentHelp("Samples per second, 20 to 240.", valueName: "Hz"))
    var rate = 60

    @Option(name: .customLong("repeat"), help: ArgumentHelp("Number of times to play the input.", valueName: "count"))
    var repeats = 1

    @Option(help: ArgumentHelp("Pause between two times.", valueName: "seconds"))
    var interval: Double = 0.5

    @Flag(name: .customLong("print"), help: "Print the script instead of playing it.")
    var prints = false

    @Flag(help: "Explain each finger and key: its app, view and recognizers, and the cause of the outcome.")
    var receipt = false

    @Option(
        help: ArgumentHelp("The size of the screen in points, instead of the group's screen.", valueName: "WxH"),
        transform: screenGeometry(named:))
    var screen: ScreenGeometry?

    @OptionGroup var displayOption: DisplayOption
    @OptionGroup var timeoutOption: TimeoutOption
    @OptionGroup var result: ResultOptions
    @OptionGroup var runDirectory: RunDirectory

    func validate() throws {
        try expect("--rate", rate, in: Synthesizer.rates)
        try expect("--repeat", repeats, in: 1...100_000)
        try expect("--interval", interval, in: 0...3600, unit: "seconds")
        if let seed {
            guard human else { throw ValidationError("--seed: expected --human too, found none") }
            _ = try seed.single
        }
    }

    /// The seed of the human hand; nil for exact gestures.
    var handSeed: UInt64? {
        get throws { human ? try seed?.single ?? 1 : nil }
    }

    /// The size of `--screen`; nil to use the group's.
    var givenScreen: Rect<ScreenSpace>? {
        screen.map { Rect(x: 0, y: 0, width: $0.width, height: $0.height) }
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
