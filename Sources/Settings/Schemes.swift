// Schemes.swift: the apps of a group that open URLs, by scheme.
//
//    topology: { sample: links, schemes: [a, b] } ─▶ app.schemes=a b ─┐
//    group.schemes=a=2 b=2 ───────────────────────────────────────────┴▶ Schemes ─▶ the server and every app
//
// iOS leaves undefined which of two apps with one scheme opens; here a group with two such apps is refused.
//
// Sources   documented  CFBundleURLSchemes, and that the choice between two apps is undefined ("Defining a custom URL
//                       scheme")
//           invented    the settings

public import Wire

/// The URL schemes of a group.
public struct Schemes: Hashable, Sendable {
    /// A scheme and its app.
    public struct Entry: Hashable, Sendable {
        /// In lowercase.
        public let scheme: String
        public let app: AppID
    }

    public private(set) var entries: [Entry] = []

    /// More than any phone's app declares.
    public static let limit = 256

    public init() {}

    /// Parses `text`.
    ///
    /// - Throws: `SettingsError` for a wrong or repeated scheme.
    public init(text: String) throws(SettingsError) {
        for word in text.split(separator: " ") {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let number = UInt32(parts[1]), number > 0 else {
                throw .badValue(
                    key: Settings.name(of: .groupSchemes), value: "\"\(word.prefix(80))\"",
                    expected: "a scheme and its app as touchline-demo=2")
            }
            try add(String(parts[0]), of: AppID(number), key: Settings.name(of: .groupSchemes))
        }
    }

    /// All schemes of a group's apps: from `group.schemes`, and from each app's settings.
    ///
    /// - Parameters:
    ///   - settings: The group's settings, for every app without its own.
    ///   - topology: The apps of the group, with their own settings.
    ///   - apps: The number of apps.
    /// - Throws: `SettingsError` for a wrong or repeated scheme.
    public init(_ settings: Settings, _ topology: Topology, apps: UInt32) throws(SettingsError) {
        try self.init(text: settings[.groupSchemes])
        for app in (0..<Int(apps)).map(AppID.init(index:)) {
            for scheme in topology.settings(of: app, in: settings)[.appSchemes] {
                try add(scheme, of: app, key: Settings.name(of: .appSchemes))
            }
        }
    }

    private mutating func add(_ word: String, of app: AppID, key: String) throws(SettingsError) {
        guard let scheme = URLText.scheme(word) else {
            throw .badValue(key: key, value: "\"\(word.prefix(80))\"", expected: Self.expected)
        }
        if let other = self.app(of: scheme) {
            throw .badValue(
                key: key, value: "\(scheme) of app \(other) and of app \(app)", expected: "each scheme once")
        }
        guard entries.count < Self.limit else {
            throw .badValue(key: key, value: "more", expected: "at most \(Self.limit) schemes")
        }
        entries.append(Entry(scheme: scheme, app: app))
    }

    static let expected = "schemes as touchline-demo: a letter, then letters, digits, +, - and ."

    /// The expected text if `list` is no list of schemes; nil if it is one.
    static func complaint(about list: String) -> String? {
        list.split(separator: " ").allSatisfy { URLText.scheme(String($0)) != nil } ? nil : expected
    }

    /// - Parameter scheme: In lowercase.
    public func app(of scheme: String) -> AppID? { entries.first { $0.scheme == scheme }?.app }

    /// The schemes as `touchline-demo=2 other=3`.
    public var text: String { entries.map { "\($0.scheme)=\($0.app)" }.joined(separator: " ") }
}
