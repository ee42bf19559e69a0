import Configuration
import Glibc
import Hosting
import ZeroMQHost

/// Why a verb could not do what it was asked: one line for a person, and the code to exit with.
struct Failure: Error, CustomStringConvertible {
    /// What the exit codes mean is said in main.swift.
    var code: Int32
    var line: String
    /// Whether `line` is several, each of which cannot be forged.
    var isText = false
    var description: String { line }

    static func no(_ line: String) -> Failure { Failure(code: 1, line: line) }
    static func badInput(_ error: InvalidConfiguration) -> Failure {
        Failure(code: 2, line: "\(error)", isText: true)
    }
    static func badInput(_ line: String) -> Failure { Failure(code: 2, line: line) }
    static func group(_ error: HostError) -> Failure { group("\(error)") }
    static func group(_ line: String) -> Failure { Failure(code: 3, line: line) }
}

/// A line for the person, beside whatever a program reads on stdout.
func complain(_ line: String) { Output.complain(line) }

func complain(_ failure: Failure) {
    if failure.isText { Output.complainText(failure.line) } else { complain(failure.line) }
}

/// A line at once, also into a pipe.
func say(_ line: String) { Output.say(line) }

/// Several lines at once, or JSON: no name from outside is a part of it with its ends of lines.
func sayText(_ text: String) { Output.sayText(text) }

/// What goes on, on a line of the terminal that the next one is written over; empty takes it away.
func progress(_ text: String) { Output.progress(text) }
