// Dump.swift: `touchline dump`: the report of every process, and the server's state of each client, as in `dumpsys
// input`.

import ArgumentParser
import Wire
import ZeroMQHost

/// The command `touchline dump`.
struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what every process says of itself, and what the server knows of everybody.",
        discussion: """
            Of each process its queues, live touches, counters. Of the server besides: each finger and whose it is since \
            when, scans dropped by reason, the last acts, refusals and hang-ups with their reasons; of each app its link \
            (window, unanswered, waiting, the oldest unanswered), and the last 100 events it was sent with what became \
            of them.

            With --json the server's part is `server`: keys nested by their dots, numbered ones as arrays.

            A process that has not answered within 300 ms is listed as not responding. Exits 0 when the group \
            answered, whatever it said; 3 when no group is running.
            """)

    @OptionGroup var runDirectory: RunDirectory

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func run() throws {
        let client = try runDirectory.connect()
        let group = try GroupReport(from: client)
        let server = try ServerRows(from: client)
        if json {
            var object = try group.json(runDirectory: runDirectory.path, withRows: true)
            object["server"] = server.json
            return try printJSON(object)
        }
        for line in try group.table(runDirectory: runDirectory.path) { printLine(line) }
        printText("\nsupervisor\n  refused  \(group.refused)")
        for process in group.processes {
            printText("\n\(process.name)")
            if process.rows.isEmpty { printLine(process.pid > 0 ? "  has not answered" : "  is not there") }
            let width = process.rows.map(\.key.count).max() ?? 0
            for row in process.rows {
                printLine("  \(row.key)\(String(repeating: " ", count: width - row.key.count + 2))\(row.value.shown)")
            }
        }
        for line in server.lines(at: monotonicNow()) { printLine(line) }
    }
}
