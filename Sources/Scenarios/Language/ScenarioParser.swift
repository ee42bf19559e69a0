// ScenarioParser.swift: a scenario or scene file as a value, checked as a whole.
//
// Input     the text of a file; the scene file that it names
// Output    Scenario, Scene
// Knows     the agreement between keys: names, displays, schemes. Keys/ has the keys themselves.

import Basics
import Configuration
import Foundation
import Recordings
import Settings
import Wire

extension Scenario {
    /// Reads one file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - isDraft: Whether the file may lack `expect:`, because it is played and not judged.
    /// - Throws: `ScenarioError` with file, line, column and reason.
    public init(contentsOf path: String, isDraft: Bool = false) throws(ScenarioError) {
        try self.init(parsing: try readText(path), file: path, isDraft: isDraft)
    }

    /// Makes a scenario without a script, for a recording.
    ///
    /// - Parameter scene: The path of a scene or scenario, whose views it shows.
    /// - Throws: `ScenarioError` with file, line, column and reason.
    public init(showing scene: String) throws(ScenarioError) {
        self.init(file: scene)
        (id, title, modes) = ("recording", "recording", [.simulated])
        self.scene = try Scene(contentsOf: scene)
    }

    /// - Parameters:
    ///   - text: The scenario, as YAML.
    ///   - file: The name of the text in errors, and the path from which `scene:` is searched.
    ///   - isDraft: Whether the text may lack `expect:`.
    public init(parsing text: String, file: String, isDraft: Bool = false) throws(ScenarioError) {
        let root = try YAMLNode(parsing: text, file: file)
        var document = ScenarioDocument(file: file)
        try ScenarioDocument.keys.read(root, into: &document)
        self = document.scenario
        modes = Mode.allCases.filter(modes.contains)
        scene = try Scene(document.scene, at: root.location)
        if root.value("expect") == nil, !isDraft {
            throw ScenarioError(root.location, "a scenario needs expect; `touchline trace` prints the lines for it")
        }
        try checkNames()
        try checkDisplays(root)
    }

    /// Checks that the displays of fingers and apps exist, and that no scheme belongs to two apps.
    private func checkDisplays(_ root: YAMLNode) throws(ScenarioError) {
        let (settings, topology): (Settings, Topology)
        do {
            settings = try Settings(self.settings)
            topology = Topology(apps)
            _ = try Schemes(settings, topology, apps: UInt32(appCount))
        } catch { throw ScenarioError(root.value("apps")?.location ?? root.location, "apps: \(error)") }
        let count = Displays(settings).all.count
        let said = apps.flatMap { $0 }.filter { $0.key == "app.display" }.compactMap { Int($0.value) }
        guard let missing = (said + [Int(display.rawValue)]).first(where: { $0 > count }) else { return }
        let location = (root.value("display") ?? root.value("apps"))?.location ?? root.location
        throw ScenarioError(location, "display: expected 1\(count > 1 ? " to \(count)" : ""), found \(missing)")
    }

    /// Returns the properties that a `set` line may set of the view, window or recognizer with this name.
    private func properties(of name: String) -> [String] {
        if scene.gestureNames.contains(name) { return GestureProperties.all.filter(\.isSettable).map(\.name) }
        var specs = scene.windows.flatMap { [$0.view] + ($0.root.map { [$0] } ?? []) }
        while let spec = specs.popLast() {
            if spec.name == name {
                let className = SceneClasses.base(of: spec.className)
                return ViewProperties.all.filter { $0.isSettable && $0.isProperty(of: className) }.map(\.name)
            }
            specs += spec.subviews
        }
        return []
    }

    /// Checks that every name in another key or in a line is a name of the scene.
    private func checkNames() throws(ScenarioError) {
        let names = scene.names
        let gestures = scene.gestureNames
        for line in script.lines.lines {
            let (name, known) =
                switch line.act {
                case .set(let name, _, _): (name, names + gestures)
                case .remove(let name): (name, names)
                case .disable(let name): (name, gestures)
                default: ("", [""])
                }
            guard known.contains(name) else {
                throw ScenarioError(
                    script.location(of: line), "script: nothing is called \(name)\(suggestion(for: name, among: known))"
                )
            }
            guard case .set(_, let property, _) = line.act else { continue }
            let properties = properties(of: name)
            guard !properties.contains(property) else { continue }
            throw ScenarioError(
                script.location(of: line),
                "script: \(name) has no \(property)\(suggestion(for: property, among: properties))")
        }
    }
}

extension Scene {
    /// Reads a scene file, or the scene of a scenario file, for `touchline up --scene` and for apps.
    ///
    /// - Throws: `ScenarioError` with file, line, column and reason.
    public init(contentsOf path: String) throws(ScenarioError) {
        try self.init(parsed: try YAMLNode(parsing: try readText(path), file: path), file: path)
    }

    /// - Throws: `ScenarioError` with file, line, column and reason.
    init(parsed root: YAMLNode, file path: String) throws(ScenarioError) {
        // Only the keys of the scene are read from a scenario.
        try ScenarioDocument.sceneKeys.check(root)
        var fields = ScenarioDocument(file: path)
        try SceneFields.keys.fill(&fields.scene, from: root)
        try self.init(fields.scene, at: root.location)
    }

    /// Whether the file contains a script, and so is a scenario.
    package static func isScenario(_ path: String) throws(ScenarioError) -> Bool {
        try YAMLNode(parsing: try readText(path), file: path).value("script") != nil
    }

    /// - Parameter location: The beginning of the document.
    init(_ own: SceneFields, at location: FileLocation) throws(ScenarioError) {
        var base = own
        if let name = own.scene {
            if let windows = own.windows {
                throw ScenarioError(
                    windows.location, "windows: the scene \(name.value) has its own; name one or write the other")
            }
            base = SceneFields()
            let path = try scenePath(name.value, at: name.location)
            try SceneFields.keys.read(try YAMLNode(parsing: try readText(path), file: path), into: &base)
            if let nested = base.scene {
                throw ScenarioError(nested.location, "a scene file cannot name another scene")
            }
        }
        var windows = base.windows ?? YAMLNode(.sequence([]), at: location)
        try windows.expandNames()
        for views in [own.scene == nil ? nil : base.views, own.views] {
            if let views { try windows.merge(views: views) }
        }

        let size = own.screen ?? base.screen ?? [375, 667]
        screen = (size[0], size[1])
        var list: [WindowSpec] = []
        for node in try windows.items(for: "windows") {
            list.append(try WindowSpec(node, screen: screen))
        }
        self.windows = list
        app = own.app ?? base.app ?? AppSpec()
        try checkNames()
    }

    /// The names of windows, views and controllers, in the order of the tree.
    var names: [String] {
        windows.flatMap { window in
            window.view.names + (window.controller.map { [$0.name] } ?? []) + (window.root?.names ?? [])
        } + ["AppDelegate"]
    }

    var gestureNames: [String] {
        windows.flatMap { $0.view.gestureNames + ($0.root?.gestureNames ?? []) }
    }

    /// Checks that every responder has a name of its own, and that every name referred to exists.
    private func checkNames() throws(ScenarioError) {
        let known = KnownNames(of: self)
        var seen: Set<String> = []
        func claim(_ name: String, at location: FileLocation) throws(ScenarioError) {
            guard seen.insert(name).inserted else {
                throw ScenarioError(location, "two views or controllers are called \(name)")
            }
        }
        for window in windows {
            if let controller = window.controller { try claim(controller.name, at: controller.location) }
            var specs = [window.view]
            if let root = window.root { specs.append(root) }
            while let spec = specs.popLast() {
                try claim(spec.name, at: spec.location)
                specs += spec.subviews
                try checkReferences(of: spec, among: known)
            }
        }
    }

    /// What a name in another key can name. It is made once for a scene, which may have thousands of views.
    private struct KnownNames {
        /// In the order of the tree, for suggestions.
        let names, views, gestures: [String]
        let nameSet, viewSet, gestureSet: Set<String>

        init(of scene: borrowing Scene) {
            names = scene.names
            views = scene.windows.flatMap { $0.view.names + ($0.root?.names ?? []) }
            gestures = scene.gestureNames
            (nameSet, viewSet, gestureSet) = (Set(names), Set(views), Set(gestures))
        }
    }

    private func checkReferences(of spec: ViewSpec, among known: KnownNames) throws(ScenarioError) {
        let targets = spec.on.compactMap { if case .named(let target) = $0.target { target } else { nil } }
        for name in [spec.answers.next].compactMap({ $0 }) + targets
        where name != "nil" && !known.nameSet.contains(name) {
            throw ScenarioError(
                spec.location, "nothing is called \(name)\(suggestion(for: name, among: known.names))")
        }
        for name in spec.answers.pointInsideAlso where !known.viewSet.contains(name) {
            throw ScenarioError(
                spec.location, "no view is called \(name)\(suggestion(for: name, among: known.views))")
        }
        for (index, gesture) in spec.gestures.enumerated() {
            if spec.gestures[..<index].contains(where: { $0.name == gesture.name }) {
                throw ScenarioError(gesture.location, "two recognizers of \(spec.name) are called \(gesture.name)")
            }
            var others = gesture.requireToFail
            // Names that the language defines: the word of Docs/Spec/Scenarios.md, and the navigation controller's edge
            // pan.
            let besides = ["twoTap", "null", "nav.edgePan"]
            for answer in [
                gesture.delegate?.simultaneous, gesture.delegate?.requireFailure, gesture.delegate?.requiredBy,
            ] {
                guard case .naming(let names)? = answer else { continue }
                others += names.filter { !besides.contains($0) }.map { Located($0, gesture.location) }
            }
            for other in others where !known.gestureSet.contains(other.value) {
                throw ScenarioError(
                    other.location,
                    "no recognizer is called \(other.value)\(suggestion(for: other.value, among: known.gestures))")
            }
        }
    }
}

extension ViewSpec {
    var names: [String] { [name] + subviews.flatMap(\.names) }
    var gestureNames: [String] { gestures.map { "\(name).\($0.name)" } + subviews.flatMap(\.gestureNames) }
}
