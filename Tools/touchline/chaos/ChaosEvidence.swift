// ChaosEvidence.swift: the journals of a run as evidence: the audit's report, and the relevant moments.
//
//    <run-dir>/journal ─▶ replayed through the same cores ─▶ occurrences ─┬▶ Audit      laws I1–I8
//                                                                        └▶ marks      input, process, moment

import Audit
import Basics
import HID
import Hosting
import Journals
import Scenarios
import Settings
import Wire

/// The evidence of one group.
struct ChaosEvidence {
    /// A step that matters to times and counts.
    struct Mark {
        enum What {
            /// The process received the loss of this peer.
            case lost(Peer)
            /// This peer opened its link.
            case hello(Peer)
            /// The supervisor received that this child is ready.
            case ready(Peer, generation: UInt32)
            case started(Peer)
            /// The supervisor started this generation of a child, `backOff` after the step that scheduled the start.
            case spawned(Peer, generation: UInt32, backOff: Duration)
            case exited(Peer, ExitStatus)
            /// The life ended, as its observer noticed.
            case gone
            /// An app received touches.
            case touches([TouchID], began: Int, cancelled: Int)
            /// The server reported that an app does not answer, or answers again.
            case stalled(Stall)
            /// An app had handled a beginning, or moves, this long after the event. The age of ends does not matter.
            case newsHandled(age: Duration)
            /// An app had handled moves, and only moves, this long after the event.
            case movesHandled(age: Duration)
        }
        var at: Instant
        var life: ProcessInstance
        var what: What
        /// For the life of an app: its live touches after this.
        var live = 0
    }

    private(set) var marks: [Mark] = []
    private(set) var report = AuditReport()
    /// The replayed lives.
    private(set) var lives: [ProcessInstance] = []
    private(set) var steps: UInt64 = 0
    /// Journals that could not be replayed, or not to their end.
    private(set) var complaints: [String] = []
    /// The touches that apps received, in order, without times.
    private(set) var story: [String] = []
    /// How often an app received an earlier moment than before.
    private(set) var backwards = 0
    private var latest: [ProcessInstance: Instant] = [:]
    private var live: [ProcessInstance: Set<TouchID>] = [:]
    /// The supervisor's timers: the last moment at which each was armed, and its due time.
    private var armed: [TimerID: (at: Instant, due: Instant)] = [:]

    /// Reads, replays and audits every journal in the group's folder.
    ///
    /// - Parameter options: The limits of the audit. The group's own settings give the number of scans in flight.
    init(runDirectory: String, options: AuditOptions, meter: ReplayMeter) throws {
        var meter = meter
        var end = Instant.boot
        var group: ReplayedGroup
        do throws(ReplayError) {
            group = try ReplayedGroup(folder: "\(runDirectory)/journal")
        } catch { throw Failure.no("\(error)") }
        var options = options
        options.isReplayed = true
        if let header = group.supervisor, let settings = try? Settings(header.order.settings) {
            options.applyLimits(settings)
        }
        var audit = Audit(options)
        while let occurrence = group.next() {
            audit.add(occurrence)
            take(occurrence, end: &end)
            meter.show(steps, at: end)
        }
        meter.clear()
        if let difference = group.difference {
            audit.note(Violation(.determinism, "\(difference)", at: difference.at))
        }
        complaints = group.complaints
        report = audit.finish(at: end)
    }

    private mutating func take(_ occurrence: Occurrence, end: inout Instant) {
        switch occurrence {
        case .began(let life, let at):
            lives.append(life)
            end = max(end, at)
        case .step(let step):
            steps += 1
            end = max(end, step.at)
            take(step)
        case .ended(let life, let at, _):
            end = max(end, at)
            live[life] = nil
            if [.app, .systemServer].contains(life.peer.role) { marks.append(Mark(at: at, life: life, what: .gone)) }
        case .lost: break
        }
    }

    private mutating func take(_ step: Step) {
        func mark(_ what: Mark.What) -> Mark {
            Mark(at: step.at, life: step.process, what: what, live: live[step.process]?.count ?? 0)
        }
        switch step.input {
        case .peerLost(let peer):
            // An app loses all its touches with the server.
            if peer == .systemServer { live[step.process] = nil }
            marks.append(mark(.lost(peer)))
        case .childStarted(let peer, _): marks.append(mark(.started(peer)))
        case .childExited(let peer, _, let status): marks.append(mark(.exited(peer, status)))
        case .frame(let frame, let peer):
            switch frame.message {
            case .hello: marks.append(mark(.hello(peer)))
            case .ready: marks.append(mark(.ready(peer, generation: frame.generation)))
            case .touches(let touches):
                let contacts = touches.contacts
                if touches.timeStamp < latest[step.process, default: .boot] { backwards += 1 }
                latest[step.process] = touches.timeStamp
                for contact in contacts {
                    switch contact.phase {
                    case .began: live[step.process, default: []].insert(contact.touch)
                    case .moved, .stationary: break
                    case .ended, .cancelled: live[step.process]?.remove(contact.touch)
                    }
                }
                let told = contacts.map { contact in
                    let position = contact.position
                    return "\(contact.touch.rawValue) \(contact.phase) \(position.x.double),\(position.y.double)"
                }
                story.append("\(step.process.peer): \(told.joined(separator: "; "))")
                marks.append(
                    mark(
                        .touches(
                            contacts.map(\.touch), began: contacts.count { $0.phase == .began },
                            cancelled: contacts.count { $0.phase == .cancelled })))
            default: break
            }
        default: break
        }
        if step.process.peer == .supervisor { takeSpawns(of: step) }
        for case .send(let frame, to: .supervisor) in step.effects {
            if case .stalled(let stall) = frame.message { marks.append(mark(.stalled(stall))) }
        }
        guard step.process.peer.role == .app else { return }
        for case .send(let frame, _) in step.effects {
            guard case .handled(let receipt) = frame.message, receipt.outcome == .delivered,
                receipt.began > 0 || receipt.moved > 0, let device = frame.ledger[.device]
            else { continue }
            marks.append(mark(.newsHandled(age: device.duration(to: step.at))))
        }
        for case .send(let frame, _) in step.effects {
            guard case .handled(let receipt) = frame.message, receipt.outcome == .delivered, receipt.moved > 0,
                receipt.began == 0, receipt.ended == 0, receipt.cancelled == 0, let device = frame.ledger[.device]
            else { continue }
            marks.append(mark(.movesHandled(age: device.duration(to: step.at))))
        }
    }

    /// A start by a timer was scheduled when that timer was armed.
    private mutating func takeSpawns(of step: Step) {
        var backOff = Duration.zero
        if case .timerFired(let timer) = step.input, let armed = armed[timer] {
            backOff = armed.at.duration(to: armed.due)
        }
        for effect in step.effects {
            switch effect {
            case .arm(let timer, let due): armed[timer] = (step.at, due)
            case .spawn(let peer, let order):
                let what = Mark.What.spawned(peer, generation: order.generation, backOff: backOff)
                marks.append(Mark(at: step.at, life: step.process, what: what))
            default: continue
            }
        }
    }

    /// The time that the supervisor scheduled before the first life of a child after `generation`. Nil without such a
    /// life.
    func backOff(of peer: Peer, after generation: UInt32) -> Duration? {
        for mark in marks {
            if case .spawned(peer, let next, let backOff) = mark.what, next > generation { return backOff }
        }
        return nil
    }

    /// The time from `moment` to the first mark that satisfies `isSo`; nil without one before `limit`.
    func first(after moment: Instant, before limit: Instant = .never, where isSo: (Mark) -> Bool) -> Duration? {
        // Causal order is nearly the order of time. A mark of another process may be slightly out of it.
        var found: Instant?
        for mark in marks where mark.at >= moment && mark.at < limit && mark.at < found ?? .never && isSo(mark) {
            found = mark.at
        }
        return found.map { moment.duration(to: $0) }
    }

    /// The moments of all marks that satisfy `isSo`, ascending.
    func moments(after moment: Instant, where isSo: (Mark) -> Bool) -> [Instant] {
        marks.filter { $0.at >= moment && isSo($0) }.map(\.at).sorted()
    }

    /// The number of live touches of all apps at this moment.
    func held(at moment: Instant) -> Int {
        var last: [ProcessInstance: Int] = [:]
        for mark in marks where mark.at <= moment && mark.life.peer.role == .app { last[mark.life] = mark.live }
        return last.values.reduce(0, +)
    }

    /// The audit's findings as lines, with evidence indented, and the journals that it could not read.
    var violations: [String] {
        var lines = complaints.map { "the journals: \($0)" }
        for violation in report.violations {
            var line = "\(violation.law.rawValue): \(violation.text)"
            for step in violation.evidence {
                line += "\n    \(step.process) step \(step.step) at \(step.at): \(step.text)"
            }
            lines.append(line)
        }
        let more = report.violationCount - UInt64(report.violations.count)
        if more > 0 { lines.append("and \(more) more") }
        return lines
    }

    /// The balance of scans: `4711 scans = 4700 delivered + 11 dropped`.
    var balance: String {
        let parts = Fate.allCases.map { "\(report.scans[$0]) \($0)" }.joined(separator: " + ")
        return "\(report.scans.injected) scans = \(parts) + \(report.scans.inFlight) in flight"
    }
}

extension AuditReport {
    /// The number of violations of a law.
    subscript(broken law: Law) -> UInt64 {
        Law.allCases.firstIndex(of: law).map { violationsByLaw[$0] } ?? 0
    }
}
