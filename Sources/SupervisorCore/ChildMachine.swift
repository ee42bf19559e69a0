// ChildMachine.swift: one child of the group, from its first start to its last exit.
//
// Station   process
// Input     ChildTable: the group's start and stop, the child's own word, its timer, its death
// Output    Decision, which ChildTable turns into effects
// Knows     one pid. No clock, no settings, no siblings; whether a death was one too many is decided before
//           (`DeathRecord`).
//
//     waiting ─start─▶ spawning ─spawned─▶ starting ─announced─▶ ready
//                         ▲                    │ due: too slow     │ silent: its link closed
//                        due                   ▼                   ▼
//                         │                condemned ◀─────────────┘
//                     backingOff ◀─died─ (any of these) ─died once too often─▶ quarantined
//
//     quarantined ─due─▶ spawning: only where its program could not be started, which may be over, or is another since
//     misbehaved, while alive: expelled, and quarantined when it is dead
//     dismissed, while alive: dismissed, and dormant when it is dead, until it is launched; one that was launched
//     before it was dead is started again at once
//
//     stop, from anywhere: stopping while there is a process, then gone
//
// Docs/Machines/Child.md is the whole table.
//
// Sources   invented, after faults F1, F2, F3, F7, F13

struct ChildMachine {
    enum State: Hashable {
        /// Not asked for yet.
        case waiting
        /// Asked for; the host has not said its pid.
        case spawning
        /// Alive, and has not announced readiness.
        case starting(pid: Int32)
        case ready(pid: Int32)
        /// Alive, but nothing is expected of it except its exit.
        case condemned(pid: Int32)
        /// Alive, and being killed for what it sent to others.
        case expelled(pid: Int32, reason: String)
        /// Alive, and told to end for good by whoever says what is on the screen, or until then.
        case dismissed(pid: Int32, isWanted: Bool)
        /// Dead, as was asked; will be started when it is launched.
        case dormant
        /// Dead; will be started again.
        case backingOff
        /// Dead; will not be started again, unless it was its program that could not be started.
        case quarantined(reason: String)
        /// The group ends and this one still lives, or (no pid) is just being started.
        case stopping(pid: Int32?)
        /// The group ends and this one has.
        case gone
    }

    /// What a death means, by `DeathRecord`.
    enum Verdict: Hashable, CustomStringConvertible {
        case again, enough(reason: String)

        var description: String {
            switch self {
            case .again: "again"
            case .enough: "enough"
            }
        }
    }

    enum Input: Hashable {
        case start
        case spawned(pid: Int32)
        case announced
        /// Its link is down.
        case silent
        /// Its timer fired.
        case due
        /// It has sent what no honest process sends.
        case misbehaved(reason: String)
        /// It is to end, and to stay down.
        case dismiss
        /// It is wanted.
        case launch
        /// It exited, or could not be started at all.
        case died(Verdict)
        case stop
    }

    enum Decision: Hashable {
        case nothing
        case spawn
        /// Give it until the start deadline.
        case awaitReadiness
        case welcome
        /// Give it a moment to exit by itself, so that its own exit code is the one reported.
        case awaitExit
        case kill
        /// Kill it, and say why.
        case expel
        /// Give it until the stop deadline.
        case awaitEnd
        case backOff
        /// It is down, and nothing is wrong with it.
        case rest
        case quarantine
        case askToStop
        case farewell
    }

    private(set) var state = State.waiting

    mutating func handle(_ input: Input) -> Decision {
        guard let (next, decision) = Self.transition(from: state, on: input) else {
            preconditionFailure("a child cannot take \(input) while \(state)")
        }
        state = next
        return decision
    }

    /// The whole machine: every state, every input, no default. Nil cannot happen: the host reports one start and
    /// one exit for every spawn, in that order.
    static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.waiting, .start): (.spawning, .spawn)
        case (.spawning, .start), (.starting, .start), (.ready, .start), (.condemned, .start), (.expelled, .start),
            (.dismissed, .start), (.dormant, .start), (.backingOff, .start), (.quarantined, .start),
            (.stopping, .start), (.gone, .start):
            nil

        case (.spawning, .spawned(let pid)): (.starting(pid: pid), .awaitReadiness)
        // It was being started while the group was told to end: it hears of that first.
        case (.stopping(pid: nil), .spawned(let pid)): (.stopping(pid: pid), .askToStop)
        case (.waiting, .spawned), (.starting, .spawned), (.ready, .spawned), (.condemned, .spawned),
            (.expelled, .spawned), (.dismissed, .spawned), (.dormant, .spawned), (.backingOff, .spawned),
            (.quarantined, .spawned), (.stopping, .spawned), (.gone, .spawned):
            nil

        case (.starting(let pid), .announced): (.ready(pid: pid), .welcome)
        // Said twice, or said too late: no child can harm the group by talking.
        case (.waiting, .announced), (.spawning, .announced), (.ready, .announced), (.condemned, .announced),
            (.expelled, .announced), (.dismissed, .announced), (.dormant, .announced), (.backingOff, .announced),
            (.quarantined, .announced), (.stopping, .announced), (.gone, .announced):
            (state, .nothing)

        case (.starting(let pid), .silent), (.ready(let pid), .silent): (.condemned(pid: pid), .awaitExit)
        // The end of a link may be noticed after the exit that closed it; one that is dismissed has its time.
        case (.waiting, .silent), (.spawning, .silent), (.condemned, .silent), (.expelled, .silent),
            (.dismissed, .silent), (.dormant, .silent), (.backingOff, .silent), (.quarantined, .silent),
            (.stopping, .silent), (.gone, .silent):
            (state, .nothing)

        case (.starting(let pid), .due), (.condemned(let pid), .due): (.condemned(pid: pid), .kill)
        case (.expelled, .due), (.dismissed, .due): (state, .kill)
        // A quarantined child is due only where its program could not be started, or is another since.
        case (.backingOff, .due), (.quarantined, .due): (.spawning, .spawn)
        // The timer of a state just left.
        case (.waiting, .due), (.spawning, .due), (.ready, .due), (.dormant, .due), (.stopping, .due),
            (.gone, .due):
            (state, .nothing)

        case (.starting(let pid), .misbehaved(let reason)), (.ready(let pid), .misbehaved(let reason)),
            (.condemned(let pid), .misbehaved(let reason)), (.dismissed(let pid, _), .misbehaved(let reason)):
            (.expelled(pid: pid, reason: reason), .expel)
        // Said of one that is dead by now, or is to end anyway.
        case (.waiting, .misbehaved), (.spawning, .misbehaved), (.expelled, .misbehaved), (.dormant, .misbehaved),
            (.backingOff, .misbehaved), (.quarantined, .misbehaved), (.stopping, .misbehaved), (.gone, .misbehaved):
            (state, .nothing)

        case (.starting(let pid), .dismiss), (.ready(let pid), .dismiss):
            (.dismissed(pid: pid, isWanted: false), .awaitEnd)
        // It is about to end; and then it stays down.
        case (.condemned(let pid), .dismiss), (.dismissed(let pid, _), .dismiss):
            (.dismissed(pid: pid, isWanted: false), .nothing)
        case (.backingOff, .dismiss): (.dormant, .rest)
        // There is nobody yet who could be told, or nobody any more.
        case (.waiting, .dismiss), (.spawning, .dismiss), (.expelled, .dismiss), (.dormant, .dismiss),
            (.quarantined, .dismiss), (.stopping, .dismiss), (.gone, .dismiss):
            (state, .nothing)

        case (.dormant, .launch): (.spawning, .spawn)
        // It has been told to end, and will; then its next life comes.
        case (.dismissed(let pid, _), .launch): (.dismissed(pid: pid, isWanted: true), .nothing)
        // It is there, or on its way, or for good reason not.
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
        case (.dismissed(_, let isWanted), _): isWanted ? (.spawning, .spawn) : (.dormant, .rest)
        case (.spawning, .again), (.starting, .again), (.ready, .again), (.condemned, .again): (.backingOff, .backOff)
        case (.spawning, .enough(let reason)), (.starting, .enough(let reason)), (.ready, .enough(let reason)),
            (.condemned, .enough(let reason)):
            (.quarantined(reason: reason), .quarantine)
        case (.stopping, _): (.gone, .farewell)
        case (.waiting, _), (.dormant, _), (.backingOff, _), (.quarantined, _), (.gone, _): nil
        }
    }

    /// The group ends.
    private static func stop(in state: State) -> (State, Decision) {
        switch state {
        case .starting(let pid), .ready(let pid), .condemned(let pid), .expelled(let pid, _), .dismissed(let pid, _):
            (.stopping(pid: pid), .askToStop)
        case .spawning: (.stopping(pid: nil), .nothing)
        case .waiting, .dormant, .backingOff, .quarantined: (.gone, .farewell)
        case .stopping, .gone: (state, .nothing)
        }
    }
}

extension ChildMachine.State {
    /// The process there is, if there is one.
    var pid: Int32? {
        switch self {
        case .starting(let pid), .ready(let pid), .condemned(let pid), .expelled(let pid, _),
            .dismissed(let pid, _):
            pid
        case .stopping(let pid): pid
        case .waiting, .spawning, .dormant, .backingOff, .quarantined, .gone: nil
        }
    }

    /// May it be spoken to?
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

    /// Down because somebody asked for it.
    var isDormant: Bool { self == .dormant }

    /// As `touchline status` says it.
    var word: String {
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
