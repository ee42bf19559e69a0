// Status.swift: `touchline status`: whether every process of the group is ready.

import ArgumentParser
import ZeroMQHost

/// The command `touchline status`.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say whether every process of the group is ready.",
        discussion: """
            Exits 0 only when every process is ready and answers, 1 when one is not, 3 when no group is running.
            """)

    @OptionGroup var runDirectory: RunDirectory

    @Flag(help: "Print one JSON object instead of a table.")
    var json = false

    func run() throws {
        let group = try GroupReport(from: try runDirectory.connect())
        if json {
            try printJSON(group.json(runDirectory: runDirectory.path, withRows: false))
        } else {
            for line in try group.table(runDirectory: runDirectory.path) { printLine(line) }
        }
        if !group.isReady { throw ExitCode(1) }
    }
}
