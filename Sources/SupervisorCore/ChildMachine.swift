// ChildMachine.swift: the state machine of one child, from its first start to its last exit.
//
// Station   process
// Input     ChildTable: the group's start and stop, the child's messages, its timer, its death
// Output    Decision, which ChildTable turns into effects
// Knows     one pid. No clock, no settings, no siblings. `DeathRecord` decides before whether a death was one too many.
//
//     waiting ─start─▶ spawning ─spawned─▶ starting ─announced─▶ ready
//                         ▲                    │ due: too slow     │ silent: its link closed
//                        due                   ▼                   ▼
//                         │                condemned ◀─────────────┘
//                     backingOff ◀─died─ (any of these) ─died once too often─▶ quarantined
//
// A quarantined child is due only if its program could not be started or was replaced. A child that misbehaves is
// expelled, and quarantined when it has died. A dismissed child becomes dormant until a launch; a launch before its
// death starts it again at once. A stop leads from any state to stopping while there is a process, then to gone.
//
// Docs/Reference/Machines/Child.md has the whole table.
//
// Sources   invented, after faults F1, F2, F3, F7, F13

/// The state machine of a child.
struct ChildMachine {
    /// The state of a child.
    enum State: Hashable {
        /// The start has not been requested yet.
        case waiting
        /// The start is requested; the host has not reported the pid.
        case spawning
        /// Runs, and has not announced readiness.
        case starting(pid: Int32)
        case ready(pid: Int32)
        /// Runs, but only its exit is expected.
        case condemned(pid: Int32)
        /// Runs, and is being killed because of frames that it sent to other processes.
        case expelled(pid: Int32, reason: String)
        /// Runs, and has been told to end and stay down, or, if it is wanted, to end before its next start.
        case dismissed(pid: Int32, isWanted: Bool)
        /// Has ended on request; a launch starts it.
        case dormant
        /// Dead; a timer starts it again.
        case backingOff
        /// Dead; not started again, unless its program could not be started or was replaced.
        case quarantined(reason: String)
        /// The group ends and this child still runs, or (no pid) is just being started.
        case stopping(pid: Int32?)
        /// The group ends and this child has ended.
        case gone
    }

    /// The judgement of a death by `DeathRecord`.
    enum Verdict: Hashable, CustomStringConvertible {
        case restart, quarantine(reason: String)

        var description: String {
            switch self {
            case .restart: "again"
            case .quarantine: "enough"
            }
        }
    }

    /// An event of a child.
    enum Input: Hashable {
        case start
        case spawned(pid: Int32)
        case announced
        /// Its link is down.
        case linkLost
        /// Its timer fired.
        case timerFired
        /// It has sent a frame that no honest process sends.
        case misbehaved(reason: String)
        /// It should end, and stay down.
        case dismiss
        /// It should run.
        case launch
        /// It exited, or could not be started at all.
        case died(Verdict)
        case stop
    }

    /// The supervisor's response to an input.
    enum Decision: Hashable {
        case nothing
        case spawn
        /// Wait until the start deadline.
        case awaitReadiness
        case confirmReadiness
        /// Give it a moment to exit by itself, so that its own exit code is reported.
        case awaitExit
        case kill
        /// Kill it and report the reason.
        case expel
        /// Wait until the stop deadline.
        case awaitEnd
        case backOff
        /// It has ended, and nothing is wrong with it.
        case becomeDormant
        case quarantine
        case askToStop
        case reportEnd
    }

    private(set) var state = State.waiting

    mutating func handle(_ input: Input) -> Decision {
        guard let (next, decision) = Self.transition(from: state, on: input) else {
            preconditionFailure("a child cannot take \(input) while \(state)")
        }
        state = next
        return decision
    }

    /// The whole machine: every state and every input, no default. Nil marks impossible pairs: the host reports one
    /// start and one exit for every spawn, in that order.
    static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.waiting, .start): (.spawning, .spawn)
        case (.spawning, .start), (.starting, .start), (.ready, .start), (.condemned, .start), (.expelled, .start),
            (.dismissed, .start), (.dormant, .start), (.backingOff, .start), (.quarantined, .start),
            (.stopping, .start), (.gone, .start):
            nil

        case (.spawning, .spawned(let pid)): (.starting(pid: pid), .awaitReadiness)
        // The group began to stop during the start, so the new process receives that first.
        case (.stopping(pid: nil), .spawned(let pid)): (.stopping(pid: pid), .askToStop)
        case (.waiting, .spawned), (.starting, .spawned), (.ready, .spawned), (.condemned, .spawned),
            (.expelled, .spawned), (.dismissed, .spawned), (.dormant, .spawned), (.backingOff, .spawned),
            (.quarantined, .spawned), (.stopping, .spawned), (.gone, .spawned):
            nil

        case (.starting(let pid), .announced): (.ready(pid: pid), .confirmReadiness)
        // A repeated or late announcement changes nothing: no child can harm the group with it.
        case (.waiting, .announced), (.spawning, .announced), (.ready, .announced), (.condemned, .announced),
            (.expelled, .announced), (.dismissed, .announced), (.dormant, .announced), (.backingOff, .announced),
            (.quarantined, .announced), (.stopping, .announced), (.gone, .announced):
            (state, .nothing)

        case (.starting(let pid), .linkLost), (.ready(let pid), .linkLost): (.condemned(pid: pid), .awaitExit)
        // The end of a link may be reported after the exit that closed it; a dismissed child has its own deadline.
        case (.waiting, .linkLost), (.spawning, .linkLost), (.condemned, .linkLost), (.expelled, .linkLost),
            (.dismissed, .linkLost), (.dormant, .linkLost), (.backingOff, .linkLost), (.quarantined, .linkLost),
            (.stopping, .linkLost), (.gone, .linkLost):
            (state, .nothing)

        case (.starting(let pid), .timerFired), (.condemned(let pid), .timerFired): (.condemned(pid: pid), .kill)
        case (.expelled, .timerFired), (.dismissed, .timerFired): (state, .kill)
        // A quarantined child is due only if its program could not be started or was replaced.
        case (.backingOff, .timerFired), (.quarantined, .timerFired): (.spawning, .spawn)
        // The timer belongs to an earlier state.
        case (.waiting, .timerFired), (.spawning, .timerFired), (.ready, .timerFired), (.dormant, .timerFired),
            (.stopping, .timerFired),
            (.gone, .timerFired):
            (state, .nothing)

        case (.starting(let pid), .misbehaved(let reason)), (.ready(let pid), .misbehaved(let reason)),
            (.condemned(let pid), .misbehaved(let reason)), (.dismissed(let pid, _), .misbehaved(let reason)):
            (.expelled(pid: pid, reason: reason), .expel)
        // The child has died by now, or will end anyway.
        case (.waiting, .misbehaved), (.spawning, .misbehaved), (.expelled, .misbehaved), (.dormant, .misbehaved),
            (.backingOff, .misbehaved), (.quarantined, .misbehaved), (.stopping, .misbehaved), (.gone, .misbehaved):
            (state, .nothing)

        case (.starting(let pid), .dismiss), (.ready(let pid), .dismiss):
            (.dismissed(pid: pid, isWanted: false), .awaitEnd)
        // The child is about to end; then it stays down.
        case (.condemned(let pid), .dismiss), (.dismissed(let pid, _), .dismiss):
            (.dismissed(pid: pid, isWanted: false), .nothing)
        case (.backingOff, .dismiss): (.dormant, .becomeDormant)
        // No process can receive the dismissal.
        case (.waiting, .dismiss), (.spawning, .dismiss), (.expelled, .dismiss), (.dormant, .dismiss),
            (.quarantined, .dismiss), (.stopping, .dismiss), (.gone, .dismiss):
            (state, .nothing)

        case (.dormant, .launch): (.spawning, .spawn)
        // The child has been told to end; after its end it starts again.
        case (.dismissed(let pid, _), .launch): (.dismissed(pid: pid, isWanted: true), .nothing)
        // The child runs, is being started, or must not be started.
        case (.waiting, .launch), (.spawning, .launch), (.starting, .launch), (.ready, .launch), (.condemned, .launch),
            (.expelled, .launch), (.backingOff, .launch), (.quarantined, .launch), (.stopping, .launch),
            (.gone, .launch):
            (state, .nothing)
        case (_, .died(let verdict)): death(in: state, verdict)
        case (_, .stop): stop(in: state)
        }
    }

    private static func death(in state: State, _ verdict: Verdict) -> (State, Decision)? {
        switch (state, verdict) {
        case (.expelled(_, let reason), _): (.quarantined(reason: reason), .quarantine)
        case (.dismissed(_, let isWanted), _): isWanted ? (.spawning, .spawn) : (.dormant, .becomeDormant)
        case (.spawning, .restart), (.starting, .restart), (.ready, .restart), (.condemned, .restart):
            (.backingOff, .backOff)
        case (.spawning, .quarantine(let reason)), (.starting, .quarantine(let reason)),
            (.ready, .quarantine(let reason)),
            (.condemned, .quarantine(let reason)):
            (.quarantined(reason: reason), .quarantine)
        case (.stopping, _): (.gone, .reportEnd)
        case (.waiting, _), (.dormant, _), (.backingOff, _), (.quarantined, _), (.gone, _): nil
        }
    }

    /// The transition for the end of the group.
    private static func stop(in state: State) -> (State, Decision) {
        switch state {
        case .starting(let pid), .ready(let pid), .condemned(let pid), .expelled(let pid, _), .dismissed(let pid, _):
            (.stopping(pid: pid), .askToStop)
        case .spawning: (.stopping(pid: nil), .nothing)
        case .waiting, .dormant, .backingOff, .quarantined: (.gone, .reportEnd)
        case .stopping, .gone: (state, .nothing)
        }
    }
}

extension ChildMachine.State {
    /// The pid of the process, if there is one.
    var pid: Int32? {
        switch self {
        case .starting(let pid), .ready(let pid), .condemned(let pid), .expelled(let pid, _),
            .dismissed(let pid, _):
            pid
        case .stopping(let pid): pid
        case .waiting, .spawning, .dormant, .backingOff, .quarantined, .gone: nil
        }
    }

    /// Whether frames may be sent to the child.
    var isListening: Bool {
        switch self {
        case .starting, .ready: true
        case .waiting, .spawning, .condemned, .expelled, .dismissed, .dormant, .backingOff, .quarantined, .stopping,
            .gone:
            false
        }
    }

    var isReady: Bool {
        if case .ready = self { true } else { false }
    }

    /// Whether the child is down on request.
    var isDormant: Bool { self == .dormant }

    /// The word in `touchline status`.
    var statusText: String {
        switch self {
        case .waiting: "waiting"
        case .spawning, .starting: "starting"
        case .ready: "ready"
        case .condemned: "dying"
        case .expelled: "expelled"
        case .dismissed: "terminating"
        case .dormant: "terminated"
        case .backingOff: "backing off"
        case .quarantined: "quarantined"
        case .stopping: "stopping"
        case .gone: "gone"
        }
    }
}
