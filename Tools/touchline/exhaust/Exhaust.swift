// Exhaust.swift: `touchline exhaust`: every order of the events of a small group, with the real cores.

import ArgumentParser
import Basics
import Foundation
import Glibc
import Simulator
import ZeroMQHost

/// The command `touchline exhaust`.
struct Exhaust: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Try every order of a small group's events.",
        discussion: """
            Where `touchline simulate` draws runs out of seeds, this leaves none out: every order of landings, \
            deliveries, acts, deaths and restarts up to so many steps, through the production cores, each state run out \
            to its rest. What is found is found by a shortest run, which is printed. Links lose nothing here and no \
            timer fires: that is what seeds are for (Docs/Internals/Simulation.md).

            Exits 0 when the laws hold in every state, 1 when one was broken, 2 when the scope is none.

            EXAMPLES
              touchline exhaust                        2 apps, 2 fingers, 1 death, 1 act, 3 scans, 12 steps
              touchline exhaust --scans 2 --steps 10
            """)

    @Option(help: "1 or 2.") var apps = 2
    @Option(help: "1 or 2.") var fingers = 2
    @Option(help: "How many processes die: 0 or 1.") var crashes = 1
    @Option(help: "How many calls come, or apps are brought to front: 0 or 1.") var acts = 1
    @Option(help: "How often a finger lands, moves or lifts: 0 to 100.") var scans = 3
    @Option(help: "How many events: 0 to 100.") var steps = 12
    @Flag(help: "Print one JSON object instead of text.") var json = false

    func validate() throws {
        for (name, value, range) in [
            ("apps", apps, 1...2), ("fingers", fingers, 1...2), ("crashes", crashes, 0...1), ("acts", acts, 0...1),
            ("scans", scans, 0...100), ("steps", steps, 0...100),
        ] where !range.contains(value) {
            throw ValidationError(
                "--\(name): expected \(range.lowerBound) to \(range.upperBound), found \(value)")
        }
    }

    func run() throws {
        let begun = monotonicNow()
        let shows = Output.isWatched
        let scope = Exhaustion.Scope(
            apps: apps, fingers: fingers, crashes: crashes, acts: acts, scans: scans, steps: steps)
        let found = Exhaustion.run(
            scope: scope, progress: { step, states in if shows { printError("step \(step): \(states) states") } })
        let seconds = begun.duration(to: monotonicNow()).seconds
        if json {
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
                "\(found.states) states, standing for \(found.interleavings) orders, \(found.endings) endings, in "
                    + "\(String(format: "%.1f", seconds)) s: "
                    + (found.violations.isEmpty ? "all laws hold" : "\(found.violations.count) broken"))
        }
        if !found.violations.isEmpty { throw ExitCode(1) }
    }
}
