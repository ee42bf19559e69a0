// MonkeyCommand.swift: `touchline monkey`: input drawn from seeds, checked by laws; a failure prints its seed and the
// shortest input that still fails.
//
// MonkeyGestures plays gestures into the running group or a simulated one, MonkeyWorlds plays drawn apps and fingers in
// one app's UIKit, and MonkeyKills plays gestures into a group of its own while apps are killed.

import ArgumentParser
import Configuration
import Synthesis

/// The command `touchline monkey`.
struct MonkeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monkey",
        abstract: "Play input drawn from seeds, and check laws that hold for any input.",
        discussion: """
            Docs/Internals/Monkey.md lists the laws. Each subcommand has examples in its own help.

            Exits 0 when all laws hold, 1 when a law is broken, 2 when an option or a file cannot be used, 3 when no group \
            runs or a process cannot be started.
            """,
        subcommands: [MonkeyGestures.self, MonkeyWorlds.self, MonkeyKills.self])
}

/// --profile, the weights of drawn gestures.
struct MonkeyProfileOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Weights of the drawn gestures (default: Config/Profiles/standard.yaml, which is built in).",
            valueName: "file"))
    var profile: String?

    /// - Throws: `Failure` with exit code 2 for an unreadable or malformed file.
    func read() throws -> MonkeyProfile {
        guard let profile else { return .standard }
        do throws(InvalidConfiguration) {
            return try MonkeyProfile(contentsOf: profile)
        } catch {
            throw Failure.badInput(error)
        }
    }
}

/// The kind of a rehearsed failure.
enum MonkeyRehearsal: String, CaseIterable, ExpressibleByArgument { case law, trap, hang }
