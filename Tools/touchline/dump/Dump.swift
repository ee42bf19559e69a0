// Dump.swift: `touchline dump`: the report of every process, and the server's state of each client, as in `dumpsys
// input`.

import ArgumentParser
import Wire
import ZeroMQHost

/// The command `touchline dump`.
struct Dump: CommandWithResult {
    static let configuration = CommandConfiguration(
        abstract: "Print the report of every process, and the server's state of each app.",
        discussion: """
            The report of a process has its queues, live touches and counters. The server's state also has each finger \
            with its owner, dropped scans by reason, the last acts, and refusals and closed links with their reasons. For \
            each app it has the link (window, unanswered and waiting frames, the oldest unanswered frame), and the last \
            100 events with the outcome of each.

            With --json the server's state is `server`: dots in keys become nested objects, numbered keys become arrays.

            --format openmetrics prints counters and gauges of the group for Prometheus, as `touchline metrics` serves them.

            A process that has not answered within 300 ms is listed as not responding.

            Exits 0 when the group has answered, 2 when an option cannot be used, 3 when no group is running.
            """)

    /// The form of the output, other than text and JSON.
    enum Format: String, ExpressibleByArgument, CaseIterable { case openmetrics }

    @Option(help: ArgumentHelp("Print metrics in this format.", valueName: "name"))
    var format: Format?

    @OptionGroup var result: ResultOptions
    @OptionGroup var runDirectory: RunDirectory

    func validate() throws {
        if format != nil, result.json { throw ValidationError("--format: expected no --json, found both") }
    }

    func run() throws {
        let client = try runDirectory.connect()
        let group = try GroupReport(from: client, withJoined: true)
        if format == .openmetrics { return printText(String(GroupMetrics(group).text.dropLast())) }
        let server = try ServerRows(from: client)
        if result.json {
            var object = try group.json(runDirectory: runDirectory.path, withRows: true)
            object["server"] = server.json
            return try printJSON(object)
        }
        for line in try group.table(runDirectory: runDirectory.path) { printLine(line) }
        printText("\nsupervisor\n  refused  \(group.refused)")
        for process in group.processes {
            show(process.rows, of: process.name, orSay: process.pid > 0 ? "has not answered" : "does not run")
        }
        for app in group.joined {
            let place = app.address.isEmpty ? "" : " at \(app.address)"
            show(app.rows, of: "\(app.name), joined\(place)", orSay: "has not answered")
        }
        for line in server.lines(at: monotonicNow()) { printLine(line) }
    }

    private func show(_ rows: [Report.Row], of name: String, orSay complaint: String) {
        printText("\n\(name)")
        if rows.isEmpty { printLine("  \(complaint)") }
        let width = rows.map(\.key.count).max() ?? 0
        for row in rows {
            printLine("  \(row.key)\(String(repeating: " ", count: width - row.key.count + 2))\(row.value.shown)")
        }
    }
}
