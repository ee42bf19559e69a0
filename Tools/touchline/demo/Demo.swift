// Demo.swift: `touchline demo`: one recording through a real group, and the path of its first tap.

import ArgumentParser
import Basics
import Foundation
import Trace
import Wire

/// The command `touchline demo`.
struct Demo: CommandWithResult {
    static let configuration = CommandConfiguration(
        abstract: "Start a group, replay a touchscreen recording through it, and show the path of one tap.",
        discussion: """
            The group belongs to this command, which stops it and removes its sockets and files at the end.

            Exits 0 when every touch arrived, 1 when one did not arrive, 2 when the recording or the scene cannot be read, \
            3 when the group cannot be started or does not come to rest.
            """)

    @Argument(
        help: ArgumentHelp(
            "A recording in any format that `touchline decode` reads, or a finger script.", valueName: "file")
    )
    var recording = "Config/Recordings/tap-and-drag.evemu"

    @Option(help: ArgumentHelp("The scene that the app shows.", valueName: "file"))
    var scene = "Config/Scenes/Demo.yaml"

    @OptionGroup var result: ResultOptions

    func run() throws {
        let (recording, scene) = (SharedFiles.path(recording), SharedFiles.path(scene))
        for file in [recording, scene] where !FileManager.default.isReadableFile(atPath: file) {
            throw Failure.badInput(
                "\(file): cannot be read: give another file, or run this command in the project's folder")
        }
        let playable = try Playable(contentsOf: recording)
        if !result.json { printLine("starting input-kit, system-server and app") }
        let group = try GroupSession(scene: scene, settings: ["trace.positions=true"], traces: true)
        if !result.json { printLine("replaying \(playable.summary) from \(recording), at its own speed") }
        let order = PlayOrder(id: 0, source: .file(absolute(recording)), pace: .times(1000), wantsLedgers: true)
        let (report, ledgers) = try group.play(order, waitLimit: playable.duration + .seconds(60))
        try group.waitUntilQuiet(limit: .seconds(5))
        let trace = try group.stop()
        guard report.failure.isEmpty else {
            throw Failure.negativeResult("\(recording): stopped early: \(report.failure)")
        }

        let tap = Self.firstTap(in: trace)
        var latencies = HopLatencies()
        for ledger in ledgers { latencies.record(ledger) }
        if result.json {
            try printJSON(json(of: report, playable, tap, latencies))
        } else {
            printResult(report, tap, latencies)
        }
        if report.sentTouches != report.arrivedTouches {
            throw Failure.negativeResult("\(recording): the touches that arrived differ from those that were sent")
        }
    }

    private func printResult(_ report: PlayReport, _ tap: [String], _ latencies: HopLatencies) {
        printText("\nThe path of one tap, its landing and its lift:\n")
        for line in tap { printLine(line) }
        printText("\n\(latencies.table)")
        printText(
            """

            Sent      \(report.sentTouches)
            Arrived   \(report.arrivedTouches)

            Where to look next\(Self.pathHint)
              touchline up                        start a group and keep it running
              touchline replay FILE               play a recording into the group
              touchline trace FILE                what a scenario makes the app print
              touchline conform                   every scenario compared with iOS
              touchline bench latency             beside the barest relays in the same run
              Docs/Architecture.md                the processes and modules, in the order of an event
            """)
    }

    private func json(
        of report: PlayReport, _ playable: Playable, _ tap: [String], _ latencies: HopLatencies
    ) -> [String: Any] {
        let played: [String: Any] = [
            "file": recording, "scene": scene, "format": playable.format, "seconds": playable.duration.seconds,
            "sent": report.sentTouches.json(frames: report.sent),
            "arrived": report.arrivedTouches.json(frames: report.answered),
            "lost": report.sentTouches != report.arrivedTouches, "tap": tap,
        ]
        return played.merging(latencies.json) { $1 }
    }

    /// A hint for the commands below, for a `touchline` that was started by its path.
    private static var pathHint: String {
        guard CommandLine.arguments[0].contains("/") else { return "" }
        // An installed program is started by a link in a folder without its other programs, and that folder is meant.
        let program = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
        return ", after: export PATH=\(program.deletingLastPathComponent().path):$PATH"
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
