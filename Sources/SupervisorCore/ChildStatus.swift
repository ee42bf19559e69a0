// ChildStatus.swift: the status of children for `touchline status` and the supervisor's own lines.
//
// Station   process
// Input     ChildTable
// Output    ChildStatus for the host, rows of the supervisor's report
//
// Sources   invented

public import Basics
public import Wire

/// The status of one child, for a person.
public struct ChildStatus: Hashable, Sendable {
    public var peer: Peer
    /// Nil while there is no process.
    public var pid: Int32?
    public var generation: UInt32
    /// `ready`, `starting`, `backing off`, …
    public var state: String
    public var isReady: Bool
    public var isQuarantined: Bool
    /// Whether it was terminated, and not launched since.
    public var isDormant: Bool
    /// The time at which it entered this state.
    public var since: Instant
    public var restarts: Int
    /// `exit 1`, `signal 9`, or why it could not be started; empty before its first death.
    public var lastExit: String
    /// The time until it is started again; nil if it will not be.
    public var restartsIn: Duration?
}

extension Child {
    /// The longest text for a child's end in a report, in characters.
    static let exitTextLimit = 80

    var status: ChildStatus {
        var status = ChildStatus(
            peer: peer, pid: state.pid, generation: process.generation, state: state.statusText, isReady: state.isReady,
            isQuarantined: false, isDormant: state.isDormant, since: since, restarts: deaths.restarts,
            lastExit: deaths.lastExit, restartsIn: nil)
        switch state {
        case .quarantined: status.isQuarantined = true
        case .backingOff: status.restartsIn = deaths.backoff
        case .waiting, .spawning, .starting, .ready, .condemned, .expelled, .dismissed, .dormant, .stopping, .gone:
            break
        }
        return status
    }

    func add(to report: inout Report) {
        let key = "\(peer)."
        report.add(key + "pid", state.pid ?? 0)
        report.add(key + "state", text: state.statusText)
        report.add(key + "generation", process.generation)
        report.add(key + "epoch", process.epoch)
        report.add(key + "since", since.nanoseconds)
        report.add(key + "restarts", deaths.restarts)
        if !deaths.lastExit.isEmpty {
            report.add(key + "lastExit", text: String(deaths.lastExit.prefix(Self.exitTextLimit)))
        }
        if deaths.tally.total > 0 {
            report.add(key + "deaths", text: String(deaths.tally.text.prefix(Self.exitTextLimit)))
        }
        if case .quarantined(let reason) = state { report.add(key + "reason", text: reason) }
    }
}
