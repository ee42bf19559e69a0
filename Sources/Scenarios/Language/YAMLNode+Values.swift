// YAMLNode+Values.swift: the value of a key as a word, a number or a list.
//
// Input     YAMLNode
// Output    the forms of keys (Form), with errors that state what was expected and what was found
// Knows     the notation of values. No key.

import Basics

/// A value with its place in the file.
struct Located<Value> {
    var value: Value
    var location: FileLocation

    init(_ value: Value, _ location: FileLocation) { (self.value, self.location) = (value, location) }
}

extension Located: Sendable where Value: Sendable {}
extension Located: Equatable where Value: Equatable {}

extension Located<String> {
    func choice<T: RawRepresentable & CaseIterable>(
        for key: String, _ type: T.Type
    ) throws(ScenarioError) -> T where T.RawValue == String {
        if let choice = T(rawValue: value) { return choice }
        let known = T.allCases.map(\.rawValue)
        let hint = suggestion(for: value, among: known)
        throw ScenarioError(
            location, "\(key): expected \(known.joined(separator: ", ")), found \(quoted(value))\(hint)")
    }
}

/// Returns `; did you mean frame?`, or nothing.
func suggestion(for word: String, among known: [String]) -> String {
    nearestName(to: word, among: known).map { "; did you mean \($0)?" } ?? ""
}

extension YAMLNode {
    var listName: String {
        if case .sequence(let items) = content { "a list of \(items.count)" } else { kindName }
    }

    /// Returns a word, a number or `nil` as it is written.
    func text(for key: String) throws(ScenarioError) -> String {
        guard let text = scalar else { throw ScenarioError(location, "\(key): expected a word, found \(kindName)") }
        return text
    }

    func flag(for key: String) throws(ScenarioError) -> Bool {
        guard let flag = scalar.flatMap(parseFlag) else {
            throw ScenarioError(location, "\(key): expected yes or no, found \(kindName)")
        }
        return flag
    }

    func number(for key: String, in range: ClosedRange<Double>) throws(ScenarioError) -> Double {
        guard let text = scalar, let number = Double(text), range.contains(number) else {
            let bounds = range == -1e9...1e9 ? "" : " from \(range.lowerBound) to \(range.upperBound)"
            throw ScenarioError(location, "\(key): expected a number\(bounds), found \(kindName)")
        }
        return number
    }

    func count(for key: String, in range: ClosedRange<Int>) throws(ScenarioError) -> Int {
        guard let text = scalar, let number = Int(text), range.contains(number) else {
            throw ScenarioError(
                location,
                "\(key): expected a whole number from \(range.lowerBound) to \(range.upperBound), found \(kindName)")
        }
        return number
    }

    /// Returns exactly `size` numbers.
    func numbers(for key: String, _ size: Int) throws(ScenarioError) -> [Double] {
        guard case .sequence(let items) = content, items.count == size else {
            throw ScenarioError(location, "\(key): expected a list of \(size) numbers, found \(listName)")
        }
        var numbers: [Double] = []
        for item in items { numbers.append(try item.number(for: key, in: -1e9...1e9)) }
        return numbers
    }

    func items(for key: String) throws(ScenarioError) -> [YAMLNode] {
        switch content {
        case .sequence(let items): return items
        case .scalar(""): return []
        default: throw ScenarioError(location, "\(key): expected a list, found \(kindName)")
        }
    }

    /// Returns a list of words. A single word counts as a list of one.
    func words(for key: String) throws(ScenarioError) -> [Located<String>] {
        switch content {
        case .scalar(""): return []
        case .scalar(let word): return [Located(word, location)]
        case .sequence(let items):
            var words: [Located<String>] = []
            for item in items { words.append(Located(try item.text(for: key), item.location)) }
            return words
        case .mapping: throw ScenarioError(location, "\(key): expected a list of words, found \(kindName)")
        }
    }
}

/// Parses the booleans of the language: `yes`, `no`, `true`, `false`, `on`, `off` in any case, quoted or not.
func parseFlag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "on": true
    case "no", "false", "off": false
    default: nil
    }
}
