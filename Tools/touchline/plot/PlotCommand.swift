// PlotCommand.swift: `touchline plot`: a picture of a recording or of the latency of a run.

import ArgumentParser
import Foundation
import HID
import Recordings
import Runs
import Scenarios

/// The command `touchline plot`.
struct PlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot",
        abstract: "Draw a recording, or the latency of a run, as an SVG picture.",
        discussion: """
            The picture of a recording has the track of each contact over the panel, its speed, and the time between two \
            scans. The picture of a run directory has the latency of each hop by percentile, from the run's journals.

            A simulated run (a scenario) takes no time in its hops, so it has no picture.

            Exits 0 when the picture is written, 1 when the run is incomplete or has no latencies, 2 when the recording or \
            the run cannot be read or the picture cannot be written.
            """)

    @OptionGroup var source: RunSource

    @OptionGroup var output: RunOutput

    func validate() throws { try output.check(against: source) }

    func run() throws {
        if source.namesRecording {
            try write(try recordingPicture())
        } else {
            let run = try source.observed()
            let plot = LatencyPlot(run.latencies)
            guard !plot.isEmpty else {
                throw Failure.negativeResult(
                    "\(source.name): expected scans that took time, found none: a simulated run has no latencies")
            }
            try write(plot.picture(of: source.name))
            for gap in run.gapsOfWhole { printError("\(source.name): \(gap)") }
            if !run.gapsOfWhole.isEmpty { throw ExitCode(1) }
        }
    }

    private func recordingPicture() throws -> PlotPicture {
        var plot = RecordingPlot()
        let file = try RecordingFile(source.name, options: RecordingOptions(), screen: nil) { plot.count($0) }
        if let fault = file.fault { throw Failure.badInput(fault) }
        if let closing = file.closing { plot.count(closing) }
        guard !plot.isEmpty else { throw Failure.badInput("\(source.name): expected contacts, found none") }
        return plot.picture(
            file: source.name, ranges: file.reader.ranges, screen: file.reader.screenOfPositions)
    }

    private func write(_ picture: PlotPicture) throws {
        let out = try output.open()
        var bytes = Array(picture.svg.utf8)
        try out.write(&bytes)
        try out.finish()
    }
}

extension RunSource {
    /// Whether the argument is a file other than a scenario.
    var namesRecording: Bool {
        var isFolder: ObjCBool = false
        guard let run = argument else { return false }
        guard FileManager.default.fileExists(atPath: run, isDirectory: &isFolder), !isFolder.boolValue else {
            return false
        }
        return !(run.hasSuffix(".yaml") && ((try? Scene.isScenario(run)) ?? true))
    }
}
