// ResultOptions.swift: --json and --output, the options of every command whose result a script would read.

import ArgumentParser
import Glibc
import ZeroMQHost

/// The form of a command's result, and the file it goes to.
struct ResultOptions: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Option(
        name: .customLong("output"),
        help: ArgumentHelp("Write the result to this file instead of stdout.", valueName: "file"))
    var outputFile: String?

    func validate() throws {
        if outputFile == "" { throw ValidationError("--output: expected a file, found nothing") }
    }

    /// Makes the file of --output the stdout of this process, so that an unwritable file fails before the work.
    ///
    /// - Throws: `Failure` with exit code 2 when the file cannot be written.
    func redirectOutput() throws {
        guard let outputFile else { return }
        let file = open(outputFile, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard file >= 0, dup2(file, STDOUT_FILENO) >= 0 else {
            throw Failure.badInput("\(outputFile): cannot be written: \(String(cString: strerror(errno)))")
        }
        close(file)
    }

    /// The options as words of a command line.
    var words: [String] {
        (json ? ["--json"] : []) + (outputFile.map { ["--output", $0] } ?? [])
    }
}

/// A command with a result; main.swift redirects its stdout before it runs.
protocol CommandWithResult: ParsableCommand {
    var result: ResultOptions { get }
}
