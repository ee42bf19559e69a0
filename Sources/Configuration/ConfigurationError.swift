import Basics

/// One thing wrong with a configuration file, as one line. Blame: whoever wrote it.
public struct ConfigurationError: Error, Hashable, Sendable {
    /// As the person named it.
    public var file: String
    /// From 1; nil when the file as a whole is meant.
    public var line: Int?
    /// What was expected and what was found.
    public var problem: String

    public init(file: String, line: Int? = nil, problem: String) {
        (self.file, self.line, self.problem) = (file, line, problem)
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// `pipeline.yaml:12: screen.width: expected a number from 1.0 to 100000.0, found "wide"`
    public var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        // A file and a key may be called anything, and each error is a line.
        return oneLine("\(place): \(problem)")
    }
}

/// Everything wrong with a configuration, in the order of its lines: all of it at once, so that one edit mends it.
public struct InvalidConfiguration: Error, Hashable, Sendable {
    public var errors: [ConfigurationError]

    public init(_ errors: [ConfigurationError]) { self.errors = errors }
}

extension InvalidConfiguration: CustomStringConvertible {
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}
