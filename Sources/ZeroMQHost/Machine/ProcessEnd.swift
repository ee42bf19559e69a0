// ProcessEnd.swift: when a process ends, and with which status.
//
//     running ──the core exits──────────────────────────────────────────▶ status
//        │────a stop signal: the core is asked ──a later one──▶ deadline ──▲ 1
//        └────the supervisor is gone: the core is asked ──────▶ deadline ──┘
//
// Fed by    ZeroMQHost: signals, the end of the supervisor, the core's own exit
// Feeds     ZeroMQHost, which asks the core to stop
//
// Sources   invented, Docs/Supervision.md

import Basics

struct ProcessEnd {
    /// The status to exit with; nil while the process runs.
    var status: Int32?
    /// When the process ends though its core has not asked to.
    private(set) var deadline = Instant.never
    /// Nil for a host that shares its process with others.
    let signals: Signals?
    private let patience: Duration
    /// When the first stop signal was read.
    private var firstSignalAt: Instant?

    /// - Parameter patience: supervisor.stopDeadline.
    init(_ signals: Signals?, patience: Duration) { (self.signals, self.patience) = (signals, patience) }

    /// Reads all stop signals. One stop can send several: `timeout` signals its child and then the process group, a
    /// terminal that closes sends SIGHUP and its shell SIGTERM. Signals within the patience of the first are the same
    /// request. A later one comes from a person who waits for a process that hangs: the process ends at once.
    ///
    /// - Returns: Whether the core has to be asked to stop.
    mutating func readSignals(at now: () -> Instant) -> Bool {
        var isRequested = false
        while signals?.next() == true {
            let moment = now()
            if let first = firstSignalAt {
                if first.duration(to: moment) > patience { deadline = moment }
            } else {
                firstSignalAt = moment
                isRequested = true
            }
        }
        return isRequested
    }

    /// Without its supervisor a process has only so long to stop.
    mutating func lostSupervisor(at now: Instant) { deadline = min(deadline, now.advanced(by: patience)) }

    mutating func expire(at now: Instant) { if deadline <= now { status = 1 } }
}
