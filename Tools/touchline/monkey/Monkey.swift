// Monkey.swift: `touchline monkey`: input from seeds, played and checked by the laws; a failure prints its seed and the
// shortest script.
//
// There are three stages. In the running group and in a simulated one, gestures are drawn (ScriptMonkey). In one app's
// UIKit alone (--direct), apps are drawn as well; the rest of this file is for that stage.
//
// The worlds of --direct are played in other processes, one for each CPU. A worker announces each world before it plays
// it. So a world that ends its process is known. It is reduced like any other, with each try in a process of its own.

import ArgumentParser
import Basics
import Foundation
import Glibc
import Monkey

/// The options of the monkey for a seed's world: --direct.
struct MonkeyWorldOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "With --direct: leave this out of the seed's world, as a failure prints it.", valueName: "list"))
    var without = ""

    @Flag(help: "With --direct: print the world and its trace, whatever comes of it.")
    var show = false

    @Flag(help: "With --direct: go on after a failure; each is printed, without being made smaller.")
    var keepGoing = false
}

/// The command `touchline monkey`.
struct MonkeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monkey",
        abstract: "Invent gestures out of a seed, play them, and check what must be true whatever is touched.",
        discussion: """
            Without --direct, gestures by a profile's weights go into the running group, or with --simulated into a whole \
            group in virtual time, showing --scene or --app. After each gesture: everything sent came back, what began \
            has ended, every process is the one it was. At the end: nothing is held, nothing was refused. Simulated, \
            the trace is read too: one owner for each touch, one end for each that began. A failure is made smaller: \
            the shortest script that still fails, and the line that plays it again.

            With --kills a group of its own, of --apps, gets them at --rate, whatever a hand's pace is, while the screen \
            changes (other apps, two side by side, calls, lock) and apps are killed at random. At the end: its journals \
            are replayed and audited, every event is accounted for, nobody holds anything, a tap works.

            With --direct, each seed is a tree of views, recognizers with relations, and a script of fingers and of \
            changes in the middle of gestures. It is played twice in one app's UIKit, in virtual time, and what was seen \
            is held to the laws: every began has one end, states move legally, one of two that exclude each other acts, \
            nothing is left when the fingers are up, the same seed gives the same lines, and others (Docs/Internals/Monkey.md).

            Exits 0 when everything holds; 1 when something fails, having printed the seed, the law and the shortest \
            script it can find; 2 when it was asked for something that is not there; 3 when no group is running.

            EXAMPLES
              touchline monkey --seed 7 --events 5000
              touchline monkey --simulated --app photo --profile Config/Profiles/multitouch.yaml --events 100000
              touchline monkey --kills 2 --minutes 10 --apps 8
              touchline monkey --direct --seeds 100000
              touchline monkey --direct --seed 4711 --without v2,g0,s3 --show
            """)

    @Flag(help: "Play one app's UIKit alone, with apps and fingers out of each seed.")
    var direct = false

    @Flag(help: "Play into a simulated group, in virtual time.")
    var simulated = false

    @OptionGroup var gestures: MonkeyGestureOptions

    @OptionGroup var killing: MonkeyKillOptions

    @Option(help: ArgumentHelp("The seed; with --direct, the first one. 1 by default.", valueName: "number"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp("With --direct: how many seeds; 1 when --seed is given, else 1000.", valueName: "count"))
    var seeds: UInt64?

    @Option(
        name: .customLong("events"),
        help: ArgumentHelp(
            "What devices report: 1000 by default. With --direct, steps of each script: 40.", valueName: "count"))
    var wantedEvents: Int?

    private var events: Int { wantedEvents ?? (direct ? 40 : 1000) }

    @Option(help: ArgumentHelp("With --direct: processes at work.", valueName: "count"))
    var jobs = max(1, ProcessInfo.processInfo.activeProcessorCount)

    @Option(
        name: .customLong("shrink"),
        help: ArgumentHelp(
            "Tries in making a failure smaller: 2000 by default, in the running group 60; 0 leaves it as it is.",
            valueName: "count"))
    var wantedTries: Int?

    private var shrink: Int { wantedTries ?? (direct || simulated ? 2000 : 60) }

    @OptionGroup var world: MonkeyWorldOptions

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @Option(
        help: """
            See what a failure looks like, law, trap or hang: each world with a finger in it fails; without --direct, each \
            script in which two fingers are down and one moves.
            """)
    var rehearse: MonkeyRehearsal?

    @Option(
        help: ArgumentHelp(
            "Not in a running group: a world without an answer for so long hangs. 30 by default.",
            valueName: "seconds"))
    var patience = 30.0

    /// Play the seeds on stdin; a hidden option.
    @Flag(help: .hidden) var worker = false

    func validate() throws {
        guard patience >= 0.1, patience <= 86_400 else {
            throw ValidationError("--patience: expected 0.1 to 86400 seconds, found \(patience)")
        }
        if killing.kills != nil { return try validateKills() }
        guard direct else { return try validateGestures() }
        guard !simulated else { throw ValidationError("expected --direct or --simulated, found both") }
        guard (1...10_000).contains(events) else {
            throw ValidationError("--events: expected 1 to 10000, found \(events)")
        }
        guard (1...256).contains(jobs) else { throw ValidationError("--jobs: expected 1 to 256, found \(jobs)") }
        guard shrink >= 0 else { throw ValidationError("--shrink: expected 0 or more, found \(shrink)") }
        guard seeds != 0 else { throw ValidationError("--seeds: expected 1 or more, found 0") }
        guard world.without.isEmpty || (seed != nil && (seeds ?? 1) == 1) else {
            throw ValidationError("--without: expected one --seed to leave it out of")
        }
        _ = try omissions()
    }

    private func validateKills() throws {
        guard !direct, !simulated, wantedEvents == nil, wantedTries == nil, rehearse == nil, seeds == nil,
            world.without.isEmpty, !world.show, !world.keepGoing, gestures.isUsual
        else {
            throw ValidationError(
                "--kills: expected with --minutes, --apps, --rate, --seed, --profile, --keep, --no-timing and --json "
                    + "alone, as it starts a group of its own")
        }
    }

    private func validateGestures() throws {
        guard (1...1_000_000_000).contains(events) else {
            throw ValidationError("--events: expected 1 to 1000000000, found \(events)")
        }
        guard shrink >= 0 else { throw ValidationError("--shrink: expected 0 or more, found \(shrink)") }
        guard seeds == nil, world.without.isEmpty, !world.show, !world.keepGoing else {
            throw ValidationError("--seeds, --without, --show and --keep-going: expected with --direct")
        }
        guard simulated || (gestures.scene == nil && gestures.app == nil) else {
            throw ValidationError("--scene and --app: expected with --simulated; a running group shows what it shows")
        }
        guard simulated || rehearse ?? .law == .law else {
            throw ValidationError("--rehearse trap, hang: expected with --simulated or --direct")
        }
    }

    private func omissions() throws -> Set<MonkeyOmission> {
        var found: Set<MonkeyOmission> = []
        for word in world.without.split(separator: ",") {
            guard let omission = MonkeyOmission(word) else {
                throw ValidationError("--without: expected v1, g0, r0, h0, s0, a0.0, p0 or order, found \"\(word)\"")
            }
            found.insert(omission)
        }
        return found
    }

    private var firstSeed: UInt64 { seed ?? 1 }
    private var count: UInt64 { seeds ?? (seed == nil ? 1000 : 1) }

    func run() throws {
        // An ended worker is known by its missing answer, not by SIGPIPE at the next question.
        signal(SIGPIPE, SIG_IGN)
        if killing.kills != nil { return try runKills() }
        guard direct else { return try runGestures() }
        if worker { return try work() }
        let start = ContinuousClock.now
        if world.show { showWorld(try omissions()) }
        var failures: [MonkeyFailure] = []
        let range = firstSeed...(firstSeed &+ (count - 1))
        let workers = MonkeyWorkers(
            events: events, jobs: jobs, without: world.without, rehearses: rehearse,
            answerLimit: Duration(seconds: patience))
        let played = try workers.play(range, stopsAtFailure: !world.keepGoing) { failure, done in
            failures.append(failure)
            progress("\(done) of \(count)")
        } progress: { done in
            progress("\(done) of \(count)")
        }
        progress("")
        failures.sort { $0.seed < $1.seed }
        if !world.keepGoing, let first = failures.first {
            failures = [shrink > 0 ? try smaller(first) : first]
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try report(failures, played: played, seconds: seconds)
        if !failures.isEmpty { throw ExitCode(1) }
    }

    /// Reduces the failing world as far as it still breaks the same law.
    private func smaller(_ failure: MonkeyFailure) throws -> MonkeyFailure {
        let world = MonkeyWorld(seed: failure.seed, events: events)
        var tries = 0
        let workers = MonkeyWorkers(
            events: events, jobs: 1, without: "", rehearses: rehearse, answerLimit: Duration(seconds: patience))
        let left = world.shrunk(from: try omissions(), limit: shrink) { omissions in
            tries += 1
            progress("seed \(failure.seed): making it smaller, try \(tries)")
            if let ending = failure.ending {
                return workers.failure(of: failure.seed, without: omissions)?.ending == ending
            }
            return MonkeyFailure.violations(of: world.omitting(omissions), rehearsing: rehearse)
                .contains { $0.law == failure.law }
        }
        progress("")
        var smaller = workers.failure(of: failure.seed, without: left) ?? failure
        smaller.without = left.map(\.description).sorted { $0.localizedStandardCompare($1) == .orderedAscending }
        return smaller
    }

    private func showWorld(_ omissions: Set<MonkeyOmission>) {
        let world = MonkeyWorld(seed: firstSeed, events: events).omitting(omissions)
        printText("\(world)\n")
        for line in world.play().lines { printLine(line) }
        printLine("")
    }

    private func report(_ failures: [MonkeyFailure], played: UInt64, seconds: Double) throws {
        guard !json else {
            try printJSON([
                "seeds": played, "events": events, "seconds": seconds,
                "failures": failures.map { failure in
                    [
                        "seed": failure.seed, "law": failure.law?.rawValue ?? failure.ending ?? "trap",
                        "what": failure.text, "without": failure.without, "script": script(of: failure),
                    ] as [String: Any]
                },
            ])
            return
        }
        for failure in failures {
            printLine("seed \(failure.seed): \(failure.text)")
            guard !world.keepGoing else { continue }
            printText(script(of: failure))
            let rest = failure.without.isEmpty ? "" : " --without \(failure.without.joined(separator: ","))"
            printText("\nagain: touchline monkey --direct --seed \(failure.seed) --events \(events)\(rest) --show")
        }
        let failed = failures.isEmpty ? "all hold" : "\(failures.count) failed"
        printLine("\(played) seeds of \(events) steps in \(fixed(seconds)) s: \(failed)")
    }

    private func script(of failure: MonkeyFailure) -> String {
        let gone = Set(failure.without.compactMap { MonkeyOmission($0) })
        return "\(MonkeyWorld(seed: failure.seed, events: events).omitting(gone))"
    }

    private func fixed(_ value: Double) -> String { String(format: "%.1f", value) }

    // MARK: Kills

    private func runKills() throws {
        let outcome = try KillingMonkey(
            seed: firstSeed, profile: gestures.readProfile(), options: killing, isQuiet: json
        ).run()
        try outcome.printResult(asJSON: json)
        if !outcome.isPassed { throw ExitCode(1) }
    }

    // MARK: Gestures

    private func runGestures() throws {
        if worker { return try SimulationWorker(options: gestures, rehearses: rehearse).run() }
        let profile = try gestures.readProfile()
        let stage: any MonkeyStage =
            simulated
            ? try SimulatedStage(
                options: gestures, rehearses: rehearse, answerLimit: Duration(seconds: patience))
            : try RunningStage(client: gestures.runDirectory.connect(), speed: gestures.speed)
        var monkey = ScriptMonkey(
            seed: firstSeed, events: events, options: gestures, profile: profile, tries: shrink,
            rehearsal: rehearse, isSimulated: simulated, stage: stage)
        let outcome = try monkey.run(progress)
        progress("")
        try outcome.printResult(asJSON: json)
        if outcome.failure != nil { throw ExitCode(1) }
    }

    // MARK: The worker

    /// Answers each seed on stdin with `ok` or with its failure, one line each.
    private func work() throws {
        let omissions = try omissions()
        while let line = readLine(), let seed = UInt64(line) {
            let world = MonkeyWorld(seed: seed, events: events).omitting(omissions)
            let found = MonkeyFailure.violations(of: world, rehearsing: rehearse)
            printLine(found.first.map { "\($0.law.rawValue)\t\($0)" } ?? "ok")
        }
    }
}

/// A seed that breaks a law or ends its process.
struct MonkeyFailure: Sendable {
    var seed: UInt64
    /// Nil when the process ended.
    var law: MonkeyLaw?
    /// For an ended process: trap or hang.
    var ending: String?
    var text: String
    var without: [String] = []

    /// Plays the world once and returns its violations. Without any it plays again and returns the differences.
    static func violations(of world: MonkeyWorld, rehearsing rehearsal: MonkeyRehearsal?) -> [MonkeyViolation] {
        if let rehearsal, world.hasFinger {
            switch rehearsal {
            case .law: return [MonkeyViolation(.quiet, at: 0, "a rehearsal")]
            case .trap: fatalError("a rehearsal")
            case .hang: while true { pause() }
            }
        }
        let first = world.play()
        guard first.violations.isEmpty else { return first.violations }
        return first.difference(from: world.play()).map { [$0] } ?? []
    }
}

/// The kind of a rehearsed failure.
enum MonkeyRehearsal: String, CaseIterable, ExpressibleByArgument { case law, trap, hang }

extension MonkeyWorld {
    fileprivate var hasFinger: Bool {
        script.contains { step in step.acts.contains { if case .down = $0 { true } else { false } } }
    }
}
