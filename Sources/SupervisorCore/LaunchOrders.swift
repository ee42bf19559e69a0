// LaunchOrders.swift: the launch order of each child.
//
// Station   process
// Input     the settings of the whole group, and the apps with settings of their own (`group.topology`)
// Output    ChildTable: the launch order of one process
// Knows     settings. Not the running children.
//
// Sources   invented, after fault F1

import Hosting
import Settings
import Wire

/// Makes the launch orders of a group.
struct LaunchOrders: Sendable {
    private let settings: Settings
    private let runDirectory: String
    /// The settings of each app that differ from the group's.
    private let topology: Topology
    /// The group's settings, for every child without its own.
    private let groupSettings: [Setting]
    /// The group's settings and where the scenes of apps are placed.
    private let serverSettings: [Setting]
    /// The settings of each app with its own, once the app was started.
    private var appSettings: [[Setting]?]
    /// The URL schemes of each app; every child receives them.
    private let schemes: String

    init(settings: Settings, runDirectory: String, apps: UInt32) {
        (self.settings, self.runDirectory) = (settings, runDirectory)
        // `touchline up` refuses an unreadable topology. A journal can contain one; then all apps have the group's
        // settings.
        topology = (try? Topology(text: settings[.groupTopology])) ?? Topology()
        // `touchline up` also refuses two apps with one scheme; here no app opens URLs then.
        schemes = ((try? Schemes(settings, topology, apps: apps)) ?? Schemes()).text
        var commonSettings = topology.settings(of: 0, in: settings)
        try? commonSettings.set(.groupSchemes, to: schemes)
        groupSettings = commonSettings.changed
        let placing = topology.placing.text
        serverSettings = groupSettings + (placing.isEmpty ? [] : [Setting(key: "group.topology", value: placing)])
        appSettings = [[Setting]?](repeating: nil, count: topology.apps.count)
    }

    mutating func order(for peer: Peer, epoch: UInt32, generation: UInt32, openRequest: OpenRequest?) -> LaunchOrder {
        LaunchOrder(
            peer: peer, epoch: epoch, generation: generation, runDirectory: runDirectory,
            settings: changedSettings(for: peer),
            openRequest: openRequest)
    }

    private mutating func changedSettings(for peer: Peer) -> [Setting] {
        if peer == .systemServer { return serverSettings }
        guard let app = peer.app, Int(app.rawValue) <= topology.apps.count else { return groupSettings }
        let index = app.index.flatMap { appSettings.indices.contains($0) ? $0 : nil }
        if let index, let known = appSettings[index] { return known }
        var ownSettings = topology.settings(of: app, in: settings)
        try? ownSettings.set(.groupSchemes, to: schemes)
        let changed = ownSettings.changed
        if let index { appSettings[index] = changed }
        return changed
    }
}
