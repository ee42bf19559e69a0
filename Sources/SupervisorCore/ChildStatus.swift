// ChildStatus.swift: the children as a person sees them, in `touchline status` and in the supervisor's own lines.
//
// Station   process
// Input     ChildTable
// Output    ChildStatus for the host, rows of the supervisor's report
//
// Sources   invented

public import Basics
public import Wire

/// One child as a person sees it.
public struct ChildStatus: Hashable, Sendable {
    public var peer: Peer
    /// Nil while there is no process.
    public var pid: Int32?
    public var generation: UInt32
    /// `ready`, `starting`, `backing off`, …
    public var state: String
    public var isReady: Bool
    public var isQuarantined: Bool
    /// Terminated, and not launched since.
    public var isDormant: Bool
    /// When it came into this state.
    public var since: Instant
    public var restarts: Int
    /// `exit 1`, `signal 9`, why it could not be started; empty while it never died.
    public var lastExit: String
    /// Until it is started again; nil when that is not going to happen.
    public var restartsIn: Duration?
}

extension Child {
    /// Characters in a report for how a child ended.
    static let exitTextLimit = 80

    var status: ChildStatus {
        var status = ChildStatus(
            peer: peer, pid: state.pid, generation: process.generation, state: state.word, isReady: state.isReady,
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
        report.add(key + "state", text: state.word)
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
