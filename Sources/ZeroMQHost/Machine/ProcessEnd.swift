// ProcessEnd.swift: the time and the status with which a process ends.
//
//     running ──the core exits──────────────────────────────────────────▶ status
//        │────a stop signal: the core is asked ──a later one──▶ deadline ──▲ 1
//        └────the supervisor is gone: the core is asked ──────▶ deadline ──┘
//
// Input     ZeroMQHost: signals, the end of the supervisor, the core's own exit
// Output    ZeroMQHost, which asks the core to stop
//
// Sources   invented, Docs/Internals/Supervision.md

import Basics

/// The end of a process, as signals and the supervisor request it.
struct ProcessEnd {
    /// The status to exit with; nil while the process runs.
    var status: Int32?
    /// The time at which the process ends although its core has not exited.
    private(set) var deadline = Instant.never
    /// Nil for a host that shares its process with others.
    let signals: Signals?
    private let stopLimit: Duration
    /// The time at which the first stop signal was read.
    private var firstSignalAt: Instant?

    /// - Parameter stopLimit: `supervisor.stopDeadline`.
    init(_ signals: Signals?, stopLimit: Duration) { (self.signals, self.stopLimit) = (signals, stopLimit) }

    /// Reads all stop signals.
    ///
    /// One stop can send several signals: `timeout` signals its child and then the process group; a closing terminal
    /// sends SIGHUP and its shell SIGTERM. Signals within `stopLimit` of the first are the same request. A later
    /// signal means that a person waits for a process that hangs: the process ends at once.
    ///
    /// - Returns: Whether the core has to be asked to stop.
    mutating func readSignals(at now: () -> Instant) -> Bool {
        var isRequested = false
        while signals?.next() == true {
            let moment = now()
            if let first = firstSignalAt {
                if first.duration(to: moment) > stopLimit { deadline = moment }
            } else {
                firstSignalAt = moment
                isRequested = true
            }
        }
        return isRequested
    }

    /// Limits the time that the process has to stop, because its supervisor is gone.
    mutating func noteSupervisorLoss(at now: Instant) { deadline = min(deadline, now.advanced(by: stopLimit)) }

    mutating func expire(at now: Instant) { if deadline <= now { status = 1 } }
}
