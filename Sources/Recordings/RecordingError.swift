/// A recording or a script that cannot be read. Blame: whoever wrote the file.
///
/// input-kit cancels what is down, stops the play and reports the error; the group stays up.
public struct RecordingError: Error, Hashable, Sendable {
    /// As it was asked for.
    public var file: String
    /// From 1; 0 when it is the whole file that is meant.
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

/// What a line is wrong about, before anybody has said which file and line.
struct Complaint: Error {
    var expected: String
    var found: String
    /// Of the file, from 1, where it is not the line at hand.
    var line: Int?

    init(expected: String, found: String, line: Int? = nil) {
        (self.expected, self.found, self.line) = (expected, found, line)
    }

    func at(_ file: String, _ line: Int) -> RecordingError {
        RecordingError(file: file, line: self.line ?? line, expected: expected, found: found)
    }
}
