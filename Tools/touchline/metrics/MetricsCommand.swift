// MetricsCommand.swift: `touchline metrics`: the metrics of a running group over HTTP, for Prometheus.

import ArgumentParser
import Basics
import Exports
import Glibc
import Wire
import ZeroMQHost

/// The command `touchline metrics`.
struct MetricsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Serve the metrics of the running group over HTTP on 127.0.0.1, for Prometheus.",
        discussion: """
            Answers GET /metrics with the text of `touchline dump --format openmetrics`. It listens on 127.0.0.1 only, \
            prints its address, and runs until Ctrl-C. Each answer has the reports of that moment; without a group the \
            answer is 503.

            Exits 0 when Ctrl-C or SIGTERM ends it, 2 when the port cannot be used, 3 when no group is running at the start.
            """)

    @Option(help: ArgumentHelp("The port; 0 is any free one.", valueName: "number"))
    var port: Int

    @OptionGroup var runDirectory: RunDirectory

    func validate() throws { try expect("--port", port, in: 0...65_535) }

    func run() throws {
        let path = try runDirectory.path
        _ = try GroupReport(from: .connect(to: path))
        let listener = try MetricsListener(port: UInt16(port))
        // No answer is worth waiting for: the next scrape repeats it.
        for number in [SIGINT, SIGTERM] { signal(number) { _ in _exit(0) } }
        printLine("serving http://127.0.0.1:\(listener.port)/metrics")
        while true {
            listener.serve { () throws(Failure) -> String in
                do { return GroupMetrics(try GroupReport(from: .connect(to: path))).text } catch let failure as Failure
                {
                    throw failure
                } catch { throw Failure.group("\(error)") }
            }
        }
    }
}
