// ReportCommand.swift: `touchline report`: one page that shows what happened in a run.

import ArgumentParser
import Basics
import Explain
import Foundation
import Page
import Runs
import Scenarios

/// The command `touchline report`.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write one HTML page that shows what happened in a run: screen, timeline, explanation, latency.",
        discussion: """
            The run is a scenario (its file or id), a recording or a finger script on a scene, or the run directory of a \
            group. Without an argument it is the group that runs now, as far as its journals are written.

            The page is one file that loads nothing. It plays the run on the screen of the phone with its views and fingers, \
            shows fingers, recognizers, held touches, run-loop turns and the way of each event on one timeline, and \
            explains each interaction step by step with its one cause. Of a live group it shows the latency of each hop.

            An app that joined from another machine has its journals there: copy its run directory here and name it with \
            --also. Its times are converted to the group's clock.

            A run with a secure window has no positions in its page. Of a very long run the page says what it leaves out.

            Exits 0 when the page is written, 2 when the run or the file cannot be used, 3 when no group is running.

            EXAMPLES
              touchline report S24 -o page.html
              touchline report Config/Recordings/tap-and-drag.evemu -o page.html
              touchline report RUN-DIR --locale ja -o page.html
            """)

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The file to write; an existing one is replaced.", valueName: "file"))
    var output: String

    @OptionGroup var locale: LocaleOption

    @OptionGroup var source: RunSource

    func run() throws {
        let run = try recorded(try source.found())
        for line in run.observed.gaps + source.absences(in: run.observed) { printError(line) }
        let record = RunRecord(run)
        let page = RunPage(record, name: name, language: locale.language)
        var bytes = Array(page.html.utf8)
        let size = bytes.count
        let file = try OutputFile(output, replaces: true)
        try file.write(&bytes)
        try file.finish()
        guard output != "-" else { return }
        printLine(
            "\(output): \(record.interactions.count) interactions, \(record.facts.count) facts, "
                + "\(record.screens.count) changes of the screen, \(size) bytes")
        for cut in record.cuts { printLine("  \(cut.part.rawValue): \(cut.limit) of \(cut.count)") }
    }

    /// The name of the run without the folders around it, which may name a person.
    private var name: String {
        let path = source.name
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    private func recorded(_ found: RunSource.Found) throws -> RecordedRun {
        switch found {
        case .journals(let folder):
            var meter = ReplayMeter()
            defer { meter.clear() }
            do throws(ReplayError) {
                return try RecordedRun(
                    journals: folder, joined: source.joined, programs: source.replayed.programs
                ) { meter.show($0, at: $1) }
            } catch { throw Failure.badInput("\(error)") }
        case .scenario(let scenario):
            do { return try RecordedRun(of: scenario) } catch { throw Failure.badInput("\(source.name): \(error)") }
        }
    }
}
