// Orientations.swift: which way up each app's interface is at first, and which it can be.
//
//    app.orientation, app.orientations of the group ─┬▶ Orientations ─▶ server: how its scene is told, what is turned
//    the same of single apps, group.topology ────────┘                  audit
//
// A phone knows it before the app runs, from its Info.plist; so the server knows it from the topology.
//
// Sources   documented  UISupportedInterfaceOrientations
//           invented    an app that starts as it cannot be starts as the first that it can

public import Basics
public import Wire

public struct Orientations: Sendable {
    private struct Choice: Sendable {
        var initial = InterfaceOrientation.portrait
        var possible = InterfaceOrientation.allCases

        init() {}

        init(_ settings: Settings) {
            (initial, possible) = (settings.initialOrientation, settings[.appOrientations])
        }
    }

    private var group = Choice()
    /// Of app 1, 2, …; the others are as the group is.
    private var apps: [Choice] = []

    /// All apps start upright, and turn in any way.
    public init() {}

    public init(_ settings: Settings) {
        group = Choice(settings)
        guard let topology = try? Topology(text: settings[.groupTopology]) else { return }
        apps = topology.apps.indices.map { Choice(topology.settings(of: AppID(index: $0), in: settings)) }
    }

    /// How its interface is before anybody turns it.
    public func initial(of app: AppID) -> InterfaceOrientation { choice(of: app).initial }

    /// Whether its interface can be so.
    public func allows(_ orientation: InterfaceOrientation, of app: AppID) -> Bool {
        choice(of: app).possible.contains(orientation)
    }

    private func choice(of app: AppID) -> Choice {
        app.index.flatMap { $0 < apps.count ? apps[$0] : nil } ?? group
    }
}

extension Settings {
    /// How this app's interface is before anybody turns it.
    public var initialOrientation: InterfaceOrientation {
        let (wished, possible) = (self[.appOrientation], self[.appOrientations])
        return possible.contains(wished) ? wished : possible[0]
    }
}
