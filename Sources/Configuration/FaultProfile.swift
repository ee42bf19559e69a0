// FaultProfile.swift: reads a profile of faults from a YAML file: Config/Faults.
//
// All mistakes of a file are reported, one line each.
//
// Knows     YAML and files. FaultKind defines the words and their values.

import Basics
public import Faults
import Yams

extension FaultProfile {
    /// Reads a file.
    ///
    /// - Parameter path: The path as the person wrote it; errors contain it.
    public init(contentsOf path: String) throws(InvalidConfiguration) {
        try self.init(yaml: try Configuration.text(of: path), file: path)
    }

    /// Parses a file. An empty file is a profile without faults.
    public init(yaml: String, file: String) throws(InvalidConfiguration) {
        self.init(try FaultReader.read(yaml: yaml, file: file) { $0.rules($1) } ?? [])
    }
}

private struct FaultReader: DocumentReader {
    var complaints: Complaints

    private static let keys = ["chance", "targets", "every", "amount", "length"]
    /// Seconds between two faults, and seconds that a fault lasts.
    private static let times = 0.001...86_400.0
    private static let targetLimit = 256

    mutating func rules(_ root: Node) -> [FaultRule] {
        var rules: [FaultRule] = []
        for (key, value) in entries(of: root, called: "a profile of faults") {
            guard let name = key.scalar?.string, let kind = FaultKind(rawValue: name) else {
                let known = FaultKind.allCases.map(\.rawValue)
                complain(
                    key,
                    "expected a fault word (\(known.joined(separator: " "))), found \(described(key))"
                        + suggestion(key.scalar?.string ?? "", known))
                continue
            }
            if let rule = rule(kind, value) { rules.append(rule) }
        }
        return rules
    }

    private mutating func rule(_ word: FaultKind, _ node: Node) -> FaultRule? {
        var rule = FaultRule(word, targets: [])
        let before = complaints.errors.count
        var seen: [String] = []
        for (key, value) in entries(of: node, called: word.rawValue) {
            let name = key.scalar?.string ?? ""
            seen.append(name)
            switch name {
            case "chance":
                if let range = range(value, "\(word.rawValue).chance", in: 0...1) { rule.chance = range.lowerBound }
            case "targets": rule.targets = targets(value, word)
            case "every": rule.every = range(value, "\(word.rawValue).every", in: Self.times)
            case "amount" where word.amount != .nothing:
                if let range = range(value, "\(word.rawValue).amount", in: word.amount.range) { rule.amount = range }
            case "length" where word.hasLength: rule.length = range(value, "\(word.rawValue).length", in: Self.times)
            case "amount", "length": complain(key, "\(word.rawValue): takes no \(name)")
            default: complain(key, of: word.rawValue, expectedOneOf: Self.keys)
            }
        }
        if case .mapping = node {
            if !seen.contains("targets") { complain(node, "\(word.rawValue): expected targets") }
            if word.amount != .nothing, !seen.contains("amount") {
                complain(node, "\(word.rawValue): expected amount, \(word.amount.expectation)")
            }
        }
        return complaints.errors.count == before ? rule : nil
    }

    private mutating func targets(_ node: Node, _ word: FaultKind) -> [FaultTarget] {
        guard case .sequence(let sequence) = node, (1...Self.targetLimit).contains(sequence.count) else {
            complain(
                node, "\(word.rawValue).targets: expected a list as [app1, system-server], found \(described(node))")
            return []
        }
        return sequence.compactMap { entry in
            let name = entry.scalar?.string ?? ""
            if let target = FaultTarget(name) { return target }
            let known = ["apps", "app1", "input-kit", "system-server", "supervisor"]
            complain(
                entry,
                "\(word.rawValue).targets: expected one of \(known.joined(separator: " ")), found \(described(entry))"
                    + suggestion(name, known))
            return nil
        }
    }

    /// Parses one number, or `[from, to]`.
    private mutating func range(
        _ node: Node, _ name: String, in limits: ClosedRange<Double>
    ) -> ClosedRange<Double>? {
        func number(_ node: Node) -> Double? {
            guard let text = node.scalar?.string, let number = Double(text), limits.contains(number) else { return nil }
            return number
        }
        if let one = number(node) { return one...one }
        if case .sequence(let pair) = node, pair.count == 2, let from = number(pair[0]), let to = number(pair[1]),
            from <= to
        {
            return from...to
        }
        complain(
            node,
            "\(name): expected a number from \(short(limits.lowerBound)) to \(short(limits.upperBound)), "
                + "or two as [from, to], found \(described(node))")
        return nil
    }
}
