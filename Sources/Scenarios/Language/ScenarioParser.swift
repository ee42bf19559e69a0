// ScenarioParser.swift: the keys of SCENARIO.md as typed values.
//
// Fed by    Fields
// Feeds     Scenario
// Knows     every key, its default and its type; how `scene:` and `views:` are merged. Opens the scene's file.

import Basics
import Configuration
import Foundation
import Recordings
import Settings
import Wire

extension Scenario {
    /// Reads one file.
    ///
    /// - Parameter isDraft: Whether the file may lack `expect:`: it is played, not judged.
    /// - Throws: `ScenarioError` with file, line, column and reason.
    public init(contentsOf path: String, isDraft: Bool = false) throws(ScenarioError) {
        try self.init(parsing: try readText(path), file: path, isDraft: isDraft)
    }

    /// - Parameters:
    ///   - file: What errors call the text, and where `scene:` is looked for from.
    ///   - isDraft: Whether the text may lack `expect:`.
    public init(parsing text: String, file: String, isDraft: Bool = false) throws(ScenarioError) {
        let root = try YAMLNode(parsing: text, file: file)
        let fields = try Fields(root, of: "a scenario", known: scenarioKeys)
        self.file = file
        id = try fields.requiredText("id")
        title = try fields.text("title") ?? ""
        source = try fields.words("source")?.map(\.value) ?? []
        kind = try fields.choice("kind", Kind.self) ?? .derived
        let listed = try fields.choices("modes", Mode.self) ?? Mode.allCases
        modes = Mode.allCases.filter(listed.contains)
        probes = try fields.choices("probes", ProbeWord.self) ?? []

        config = try Self.settings(root.value("config"))
        apps = try Self.apps(root.value("apps"))
        scene = try Scene(document: root)
        display = UInt8(try fields.count("display", in: 1...Int(Displays.limit)) ?? 1)

        guard let script = root.value("script") else { throw ScenarioError(root.place, "a scenario needs script") }
        self.script = try Script(parsing: try script.text(for: "script"), at: script.textPlace)
        if let expect = root.value("expect") {
            expectation = try Expectation(parsing: try expect.text(for: "expect"), at: expect.textPlace)
        } else if isDraft {
            expectation = try Expectation(parsing: "")
        } else {
            throw ScenarioError(root.place, "a scenario needs expect; `touchline trace` prints the lines for it")
        }
        try checkNames()
        try checkDisplays(root)
    }

    /// `app2: { display: 2, schemes: [demo] }`: settings whose names begin with `app.`, as in a topology.
    private static func apps(_ node: YAMLNode?) throws(ScenarioError) -> [[Setting]] {
        guard let node else { return [] }
        guard case .mapping(let entries) = node.content else {
            throw ScenarioError(node.place, "apps: expected apps and what is their own, found \(node.kindName)")
        }
        var apps: [[Setting]] = []
        let known = Settings.keys.map(\.name).filter { $0.hasPrefix(Topology.prefix) }
        for entry in entries {
            guard entry.key.hasPrefix("app"), let app = Int(entry.key.dropFirst(3)), (1...Topology.limit).contains(app)
            else {
                throw ScenarioError(
                    entry.place, "apps: expected an app from app1 to app\(Topology.limit), found \(entry.key)")
            }
            while apps.count < app { apps.append([]) }
            let keys = known.map { String($0.dropFirst(Topology.prefix.count)) }
            let fields = try Fields(entry.value, of: "an app", known: keys)
            for key in keys {
                guard let words = try fields.words(key) else { continue }
                let setting = Setting(key: Topology.prefix + key, value: words.map(\.value).joined(separator: " "))
                if let complaint = Topology.complaint(about: setting) {
                    throw ScenarioError(entry.value.place, "apps: \(complaint)")
                }
                apps[app - 1].append(setting)
            }
        }
        return apps
    }

    /// Fingers and apps are on displays that there are, and no scheme is two apps'.
    private func checkDisplays(_ root: YAMLNode) throws(ScenarioError) {
        let (settings, topology): (Settings, Topology)
        do {
            settings = try Settings(self.settings)
            topology = Topology(apps)
            _ = try Schemes(settings, topology, apps: UInt32(appCount))
        } catch { throw ScenarioError(root.value("apps")?.place ?? root.place, "apps: \(error)") }
        let count = Int(Displays(settings).numbers.upperBound)
        let said = apps.flatMap { $0 }.filter { $0.key == "app.display" }.compactMap { Int($0.value) }
        guard let missing = (said + [Int(display)]).first(where: { $0 > count }) else { return }
        let place = (root.value("display") ?? root.value("apps"))?.place ?? root.place
        throw ScenarioError(place, "display: expected 1\(count > 1 ? " to \(count)" : ""), found \(missing)")
    }

    private static func settings(_ node: YAMLNode?) throws(ScenarioError) -> [Setting] {
        guard let node else { return [] }
        guard case .mapping(let entries) = node.content else {
            throw ScenarioError(node.place, "config: expected constants and their values, found \(node.kindName)")
        }
        var settings = Settings()
        var config: [Setting] = []
        let known = Settings.keys.map(\.name)
        for entry in entries {
            let value = try entry.value.text(for: entry.key)
            let key = aliases[entry.key] ?? entry.key
            do throws(SettingsError) {
                try settings.set(key, to: value)
            } catch {
                switch error {
                case .unknown:
                    let hint = suggestion(for: key, among: known)
                    throw ScenarioError(entry.place, "config: unknown constant \(key)\(hint)")
                case .removed: throw ScenarioError(entry.place, "config: \(error)")
                case .badValue: throw ScenarioError(entry.value.place, "config: \(error)")
                }
            }
            config.append(Setting(key: key, value: value))
        }
        return config
    }

    /// What a `set` line may set of the view, window or recogniser of that name.
    private func properties(of name: String) -> [String] {
        if scene.gestureNames.contains(name) { return ScriptValue.ofRecognizers.map(\.property) }
        var specs = scene.windows.flatMap { [$0.view] + ($0.root.map { [$0] } ?? []) }
        while let spec = specs.popLast() {
            if spec.name == name { return ScriptValue.properties(ofClass: spec.className) }
            specs += spec.subviews
        }
        return []
    }

    /// Every name that another key or line refers to is a name of the scene.
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
                    script.place(of: line), "script: nothing is called \(name)\(suggestion(for: name, among: known))")
            }
            guard case .set(_, let property, _) = line.act else { continue }
            let properties = properties(of: name)
            guard !properties.contains(property) else { continue }
            throw ScenarioError(
                script.place(of: line),
                "script: \(name) has no \(property)\(suggestion(for: property, among: properties))")
        }
    }
}

extension Scene {
    /// Reads a scene file or the scene of a scenario file: what `touchline up --scene` and an app show.
    ///
    /// - Throws: `ScenarioError` with file, line, column and reason.
    public init(contentsOf path: String) throws(ScenarioError) {
        let root = try YAMLNode(parsing: try readText(path), file: path)
        _ = try Fields(root, of: "a scene", known: scenarioKeys)
        try self.init(document: root)
    }

    /// Whether the file holds a script, and so is a scenario.
    static func isScenario(_ path: String) throws(ScenarioError) -> Bool {
        try YAMLNode(parsing: try readText(path), file: path).value("script") != nil
    }

    init(document: YAMLNode) throws(ScenarioError) {
        var base = document
        if let name = document.value("scene") {
            if let windows = document.value("windows") {
                throw ScenarioError(
                    windows.place, "windows: the scene \(name.scalar ?? "") has its own; name one or write the other")
            }
            let path = try scenePath(try name.text(for: "scene"), at: name.place)
            base = try YAMLNode(parsing: try readText(path), file: path)
            _ = try Fields(base, of: "a scene", known: sceneKeys)
            if let nested = base.value("scene") {
                throw ScenarioError(nested.place, "a scene file cannot name another scene")
            }
        }
        var windows = base.value("windows") ?? YAMLNode(.sequence([]), at: document.place)
        try windows.expandNames()
        for views in [base === document ? nil : base.value("views"), document.value("views")] {
            if let views { try windows.merge(views: views) }
        }

        let size = try (document.value("screen") ?? base.value("screen")).map { node throws(ScenarioError) in
            let size = try node.numbers(for: "screen", 2)
            guard size.allSatisfy({ (1...100_000).contains($0) }) else {
                throw ScenarioError(node.place, "screen: expected points from 1 to 100000")
            }
            return size
        }
        screen = (size?[0] ?? 375, size?[1] ?? 667)
        var list: [WindowSpec] = []
        for node in try windows.items(of: "windows") {
            list.append(try WindowSpec(node, screen: screen))
        }
        self.windows = list
        app = try AppSpec(document.value("app") ?? base.value("app"))
        try checkNames()
    }

    /// Windows, views and controllers, in tree order.
    var names: [String] {
        windows.flatMap { window in
            window.view.names + (window.controller.map { [$0.name] } ?? []) + (window.root?.names ?? [])
        } + ["AppDelegate"]
    }

    var gestureNames: [String] {
        windows.flatMap { $0.view.gestureNames + ($0.root?.gestureNames ?? []) }
    }

    /// A responder has a name of its own, and what is referred to is there.
    private func checkNames() throws(ScenarioError) {
        var seen: [String] = []
        func claim(_ name: String, at place: Place) throws(ScenarioError) {
            if seen.contains(name) { throw ScenarioError(place, "two views or controllers are called \(name)") }
            seen.append(name)
        }
        for window in windows {
            if let controller = window.controller { try claim(controller.name, at: controller.place) }
            var specs = [window.view]
            if let root = window.root { specs.append(root) }
            while let spec = specs.popLast() {
                try claim(spec.name, at: spec.place)
                specs += spec.subviews
                try checkReferences(of: spec)
            }
        }
    }

    private func checkReferences(of spec: ViewSpec) throws(ScenarioError) {
        let targets = spec.on.compactMap { if case .named(let target) = $0.target { target } else { nil } }
        for name in [spec.next].compactMap({ $0 }) + targets where name != "nil" && !names.contains(name) {
            throw ScenarioError(spec.place, "nothing is called \(name)\(suggestion(for: name, among: names))")
        }
        let views = windows.flatMap { $0.view.names + ($0.root?.names ?? []) }
        for name in spec.pointInsideAlso where !views.contains(name) {
            throw ScenarioError(spec.place, "no view is called \(name)\(suggestion(for: name, among: views))")
        }
        for (index, gesture) in spec.gestures.enumerated() {
            if spec.gestures[..<index].contains(where: { $0.name == gesture.name }) {
                throw ScenarioError(gesture.place, "two recognisers of \(spec.name) are called \(gesture.name)")
            }
            var others = gesture.requireToFail
            // What the language knows besides the scene's own: SCENARIO.md's word, and the navigation's edge pan.
            let besides = ["twoTap", "null", "nav.edgePan"]
            for answer in [
                gesture.delegate?.simultaneous, gesture.delegate?.requireFailure, gesture.delegate?.requiredBy,
            ] {
                guard case .naming(let names)? = answer else { continue }
                others += names.filter { !besides.contains($0) }.map { .init(name: $0, place: gesture.place) }
            }
            for other in others where !gestureNames.contains(other.name) {
                throw ScenarioError(
                    other.place,
                    "no recogniser is called \(other.name)\(suggestion(for: other.name, among: gestureNames))")
            }
        }
    }
}

extension ViewSpec {
    var names: [String] { [name] + subviews.flatMap(\.names) }
    var gestureNames: [String] { gestures.map { "\(name).\($0.name)" } + subviews.flatMap(\.gestureNames) }
}

// MARK: - Keys

let sceneKeys = ["id", "title", "source", "screen", "config", "windows", "app", "views", "scene"]
let scenarioKeys = sceneKeys + ["kind", "modes", "probes", "apps", "display", "script", "expect"]
let viewKeys = [
    "name", "class", "frame", "bounds", "transform", "alpha", "hidden", "userInteractionEnabled",
    "multipleTouchEnabled", "exclusiveTouch", "clipsToBounds", "contentSize", "delaysContentTouches",
    "canCancelContentTouches", "contentOffset", "scrollEnabled", "pagingEnabled", "bounces", "rows", "rowHeight",
    "axis", "spacing", "segments", "pages", "value", "firstResponder", "enabled", "probe", "probePosition", "touches",
    "hitInsets",
    "passThrough", "pointInsideAlso", "shouldBegin", "beginTracking", "continueTracking", "responds", "next", "drag",
    "on", "gestures", "subviews",
]
let windowKeys = viewKeys + ["level", "controller", "view", "navigation"]
let controllerKeys = ["name", "class", "responds", "touches", "probe", "probePosition", "defers"]
let gestureKeys = [
    "name", "class", "taps", "touches", "minimumTouches", "maximumTouches", "minimumPressDuration",
    "allowableMovement", "direction", "edges", "enabled", "cancelsTouchesInView", "delaysTouchesBegan",
    "delaysTouchesEnded", "requireToFail", "pressTypes", "sets", "ignoresAfter", "probe", "probePosition", "action",
    "logState", "logTranslation", "delegate",
]
let delegateKeys = [
    "is", "log", "logRecognizers", "shouldReceive", "shouldBegin", "simultaneous", "requireFailure", "requiredBy",
]

/// Names SEMANTICS gives to settings that are called otherwise.
let aliases = [
    "eventFetch": "app.eventFetch", "delivery": "app.delivery", "lowLatencyBegan": "app.lowLatencyBegan",
    "order": "order.mode",
]

// MARK: - Merging

extension YAMLNode {
    static func === (a: YAMLNode, b: YAMLNode) -> Bool { a.place == b.place }

    func items(of key: String) throws(ScenarioError) -> [YAMLNode] {
        switch content {
        case .sequence(let items): return items
        case .scalar(""): return []
        default: throw ScenarioError(place, "\(key): expected a list, found \(kindName)")
        }
    }

    func numbers(for key: String, _ size: Int) throws(ScenarioError) -> [Double] {
        guard case .sequence(let items) = content, items.count == size else {
            throw ScenarioError(place, "\(key): expected a list of \(size) numbers, found \(listName)")
        }
        var numbers: [Double] = []
        for item in items { numbers.append(try item.number(for: key, in: -1e9...1e9)) }
        return numbers
    }

    /// A view may be written as its name alone; `views:` then says the rest.
    fileprivate mutating func expandNames() throws(ScenarioError) {
        switch content {
        case .scalar(let name):
            guard !name.isEmpty else { throw ScenarioError(place, "expected a view, found nothing") }
            content = .mapping([Entry(key: "name", place: place, value: YAMLNode(.scalar(name), at: place))])
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

    /// Merges the keys of `views:` into the views, windows and controllers of those names.
    fileprivate mutating func merge(views: YAMLNode) throws(ScenarioError) {
        if views.scalar == "" { return }
        guard case .mapping(let entries) = views.content else {
            throw ScenarioError(views.place, "views: expected names and their keys, found \(views.kindName)")
        }
        var waiting: [Entry] = []
        for var entry in entries where entry.value.scalar != "" {
            guard case .mapping = entry.value.content else {
                throw ScenarioError(entry.value.place, "\(entry.key): expected keys, found \(entry.value.kindName)")
            }
            try entry.value.expandNames()
            waiting.append(entry)
        }
        // What one entry describes may be among the subviews that another brings.
        waiting =
            waiting.filter { $0.value.value("subviews") != nil } + waiting.filter { $0.value.value("subviews") == nil }
        while let first = waiting.first {
            let left = waiting.filter { !merge($0.value, intoNamed: $0.key) }
            guard left.count < waiting.count else {
                throw ScenarioError(
                    first.place, "views: nothing is called \(first.key)\(suggestion(for: first.key, among: names))")
            }
            waiting = left
        }
    }

    /// - Returns: Whether something of that name was found.
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

// MARK: - Files

/// Longer than any honest scenario or scene; refused before it is read.
let sceneLimit = 4 << 20

func readText(_ path: String) throws(ScenarioError) -> String {
    let place = Place(file: path, line: 1, column: 1)
    let found: [UInt8]
    do throws(FileRefusal) { found = try bytes(ofFile: path, limit: sceneLimit) } catch {
        throw ScenarioError(place, "\(error)")
    }
    guard let text = String(validating: found, as: UTF8.self) else { throw ScenarioError(place, "not UTF-8 text") }
    return text
}

/// `Config/Scenes/NAME.yaml`, looked for upward from the scenario's folder, then from the current one.
///
/// A name with a slash or an ending is a path beside the scenario or below: a file that somebody sent must not have
/// another one read, whose lines errors would then show.
private func scenePath(_ name: String, at place: Place) throws(ScenarioError) -> String {
    let files = FileManager.default
    let beside = URL(filePath: place.file).standardizedFileURL.deletingLastPathComponent()
    if name.contains("/") || name.hasSuffix(".yaml") {
        let file = beside.appending(path: name).standardizedFileURL
        let folder = beside.resolvingSymlinksInPath().pathComponents
        guard file.resolvingSymlinksInPath().pathComponents.starts(with: folder) else {
            throw ScenarioError(place, "scene: expected a file in \(beside.path) or below, found \(name)")
        }
        let path = file.path
        guard files.fileExists(atPath: path) else { throw ScenarioError(place, "scene: no file \(path)") }
        return path
    }
    var known: [String] = []
    for start in [beside, URL(filePath: files.currentDirectoryPath)] {
        var folder = start
        while true {
            let path = folder.appending(path: "Config/Scenes/\(name).yaml").path
            if files.fileExists(atPath: path) { return path }
            let scenes = folder.appending(path: "Config/Scenes").path
            known += ((try? files.contentsOfDirectory(atPath: scenes)) ?? []).sorted()
                .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
            let parent = folder.deletingLastPathComponent()
            if parent.path == folder.path { break }
            folder = parent
        }
    }
    let hint = suggestion(for: name, among: known)
    throw ScenarioError(place, "scene: no Config/Scenes/\(name).yaml above \(beside.path) or the current folder\(hint)")
}
