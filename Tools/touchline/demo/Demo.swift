// Demo.swift: `touchline demo`: one recording through a real group, and the path of its first tap.

import ArgumentParser
import Basics
import Foundation
import Trace
import Wire

/// The command `touchline demo`.
struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start a group, replay a touchscreen recording through it, and show the way of one tap.",
        discussion: """
            The group is this command's own: it is stopped, and its sockets and files removed, before the command ends.
            Exits with 0 when every touch arrived, 1 when one did not, 2 when the recording or scene cannot be read.
            """)

    @Argument(help: "A recording in any format `touchline decode` reads, or a finger script.")
    var recording = "Config/Recordings/tap-and-drag.evemu"

    @Option(help: "The scene the app shows.")
    var scene = "Config/Scenes/Demo.yaml"

    func run() throws {
        for file in [recording, scene] where !FileManager.default.isReadableFile(atPath: file) {
            throw Failure.badInput("\(file): cannot be read: name another, or run this from the project's folder")
        }
        let playable = try Playable(contentsOf: recording)
        printLine("starting input-kit, system-server and app")
        let group = try GroupSession(scene: scene, settings: ["trace.positions=true"], traces: true)
        printLine("replaying \(playable.summary) from \(recording), at its own speed")
        let order = PlayOrder(id: 0, source: .file(absolute(recording)), pace: .times(1000), wantsLedgers: true)
        let (report, ledgers) = try group.play(order, waitLimit: playable.duration + .seconds(60))
        try group.waitUntilQuiet(limit: .seconds(5))
        let trace = try group.stop()
        guard report.failure.isEmpty else {
            throw Failure.negativeResult("\(recording): stopped early: \(report.failure)")
        }

        printText("\nThe way of one tap: its landing, and its lifting.\n")
        for line in Self.firstTap(in: trace) { printLine(line) }

        var latencies = HopLatencies()
        for ledger in ledgers { latencies.record(ledger) }
        var table = LatencyTable(title: "")
        table.add(latencies, whole: "device to app")
        printText("\nWhere the time of \(latencies.whole.count) scans went, in microseconds:\n")
        printText(table.text)

        printText(
            """

            Sent      \(report.sentTouches)
            Arrived   \(report.arrivedTouches)

            Where to look next\(Self.pathHint)
              touchline up                        start a group and keep it
              touchline replay FILE               play a recording into it
              touchline trace FILE                what a scenario makes the app say
              touchline conform                   every scenario against what iOS does
              touchline bench latency             against a raw libzmq relay, in one run
              Docs/Architecture.md                the processes and modules, in the order of an event
            """)
        if report.sentTouches != report.arrivedTouches {
            throw Failure.negativeResult("\(recording): what arrived is not what was sent")
        }
    }

    /// A hint for the commands below, for a `touchline` that was started by its path.
    private static var pathHint: String {
        guard CommandLine.arguments[0].contains("/"),
            let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        else { return "" }
        return ", after: export PATH=\(URL(filePath: program).deletingLastPathComponent().path):$PATH"
    }

    /// Returns the lines from the first finger's landing to the result of its lift, with times from the landing.
    private static func firstTap(in trace: [TraceLine]) -> [String] {
        let scans = trace.indices.filter { trace[$0].station == .device }
        guard let landing = scans.first(where: { trace[$0].text.contains("down") }),
            let lifting = scans.first(where: { $0 > landing && trace[$0].text.contains("up") })
        else { return ["no finger lands and lifts in this recording"] }
        let next = scans.first { $0 > lifting } ?? trace.endIndex
        let stations = Set(Station.eventStations)
        return trace[landing..<next].filter { stations.contains($0.station) && !$0.isProbe }
            .map { $0.text(since: trace[landing].at) }
    }
}
