// Topology.swift: the apps of a group, and the settings of each.
//
//    Config/topology.yaml ─▶ Topology ─text─▶ setting group.topology ─▶ SupervisorCore: each app's own settings
//
// The topology is passed on as a setting. So a journal of the supervisor contains it, and a replay starts the same
// apps.
//
// Sources   invented

public import Wire

/// The apps of a group with their own settings.
public struct Topology: Hashable, Sendable {
    /// The own settings of app 1, 2, …, such as `app.scene`. Missing ones are the group's.
    public var apps: [[Setting]]
    /// Displays beside the main one, in the format of `screen.others`; empty without any. They are not in `text`,
    /// because they belong to the group.
    public var others = ""

    public init(_ apps: [[Setting]] = [], others: String = "") { (self.apps, self.others) = (apps, others) }

    /// The prefix of settings that only an app reads, and that may therefore differ between apps.
    public static let prefix = "app."
    /// The most apps: a supervisor's packets have room for no more.
    public static let limit = 128

    /// The reason why a setting cannot be an app's own; nil if it can.
    public static func complaint(about setting: Setting) -> SettingsError? {
        guard setting.key.hasPrefix(prefix) else {
            return .badValue(key: setting.key, value: "a key of the whole group", expected: "one of \(prefix)…")
        }
        // A line is one setting. Only texts with other characters than ASCII need to be searched by characters.
        let hasNewline =
            setting.value.utf8.allSatisfy { $0 < 0x80 }
            ? setting.value.utf8.contains { (0x0A...0x0D).contains($0) } : setting.value.contains(where: \.isNewline)
        guard !hasNewline else {
            return .badValue(key: setting.key, value: "a line's end", expected: "one line")
        }
        do throws(SettingsError) { _ = try Settings.index(of: setting.key, allowing: setting.value) } catch {
            return error
        }
        return nil
    }

    /// The text form: the number of each app on a line, then its settings as `app.scene=/a/b.yaml`, one a line.
    public var text: String {
        var lines: [String] = []
        for (index, settings) in apps.enumerated() {
            lines.append("\(index + 1)")
            lines += settings.map { "\($0.key)=\($0.value)" }
        }
        return lines.joined(separator: "\n")
    }

    /// Parses `text`.
    ///
    /// - Throws: `SettingsError` for a wrong line. A person writes YAML; this text comes from a journal or a message.
    public init(text: String) throws(SettingsError) {
        func wrong(_ found: Substring, _ expected: String) -> SettingsError {
            .badValue(key: Settings.name(of: .groupTopology), value: "\"\(found.prefix(80))\"", expected: expected)
        }
        apps = []
        // By bytes: the text has one line for each setting of each app, and a search by characters finds their clusters.
        for line in text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
            guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                guard line == "\(apps.count + 1)", apps.count < Self.limit else {
                    throw wrong(line, "the number of the next app, at most \(Self.limit)")
                }
                apps.append([])
                continue
            }
            guard !apps.isEmpty else { throw wrong(line, "an app's number before what is its own") }
            let setting = Setting(key: String(line[..<equals]), value: String(line[line.index(after: equals)...]))
            if let complaint = Self.complaint(about: setting) { throw complaint }
            apps[apps.count - 1].append(setting)
        }
    }

    /// The settings that the server needs of each app: the orientation and the display of its scene.
    static let placingKeys = [
        Settings.name(of: .appOrientation), Settings.name(of: .appOrientations), Settings.name(of: .appDisplay),
    ]

    /// The settings that name the content of an app. An app has at most one of them.
    public static let contentKeys = [
        Settings.name(of: .appScene), Settings.name(of: .appSample), Settings.name(of: .appExecutable),
    ]

    /// The topology with only these settings; without apps if none has such a setting.
    public var placing: Topology {
        let own = apps.map { $0.filter { Self.placingKeys.contains($0.key) } }
        return own.allSatisfy(\.isEmpty) ? Topology() : Topology(own)
    }

    /// The value of one setting for one app; nil if the app has the group's.
    func own<Value>(_ key: Settings.Key<Value>, of app: AppID) -> Value? {
        guard let index = app.index, index < apps.count else { return nil }
        return apps[index].last { $0.key == key.name }.map { key.read($0.value) }
    }

    /// The settings for one app.
    public func settings(of app: AppID, in group: Settings) -> Settings {
        var own = group
        // Only the supervisor needs it, and it is long.
        try? own.set(.groupTopology, to: "")
        guard let index = app.index, index < apps.count else { return own }
        let settings = apps[index]
        // An app with a scene, a sample or a program of its own does not show the group's other one.
        if settings.contains(where: { Self.contentKeys.contains($0.key) }) {
            for key in Self.contentKeys { try? own.set(key, to: "") }
        }
        // Each value was checked when it was parsed.
        for setting in settings { try? own.set(setting.key, to: setting.value) }
        return own
    }
}
