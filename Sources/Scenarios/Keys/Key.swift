// Key.swift: the keys of one kind of mapping, as a table.
//
// Input     YAMLNode
// Output    a spec; errors; the section Keys of Docs/Reference/Scenarios.md
// Knows     how a key is read. Each spec declares its own table: ViewSpec.keys, GestureSpec.keys …

import Basics

/// One key: the form of its value, its meaning, and the property that it sets.
struct Key<Spec>: Sendable {
    let name: String
    /// The form of the value, for Docs/Reference/Scenarios.md.
    let text: String
    /// One phrase for Docs/Reference/Scenarios.md.
    let meaning: String
    /// The classes that have the key; empty for every class.
    var classes: [String] = []
    var isRequired = false
    /// Whether a script's `set` line accepts it too.
    var isSettable = false
    let read: @Sendable (_ value: YAMLNode, _ spec: inout Spec) throws(ScenarioError) -> Void
    /// The default as a file would contain it; empty for none.
    let standard: @Sendable (Spec) -> String
}

extension Key {
    init<Value>(
        _ name: String, _ form: Form<Value>, _ path: any WritableKeyPath<Spec, Value> & Sendable,
        classes: [String] = [], isRequired: Bool = false, _ meaning: String
    ) {
        self.init(
            name: name, text: form.text, meaning: meaning, classes: classes, isRequired: isRequired,
            read: { (value, spec) throws(ScenarioError) in spec[keyPath: path] = try form.read(value, name) },
            standard: { form.write($0[keyPath: path]) })
    }

    init<Value>(
        _ name: String, _ form: Form<Value>, _ path: any WritableKeyPath<Spec, Value?> & Sendable,
        classes: [String] = [], _ meaning: String
    ) {
        self.init(
            name: name, text: form.text, meaning: meaning, classes: classes,
            read: { (value, spec) throws(ScenarioError) in spec[keyPath: path] = try form.read(value, name) },
            standard: { $0[keyPath: path].map(form.write) ?? "" })
    }

    /// Makes a key whose value has a special form.
    init(
        _ name: String, _ text: String, standard: String = "", classes: [String] = [], isRequired: Bool = false,
        _ meaning: String,
        read: @escaping @Sendable (_ value: YAMLNode, _ spec: inout Spec) throws(ScenarioError) -> Void
    ) {
        self.init(
            name: name, text: text, meaning: meaning, classes: classes, isRequired: isRequired, read: read,
            standard: { _ in standard })
    }

    /// Makes a key for a property of UIKit's objects. The value is stored by name and set when the object is made.
    init<Object>(_ property: Property<Object>, _ path: any WritableKeyPath<Spec, [String: PropertyValue]> & Sendable) {
        let form = property.kind.form
        self.init(
            name: property.name, text: form.text, meaning: property.meaning, classes: property.classes,
            isSettable: property.use == .keyAndSet,
            read: { (value, spec) throws(ScenarioError) in
                spec[keyPath: path][property.name] = try form.read(value, property.name)
            },
            standard: { _ in "" })
    }

    /// Returns the same key with another reader.
    func reading(
        _ read: @escaping @Sendable (_ value: YAMLNode, _ spec: inout Spec) throws(ScenarioError) -> Void
    ) -> Self {
        Key(
            name: name, text: text, meaning: meaning, classes: classes, isRequired: isRequired, isSettable: isSettable,
            read: read, standard: standard)
    }

    /// Returns the same key for a type that contains a `Spec`.
    func of<Outer>(_ path: any WritableKeyPath<Outer, Spec> & Sendable) -> Key<Outer> {
        Key<Outer>(
            name: name, text: text, meaning: meaning, classes: classes, isRequired: isRequired, isSettable: isSettable,
            read: { [read] (value, spec) throws(ScenarioError) in try read(value, &spec[keyPath: path]) },
            standard: { [standard] in standard($0[keyPath: path]) })
    }
}

extension Array {
    /// The keys of these properties, without those that only a `set` line accepts.
    func keys<Object, Spec>(
        _ path: any WritableKeyPath<Spec, [String: PropertyValue]> & Sendable
    ) -> [Key<Spec>] where Element == Property<Object> {
        filter { $0.use != .set }.map { Key($0, path) }
    }
}

/// All keys of one kind of mapping, in the order in which they are read.
struct KeyTable<Spec: Sendable>: Sendable {
    /// The described thing, for errors: `a view`.
    let subject: String
    /// A spec without keys, which has the defaults that Docs/Reference/Scenarios.md lists.
    let start: Spec
    let keys: [Key<Spec>]

    init(_ subject: String, start: Spec, _ keys: [Key<Spec>]) {
        (self.subject, self.start, self.keys) = (subject, start, keys)
    }

    /// - Throws: `ScenarioError` for a value other than a mapping, an unknown key, a value of the wrong form, and a
    ///   missing required key.
    func read(_ node: YAMLNode, into spec: inout Spec) throws(ScenarioError) {
        try check(node)
        try fill(&spec, from: node)
    }

    /// - Throws: `ScenarioError` for a value other than a mapping, and for the first key that is not in the table.
    func check(_ node: YAMLNode) throws(ScenarioError) {
        guard case .mapping(let entries) = node.content else {
            throw ScenarioError(node.location, "expected the keys of \(subject), found \(node.kindName)")
        }
        let known = keys.map(\.name)
        for entry in entries where !known.contains(entry.key) {
            throw ScenarioError(
                entry.location, "unknown key \(entry.key) of \(subject)\(expectation(for: entry.key, among: known))")
        }
    }

    /// Reads the keys that the mapping contains.
    func fill(_ spec: inout Spec, from node: YAMLNode) throws(ScenarioError) {
        for key in keys {
            if let value = node.value(key.name) {
                try key.read(value, &spec)
            } else if key.isRequired {
                throw ScenarioError(node.location, "\(subject) needs \(key.name)")
            }
        }
    }

    /// Returns `; did you mean frame?`, or a list of all keys if no name is similar.
    private func expectation(for word: String, among known: [String]) -> String {
        let hint = suggestion(for: word, among: known)
        return hint.isEmpty ? "; expected one of \(known.joined(separator: ", "))" : hint
    }
}
