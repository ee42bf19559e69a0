// MonkeyKills.swift: `touchline monkey kills`: gestures in a group of its own while apps are killed.
//
// KillingMonkey runs it.

import ArgumentParser

/// The command `touchline monkey kills`.
struct MonkeyKills: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "kills",
        abstract: "Play gestures into a group of its own while apps are killed, and audit the journals.",
        discussion: """
            Gestures are played at --rate, while the screen changes (other apps, two apps side by side, calls, lock) \
            and apps are killed at random. At the end the journals are replayed and audited: each scan has a known \
            result, no process holds a touch, and a tap arrives.

            Exits 0 when all laws hold, 1 when a law is broken or a demand is missed, 2 when an option or a file cannot \
            be used, 3 when no group can be started.

            EXAMPLES
              touchline monkey kills --kills 2 --minutes 10
              touchline monkey kills --apps 3 --hostile --no-timing
            """)

    @OptionGroup var options: MonkeyKillOptions

    @OptionGroup var profile: MonkeyProfileOption

    @Option(
        help: ArgumentHelp(
            "Seed of the gestures, the screen's changes and the killed apps.", valueName: Seeds.singleValueName))
    var seed = Seeds(first: 1, last: 1)

    @OptionGroup var result: ResultOptions

    func validate() throws { _ = try seed.single }

    func run() throws {
        let outcome = try KillingMonkey(
            seed: try seed.single, profile: profile.read(), options: options, isQuiet: result.json
        ).run()
        try outcome.printResult(asJSON: result.json)
        if !outcome.isPassed { throw ExitCode(1) }
    }
}

/// The length and the rates of a run with kills.
struct MonkeyKillOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Number of apps killed each second; 0 kills none.", valueName: "count"))
    var kills = 1.0

    @Option(help: ArgumentHelp("Length of the run.", valueName: "minutes"))
    var minutes = 1.0

    @Option(help: ArgumentHelp("Number of apps in the group.", valueName: "count"))
    var apps = 8

    @Option(help: ArgumentHelp("Scans each second.", valueName: "Hz"))
    var rate = 1000.0

    @Flag(help: "Let an app of the group and a controller attack the group during the run.")
    var hostile = false

    @OptionGroup var keep: KeepOption

    @OptionGroup var timing: TimingOption

    func validate() throws {
        try expect("--kills", kills, in: 0...50)
        try expect("--minutes", minutes, in: 0.01...10_080)
        try expect("--apps", apps, in: 1...100)
        try expect("--rate", rate, in: 10...8000)
    }
}
