// SceneMerge.swift: the merging of `views:` into the views, windows and controllers with those names.
//
// Input     Scene: `windows:` and `views:` as they are written
// Output    `windows:` with every key of every view
// Knows     the keys that contain views. It reads no value.

import Basics

extension YAMLNode {
    /// Expands views that are written as their names alone; `views:` describes them.
    mutating func expandNames() throws(ScenarioError) {
        switch content {
        case .scalar(let name):
            guard !name.isEmpty else { throw ScenarioError(location, "expected a view, found nothing") }
            content = .mapping([Entry(key: "name", location: location, value: YAMLNode(.scalar(name), at: location))])
        case .sequence(var items):
            for index in items.indices { try items[index].expandNames() }
            content = .sequence(items)
        case .mapping(var entries):
            for index in entries.indices where ["subviews", "view", "controller"].contains(entries[index].key) {
                if entries[index].key == "subviews", entries[index].value.scalar != nil { continue }
                try entries[index].value.expandNames()
            }
            content = .mapping(entries)
        }
    }

    /// Merges the keys of `views:` into the views, windows and controllers with those names.
    mutating func merge(views: YAMLNode) throws(ScenarioError) {
        if views.scalar == "" { return }
        guard case .mapping(let entries) = views.content else {
            throw ScenarioError(views.location, "views: expected names and their keys, found \(views.kindName)")
        }
        var waiting: [Entry] = []
        for var entry in entries where entry.value.scalar != "" {
            guard case .mapping = entry.value.content else {
                throw ScenarioError(entry.value.location, "\(entry.key): expected keys, found \(entry.value.kindName)")
            }
            try entry.value.expandNames()
            waiting.append(entry)
        }
        // The view of one entry may be among the subviews in another entry.
        waiting =
            waiting.filter { $0.value.value("subviews") != nil } + waiting.filter { $0.value.value("subviews") == nil }
        while let first = waiting.first {
            let left = waiting.filter { !merge($0.value, intoNamed: $0.key) }
            guard left.count < waiting.count else {
                throw ScenarioError(
                    first.location, "views: nothing is called \(first.key)\(suggestion(for: first.key, among: names))")
            }
            waiting = left
        }
    }

    /// - Returns: Whether a view, window or controller with that name was found.
    private mutating func merge(_ keys: YAMLNode, intoNamed name: String) -> Bool {
        switch content {
        case .scalar: return false
        case .sequence(var items):
            for index in items.indices where items[index].merge(keys, intoNamed: name) {
                content = .sequence(items)
                return true
            }
            return false
        case .mapping(var entries):
            if value("name")?.scalar == name, case .mapping(let new) = keys.content {
                for entry in new {
                    if let index = entries.firstIndex(where: { $0.key == entry.key }) {
                        entries[index] = entry
                    } else {
                        entries.append(entry)
                    }
                }
                content = .mapping(entries)
                return true
            }
            for index in entries.indices where ["subviews", "view", "controller"].contains(entries[index].key) {
                if entries[index].value.merge(keys, intoNamed: name) {
                    content = .mapping(entries)
                    return true
                }
            }
            return false
        }
    }

    private var names: [String] {
        switch content {
        case .scalar: return []
        case .sequence(let items): return items.flatMap(\.names)
        case .mapping(let entries):
            let own = value("name")?.scalar.map { [$0] } ?? []
            return own
                + entries.filter { ["subviews", "view", "controller"].contains($0.key) }.flatMap(\.value.names)
        }
    }
}
