// Child.swift: one child of the group, over all its starts.
//
// Station   process
// Input     ChildTable: starts, deaths
// Output    ChildTable: the verdict about a death (`ChildMachine.Verdict`), and its text
// Knows     one child's machine, its process and its deaths. No sibling, no link of a controller.
//
// Sources   invented, after faults F2, F3, F13

import Basics
import Hosting
import Wire

/// A child with its state, its process and its earlier deaths.
struct Child: Sendable {
    let peer: Peer
    var machine = ChildMachine()
    /// The time at which the machine entered its state.
    var since = Instant.boot
    /// The current process. A spawn replaces it as a whole.
    var process = ChildProcess()
    var deaths: DeathRecord
    /// The URL that the child should open, if it is launched with one.
    var urlLaunch: URLLaunch?

    var state: ChildMachine.State { machine.state }

    /// Notes that the program of a quarantined child was replaced: another program caused its deaths.
    mutating func programWasReplaced() {
        if case .quarantined = state { deaths.isUnstartable = true }
    }
}

/// One process of a child.
struct ChildProcess: Sendable {
    /// Counted from 1 at the child's first start.
    var generation: UInt32 = 0
    /// The group's epoch when the process was spawned.
    var epoch: UInt32 = 0
    var spawnedAt = Instant.boot
    /// Whether the process has announced readiness.
    var wasReady = false
    var link = ControlLink()
}

/// The deaths of one child so far, and the judgement of its next death.
struct DeathRecord: Sendable {
    /// The exit code of a child that cannot use its scene or settings, as no later process could.
    private static let unusable = ExitStatus.exited(2)
    private static let abort = ExitStatus.signalled(6)

    private(set) var policy: RestartPolicy
    /// Unrequested deaths, by exit status.
    private(set) var tally = DeathTally()
    /// Starts after an unrequested death.
    var restarts = 0
    /// The end of the last process; empty before the first.
    private(set) var lastExit = ""
    /// The wait before the next start.
    private(set) var backoff = Duration.zero
    /// The reason while the supervisor kills the process.
    var killReason: String?
    /// Whether the child is quarantined because its program could not be started, or was replaced since. Then a launch
    /// starts it.
    var isUnstartable = false

    init(policy: RestartPolicy) { self.policy = policy }

    /// Notes that the program can be started again: the deaths so far were of another program.
    mutating func programBecameStartable(_ policy: RestartPolicy) { (isUnstartable, self.policy) = (false, policy) }

    /// Records a death and judges it.
    ///
    /// - Parameters:
    ///   - reason: The exit status as text, or why the process could not be started.
    ///   - status: Nil if it could not be started.
    ///   - isWanted: Whether the death was requested: then it is not counted and not judged.
    ///   - lease: The time that a server runs without a frame of its host (`server.suspensionLimit`); nil for other children.
    mutating func add(
        _ reason: String, status: ExitStatus?, of process: ChildProcess, isWanted: Bool, lease: Duration?,
        at now: Instant
    ) -> ChildMachine.Verdict {
        lastExit = killReason.map { "\(reason): \($0)" } ?? reason
        killReason = nil
        if isWanted { return .restart }
        tally.add(status)
        if let lease, status == .exited(ExitStatus.leaseExpired), process.spawnedAt.duration(to: now) > lease {
            // The server was stopped from outside and has no defect: the death does not count. A server that has not
            // run for a lease cannot have been stopped for one.
            backoff = .zero
            return .restart
        }
        if lease != nil, status == Self.abort {
            // libzmq aborts because of other processes' connections; this project's own code traps. So an abort of the
            // server never counts, and each one doubles the wait.
            backoff = policy.delay(afterAbortWith: backoff)
            return .restart
        }
        if status == Self.unusable { return .quarantine(reason: "cannot use what it was given") }
        if let delay = policy.delay(afterDeathAt: now, wasReady: process.wasReady) {
            backoff = delay
            return .restart
        }
        return .quarantine(
            reason: process.wasReady
                ? "died after \(policy.restartLimit) restarts in \(fixedText(policy.window.seconds, digits: 0)) s"
                : "not ready after \(policy.restartLimit) restarts")
    }
}
