// MonkeyWorlds.swift: `touchline monkey worlds`: apps and fingers drawn from seeds, played in one app's UIKit alone.
//
//     seeds ─▶ MonkeyWorkers: workers ─▶ failures ─▶ the first one, reduced to its smallest world
//
// Worlds are played in other processes. So a world that ends its process is known, and is reduced like any other, with
// each try in a process of its own.

import ArgumentParser
import Basics
import Foundation
import Glibc
import Monkey

/// The command `touchline monkey worlds`.
struct MonkeyWorlds: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "worlds",
        abstract: "Play drawn views, recognizers and fingers in one app's UIKit.",
        discussion: """
            Each seed draws a tree of views, recognizers with relations, and a script of fingers and of changes during \
            gestures. The world is played twice in the UIKit of one app, in virtual time, without other processes. The \
            laws of Docs/Internals/Monkey.md must hold, and both runs must give the same lines.

            A failure is reduced to the smallest world that still breaks the same law. The command prints the world, \
            and the command line that plays it again.

            Exits 0 when all laws hold in all seeds, 1 when a seed fails, 2 when an option cannot be used, 3 when a worker \
            process cannot be started.

            EXAMPLES
              touchline monkey worlds --seed 1..100000
              touchline monkey worlds --seed 4711 --without v2,g0,s3 --show
            """)

    @Option(help: ArgumentHelp("Seeds to play, at most 1,000,000.", valueName: Seeds.valueName))
    var seed = Seeds(first: 1, last: 1000)

    @Option(help: ArgumentHelp("Number of steps in the script of each world.", valueName: "count"))
    var events = 40

    @OptionGroup var jobs: JobsOption

    @Option(
        help: ArgumentHelp("Limit of tries to reduce a failure; 0 skips the reduction.", valueName: "count"))
    var shrink = 2000

    @Option(
        help: ArgumentHelp(
            "Elements to leave out of the world of one seed, separated by commas, as a failure prints them.",
            valueName: "name"))
    var without: String?

    @Flag(help: "Print the world of one seed and its trace.")
    var show = false

    @Flag(help: "Play the other seeds after a failure, and skip the reduction.")
    var keepGoing = false

    @Option(help: ArgumentHelp("Limit of one world; a process that takes longer hangs.", valueName: "seconds"))
    var timeout = 30.0

    @Option(
        help: ArgumentHelp(
            "Fail on purpose in each world with a finger: by a broken law, or by a trap or a hang of the process.",
            valueName: "name"))
    var rehearse: MonkeyRehearsal?

    @OptionGroup var result: ResultOptions

    /// Plays the seeds on stdin; a hidden option.
    @Flag(help: .hidden) var worker = false

    func validate() throws {
        try expect("--events", events, in: 1...10_000)
        try expect("--shrink", shrink, in: 0...1_000_000)
        try expect("--timeout", timeout, in: 0.1...86_400, unit: "seconds")
        guard without == nil || seed.count == 1 else {
            throw ValidationError("--without: expected one seed, found \(seed)")
        }
        guard !show || seed.count == 1 else { throw ValidationError("--show: expected one seed, found \(seed)") }
        guard !show || !result.json else { throw ValidationError("--show: expected without --json") }
        _ = try omissions()
    }

    private func omissions() throws -> Set<MonkeyOmission> {
        var found: Set<MonkeyOmission> = []
        for word in (without ?? "").split(separator: ",") {
            guard let omission = MonkeyOmission(word) else {
                throw ValidationError("--without: expected v1, g0, r0, h0, s0, a0.0, p0 or order, found \"\(word)\"")
            }
            found.insert(omission)
        }
        return found
    }

    func run() throws {
        // An ended worker is known by its missing answer, not by SIGPIPE at the next question.
        signal(SIGPIPE, SIG_IGN)
        if worker { return try work() }
        let start = ContinuousClock.now
        if show { showWorld(try omissions()) }
        var failures: [MonkeyFailure] = []
        let workers = MonkeyWorkers(
            events: events, jobs: jobs.count, without: without ?? "", rehearses: rehearse,
            answerLimit: Duration(seconds: timeout))
        let played = try workers.play(seed, stopsAtFailure: !keepGoing) { failure, done in
            failures.append(failure)
            progress("\(done) of \(seed.count)")
        } progress: { done in
            progress("\(done) of \(seed.count)")
        }
        progress("")
        failures.sort { $0.seed < $1.seed }
        if !keepGoing, let first = failures.first {
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
            events: events, jobs: 1, without: "", rehearses: rehearse, answerLimit: Duration(seconds: timeout))
        let left = world.shrunk(from: try omissions(), limit: shrink) { omissions in
            tries += 1
            progress("seed \(failure.seed): reducing the failure, try \(tries)")
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
        let world = MonkeyWorld(seed: seed.first, events: events).omitting(omissions)
        printText("\(world)\n")
        for line in world.play().lines { printLine(line) }
        printLine("")
    }

    private func report(_ failures: [MonkeyFailure], played: UInt64, seconds: Double) throws {
        guard !result.json else {
            try printJSON([
                "seeds": played, "events": events, "seconds": seconds,
                "failures": failures.map { failure in
                    [
                        "seed": failure.seed, "law": failure.law?.rawValue ?? failure.ending ?? "trap",
                        "what": failure.text, "without": failure.without, "script": script(of: failure),
                        "again": commandToRepeat(failure),
                    ] as [String: Any]
                },
            ])
            return
        }
        for failure in failures {
            printLine("seed \(failure.seed): \(failure.text)")
            guard !keepGoing else { continue }
            printText(script(of: failure))
            printText("\nagain: \(commandToRepeat(failure))")
        }
        let verdict = failures.isEmpty ? "all laws hold" : "\(failures.count) failed"
        printLine(
            "\(played) \(played == 1 ? "seed" : "seeds") of \(events) steps in \(fixedText(seconds, digits: 1)) s: \(verdict)"
        )
    }

    private func commandToRepeat(_ failure: MonkeyFailure) -> String {
        let omissions = failure.without.isEmpty ? [] : ["--without", failure.without.joined(separator: ",")]
        let words = ["--seed", "\(failure.seed)", "--events", "\(events)"] + omissions + ["--show"]
        return (["touchline", "monkey", "worlds"] + words).joined(separator: " ")
    }

    private func script(of failure: MonkeyFailure) -> String {
        let omissions = Set(failure.without.compactMap { MonkeyOmission($0) })
        return "\(MonkeyWorld(seed: failure.seed, events: events).omitting(omissions))"
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

extension MonkeyWorld {
    fileprivate var hasFinger: Bool {
        script.contains { step in step.acts.contains { if case .down = $0 { true } else { false } } }
    }
}
