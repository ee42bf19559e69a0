// Orientations.swift: the initial and the supported orientations of each app's interface.
//
//    app.orientation, app.orientations of the group ─┬▶ Orientations ─▶ server: the orientation of scenes
//    the same of single apps, group.topology ────────┘                  audit
//
// A phone knows them from the Info.plist before the app runs, so the server knows them from the topology.
//
// Sources   documented  UISupportedInterfaceOrientations
//           invented    an app with an unsupported initial orientation starts in its first supported one

public import Basics
public import Wire

/// The interface orientations of a group's apps.
public struct Orientations: Sendable {
    private struct Choice: Sendable {
        var initial = InterfaceOrientation.portrait
        var possible = InterfaceOrientation.allCases

        init() {}

        /// - Parameters:
        ///   - requested: The orientation of the setting.
        ///   - possible: The supported orientations.
        init(_ requested: InterfaceOrientation, among possible: [InterfaceOrientation]) {
            (initial, self.possible) = (requested.supported(among: possible), possible)
        }
    }

    private var group = Choice()
    /// The orientations of app 1, 2, …; all other apps have the group's.
    private var apps: [Choice] = []

    /// All apps start in portrait and support every orientation.
    public init() {}

    public init(_ settings: Settings) { self.init(settings, settings.topology) }

    /// - Parameters:
    ///   - settings: The settings of the group.
    ///   - topology: The topology of these settings, for a caller that needs it more than once.
    public init(_ settings: Settings, _ topology: Topology?) {
        let (requested, possible) = (settings[.appOrientation], settings[.appOrientations])
        group = Choice(requested, among: possible)
        guard let topology else { return }
        apps = topology.apps.indices.map { index in
            let app = AppID(index: index)
            return Choice(
                topology.own(.appOrientation, of: app) ?? requested,
                among: topology.own(.appOrientations, of: app) ?? possible)
        }
    }

    /// The orientation of an app's interface at its start.
    public func initial(of app: AppID) -> InterfaceOrientation { choice(of: app).initial }

    /// Whether an app supports an orientation.
    public func allows(_ orientation: InterfaceOrientation, of app: AppID) -> Bool {
        choice(of: app).possible.contains(orientation)
    }

    private func choice(of app: AppID) -> Choice {
        app.index.flatMap { $0 < apps.count ? apps[$0] : nil } ?? group
    }
}

extension Settings {
    /// The orientation of this app's interface at its start.
    public var initialOrientation: InterfaceOrientation {
        self[.appOrientation].supported(among: self[.appOrientations])
    }
}

extension InterfaceOrientation {
    /// The orientation itself if an app supports it; otherwise the first one that the app supports.
    fileprivate func supported(among possible: [InterfaceOrientation]) -> InterfaceOrientation {
        possible.contains(self) ? self : possible[0]
    }
}
