// RecordingError.swift: the error of a recording or a script, as one line.

/// A recording or a script that cannot be read. At fault: the writer of the file.
///
/// input-kit cancels the contacts that are down, stops the play and reports the error; the group stays up.
public struct RecordingError: Error, Hashable, Sendable {
    /// The name of the file, as it was given.
    public var file: String
    /// From 1; 0 for the whole file.
    public var line: Int
    public var expected: String
    public var found: String

    public init(file: String, line: Int, expected: String, found: String) {
        (self.file, self.line, self.expected, self.found) = (file, line, expected, found)
    }
}

extension RecordingError: CustomStringConvertible {
    /// One line: `taps.evemu:12: expected a value, found "x"`.
    public var description: String {
        "\(file):\(line == 0 ? "" : "\(line):") expected \(expected), found \(found)"
    }
}

/// An error in a line, before the file and the line number are known.
package struct Complaint: Error {
    package var expected: String
    package var found: String
    /// The line number in the file, from 1, if it is not the current line.
    package var line: Int?

    package init(expected: String, found: String, line: Int? = nil) {
        (self.expected, self.found, self.line) = (expected, found, line)
    }

    func at(_ file: String, _ line: Int) -> RecordingError {
        RecordingError(file: file, line: self.line ?? line, expected: expected, found: found)
    }
}
