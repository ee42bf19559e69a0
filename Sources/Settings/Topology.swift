// Topology.swift: which apps a group has, and what each of them shows.
//
//    Config/topology.yaml ─▶ Topology ─text─▶ setting group.topology ─▶ SupervisorCore: each app's own settings
//
// It travels as a setting, so that a journal of the supervisor says it too, and a replay starts the same apps.
//
// Sources   invented

public import Wire

public struct Topology: Hashable, Sendable {
    /// Of app 1, 2, …: keys that are its own, as `app.scene`. What is not said is the group's.
    public var apps: [[Setting]]
    /// Displays beside the main one, as `screen.others` has them; empty where the file says none. Not of its text: they
    /// are the group's, not an app's.
    public var others = ""

    public init(_ apps: [[Setting]] = [], others: String = "") { (self.apps, self.others) = (apps, others) }

    /// What an app alone reads, and so may be its own.
    public static let prefix = "app."
    /// What one supervisor can speak of in one packet.
    public static let limit = 128

    /// Why a setting cannot be an app's own; nil when it can.
    public static func complaint(about setting: Setting) -> SettingsError? {
        guard setting.key.hasPrefix(prefix) else {
            return .badValue(key: setting.key, value: "a key of the whole group", expected: "one of \(prefix)…")
        }
        // A line is an app's.
        guard !setting.value.contains(where: \.isNewline) else {
            return .badValue(key: setting.key, value: "a line's end", expected: "one line")
        }
        var settings = Settings()
        do throws(SettingsError) { try settings.set(setting.key, to: setting.value) } catch { return error }
        return nil
    }

    /// `app.scene=/a/b.yaml` on a line of its own, after the app's number.
    public var text: String {
        var lines: [String] = []
        for (index, settings) in apps.enumerated() {
            lines.append("\(index + 1)")
            lines += settings.map { "\($0.key)=\($0.value)" }
        }
        return lines.joined(separator: "\n")
    }

    /// The reverse of `text`.
    ///
    /// - Throws: For a line that is no such thing. A person writes the YAML; this one is a journal's, or a message's.
    public init(text: String) throws(SettingsError) {
        func wrong(_ found: Substring, _ expected: String) -> SettingsError {
            .badValue(key: Settings.name(of: .groupTopology), value: "\"\(found.prefix(80))\"", expected: expected)
        }
        apps = []
        for line in text.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else {
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

    /// What the server needs to know of each app: where and how its scene is.
    static let placingKeys = [
        Settings.name(of: .appOrientation), Settings.name(of: .appOrientations), Settings.name(of: .appDisplay),
    ]

    /// The same, without what is nobody's but the apps'; without apps, when all are placed alike.
    public var placing: Topology {
        let own = apps.map { $0.filter { Self.placingKeys.contains($0.key) } }
        return own.allSatisfy(\.isEmpty) ? Topology() : Topology(own)
    }

    /// The group's settings as this app is told them.
    public func settings(of app: AppID, in group: Settings) -> Settings {
        var own = group
        // It is nobody's but the supervisor's, and long.
        try? own.set(.groupTopology, to: "")
        guard let index = app.index, index < apps.count else { return own }
        let settings = apps[index]
        // One that shows something of its own does not show the group's beside it.
        let (scene, sample) = (Settings.name(of: .appScene), Settings.name(of: .appSample))
        for (key, other) in [(scene, sample), (sample, scene)]
        where settings.contains(where: { $0.key == key }) && !settings.contains(where: { $0.key == other }) {
            try? own.set(other, to: "")
        }
        // Each was found good when it was read.
        for setting in settings { try? own.set(setting.key, to: setting.value) }
        return own
    }
}
