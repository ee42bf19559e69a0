// Form.swift: the written forms of values.
//
// Input     the value of a key, a YAMLNode
// Output    a typed value, or the error that states what was expected
// Knows     kinds of values. No key.

import Basics

/// A written form of a type of values.
struct Form<Value>: Sendable {
    /// The description of the form in Docs/Reference/Scenarios.md.
    let text: String
    let read: @Sendable (_ node: YAMLNode, _ key: String) throws(ScenarioError) -> Value
    /// Writes a value as a file would contain it, for the defaults in Docs/Reference/Scenarios.md.
    let write: @Sendable (Value) -> String
}

extension Form {
    /// Returns the same form for another type of value. Such values are not written.
    func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Form<Other> {
        Form<Other>(
            text: text,
            read: { [read] (node, key) throws(ScenarioError) in transform(try read(node, key)) }, write: { _ in "" })
    }
}

extension Form<Bool> {
    static var flag: Self {
        Form(
            text: "yes or no", read: { (node, key) throws(ScenarioError) in try node.flag(for: key) },
            write: { $0 ? "yes" : "no" })
    }
}

extension Form<Double> {
    static var number: Self { number(in: -1e9...1e9) }

    static func number(in range: ClosedRange<Double>) -> Self {
        Form(
            text: range == -1e9...1e9
                ? "number" : "number from \(formatNumber(range.lowerBound)) to \(formatNumber(range.upperBound))",
            read: { (node, key) throws(ScenarioError) in try node.number(for: key, in: range) },
            write: { formatNumber($0) })
    }
}

extension Form<Int> {
    static func count(in range: ClosedRange<Int>) -> Self {
        Form(
            text: "whole number from \(range.lowerBound)"
                + (range.upperBound >= 1_000_000 ? "" : " to \(range.upperBound)"),
            read: { (node, key) throws(ScenarioError) in try node.count(for: key, in: range) },
            write: { "\($0)" })
    }
}

extension Form<[Double]> {
    /// - Parameter names: The meaning of each number, in order.
    static func numbers(_ names: [String]) -> Self {
        let count = names.count
        return Form(
            text: "[\(names.joined(separator: ", "))]",
            read: { (node, key) throws(ScenarioError) in try node.numbers(for: key, count) },
            write: { "[\($0.map { formatNumber($0) }.joined(separator: ", "))]" })
    }
}

extension Form<String> {
    static var word: Self {
        Form(text: "word", read: { (node, key) throws(ScenarioError) in try node.text(for: key) }, write: { $0 })
    }
}

extension Form<[String]> {
    static var words: Self {
        Form(
            text: "list of words",
            read: { (node, key) throws(ScenarioError) in try node.words(for: key).map(\.value) },
            write: { $0.isEmpty ? "" : "[\($0.joined(separator: ", "))]" })
    }
}

extension Form where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    static func choice(_ type: Value.Type) -> Self {
        Form(
            text: type.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "),
            read: { (node, key) throws(ScenarioError) in
                try Located(node.text(for: key), node.location).choice(for: key, Value.self)
            },
            write: { "`\($0.rawValue)`" })
    }
}

extension Form {
    /// - Parameter text: The place of the words' description; nil lists the words.
    static func choices<Word: RawRepresentable & CaseIterable & Sendable>(
        _ type: Word.Type, text: String? = nil
    ) -> Self where Value == [Word], Word.RawValue == String {
        Form(
            text: text ?? "list of " + type.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "),
            read: { (node, key) throws(ScenarioError) in
                var choices: [Word] = []
                for word in try node.words(for: key) { choices.append(try word.choice(for: key, Word.self)) }
                return choices
            },
            write: { $0.map { "`\($0.rawValue)`" }.joined(separator: ", ") })
    }
}
