// YAMLNode.swift: a YAML document as plain values with their locations.
//
// Input     Yams
// Output    KeyTable and Form, which give each value its type
// Knows     YAML. No key of the language.

import Basics
import Configuration
import Foundation
import Yams

/// One value of a YAML document.
struct YAMLNode: Sendable {
    /// The three kinds of YAML values.
    indirect enum Content: Sendable {
        case scalar(String)
        case sequence([YAMLNode])
        case mapping([Entry])
    }
    /// One key with its value.
    struct Entry: Sendable {
        var key: String
        var location: FileLocation
        var value: YAMLNode
    }

    var location: FileLocation
    var content: Content
    /// The place of the first line of a text over several lines; otherwise the place of the value.
    var textLocation: FileLocation

    init(_ content: Content, at location: FileLocation) {
        (self.content, self.location, textLocation) = (content, location, location)
    }
}

extension YAMLNode {
    /// - Throws: `ScenarioError` if the text is no YAML, or the document is empty.
    init(parsing text: String, file: String) throws(ScenarioError) {
        let root: Yams.Node?
        do {
            root = try document(yaml: text)
        } catch {
            throw ScenarioError(yaml: error, file: file)
        }
        guard let root else {
            throw ScenarioError(FileLocation(file: file, line: 1, column: 1), "expected keys, found nothing")
        }
        // A line may end in CR LF, which is one `Character`.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        var budget = 100_000
        self = try Self(root, file: file, lines: lines, budget: &budget)
    }

    /// - Parameter budget: The number of values that are still allowed. With anchors a short file could contain one
    ///   value a million times.
    private init(
        _ node: Yams.Node, file: String, lines: [Substring], budget: inout Int
    ) throws(ScenarioError) {
        let location = FileLocation(file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
        budget -= 1
        guard budget > 0 else { throw ScenarioError(location, "too many values in one file") }
        switch node {
        case .scalar(let scalar):
            self.init(.scalar(scalar.string), at: location)
            if scalar.style == .literal || scalar.style == .folded, lines.indices.contains(location.line) {
                // The mark is that of the `|`. The text begins on the next line, after its indentation.
                textLocation = FileLocation(
                    file: file, line: location.line + 1, column: lines[location.line].prefix { $0 == " " }.count + 1)
            }
        case .sequence(let sequence):
            var items: [YAMLNode] = []
            for item in sequence { items.append(try Self(item, file: file, lines: lines, budget: &budget)) }
            self.init(.sequence(items), at: location)
        case .mapping(let mapping):
            var entries: [Entry] = []
            for (key, value) in mapping {
                let keyLocation = FileLocation(file: file, line: key.mark?.line ?? 1, column: key.mark?.column ?? 1)
                guard case .scalar(let name) = key else { throw ScenarioError(keyLocation, "expected a word as key") }
                let value = try Self(value, file: file, lines: lines, budget: &budget)
                entries.append(Entry(key: name.string, location: keyLocation, value: value))
            }
            self.init(.mapping(try Self.merged(entries)), at: location)
        case .alias:
            throw ScenarioError(location, "expected a value, found an alias")
        }
    }

    /// Merges `<<: *name`: the keys of other mappings that this one does not have.
    private static func merged(_ entries: [Entry]) throws(ScenarioError) -> [Entry] {
        guard let merge = entries.first(where: { $0.key == "<<" }) else { return entries }
        var all = entries.filter { $0.key != "<<" }
        var sources = [merge.value]
        if case .sequence(let items) = merge.value.content { sources = items }
        for source in sources {
            guard case .mapping(let others) = source.content else {
                throw ScenarioError(merge.location, "<<: expected keys, found \(source.kindName)")
            }
            all += others.filter { other in !all.contains { $0.key == other.key } }
        }
        return all
    }

    var kindName: String {
        switch content {
        case .scalar(let text): quoted(text)
        case .sequence: "a list"
        case .mapping: "keys"
        }
    }

    var scalar: String? { if case .scalar(let text) = content { text } else { nil } }

    func value(_ key: String) -> YAMLNode? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.key == key }?.value
    }
}

extension ScenarioError {
    fileprivate init(yaml error: any Error, file: String) {
        if let error = error as? AliasError {
            self.init(FileLocation(file: file, line: error.line, column: 1), "\(error)")
            return
        }
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(FileLocation(file: file, line: mark.line, column: mark.column), "not YAML: \(problem)")
        case .reader(let problem, _, _, _):
            self.init(FileLocation(file: file, line: 1, column: 1), "not YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            let key = duplicates.first ?? ""
            self.init(
                FileLocation(file: file, line: context.mark.line, column: context.mark.column),
                "the key \(key) is there twice")
        default:
            self.init(FileLocation(file: file, line: 1, column: 1), "not YAML")
        }
    }
}
