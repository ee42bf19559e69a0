// Topology.swift: reads the apps of a group from a YAML file: Config/topology.yaml.
//
//    apps:
//      - { scene: Config/Scenes/Demo.yaml }
//      - { sample: slider, count: 3, delivery: frameAligned }
//      - { sample: links, schemes: [touchline-demo] }
//      - { sample: drawing, display: 2 }
//    displays:
//      - { width: 1024, height: 768, scale: 2 }
//
// An app has the keys of `app:` in Config/pipeline.yaml. All mistakes of a file are reported, one line each.
//
// Knows     YAML and files. Settings defines the values of each key.

import Basics
public import Settings
import Wire
import Yams

extension Topology {
    /// Reads a file.
    ///
    /// - Parameter path: The path as the person wrote it; errors contain it.
    public init(contentsOf path: String) throws(InvalidConfiguration) {
        try self.init(yaml: try Configuration.text(of: path), file: path)
    }

    /// Parses a file. An empty file is a group without apps.
    public init(yaml: String, file: String) throws(InvalidConfiguration) {
        self = try TopologyReader.read(yaml: yaml, file: file) { $0.topology(in: $1) } ?? Topology()
    }
}

private struct TopologyReader: DocumentReader {
    var complaints: Complaints
    /// The schemes of the apps so far.
    private var usedSchemes: [String] = []

    init(complaints: Complaints) { self.complaints = complaints }

    private static let names = Settings.keys.map(\.name).filter { $0.hasPrefix(Topology.prefix) }
        .map { String($0.dropFirst(Topology.prefix.count)) }

    mutating func topology(in root: Node) -> Topology {
        guard case .mapping(let mapping) = root else {
            complain(root, "expected apps: and a list, found \(described(root))")
            return Topology()
        }
        var topology = Topology()
        for (key, value) in mapping {
            let name = key.scalar?.string ?? ""
            guard ["apps", "displays"].contains(name) else {
                complain(key, "expected apps or displays, found \(described(key))")
                continue
            }
            guard case .sequence(let list) = value else {
                complain(value, "\(name): expected a list, found \(described(value))")
                continue
            }
            if name == "displays" {
                topology.others = displays(list, of: value).joined(separator: " ")
                continue
            }
            for entry in list {
                let (settings, count) = app(entry)
                guard topology.apps.count + count <= Topology.limit else {
                    complain(entry, "apps: expected at most \(Topology.limit), found more")
                    return topology
                }
                topology.apps += [[Setting]](repeating: settings, count: count)
            }
        }
        return topology
    }

    /// The displays from number 2 on, in the format of `screen.others`.
    private mutating func displays(_ list: Node.Sequence, of node: Node) -> [String] {
        guard list.count < Displays.limit else {
            complain(node, "displays: expected at most \(Displays.limit - 1), found \(list.count)")
            return []
        }
        return list.compactMap { entry in
            let known = ["width", "height", "scale"]
            var numbers: [String: String] = [:]
            for (key, value) in entries(of: entry, called: "displays") {
                guard let name = key.scalar?.string, known.contains(name) else {
                    complain(key, of: "displays", expectedOneOf: known)
                    continue
                }
                numbers[name] = value.scalar?.string ?? described(value)
            }
            let word = "\(numbers["width"] ?? "")x\(numbers["height"] ?? "")@\(numbers["scale"] ?? "1")"
            guard Displays.Display(text: word) != nil else {
                complain(entry, "displays: expected a display as { width: 1024, height: 768, scale: 2 }, found \(word)")
                return nil
            }
            return word
        }
    }

    /// Parses a list of schemes. Nil for another node, which is then read as any other value.
    private mutating func schemes(_ node: Node) -> Setting? {
        guard case .sequence(let list) = node else { return nil }
        var found: [String] = []
        for entry in list {
            let word = entry.scalar?.string ?? ""
            guard let scheme = URLText.scheme(word) else {
                complain(entry, "apps.schemes: expected a scheme as touchline-demo, found \(described(entry))")
                continue
            }
            if usedSchemes.contains(scheme) {
                complain(entry, "apps.schemes: expected each scheme once, found \(quoted(scheme)) again")
                continue
            }
            usedSchemes.append(scheme)
            found.append(scheme)
        }
        return Setting(key: "app.schemes", value: found.joined(separator: " "))
    }

    private mutating func app(_ node: Node) -> (settings: [Setting], count: Int) {
        guard case .mapping(let mapping) = node else {
            complain(node, "apps: expected an app as { sample: slider }, found \(described(node))")
            return ([], 1)
        }
        var settings: [Setting] = []
        var count = 1
        for (key, value) in mapping {
            let name = key.scalar?.string ?? ""
            if name == "schemes", let setting = schemes(value) {
                settings.append(setting)
                continue
            }
            guard let text = value.scalar?.string else {
                complain(value, "apps.\(name): expected a value, found \(described(value))")
                continue
            }
            if name == "count" {
                guard let number = Int(text), (1...Topology.limit).contains(number) else {
                    complain(
                        value, "apps.count: expected a whole number from 1 to \(Topology.limit), found \(quoted(text))")
                    continue
                }
                count = number
                continue
            }
            guard Self.names.contains(name) else {
                if let renaming = Settings.renaming(of: Topology.prefix + name) {
                    complain(key, "apps: \(renaming)")
                    continue
                }
                let near = suggestion(name, Self.names + ["count"])
                let known = Self.names.joined(separator: " ")
                complain(key, "apps: expected count or one of \(known), found \(quoted(name))\(near)")
                continue
            }
            let setting = Setting(key: Topology.prefix + name, value: text)
            if let complaint = Topology.complaint(about: setting) {
                complain(value, "\(complaint)")
            } else {
                settings.append(setting)
            }
        }
        if count > 1, settings.contains(where: { $0.key == "app.schemes" && !$0.value.isEmpty }) {
            complain(node, "apps.schemes: expected each scheme of one app, found count: \(count)")
        }
        let shows = settings.filter { Topology.contentKeys.contains($0.key) && !$0.value.isEmpty }
        if shows.count > 1 {
            let found = shows.map { String($0.key.dropFirst(Topology.prefix.count)) }.joined(separator: " and ")
            complain(node, "apps: expected one of scene, sample and executable, found \(found)")
        }
        return (settings, count)
    }
}
