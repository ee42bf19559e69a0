// DocumentReader.swift: the common part of YAML file readers. A reader continues after a mistake and reports all
// mistakes at once, one line each, with the nearest known word.
//
// Knows     YAML. Each reader defines the meaning of its file.

import Basics
import Yams

/// Reads one file.
protocol DocumentReader {
    var complaints: Complaints { get set }
    init(complaints: Complaints)
}

/// The problems of one file so far.
struct Complaints {
    /// The name of the file, as the person wrote it.
    let file: String
    /// More problems than a person fixes at once.
    var limit = 100
    private(set) var errors: [ConfigurationError] = []

    var isFull: Bool { errors.count >= limit }

    mutating func add(line: Int?, _ problem: String) {
        if !isFull { errors.append(ConfigurationError(file: file, line: line, problem: problem)) }
    }

    /// Ends the check.
    ///
    /// - Throws: All problems, in the order of their lines.
    func check() throws(InvalidConfiguration) {
        guard errors.isEmpty else {
            throw InvalidConfiguration(errors.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
        }
    }
}

extension DocumentReader {
    /// Reads a file.
    ///
    /// - Returns: The result of `meaning`; nil for an empty file.
    /// - Throws: All problems of the file.
    static func read<Meaning>(
        yaml: String, file: String, _ meaning: (inout Self, Node) -> Meaning
    ) throws(InvalidConfiguration) -> Meaning? {
        guard let root = try document(yaml: yaml, of: file), root.scalar?.string != "" else { return nil }
        var reader = Self(complaints: Complaints(file: file))
        let meaning = meaning(&reader, root)
        try reader.complaints.check()
        return meaning
    }

    mutating func complain(_ node: Node?, _ problem: String) { complaints.add(line: node?.mark?.line, problem) }

    /// Adds the problem of an unknown key.
    mutating func complain(_ key: Node, of name: String, expectedOneOf known: [String]) {
        let near = suggestion(key.scalar?.string ?? "", known)
        complain(key, "\(name): expected one of \(known.joined(separator: " ")), found \(described(key))\(near)")
    }

    mutating func entries(of node: Node, called name: String) -> [(Node, Node)] {
        guard case .mapping(let mapping) = node else {
            complain(node, "\(name): expected keys and values, found \(described(node))")
            return []
        }
        return mapping.map { ($0.key, $0.value) }
    }
}

/// The text of a node for an error.
func described(_ node: Node) -> String {
    switch node {
    case .scalar(let scalar): quoted(scalar.string)
    case .mapping: "a section"
    case .sequence: "a list"
    case .alias: "an alias"
    }
}

/// `, did you mean taps?`; empty if no word is near.
func suggestion(_ word: String, _ known: [String]) -> String {
    nearestName(to: word, among: known).map { ", did you mean \($0)?" } ?? ""
}

/// `5`, not `5.0`.
func short(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
