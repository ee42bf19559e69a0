// RecordCommand.swift: `touchline run-record`: the record of a group's run so far, for the inspector's page.

import ArgumentParser
import Page
import Runs
import Scenarios

/// The command `touchline run-record`, which the inspector starts.
struct RecordCommand: ParsableCommand {
    static let name = "run-record"

    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Print the record of a run as JSON, for the inspector.",
        discussion: "Exits 0 when the record is printed, 2 when the journals cannot be read.", shouldDisplay: false)

    @Argument(help: ArgumentHelp("The run directory.", valueName: "folder"))
    var folder: String

    @OptionGroup var locale: LocaleOption

    func run() throws {
        do throws(ReplayError) {
            printText(RunRecord(try RecordedRun(journals: folder)).json(in: locale.language).text)
        } catch { throw Failure.badInput("\(error)") }
    }
}
