// ScenarioLibrary.swift: the scenario files in a folder, each found by its id.
//
// Input     the folder, and the `id:` of every file in it
// Output    paths, in the order of ids
// Knows     the key `id:`. It reads no other key and plays nothing.

import Basics
import Foundation

/// All scenario files of a folder and of the folders in it.
public struct ScenarioLibrary: Sendable {
    /// One file with its id.
    public struct Entry: Sendable {
        /// The path of the folder as it was given, followed by the file's path in it.
        public let path: String
        /// Nil if the file has no readable `id:`. `Scenario(contentsOf:)` then gives the reason.
        public let id: String?
        let location: FileLocation
    }

    /// In the order of ids, numbers by value: S04, S04b, S10, S100a. Files without an id come last, by path.
    public let entries: [Entry]

    public init(folder: String) {
        let below = FileManager.default.subpaths(atPath: folder) ?? []
        let paths = below.filter { $0.hasSuffix(".yaml") }.sorted().map { "\(folder)/\($0)" }
        entries = paths.map(Entry.init).sorted { $0.precedes($1) }
    }

    private init(entries: [Entry]) { self.entries = entries }

    /// One error for each file whose id another file has already; the error names both.
    public var duplicates: [ScenarioError] {
        zip(entries, entries.dropFirst()).compactMap { first, second in
            guard let id = second.id, id == first.id else { return nil }
            return ScenarioError(second.location, "id: \(id) is already the id of \(first.path)")
        }
    }

    /// - Returns: The path of the file with that id; nil if there is none.
    /// - Throws: `ScenarioError` that names two files with that id.
    public func path(ofID id: String) throws(ScenarioError) -> String? {
        let matches = Self(entries: entries.filter { $0.id == id })
        if let error = matches.duplicates.first { throw error }
        return matches.entries.first?.path
    }

    /// Returns an id that begins with `word`, or the most similar one.
    public func suggestion(for word: String) -> String? {
        let ids = entries.compactMap(\.id)
        return ids.first { $0.hasPrefix(word) } ?? nearestName(to: word, among: ids)
    }
}

extension ScenarioLibrary.Entry {
    fileprivate init(path: String) {
        let node = try? YAMLNode(parsing: readText(path), file: path).value("id")
        self.init(
            path: path, id: node?.scalar, location: node?.location ?? FileLocation(file: path, line: 1, column: 1))
    }

    fileprivate func precedes(_ other: Self) -> Bool {
        guard let id, let otherID = other.id else {
            return id == nil && other.id == nil ? path < other.path : id != nil
        }
        if id == otherID { return path < other.path }
        return id.compare(otherID, options: .numeric) == .orderedAscending
    }
}
