// TraceCommand.swift: `touchline trace`: plays one scenario and prints the observed lines.

import ArgumentParser
import Basics
import Scenarios
import Trace

/// The command `touchline trace`.
struct TraceCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Play one scenario and print the observed lines.",
        discussion: """
            Prints the lines of the scenario's probes in order, in the form that `expect:` has in a scenario file. The \
            file needs no `expect:`. An id such as S14a stands for the file of Tests/Conformance with that id.

            Exits 0 when the scenario was played, 1 when it cannot be played in this mode or stops early, 2 when an \
            option or the file cannot be used.

            EXAMPLES
              touchline trace S14a
              touchline trace --facts --mode direct card.yaml
            """)

    @Option(
        help: ArgumentHelp(
            "Mode: direct, simulated or processes (default: the first that the scenario lists).", valueName: "name"))
    var mode: Scenario.Mode?

    @Flag(help: "Print the time after each line, in seconds since the first finger landed.")
    var times = false

    @Flag(help: "Print every fact of every process with its station, not only the lines of probes.")
    var facts = false

    @OptionGroup var result: ResultOptions

    @Argument(help: ArgumentHelp("A scenario file, or the id of a scenario.", valueName: "file"))
    var file: String

    func validate() throws {
        guard !times || !(facts || result.json) else {
            throw ValidationError("--times: expected without --facts and --json, which print the time of each line")
        }
    }

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
            throw Failure.negativeResult("\(file): the play stopped early: \(error)")
        }
        if result.json {
            var object: [String: Any] = ["id": scenario.id, "file": file, "mode": mode.rawValue]
            if facts {
                object["facts"] = shownFacts(playback).map { json($0, since: playback.zero) }
            } else {
                object["lines"] = playback.lines.map { ["seconds": $0.time.seconds, "text": $0.text] as [String: Any] }
            }
            return try printJSON(object)
        }
        if facts {
            for line in shownFacts(playback) { printLine(line.text(since: playback.zero)) }
        } else {
            for line in playback.lines {
                printLine(times ? "\(line.text) @\(fixedText(line.time.seconds, digits: 3))" : line.text)
            }
        }
    }

    private func shownFacts(_ playback: Playback) -> [TraceLine] {
        playback.trace.filter { $0.at >= playback.begin && $0.at < playback.end }
    }

    private func json(_ line: TraceLine, since zero: Instant) -> [String: Any] {
        [
            "seconds": zero.duration(to: line.at).seconds, "process": line.process, "station": line.station.rawValue,
            "text": line.text,
        ]
    }
}
