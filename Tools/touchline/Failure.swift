// Failure.swift: the failure of a verb, and the functions by which verbs print.

import Configuration
import Glibc
import Hosting
import ZeroMQHost

/// The failure of a verb: one line for a person, and the exit code.
struct Failure: Error, CustomStringConvertible {
    /// The exit code; main.swift has their meanings.
    var code: Int32
    var line: String
    /// Whether `line` consists of several lines. None of them may contain text from outside that could pass for a line.
    var isText = false
    var description: String { line }

    static func negativeResult(_ line: String) -> Failure { Failure(code: 1, line: line) }
    static func badInput(_ error: InvalidConfiguration) -> Failure {
        Failure(code: 2, line: "\(error)", isText: true)
    }
    static func badInput(_ line: String) -> Failure { Failure(code: 2, line: line) }
    static func group(_ error: HostError) -> Failure { group("\(error)") }
    static func group(_ line: String) -> Failure { Failure(code: 3, line: line) }
}

/// Prints a line on stderr for the person, beside the output on stdout.
func printError(_ line: String) { Output.printError(line) }

func printError(_ failure: Failure) {
    if failure.isText { Output.printErrorText(failure.line) } else { printError(failure.line) }
}

/// Prints a line on stdout without buffering.
func printLine(_ line: String) { Output.printLine(line) }

/// Prints several lines or JSON on stdout. The caller must have removed line breaks from names from outside.
func printText(_ text: String) { Output.printText(text) }

/// Shows progress on a terminal line that the next call overwrites. An empty text removes it.
func progress(_ text: String) { Output.progress(text) }
