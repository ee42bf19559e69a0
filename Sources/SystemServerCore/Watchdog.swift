// Watchdog.swift: whether an app carries out the changes of its life cycle in time.
//
//     a change is sent ──the main loop is done with it──▶ nothing
//                      ──a deadline passes──▶ overran: the supervisor kills the app, which counts as a crash
//
// An app may ignore touches, but it has to enter the background when the system tells it to. The server knows the app's
// progress by its answers to probes (`received`) and by its receipts for later frames.
//
// Station   process
// Input     SystemServerCore: changes that were sent, answers, the periodic checks
// Output    to the supervisor: the app that overran
// Knows     frames and moments. No touch.
//
// Sources   documented  deadlines for resume and suspend, ten seconds (D10); launch and quit are the
//                       supervisor's own (supervisor.startDeadline, supervisor.stopDeadline)

import Basics
import Hosting
import Links
import Trace
import Wire

extension AppConnection {
    /// A change of the life cycle that the app has not carried out yet.
    struct Change: Sendable {
        let frame: SequenceNumber
        let moment: LifeCycleChange
        let at: Instant
        /// Whether the supervisor has been told.
        var isOverdue = false
    }

    /// The limit of changes that are remembered. No correct group sends more to an app that does nothing.
    private static let changeLimit = 64

    /// Notes that a change of the life cycle was sent in this frame.
    mutating func noteLifeCycle(_ frame: Frame, at now: Instant) {
        lastLifeCycle = frame.sequence
        guard case .lifeCycle(let moment) = frame.message, changes.count < Self.changeLimit else { return }
        changes.append(Change(frame: frame.sequence, moment: moment, at: now))
    }

    /// Notes that the app's main loop has handled everything before this frame.
    mutating func noteDone(before frame: SequenceNumber) {
        guard !changes.isEmpty else { return }
        changes.removeAll { $0.frame < frame }
    }
}

extension SystemServerCore {
    /// Reports an app whose first change is overdue. The periodic checks call this every 100 ms while frames are unanswered.
    mutating func checkDeadline(of appIndex: Int, at now: Instant, into outbox: inout Outbox) {
        guard rules.deadline > .zero, let first = connections.values[appIndex].changes.first, !first.isOverdue,
            first.at.duration(to: now) > rules.deadline
        else { return }
        connections.values[appIndex].changes[0].isOverdue = true
        let app = connections.app(at: appIndex)
        outbox.trace.note(
            now, .process, "app {a} has not finished {b:n} after {c:t}: it is ended", Int64(app),
            outbox.trace.intern("\(first.moment)"), first.at.duration(to: now).nanoseconds)
        if rules.probes { outbox.trace.probe(now, .process, "server watchdog app=\(app)") }
        let overrun = Overrun(
            app: app, generation: connections.values[appIndex].link.peerGeneration, change: first.moment,
            limit: rules.deadline)
        outbox.append(.send(supervisor.frame(.overran(overrun)), to: .supervisor))
    }
}
