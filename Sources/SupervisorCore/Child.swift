// Child.swift: one child of the group, over all its starts.
//
// Station   process
// Input     ChildTable: starts, deaths
// Output    ChildTable: what a death means (`ChildMachine.Verdict`), and the words for it
// Knows     one child's machine, its process and its deaths. No sibling, no link of a controller.
//
// Sources   invented, after faults F2, F3, F13

import Basics
import Hosting
import Wire

struct Child: Sendable {
    let peer: Peer
    var machine = ChildMachine()
    /// When the machine came into its state.
    var since = Instant.boot
    /// What belongs to one start of it. A spawn replaces it as a whole.
    var process = ChildProcess()
    var deaths: DeathRecord
    /// A URL that it is to open.
    var launching: Launching?

    var state: ChildMachine.State { machine.state }

    /// The deaths of a quarantined child were those of another program.
    mutating func programWasReplaced() {
        if case .quarantined = state { deaths.isUnstartable = true }
    }
}

/// One start of a child.
struct ChildProcess: Sendable {
    /// Counted from 1 at the child's first start.
    var generation: UInt32 = 0
    /// The group's when the process was spawned.
    var epoch: UInt32 = 0
    var spawnedAt = Instant.boot
    /// Whether the process has announced readiness.
    var wasReady = false
    var link = ControlLink()
}

/// How one child has ended so far, and what its next death means.
struct DeathRecord: Sendable {
    /// The exit code of a child that cannot use its scene or settings: a later process could not, either.
    private static let unusable = ExitStatus.exited(2)
    private static let abort = ExitStatus.signalled(6)

    private(set) var policy: RestartPolicy
    /// Deaths that were not asked for, by how they came about.
    private(set) var tally = DeathTally()
    /// Starts after a death that was not asked for.
    var restarts = 0
    /// How the last process ended; empty while there was none.
    private(set) var lastExit = ""
    /// The wait before the next start.
    private(set) var backoff = Duration.zero
    /// Why the supervisor kills the process, while it does.
    var killReason: String?
    /// The child is quarantined because its program could not be started, or its program is another file since. Then a launch
    /// starts it.
    var isUnstartable = false

    init(policy: RestartPolicy) { self.policy = policy }

    /// The program can be started again: the deaths so far were of another program.
    mutating func programWasMended(_ policy: RestartPolicy) { (isUnstartable, self.policy) = (false, policy) }

    /// Records a death, and judges it.
    ///
    /// - Parameters:
    ///   - reason: How the process ended, or why it could not be started.
    ///   - status: Nil when it could not be started.
    ///   - isWanted: The death was asked for: it is not counted and not judged.
    ///   - lease: How long a server lives without word from its host (`server.lease`); nil for other children.
    mutating func add(
        _ reason: String, status: ExitStatus?, of process: ChildProcess, isWanted: Bool, lease: Duration?,
        at now: Instant
    ) -> ChildMachine.Verdict {
        lastExit = killReason.map { "\(reason): \($0)" } ?? reason
        killReason = nil
        if isWanted { return .again }
        tally.add(status)
        if let lease, status == .exited(ExitStatus.leaseExpired), process.spawnedAt.duration(to: now) > lease {
            // The server was stopped from outside and is as good as new: the death does not count. A server that has not
            // lived for a lease cannot have been stopped for one.
            backoff = .zero
            return .again
        }
        if lease != nil, status == Self.abort {
            // libzmq aborts for what others have done to its connections; this project's own code traps. So an abort of the
            // server does not count, however often it happens, and each one doubles the wait.
            backoff = policy.delay(afterAbortWith: backoff)
            return .again
        }
        if status == Self.unusable { return .enough(reason: "cannot use what it was given") }
        if let delay = policy.delay(afterDeathAt: now, wasReady: process.wasReady) {
            backoff = delay
            return .again
        }
        return .enough(
            reason: process.wasReady
                ? "died after \(policy.restartLimit) restarts in \(fixedText(policy.window.seconds, digits: 0)) s"
                : "not ready after \(policy.restartLimit) restarts")
    }
}
