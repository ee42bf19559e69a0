// ServerRules.swift: the settings that the server's core itself uses. Its parts read their own.
//
// Input     Settings
// Knows     limits and durations
//
// Sources   invented; Settings/Keys+System.swift declares the settings

import Basics
import Settings

/// The server's settings.
struct ServerRules: Sendable {
    /// The limit of frames of scans without a receipt.
    let inFlightLimit: Int
    /// The limit of scans that an app may have unanswered.
    let window: Int
    /// The age at which a waiting move is stale; zero for no limit.
    let staleness: Duration
    /// The time without an answer after which an app is unresponsive.
    let unresponsiveLimit: Duration
    /// The time that an app has for a change of its life cycle.
    let deadline: Duration
    let probes: Bool
    /// Whether traces may contain positions: `trace.positions`.
    let tracesPositions: Bool
    /// Whether traces may name keys: `trace.keys`. Keys to an app with a secure window are never named.
    let tracesKeys: Bool

    init(_ settings: Settings) {
        inFlightLimit = settings[.serverInFlightLimit]
        window = settings[.serverCreditWindow]
        staleness = settings[.serverStaleMoveAge]
        unresponsiveLimit = settings[.serverResponseTimeout]
        deadline = settings[.serverLifecycleTimeout]
        probes = settings[.probes].contains("server")
        tracesPositions = settings[.tracePositions]
        tracesKeys = settings[.traceKeys]
    }
}
