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

    /// The name of what stdout is: the file of --output, if there is one.
    nonisolated(unsafe) fileprivate(set) static var target = "stdout"

    func validate() throws {
        if outputFile == "" { throw ValidationError("--output: expected a file, found nothing") }
    }

    /// Makes the file of --output the stdout of this process, so that an unwritable file fails before the work.
    ///
    /// - Throws: `Failure` with exit code 2 when the file cannot be written.
    func redirectOutput() throws {
        guard let outputFile, outputFile != "-" else { return }
        guard !Self.isNamedTwice(outputFile, in: Array(CommandLine.arguments.dropFirst())) else {
            throw Failure.badInput("--output: expected a file that no other argument names, found \(outputFile)")
        }
        let file = open(outputFile, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard file >= 0, dup2(file, STDOUT_FILENO) >= 0 else {
            throw Failure.badInput("\(outputFile): cannot be written: \(String(cString: strerror(errno)))")
        }
        close(file)
        Self.target = outputFile
    }

    /// Whether an argument beside --output names the output file. An input file must not be truncated before it is read.
    ///
    /// - Parameter arguments: The words of the command line; of `--option=value` the value is compared.
    static func isNamedTwice(_ file: String, in arguments: [String]) -> Bool {
        let names = arguments.map { word in
            guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return word }
            return String(word[word.index(after: equals)...])
        }
        return names.count { $0 == file } > 1 || names.contains { $0 != file && isSameFile($0, file) }
    }

    /// Whether two paths name one regular file.
    private static func isSameFile(_ first: String, _ second: String) -> Bool {
        var (one, other) = (stat(), stat())
        guard stat(first, &one) == 0, stat(second, &other) == 0, one.st_mode & S_IFMT == S_IFREG else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
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
