// TopCommand.swift: `touchline top`: the rates, queues and latencies of a running group, again and again.
//
//     each interval: reports ─▶ TopSample ─▶ TopTable ─▶ a terminal: drawn in place
//                                                     └▶ a pipe: lines, or a JSON object

import ArgumentParser
import Basics
import Foundation
import ZeroMQHost

/// The command `touchline top`.
struct TopCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Show rates, queues, latencies and states of a running group, live.",
        discussion: """
            One line for each process: scans (input-kit, system-server) or events (apps) per second, what waits and what \
            is not answered, the credit window, moves that were merged, scans or events that were dropped, restarts, CPU \
            and memory. `waiting` is what waits before a process: scans of devices, messages for an app in the server. \
            Totals count from the start of their process, and rates are those of the last interval. p50 and p99 are the \
            time from the server's frame to the app's receipt, of the last 100 events of an app at most.

            On a terminal the table is drawn in place: q quits, p pauses, s or an arrow key changes the order of the \
            lines. NO_COLOR turns styles off. With a pipe, a file or TERM=dumb each interval is a block of plain lines; \
            with --json it is one JSON object on a line, without the figures that a process does not have.

            Exits 0 when q, --count, Ctrl-C or SIGTERM ends it, 2 when an option cannot be used, 3 when no group is \
            running or the group ends.
            """)

    @OptionGroup var result: ResultOptions
    @OptionGroup var runDirectory: RunDirectory

    @Option(help: ArgumentHelp("The length of an interval.", valueName: "seconds"))
    var interval = 1.0

    @Option(help: ArgumentHelp("Stop after N intervals.", valueName: "count"))
    var count: Int?

    func validate() throws {
        try expect("--interval", interval, in: 0.1...3600)
        if let count, count < 1 { throw ValidationError("--count: expected at least 1, found \(count)") }
    }

    func run() throws {
        let path = try runDirectory.path
        let client = try ControlClient.connect(to: path)
        var watch = TopWatch(client: client, runDirectory: path, sample: try TopSample(from: client))
        if !result.json, TerminalScreen.isPossible {
            try show(&watch)
        } else {
            try printBlocks(&watch)
        }
    }

    private var period: Duration { Duration(seconds: interval) }

    // MARK: Plain lines

    private func printBlocks(_ watch: inout TopWatch) throws {
        var left = count
        while left != 0 {
            usleep(useconds_t(clamping: max(0, watch.timeLeft(of: period).nanoseconds / 1000)))
            let table = try watch.next()
            if result.json {
                let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
                let data = try JSONSerialization.data(withJSONObject: table.json, options: options)
                printLine(String(decoding: data, as: UTF8.self))
            } else {
                for line in TopLayout().lines(table) { printLine(line.text) }
                left == 1 ? () : printLine("")
            }
            left = left.map { $0 - 1 }
        }
    }

    // MARK: A terminal

    private func show(_ watch: inout TopWatch) throws {
        var screen = TerminalScreen()
        var (layout, isPaused, left) = (TopLayout(), false, count)
        var shown = watch.table
        func draw() {
            (layout.width, layout.height) = (screen.size.columns, screen.size.rows)
            layout.remark = [isPaused ? "paused" : "", layout.order == .group ? "" : "sorted by \(layout.order.name)"]
                .filter { !$0.isEmpty }.joined(separator: ", ")
            screen.draw(layout.lines(shown))
        }
        while left != 0 {
            draw()
            switch screen.nextEvent(until: monotonicNow().advanced(by: watch.timeLeft(of: period))) {
            case .key(.quit): return
            case .key(.pause):
                isPaused.toggle()
                if !isPaused { shown = watch.table }
            case .key(.nextOrder): layout.order = layout.order.next
            case .key(.previousOrder): layout.order = layout.order.previous
            case .resized: continue
            case .due:
                let table = try watch.next()
                if !isPaused { shown = table }
                left = left.map { $0 - 1 }
            }
        }
    }
}

/// The samples of a group, one after another.
private struct TopWatch {
    private var client: ControlClient
    private let runDirectory: String
    private var sample: TopSample
    private(set) var table: TopTable

    init(client: ControlClient, runDirectory: String, sample: TopSample) {
        (self.client, self.runDirectory, self.sample) = (client, runDirectory, sample)
        table = TopTable(sample, since: nil, continuing: nil)
    }

    /// The time until the next sample is due.
    func timeLeft(of period: Duration) -> Duration {
        max(.zero, monotonicNow().duration(to: sample.time.advanced(by: period)))
    }

    /// Takes the next sample.
    ///
    /// - Throws: `Failure` with exit code 3 when the group has ended.
    mutating func next() throws -> TopTable {
        let next: TopSample
        do { next = try TopSample(from: client) } catch {
            // A late answer would be taken for that of the next question, so the second try has its own connection.
            client = try .connect(to: runDirectory)
            next = try TopSample(from: client)
        }
        table = TopTable(next, since: sample, continuing: table)
        sample = next
        return table
    }
}
