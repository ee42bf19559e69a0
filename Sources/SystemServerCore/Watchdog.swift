// Watchdog.swift: whether an app comes to the end of what its life asks of it.
//
//     told of a change ──its main loop is done with it──▶ nothing
//                      ──a deadline passes──▶ overran: the supervisor ends it, and it is one that crashed
//
// Ignoring touches does not end an app; not going to the back when it is told to does. What it has done is known by how
// far it says it is when it is asked (`heard`), and by its receipts for what came behind.
//
// Station   process
// Fed by    SystemServerCore: changes of life told, answers, its pulse
// Feeds     the supervisor
//
// Sources   documented  deadlines for resume and suspend, ten seconds (D10); launch and quit are the
//                       supervisor's own (supervisor.startDeadline, supervisor.stopDeadline)

import Basics
import Hosting
import Links
import Trace
import Wire

extension AppConnection {
    struct Change: Sendable {
        let frame: SequenceNumber
        let moment: LifeCycle
        let at: Instant
        /// The supervisor knows.
        var isOverdue = false
    }

    /// More than that nobody tells an app that does nothing.
    private static let changeLimit = 64

    mutating func isToldOfLife(_ frame: Frame, at now: Instant) {
        lastLifeCycle = frame.sequence
        guard case .lifeCycle(let moment) = frame.message, changes.count < Self.changeLimit else { return }
        changes.append(Change(frame: frame.sequence, moment: moment, at: now))
    }

    /// Its main loop has come to the end of everything before this frame.
    mutating func isDone(before frame: SequenceNumber) {
        guard !changes.isEmpty else { return }
        changes.removeAll { $0.frame < frame }
    }
}

extension SystemServerCore {
    /// Looked at while anything is unheard or unanswered, every tenth of a second.
    mutating func watch(_ place: Int, at now: Instant, into outbox: inout Outbox) {
        guard rules.deadline > .zero, let first = connections.values[place].changes.first, !first.isOverdue,
            first.at.duration(to: now) > rules.deadline
        else { return }
        connections.values[place].changes[0].isOverdue = true
        let app = connections.app(at: place)
        outbox.trace.note(
            now, .process, "app {a} has not done {b:n} for {c:t}: it is to be ended", Int64(app),
            outbox.trace.name("\(first.moment)"), first.at.duration(to: now).nanoseconds)
        if rules.probes { outbox.trace.probe(now, .process, "server watchdog app=\(app)") }
        let overrun = Overrun(
            app: app, generation: connections.values[place].link.peerGeneration, moment: first.moment,
            limit: rules.deadline)
        outbox.append(.send(supervisor.frame(.overran(overrun)), to: .supervisor))
    }
}
