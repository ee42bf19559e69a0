// Exhaust.swift: `touchline exhaust`: every order of the events of a small group, with the real cores.

import ArgumentParser
import Basics
import Simulator
import ZeroMQHost

/// The command `touchline exhaust`.
struct Exhaust: CommandWithResult {
    static let configuration = CommandConfiguration(
        abstract: "Try every order of a small group's events.",
        discussion: """
            Plays every order of landings, deliveries, acts, deaths and restarts through the production cores, up to \
            --steps events. Two moves that share a frame are one event. From each state the group must come to rest. A \
            violation is printed with a shortest run that leads to it. Links lose no frame and no timer fires; \
            `touchline simulate` covers these.

            Exits 0 when the laws hold in every state, 1 when a law is broken, 2 when an option cannot be used.

            EXAMPLES
              touchline exhaust                        # 2 apps, 2 fingers, 1 death, 1 act, 3 scans, 12 steps
              touchline exhaust --scans 2 --steps 10
            """)

    @Option(help: ArgumentHelp("Number of apps, 1 or 2.", valueName: "count")) var apps = 2
    @Option(help: ArgumentHelp("Number of fingers, 1 or 2.", valueName: "count")) var fingers = 2
    @Option(help: ArgumentHelp("Number of processes that die, 0 or 1.", valueName: "count")) var crashes = 1
    @Option(help: ArgumentHelp("Number of calls or changes of the app in front, 0 or 1.", valueName: "count"))
    var acts = 1
    @Option(help: ArgumentHelp("Number of landings, moves and lifts, 0 to 100.", valueName: "count")) var scans = 3
    @Option(help: ArgumentHelp("Number of events, 0 to 100.", valueName: "count")) var steps = 12

    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--apps", apps, in: 1...2)
        try expect("--fingers", fingers, in: 1...2)
        try expect("--crashes", crashes, in: 0...1)
        try expect("--acts", acts, in: 0...1)
        try expect("--scans", scans, in: 0...100)
        try expect("--steps", steps, in: 0...100)
    }

    func run() throws {
        let begun = monotonicNow()
        let shows = Output.isWatched
        let scope = Exhaustion.Scope(
            apps: apps, fingers: fingers, crashes: crashes, acts: acts, scans: scans, steps: steps)
        let found = Exhaustion.run(
            scope: scope, progress: { step, states in if shows { printError("step \(step): \(states) states") } })
        let seconds = begun.duration(to: monotonicNow()).seconds
        if result.json {
            try printJSON([
                "states": found.states, "interleavings": found.interleavings, "histories": found.histories,
                "endings": found.endings, "seconds": seconds,
                "violations": found.violations.map { ["law": $0.law, "text": $0.text, "path": $0.path] },
            ])
        } else {
            for violation in found.violations {
                printLine("\(violation.law): \(violation.text)")
                for line in violation.path { printLine("    \(line)") }
            }
            printLine(
                "\(found.states) states for \(found.interleavings) orders, \(found.endings) states at rest, in "
                    + "\(fixedText(seconds, digits: 1)) s: "
                    + (found.violations.isEmpty ? "all laws hold" : "\(found.violations.count) violations"))
        }
        if !found.violations.isEmpty { throw ExitCode(1) }
    }
}
