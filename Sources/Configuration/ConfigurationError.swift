// ConfigurationError.swift: the errors of a configuration file, each as one line.

import Basics

/// One problem of a configuration file, as one line. At fault: the writer of the file.
public struct ConfigurationError: Error, Hashable, Sendable {
    /// The name of the file, as the person wrote it.
    public var file: String
    /// From 1; nil for the whole file.
    public var line: Int?
    /// The expected and the found text.
    public var problem: String

    public init(file: String, line: Int? = nil, problem: String) {
        (self.file, self.line, self.problem) = (file, line, problem)
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// `pipeline.yaml:12: screen.width: expected a number from 1.0 to 100000.0, found "wide"`
    public var description: String {
        let location = line.map { "\(file):\($0)" } ?? file
        // File names and keys may contain line breaks, and each error is one line.
        return oneLine("\(location): \(problem)")
    }
}

/// All problems of a configuration, in the order of its lines, so that one edit can fix them all.
public struct InvalidConfiguration: Error, Hashable, Sendable {
    public var errors: [ConfigurationError]

    public init(_ errors: [ConfigurationError]) { self.errors = errors }
}

extension InvalidConfiguration: CustomStringConvertible {
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}
