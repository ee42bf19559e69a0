// MonkeyGestures.swift: `touchline monkey gestures`: drawn gestures in the running group or in a simulated one.
//
// ScriptMonkey draws and plays; RunningStage and SimulatedStage are the two groups.

import ArgumentParser
import Basics
import Glibc

/// The command `touchline monkey gestures`.
struct MonkeyGestures: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "gestures",
        abstract: "Play drawn gestures into the running group, or into a simulated one.",
        discussion: """
            After each gesture every sent frame must have been answered, every touch must have ended, and every process \
            must still run. At the end no process may hold a touch, a key or a frame. With --simulated a whole group \
            runs in virtual time, and the laws of its trace are checked too: each touch has one owner and one end.

            A failure is reduced to the shortest script that still fails. The command prints the script, and the \
            command line that plays it again.

            Exits 0 when all laws hold, 1 when a law is broken, 2 when an option or a file cannot be used, 3 when no \
            group is running or not every process is ready.

            EXAMPLES
              touchline monkey gestures --seed 7 --events 5000
              touchline monkey gestures --simulated --app photo --profile Config/Profiles/multitouch.yaml
            """)

    @OptionGroup var options: MonkeyGestureOptions

    @OptionGroup var profile: MonkeyProfileOption

    @Option(help: ArgumentHelp("Seed of the gestures.", valueName: Seeds.singleValueName))
    var seed = Seeds(first: 1, last: 1)

    @Option(help: ArgumentHelp("Number of events that the devices report.", valueName: "count"))
    var events = 1000

    @Option(
        help: ArgumentHelp(
            "Limit of tries to reduce a failure; 0 skips the reduction (default: 60, with --simulated 2000).",
            valueName: "count"))
    var shrink: Int?

    @Option(
        help: ArgumentHelp(
            """
            Fail on purpose when two fingers are down and one moves: by a broken law, or with --simulated by a trap or \
            a hang of the process.
            """, valueName: "name"))
    var rehearse: MonkeyRehearsal?

    @Option(
        help: ArgumentHelp(
            "With --simulated: limit of one answer of the simulated group (default: 30).", valueName: "seconds"))
    var timeout: Double?

    @OptionGroup var result: ResultOptions

    /// Runs a simulated group that answers questions on stdin; a hidden option.
    @Flag(help: .hidden) var worker = false

    func validate() throws {
        _ = try seed.single
        try expect("--events", events, in: 1...1_000_000_000)
        try expect("--shrink", shrink, in: 0...1_000_000)
        try expect("--timeout", timeout, in: 0.1...86_400, unit: "seconds")
        guard !options.isSimulated else { return }
        guard options.scene == nil, options.app == nil else {
            throw ValidationError(
                "--scene and --app: expected with --simulated; the running group has its own content")
        }
        guard timeout == nil else { throw ValidationError("--timeout: expected with --simulated") }
        guard rehearse ?? .law == .law else {
            throw ValidationError("--rehearse trap, --rehearse hang: expected with --simulated")
        }
    }

    func run() throws {
        // An ended worker is known by its missing answer, not by SIGPIPE at the next question.
        signal(SIGPIPE, SIG_IGN)
        if worker { return try SimulationWorker(options: options, rehearses: rehearse).run() }
        let profile = try profile.read()
        let stage: any MonkeyStage =
            options.isSimulated
            ? try SimulatedStage(
                options: options, rehearses: rehearse, answerLimit: Duration(seconds: timeout ?? 30))
            : try RunningStage(client: options.runDirectory.connect(), speed: options.speed)
        var monkey = ScriptMonkey(
            seed: try seed.single, events: events, options: options, profile: profile,
            tries: shrink ?? (options.isSimulated ? 2000 : 60), rehearsal: rehearse, stage: stage)
        let outcome = try monkey.run(progress)
        progress("")
        try outcome.printResult(asJSON: result.json)
        if outcome.failure != nil { throw ExitCode(1) }
    }
}
