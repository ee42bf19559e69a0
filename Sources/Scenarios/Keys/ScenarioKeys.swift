// ScenarioKeys.swift: the keys of a scenario file and of a scene file.
//
// Input     YAMLNode
// Output    Scenario; SceneFields, which Scene merges
// Knows     every key outside of the view tree

import Basics
import Hosting
import Settings
import Wire

/// The content of a scenario file, before its scene is merged.
struct ScenarioDocument: Sendable {
    var scenario: Scenario
    var scene = SceneFields()

    init(file: String) { scenario = Scenario(file: file) }
}

/// The part of a file that describes the scene.
struct SceneFields: Sendable {
    /// The name of a file in Config/Scenes.
    var scene: Located<String>?
    /// Width and height in points.
    var screen: [Double]?
    var windows: YAMLNode?
    var views: YAMLNode?
    var app: AppSpec?
}

extension SceneFields {
    static let keys = KeyTable("a scene", start: SceneFields(), ignoredKeys + ownKeys)

    /// The keys that describe a scenario. A scene file may contain them, and they are not read there.
    private static let ignoredKeys: [Key<SceneFields>] = ["id", "title", "source", "config"].map {
        Key($0, "as in a scenario", "has no effect in a scene file") { (_, _) throws(ScenarioError) in }
    }

    static let ownKeys: [Key<SceneFields>] = [
        Key(
            "scene", "name or path",
            "`T2` is Config/Scenes/T2.yaml in a folder above this file; `x/T2.yaml` is a path from this file's folder"
        ) { (value, spec) throws(ScenarioError) in
            spec.scene = Located(try value.text(for: "scene"), value.location)
        },
        Key("screen", "[width, height]", standard: "[375, 667]", "the size of the screen in points") {
            (value, spec) throws(ScenarioError) in
            let size = try value.numbers(for: "screen", 2)
            guard size.allSatisfy({ (1...100_000).contains($0) }) else {
                throw ScenarioError(value.location, "screen: expected points from 1 to 100000")
            }
            spec.screen = size
        },
        Key(
            "windows", "list of windows",
            "the windows in the order in which they are shown; the first is the key window. Without windows no app starts"
        ) { (value, spec) throws(ScenarioError) in
            spec.windows = value
        },
        Key("views", "`{ NAME: KEYS }`", "keys merged into the views, windows and controllers of these names") {
            (value, spec) throws(ScenarioError) in
            spec.views = value
        },
        Key("app", "keys of an app", "the delegates of the app") { (value, spec) throws(ScenarioError) in
            var app = AppSpec()
            if value.scalar != "" { try AppSpec.keys.read(value, into: &app) }
            spec.app = app
        },
    ]
}

extension ScenarioDocument {
    static let keys = KeyTable(
        "a scenario", start: ScenarioDocument(file: ""),
        Scenario.headKeys.map { $0.of(\.scenario) } + SceneFields.ownKeys.map { $0.of(\.scene) }
            + Scenario.scriptKeys.map { $0.of(\.scenario) })

    /// The same keys under the subject `a scene`, because a command that shows a scene also accepts a scenario.
    static let sceneKeys = KeyTable("a scene", start: keys.start, keys.keys)
}

extension Scenario {
    fileprivate static let headKeys: [Key<Scenario>] = [
        Key("id", .word, \.id, isRequired: true, "unique among the files of a folder"),
        Key("title", .word, \.title, "the behavior that the scenario shows, as a claim"),
        Key("source", .words, \.source, "the sources of the behavior: tags of [Fidelity](Fidelity.md)"),
        Key("kind", .choice(Kind.self), \.kind, "how the expected lines are known ([Fidelity](Fidelity.md))"),
        Key("modes", .choices(Mode.self), \.modes, "the modes in which the scenario is played"),
        Key(
            "probes", .choices(CoreProbe.self), \.probes,
            "lines that are printed besides the views' lines ([Lines of the scenario](#lines-of-the-scenario))"),
        Key(
            "config", "`{ KEY: VALUE }`",
            "[settings](Settings.md) of the played group; also `eventFetch`, `delivery`, `lowLatencyBegan`, `order`"
        ) { (value, spec) throws(ScenarioError) in
            spec.config = try config(of: value)
        },
        Key(
            "apps", "`{ app2: { display: 2 } }`",
            "settings of single apps, named without `app.`, such as `display` ([Displays](../Decisions/Displays.md)), "
                + "`schemes` ([URLs](../Decisions/OpeningURLs.md)) and `orientations`; all apps up to the last one named run "
                + "from the start"
        ) { (value, spec) throws(ScenarioError) in
            spec.apps = try apps(value)
        },
        Key(
            "display", .count(in: 1...Int(Displays.limit)), \.displayNumber,
            "the display on which the script's fingers land; `config: { screen.others: 800x600@2 }` adds displays"
        ),
    ]

    fileprivate static let scriptKeys: [Key<Scenario>] = [
        Key(
            "script", "text", isRequired: true,
            "the input of fingers, devices and the system ([Script lines](#script-lines))"
        ) {
            (value, spec) throws(ScenarioError) in
            spec.script = try Script(parsing: try value.text(for: "script"), at: value.textLocation)
        },
        Key(
            "expect", "text",
            "the lines that must be observed ([Lines expected](#lines-expected)); without the key only `trace` plays the file"
        ) {
            (value, spec) throws(ScenarioError) in
            spec.expectation = try Expectation(parsing: try value.text(for: "expect"), at: value.textLocation)
        },
    ]

    private var displayNumber: Int {
        get { Int(display.rawValue) }
        set { display = DisplayID(UInt8(newValue)) }
    }

    /// The names of settings in Docs/Spec/Semantics.md that differ from the project's.
    private static let aliases = [
        "eventFetch": "app.eventFetch", "delivery": "app.delivery", "lowLatencyBegan": "app.lowLatencyBegan",
        "order": "order.mode",
    ]

    /// The settings whose names begin with `app.`, as in a topology.
    private static let appKeys = KeyTable<[Setting]>(
        "an app", start: [],
        Settings.keys.map(\.name).filter { $0.hasPrefix(Topology.prefix) }.map { name in
            let key = String(name.dropFirst(Topology.prefix.count))
            return Key(key, "as in a topology", "") { (value, settings) throws(ScenarioError) in
                let words = try value.words(for: key).map(\.value)
                let setting = Setting(key: name, value: words.joined(separator: " "))
                if let complaint = Topology.complaint(about: setting) {
                    throw ScenarioError(value.location, "apps: \(complaint)")
                }
                settings.append(setting)
            }
        })

    /// Reads `app2: { display: 2, schemes: [demo] }`: settings whose names begin with `app.`, as in a topology.
    private static func apps(_ node: YAMLNode) throws(ScenarioError) -> [[Setting]] {
        guard case .mapping(let entries) = node.content else {
            throw ScenarioError(node.location, "apps: expected apps and what is their own, found \(node.kindName)")
        }
        var apps: [[Setting]] = []
        for entry in entries {
            guard entry.key.hasPrefix("app"), let app = Int(entry.key.dropFirst(3)), (1...Topology.limit).contains(app)
            else {
                throw ScenarioError(
                    entry.location, "apps: expected an app from app1 to app\(Topology.limit), found \(entry.key)")
            }
            if case .mapping(let own) = entry.value.content {
                for setting in own {
                    guard let renaming = Settings.renaming(of: Topology.prefix + setting.key) else { continue }
                    throw ScenarioError(setting.location, "apps: \(renaming)")
                }
            }
            while apps.count < app { apps.append([]) }
            try appKeys.read(entry.value, into: &apps[app - 1])
        }
        return apps
    }

    /// Reads the value of `config:`.
    static func config(of node: YAMLNode) throws(ScenarioError) -> [Setting] {
        guard case .mapping(let entries) = node.content else {
            throw ScenarioError(node.location, "config: expected constants and their values, found \(node.kindName)")
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
                    throw ScenarioError(entry.location, "config: unknown constant \(key)\(hint)")
                case .renamed, .removed: throw ScenarioError(entry.location, "config: \(error)")
                case .badValue: throw ScenarioError(entry.value.location, "config: \(error)")
                }
            }
            config.append(Setting(key: key, value: value))
        }
        return config
    }
}
