// Settings.swift: the values in force for a group, read by typed keys and written as text.
//
//     Config/pipeline.yaml, --set, launch order ─name=text─▶ Settings ─[.serverSuspensionLimit]─▶ Duration
//
// An unknown name is a person's mistake, and an error; an unknown key does not compile. Iteration follows the order of
// the table.
//
// Knows     every setting. No file, no process.

import Basics
public import Wire

/// The values of all settings.
public struct Settings: Sendable {
    /// The texts of the values, in the order of the table.
    private var values: [String]

    /// Every setting at its default.
    public init() { values = Self.standards }

    public init(_ settings: [Setting]) throws(SettingsError) {
        self.init()
        for setting in settings { try set(setting.key, to: setting.value) }
    }

    /// Every declaration, in the order of Config/pipeline.yaml.
    public static let keys = appKeys + gestureKeys + systemKeys + hostKeys

    private static let names = NameTable(keys.map(\.name))
    private static let standards = keys.map(\.standard)

    /// Keys of earlier versions, with advice for a file that contains one.
    private static let removed: [String: String] = [
        "swipe.minRate": "a swipe has no speed limit any more (B9.4); take the line out"
    ]

    /// Keys with another name in earlier versions: the old name and the new one, in the order of the old names. A file,
    /// an option or a scenario with an old name is refused, and the error contains the new one.
    package static let renamed: KeyValuePairs<String, String> = [
        "app.unresponsive": "app.turnTimeout",
        "delay.holdFollowers": "delay.holdsLaterTouches",
        "device.burst": "device.scanBurst",
        "device.gap": "device.suspensionLimit",
        "device.rate": "device.scanRate",
        "device.reportSilence": "device.reportTimeout",
        "device.stuckFinger": "device.stuckContactTimeout",
        "host.heartbeat": "host.heartbeatTimeout",
        "host.slice": "host.timeSlice",
        "journal.limit": "journal.processLimit",
        "journal.ring": "journal.ringCapacity",
        "journal.segment": "journal.segmentSize",
        "longPress.movement": "longPress.allowableMovement",
        "remote.allow": "remote.allowedKeys",
        "remote.heartbeat": "remote.heartbeatTimeout",
        "remote.key": "remote.secretKey",
        "screenshot.window": "screenshot.maxInterval",
        "scroll.fastRate": "scroll.fastDecelerationRate",
        "scroll.normalRate": "scroll.normalDecelerationRate",
        "server.display": "server.displayRate",
        "server.lease": "server.suspensionLimit",
        "server.openLimit": "server.openURLTimeout",
        "server.staleness": "server.staleMoveAge",
        "server.strikes": "server.strikeLimit",
        "server.unresponsive": "server.responseTimeout",
        "server.watchdog": "server.lifecycleTimeout",
        "server.window": "server.creditWindow",
        "systemGesture.answer": "systemGesture.deferralTimeout",
        "systemGesture.hold": "systemGesture.switcherHoldDuration",
        "systemGesture.limit": "systemGesture.recognitionTimeout",
        "systemGesture.secondSwipe": "systemGesture.secondSwipeTimeout",
        "systemGesture.stillness": "systemGesture.switcherHoldMovement",
        "trace.places": "trace.positions",
    ]

    static func table<each Value>(_ keys: repeat Key<each Value>) -> [Declaration] {
        var table: [Declaration] = []
        for key in repeat each keys { table.append(key.declaration) }
        return table
    }
}

// MARK: Reading

extension Settings {
    public subscript<Value>(key: Key<Value>) -> Value { key.read(text(named: key.declaration.name)) }

    /// The value of a setting as it was written.
    public func text<Value>(of key: Key<Value>) -> String { text(named: key.declaration.name) }

    /// Not generic: a generic function that takes a key first looks for the metadata of the key's type.
    private func text(named name: String) -> String {
        guard let index = Self.names.index(of: name) else {
            preconditionFailure("the setting \(name) is missing in the table of its file")
        }
        return values[index]
    }

    /// The settings that differ from their default: the content of a launch order.
    public var changed: [Setting] {
        values.indices.filter(isChanged).map { Setting(key: Self.keys[$0].name, value: values[$0]) }
    }

    /// Whether a setting differs from its default.
    public func isChanged<Value>(_ key: Key<Value>) -> Bool {
        Self.names.index(of: key.declaration.name).map(isChanged) ?? false
    }

    private func isChanged(_ index: Int) -> Bool { values[index] != Self.standards[index] }

    /// The topology of the group; nil if its text is wrong.
    public var topology: Topology? { try? Topology(text: self[.groupTopology]) }

    /// The settings for an app of another machine: the ones that describe the phone, apps in general and this app. The
    /// other settings belong to this machine.
    public func remoteSettings(for app: AppID) -> [Setting] {
        let own = ["group", "device", "server", "host", "journal", "chaos", "supervisor", "remote"]
        // A path is useless on another machine.
        let paths = [Self.name(of: .appScene), Self.name(of: .appSample), Self.name(of: .appExecutable)]
        return (topology?.settings(of: app, in: self) ?? self).changed.filter { setting in
            !own.contains { setting.key.hasPrefix("\($0).") } && !paths.contains(setting.key)
        }
    }
}

extension Settings {
    /// What an app with these settings shows, for a person.
    package var contentText: String {
        for key: Settings.Key<String> in [.appScene, .appExecutable] {
            // A folder of another machine means nothing here.
            if let name = self[key].split(separator: "/").last { return String(name) }
        }
        return self[.appSample].isEmpty ? "an empty window" : "the sample app \(self[.appSample])"
    }
}

// MARK: Writing

extension Settings {
    /// Sets a value.
    ///
    /// - Parameters:
    ///   - key: Dotted, as a person writes it.
    ///   - value: The text of the value, as a person writes it.
    /// - Throws: `SettingsError` for an unknown or old name, and for a value that the setting does not allow.
    public mutating func set(_ key: String, to value: String) throws(SettingsError) {
        values[try Self.index(of: key, allowing: value)] = value
    }

    /// The index of a setting in the table.
    ///
    /// - Throws: `SettingsError` for an unknown or old name, and for a value that the setting does not allow.
    static func index(of key: String, allowing value: String) throws(SettingsError) -> Int {
        guard let index = names.index(of: key) else {
            if let error = renaming(of: key) { throw error }
            if let advice = removed[key] { throw .removed(key, advice: advice) }
            throw .unknown(key, nearest: nearestName(to: key, among: keys.map(\.name)))
        }
        if let expected = keys[index].kind.complaint(about: value) {
            throw .badValue(key: key, value: value, expected: expected)
        }
        return index
    }

    /// Sets a value by its typed key.
    ///
    /// - Throws: `SettingsError` for a value that the setting does not allow.
    public mutating func set<Value>(_ key: Key<Value>, to value: String) throws(SettingsError) {
        try set(key.name, to: value)
    }

    /// The error for a key of an earlier version that has another name now; nil for other keys.
    public static func renaming(of key: String) -> SettingsError? {
        renamed.first { $0.key == key }.map { .renamed(key, to: $0.value) }
    }

    /// The dotted name, as a person writes it.
    public static func name<Value>(of key: Key<Value>) -> String { key.name }
}
