// Dump.swift: everything every process says of itself: queues, live touches, counters.

import ArgumentParser
import Wire
import ZeroMQHost

struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what every process says of itself: queues, live touches, counters.",
        discussion: """
            A process that has not answered within 300 ms is listed as not responding. Exits 0 when the group \
            answered, whatever it said; 3 when no group is running.
            """)

    @OptionGroup var runDirectory: RunDirectory

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func run() throws {
        let group = try GroupReport(from: try runDirectory.connect())
        if json { return try printJSON(group.json(runDirectory: runDirectory.path, withRows: true)) }
        for line in group.table(runDirectory: runDirectory.path) { say(line) }
        say("\nsupervisor\n  refused  \(group.refused)")
        for process in group.processes {
            say("\n\(process.name)")
            if process.rows.isEmpty { say(process.pid > 0 ? "  has not answered" : "  is not there") }
            let width = process.rows.map(\.key.count).max() ?? 0
            for row in process.rows {
                say("  \(row.key)\(String(repeating: " ", count: width - row.key.count + 2))\(row.value.shown)")
            }
        }
    }
}
