// TraceCommand.swift: `touchline trace`: plays one scenario and prints the observed lines only.

import ArgumentParser
import Basics
import Scenarios
import Trace

/// The command `touchline trace`.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Play one scenario and print the observed lines.",
        discussion: """
            Prints what the scenario's probes say, in order, and nothing else: what `expect:` would hold if it were \
            written from this run. An id such as S14a stands for the file of Tests/Conformance with that id. A file needs no \
            `expect:` yet. With --facts every fact of every process.

            Exits 0, 1 when the scenario cannot be played in that mode, 2 when the file cannot be read.
            """)

    @Option(help: "direct, simulated or processes (default: the first the scenario lists).")
    var mode: Scenario.Mode?

    @Flag(help: "After each line, when it was observed: seconds since the first finger came down.")
    var times = false

    @Flag(help: "Every fact, station by station, not only the scenario's lines.")
    var facts = false

    @Argument(help: ArgumentHelp("A scenario file, or the id of a scenario.", valueName: "file"))
    var file: String

    func run() throws {
        let file = try ScenarioFiles.path(self.file)
        let scenario: Scenario
        do throws(ScenarioError) {
            scenario = try Scenario(contentsOf: file, isDraft: true)
        } catch {
            throw Failure.badInput("\(error)")
        }
        let mode = self.mode ?? scenario.modes.first ?? .direct
        if let reason = scenario.reasonToSkip(in: mode) { throw Failure.negativeResult("\(file): skipped: \(reason)") }
        let playback: Playback
        do {
            playback = try ScenarioStage().playback(of: scenario, in: mode)
        } catch {
            throw Failure.negativeResult("\(file): not played to its end: \(error)")
        }
        if facts {
            for line in playback.trace where line.at >= playback.begin && line.at < playback.end {
                printLine(line.text(since: playback.zero))
            }
        } else {
            for line in playback.lines {
                printLine(times ? "\(line.text) @\(fixedText(line.time.seconds, digits: 3))" : line.text)
            }
        }
    }
}
