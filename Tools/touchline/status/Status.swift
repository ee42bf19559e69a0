// Status.swift: `touchline status`: whether every process of the group is ready.

import ArgumentParser
import ZeroMQHost

/// The command `touchline status`.
struct Status: CommandWithResult {
    static let configuration = CommandConfiguration(
        abstract: "Show whether every process of the group is ready.",
        discussion: """
            Exits 0 when every process is ready and answers, 1 when a process is not ready or does not answer, 2 when an \
            option cannot be used, 3 when no group is running.
            """)

    @OptionGroup var result: ResultOptions
    @OptionGroup var runDirectory: RunDirectory

    func run() throws {
        let group = try GroupReport(from: try runDirectory.connect(), withJoined: true)
        if result.json {
            try printJSON(group.json(runDirectory: runDirectory.path, withRows: false))
        } else {
            for line in try group.table(runDirectory: runDirectory.path) { printLine(line) }
        }
        if !group.isReady { throw ExitCode(1) }
    }
}
