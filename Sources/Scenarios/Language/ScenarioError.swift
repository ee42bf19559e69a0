// ScenarioError.swift: errors of scenario and scene files, with their locations.
//
// Input     the parsers of the language
// Output    one line for the author of the file
//
// Sources   invented

/// A position in a text file.
public struct FileLocation: Hashable, Sendable {
    public var file: String
    /// The line and the column, from 1.
    public var line, column: Int

    /// The place of a value that no file contains.
    static let nowhere = FileLocation(file: "", line: 1, column: 1)

    init(file: String, line: Int, column: Int) {
        (self.file, self.line, self.column) = (file, line, column)
    }
}

extension FileLocation: CustomStringConvertible {
    public var description: String { "\(file):\(line):\(column)" }
}

/// A scenario or scene file that cannot be used. At fault: its author.
public struct ScenarioError: Error, Hashable, Sendable {
    public var location: FileLocation
    /// What was expected and what was found.
    public var reason: String

    init(_ location: FileLocation, _ reason: String) { (self.location, self.reason) = (location, reason) }
}

extension ScenarioError: CustomStringConvertible {
    /// `Tests/Conformance/hit-testing/label-is-not-hit.yaml:12:5: unknown key fame of a view; did you mean frame?`
    public var description: String { "\(location): \(reason)" }
}
