// ServerRules.swift: the settings that the server's core itself goes by; its parts read their own.

import Basics
import Settings

struct ServerRules: Sendable {
    /// Scans that input-kit may have sent and that have no receipt.
    let inFlightLimit: Int
    /// Frames that an app may have and not have answered.
    let window: Int
    /// How old a move may get while it waits; zero for any age.
    let staleness: Duration
    /// How long an app may answer nothing before it counts as not responding.
    let patience: Duration
    /// How long an app may take for a change of its life.
    let deadline: Duration
    let probes: Bool
    /// Whether places on the screen may be told: `trace.places`.
    let saysPlaces: Bool
    /// Whether keys may be told, but for those of an app with a secure window: `trace.keys`.
    let saysKeys: Bool

    init(_ settings: Settings) {
        inFlightLimit = settings[.serverInFlightLimit]
        window = settings[.serverWindow]
        staleness = settings[.serverStaleness]
        patience = settings[.serverUnresponsive]
        deadline = settings[.serverWatchdog]
        probes = settings[.probes].contains("server")
        saysPlaces = settings[.tracePlaces]
        saysKeys = settings[.traceKeys]
    }
}
