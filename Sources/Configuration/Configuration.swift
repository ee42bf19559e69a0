// Configuration.swift: Config/pipeline.yaml as the plain values of a group.
//
// The file nests the dotted keys of `Settings`: `screen:` over `width: 375` is `screen.width`. In addition to the
// settings, which every child receives, it has `group.…`, which only `touchline up` reads.
//
// Knows     YAML and files. No core, no socket.

import Basics
public import Settings
import Yams

/// The configuration of a group.
public struct Configuration: Sendable {
    public var settings = Settings()
    /// The number of apps.
    public var apps: UInt32 = 1

    /// The possible numbers: a supervisor's packets have room for no more.
    public static let apps: ClosedRange<UInt32> = 0...128

    public init() {}

    /// Reads a file.
    ///
    /// - Parameter path: The path as the person wrote it; errors contain it.
    public init(contentsOf path: String) throws(InvalidConfiguration) {
        try self.init(yaml: try Self.text(of: path), file: path)
    }

    /// Parses a file.
    ///
    /// - Throws: Every problem of the file, one line each. An empty file is valid: everything at its default.
    public init(yaml: String, file: String) throws(InvalidConfiguration) {
        let root = try document(yaml: yaml, of: file)
        var reader = NodeReader(complaints: Complaints(file: file, limit: .max))
        if let root, root.scalar?.string != "" { reader.read(root, called: "") }
        for entry in reader.entries {
            do throws(SettingsError) {
                try set(entry.key, to: entry.value)
            } catch {
                reader.complaints.add(line: entry.line, "\(error)")
            }
        }
        try reader.complaints.check()
    }

    /// Every key, in the order of the file.
    public static let names: [String] = ["group.apps"] + Settings.keys.map(\.name)

    /// Sets one value.
    ///
    /// - Parameters:
    ///   - key: Dotted.
    ///   - value: The text of the value, as in `Config/pipeline.yaml`.
    /// - Throws: `SettingsError` for an unknown key or a wrong value.
    public mutating func set(_ key: String, to value: String) throws(SettingsError) {
        if key == "group.apps" {
            guard let count = UInt32(value), Self.apps.contains(count) else {
                let expected = "a whole number from \(Self.apps.lowerBound) to \(Self.apps.upperBound)"
                throw .badValue(key: key, value: quoted(value), expected: expected)
            }
            apps = count
            return
        }
        if key == Settings.name(of: .groupStartedAt), !value.isEmpty {
            throw .badValue(key: key, value: quoted(value), expected: "nothing, because the supervisor sets it")
        }
        do throws(SettingsError) {
            try settings.set(key, to: value)
        } catch {
            switch error {
            case .unknown: throw Self.unknown(key)
            case .renamed, .removed: throw error
            case .badValue(_, _, let expected): throw .badValue(key: key, value: quoted(value), expected: expected)
            }
        }
    }

    /// Sets a value from `key=value`, the argument of `--set`.
    public mutating func set(assignment: String) throws(SettingsError) {
        guard let equals = assignment.firstIndex(of: "=") else {
            throw .badValue(key: "--set", value: quoted(assignment), expected: "key=value")
        }
        try set(String(assignment[..<equals]), to: String(assignment[assignment.index(after: equals)...]))
    }

    /// An error for an unknown key. A wrong word after the section is compared with the words of that section, because
    /// whole keys of its length may be closer otherwise.
    private static func unknown(_ key: String) -> SettingsError {
        if let section = key.split(separator: ".").first, names.contains(where: { $0.hasPrefix("\(section).") }) {
            let siblings = names.filter { $0.hasPrefix("\(section).") }.map { String($0.dropFirst(section.count + 1)) }
            let word = String(key.dropFirst(section.count + 1))
            if let nearest = nearestName(to: word, among: siblings) {
                return .unknown(key, nearest: "\(section).\(nearest)")
            }
        }
        return .unknown(key, nearest: nearestName(to: key, among: names))
    }
}

// MARK: The file

extension Configuration {
    /// Longer than any real file; refused before it is read.
    private static let byteLimit = 1 << 20

    /// The UTF-8 text of a configuration file.
    package static func text(of path: String) throws(InvalidConfiguration) -> String {
        func wrong(_ problem: String) -> InvalidConfiguration {
            InvalidConfiguration([ConfigurationError(file: path, problem: problem)])
        }
        let content: [UInt8]
        do { content = try bytes(ofFile: path, limit: byteLimit) } catch { throw wrong("\(error)") }
        guard let text = String(validating: content, as: UTF8.self) else {
            throw wrong("expected UTF-8 text, found other bytes")
        }
        return text
    }
}

/// Flattens a YAML tree to dotted keys with their lines.
private struct NodeReader: DocumentReader {
    struct Entry {
        var key: String
        var value: String
        var line: Int?
    }

    /// All errors; never more than the file has values.
    var complaints: Complaints
    var entries: [Entry] = []

    /// Nested anchors can expand forty lines to a billion nodes; no real file comes near this limit.
    private static let nodeLimit = 10_000
    private var nodes = 0

    init(complaints: Complaints) { self.complaints = complaints }

    mutating func read(_ node: Node, called key: String) {
        nodes += 1
        guard nodes <= Self.nodeLimit else {
            if nodes == Self.nodeLimit + 1 {
                complain(node, "expected at most \(Self.nodeLimit) values, found more")
            }
            return
        }
        let name = key.isEmpty ? "" : "\(key): "
        switch node {
        case .mapping(let mapping):
            for (word, value) in mapping where nodes <= Self.nodeLimit {
                guard let word = word.scalar?.string else {
                    complain(word, "\(name)expected a key, found a list or a section")
                    continue
                }
                read(value, called: key.isEmpty ? word : "\(key).\(word)")
            }
        case .scalar(let scalar):
            let prefix = "\(key)."
            let section = Configuration.names.first { $0.hasPrefix(prefix) }
            if key.isEmpty {
                complain(node, "expected sections of keys, found \(quoted(scalar.string))")
            } else if let section {
                complain(node, "\(name)expected a section of keys (\(section), …), found \(quoted(scalar.string))")
            } else {
                entries.append(Entry(key: key, value: scalar.string, line: node.mark?.line))
            }
        case .sequence: complain(node, "\(name)expected a value, found a list")
        case .alias: complain(node, "\(name)expected a value, found an alias to nothing")
        }
    }
}

extension ConfigurationError {
    init(file: String, _ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(file: file, line: mark.line, problem: "expected YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            let keys = duplicates.sorted().joined(separator: ", ")
            self.init(file: file, line: context.mark.line, problem: "expected each key once, found again: \(keys)")
        case .reader(let problem, _, _, _): self.init(file: file, problem: "expected YAML: \(problem)")
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            self.init(file: file, problem: "expected YAML: \(error)")
        }
    }
}
