// RunOutput.swift: -o, for a command that writes one file about a run.

import ArgumentParser

/// The file that a command writes about a run.
struct RunOutput: ParsableArguments {
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write the result to this file instead of stdout.", valueName: "file"))
    var file: String?

    /// - Throws: `ValidationError` for an empty name, and for the file that the run is read from.
    func check(against source: RunSource) throws {
        if file == "" { throw ValidationError("--output: expected a file, found nothing") }
        if let file, file == source.argument {
            throw ValidationError("--output: expected a file that no other argument names, found \(file)")
        }
    }

    func open() throws -> OutputFile { try OutputFile(file ?? "-", replaces: true) }
}
