// Fields.swift: the keys of one mapping, each asked for with the type it must have.
//
// Fed by    YAMLNode
// Feeds     ScenarioParser
// Knows     how a value is written. A key nobody knows is an error that names the nearest known one.

import Basics

struct Fields {
    let node: YAMLNode
    /// What the keys describe, for errors: `a view`.
    let subject: String

    /// - Throws: For anything but keys, and for the first key that is not in `known`.
    init(_ node: YAMLNode, of subject: String, known: [String]) throws(ScenarioError) {
        (self.node, self.subject) = (node, subject)
        guard case .mapping(let entries) = node.content else {
            throw ScenarioError(node.place, "expected the keys of \(subject), found \(node.kindName)")
        }
        for entry in entries where !known.contains(entry.key) {
            throw ScenarioError(
                entry.place, "unknown key \(entry.key) of \(subject)\(suggestion(for: entry.key, among: known))")
        }
    }

    var place: Place { node.place }

    func has(_ key: String) -> Bool { node.value(key) != nil }

    func text(_ key: String) throws(ScenarioError) -> String? { try node.value(key)?.text(for: key) }

    func requiredText(_ key: String) throws(ScenarioError) -> String {
        guard let text = try text(key) else { throw ScenarioError(place, "\(subject) needs \(key)") }
        return text
    }

    func flag(_ key: String) throws(ScenarioError) -> Bool? { try node.value(key)?.flag(for: key) }

    func number(
        _ key: String, in range: ClosedRange<Double> = -1e9...1e9
    ) throws(ScenarioError) -> Double? { try node.value(key)?.number(for: key, in: range) }

    func count(_ key: String, in range: ClosedRange<Int> = 0...1_000_000) throws(ScenarioError) -> Int? {
        guard let value = node.value(key) else { return nil }
        guard let text = value.scalar, let number = Int(text), range.contains(number) else {
            throw ScenarioError(
                value.place,
                "\(key): expected a whole number from \(range.lowerBound) to \(range.upperBound), "
                    + "found \(value.kindName)")
        }
        return number
    }

    /// Exactly `size` numbers.
    func numbers(_ key: String, _ size: Int) throws(ScenarioError) -> [Double]? {
        guard let value = node.value(key) else { return nil }
        guard case .sequence(let items) = value.content, items.count == size else {
            throw ScenarioError(value.place, "\(key): expected a list of \(size) numbers, found \(value.listName)")
        }
        var numbers: [Double] = []
        for item in items { numbers.append(try item.number(for: key, in: -1e9...1e9)) }
        return numbers
    }

    /// A list of words; one word alone is a list of one.
    func words(_ key: String) throws(ScenarioError) -> [Placed<String>]? {
        guard let value = node.value(key) else { return nil }
        return try value.words(for: key)
    }

    /// One of `choices`, by raw value.
    func choice<T: RawRepresentable & CaseIterable>(
        _ key: String, _ type: T.Type
    ) throws(ScenarioError) -> T? where T.RawValue == String {
        guard let value = node.value(key) else { return nil }
        return try Placed(value.text(for: key), value.place).choice(for: key, type)
    }

    func choices<T: RawRepresentable & CaseIterable>(
        _ key: String, _ type: T.Type
    ) throws(ScenarioError) -> [T]? where T.RawValue == String {
        guard let words = try words(key) else { return nil }
        var choices: [T] = []
        for word in words { choices.append(try word.choice(for: key, type)) }
        return choices
    }

    func list(_ key: String) throws(ScenarioError) -> [YAMLNode]? {
        guard let value = node.value(key) else { return nil }
        switch value.content {
        case .sequence(let items): return items
        case .scalar(""): return []
        default: throw ScenarioError(value.place, "\(key): expected a list, found \(value.kindName)")
        }
    }
}

/// A value and where it was written.
struct Placed<Value> {
    var value: Value
    var place: Place

    init(_ value: Value, _ place: Place) { (self.value, self.place) = (value, place) }
}

extension Placed<String> {
    func choice<T: RawRepresentable & CaseIterable>(
        for key: String, _ type: T.Type
    ) throws(ScenarioError) -> T where T.RawValue == String {
        if let choice = T(rawValue: value) { return choice }
        let known = T.allCases.map(\.rawValue)
        let hint = suggestion(for: value, among: known)
        throw ScenarioError(
            place, "\(key): expected \(known.joined(separator: ", ")), found \(quoted(value))\(hint)")
    }
}

/// `; did you mean frame?`, or nothing.
func suggestion(for word: String, among known: [String]) -> String {
    nearestName(to: word, among: known).map { "; did you mean \($0)?" } ?? ""
}

extension YAMLNode {
    var listName: String {
        if case .sequence(let items) = content { "a list of \(items.count)" } else { kindName }
    }

    /// A word, number or `nil`, as written.
    func text(for key: String) throws(ScenarioError) -> String {
        guard let text = scalar else { throw ScenarioError(place, "\(key): expected a word, found \(kindName)") }
        return text
    }

    func flag(for key: String) throws(ScenarioError) -> Bool {
        guard let flag = scalar.flatMap(flagWord) else {
            throw ScenarioError(place, "\(key): expected yes or no, found \(kindName)")
        }
        return flag
    }

    func number(for key: String, in range: ClosedRange<Double>) throws(ScenarioError) -> Double {
        guard let text = scalar, let number = Double(text), range.contains(number) else {
            let bounds = range == -1e9...1e9 ? "" : " from \(range.lowerBound) to \(range.upperBound)"
            throw ScenarioError(place, "\(key): expected a number\(bounds), found \(kindName)")
        }
        return number
    }

    func words(for key: String) throws(ScenarioError) -> [Placed<String>] {
        switch content {
        case .scalar(""): return []
        case .scalar(let word): return [Placed(word, place)]
        case .sequence(let items):
            var words: [Placed<String>] = []
            for item in items { words.append(Placed(try item.text(for: key), item.place)) }
            return words
        case .mapping: throw ScenarioError(place, "\(key): expected a list of words, found \(kindName)")
        }
    }
}

/// `yes`, `no`, `true`, `false`, `on`, `off` in any case: the booleans of the language, quoted or not.
func flagWord(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "on": true
    case "no", "false", "off": false
    default: nil
    }
}
