// DocumentReader.swift: what every reader of a YAML file does alike: it reads on behind a mistake, and all of them are
// told at once, one line each, with the nearest word there is.
//
// Knows     YAML. What a file means, each reader says.

import Basics
import Yams

/// Reads one file.
protocol DocumentReader {
    var complaints: Complaints { get set }
    init(complaints: Complaints)
}

/// What is wrong with one file, as far as it has been read.
struct Complaints {
    /// As the person wrote it.
    let file: String
    /// More than anybody mends at once.
    var limit = 100
    private(set) var errors: [ConfigurationError] = []

    var isFull: Bool { errors.count >= limit }

    mutating func add(line: Int?, _ problem: String) {
        if !isFull { errors.append(ConfigurationError(file: file, line: line, problem: problem)) }
    }

    /// - Throws: All there are, in the order of their lines.
    func check() throws(InvalidConfiguration) {
        guard errors.isEmpty else {
            throw InvalidConfiguration(errors.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
        }
    }
}

extension DocumentReader {
    /// - Returns: What `meaning` makes of the file; nil of an empty one.
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

    /// Of a key that is none of those that are known.
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

/// What somebody wrote where something else was expected.
func described(_ node: Node) -> String {
    switch node {
    case .scalar(let scalar): quoted(scalar.string)
    case .mapping: "a section"
    case .sequence: "a list"
    case .alias: "an alias"
    }
}

/// `, did you mean taps?`; nothing where no word is near.
func suggestion(_ word: String, _ known: [String]) -> String {
    nearestName(to: word, among: known).map { ", did you mean \($0)?" } ?? ""
}

/// `5`, not `5.0`.
func short(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
