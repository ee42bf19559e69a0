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
    struct Event {
        enum Kind {
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
            /// The process instance ended, as its observer noticed.
            case ended
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
        var process: ProcessInstance
        var kind: Kind
        /// For an instance of an app: its live touches after this.
        var live = 0
    }

    private(set) var events: [Event] = []
    private(set) var report = AuditReport()
    /// The replayed process instances.
    private(set) var processes: [ProcessInstance] = []
    private(set) var steps: UInt64 = 0
    /// Journals that could not be replayed, or not to their end.
    private(set) var complaints: [String] = []
    /// The touches that apps received, in order, without times.
    private(set) var receivedTouches: [String] = []
    /// How often an app received an earlier moment than before.
    private(set) var backwardsCount = 0
    private var latest: [ProcessInstance: Instant] = [:]
    private var touchesByProcess: [ProcessInstance: Set<TouchID>] = [:]
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
            group = try ReplayedGroup(folder: "\(runDirectory)/journal", programs: .ofRunningGroup)
        } catch { throw Failure.negativeResult("\(error)") }
        var options = options
        options.isReplayed = true
        if let header = group.supervisor, let settings = try? Settings(header.order.settings) {
            options.applyLimits(settings)
        }
        var audit = Audit(options)
        while let occurrence = group.next() {
            audit.add(occurrence)
            record(occurrence, end: &end)
            meter.show(steps, at: end)
        }
        meter.clear()
        if let difference = group.difference {
            audit.note(Violation(.determinism, "\(difference)", at: difference.at))
        }
        complaints = group.complaints
        report = audit.finish(at: end)
    }

    private mutating func record(_ occurrence: Occurrence, end: inout Instant) {
        switch occurrence {
        case .began(let process, let at):
            processes.append(process)
            end = max(end, at)
        case .step(let step):
            steps += 1
            end = max(end, step.at)
            record(step)
        case .ended(let process, let at, _):
            end = max(end, at)
            touchesByProcess[process] = nil
            if [.app, .systemServer].contains(process.peer.role) {
                events.append(Event(at: at, process: process, kind: .ended))
            }
        case .lost: break
        }
    }

    private mutating func record(_ step: Step) {
        func mark(_ what: Event.Kind) -> Event { self.mark(what, at: step) }
        switch step.input {
        case .peerLost(let peer):
            // An app loses all its touches with the server.
            if peer == .systemServer { touchesByProcess[step.process] = nil }
            events.append(mark(.lost(peer)))
        case .childStarted(let peer, _): events.append(mark(.started(peer)))
        case .childExited(let peer, _, let status): events.append(mark(.exited(peer, status)))
        case .frame(let frame, let peer):
            switch frame.message {
            case .hello: events.append(mark(.hello(peer)))
            case .ready: events.append(mark(.ready(peer, generation: frame.generation)))
            case .touches(let touches): addTouches(touches, of: step)
            case .severalTouches(let several): for touches in several { addTouches(touches, of: step) }
            default: break
            }
        default: break
        }
        if step.process.peer == .supervisor { recordSpawns(of: step) }
        for case .send(let frame, to: .supervisor) in step.effects {
            if case .stalled(let stall) = frame.message { events.append(mark(.stalled(stall))) }
        }
        guard step.process.peer.role == .app else { return }
        for case .send(let frame, _) in step.effects {
            guard case .handled(let receipt) = frame.message, receipt.outcome == .delivered,
                receipt.began > 0 || receipt.moved > 0, let device = frame.ledger[.device]
            else { continue }
            events.append(mark(.newsHandled(age: device.duration(to: step.at))))
        }
        for case .send(let frame, _) in step.effects {
            guard case .handled(let receipt) = frame.message, receipt.outcome == .delivered, receipt.moved > 0,
                receipt.began == 0, receipt.ended == 0, receipt.cancelled == 0, let device = frame.ledger[.device]
            else { continue }
            events.append(mark(.movesHandled(age: device.duration(to: step.at))))
        }
    }

    private func mark(_ what: Event.Kind, at step: Step) -> Event {
        Event(at: step.at, process: step.process, kind: what, live: touchesByProcess[step.process]?.count ?? 0)
    }

    private mutating func addTouches(_ touches: TouchFrame, of step: Step) {
        let contacts = touches.contacts
        if touches.timeStamp < latest[step.process, default: .boot] { backwardsCount += 1 }
        latest[step.process] = touches.timeStamp
        for contact in contacts {
            switch contact.phase {
            case .began: touchesByProcess[step.process, default: []].insert(contact.touch)
            case .moved, .stationary: break
            case .ended, .cancelled: touchesByProcess[step.process]?.remove(contact.touch)
            }
        }
        let touchTexts = contacts.map { contact in
            let position = contact.position
            return "\(contact.touch.rawValue) \(contact.phase) \(position.x.double),\(position.y.double)"
        }
        receivedTouches.append("\(step.process.peer): \(touchTexts.joined(separator: "; "))")
        events.append(
            mark(
                .touches(
                    contacts.map(\.touch), began: contacts.count { $0.phase == .began },
                    cancelled: contacts.count { $0.phase == .cancelled }), at: step))
    }

    /// A start by a timer was scheduled when that timer was armed.
    private mutating func recordSpawns(of step: Step) {
        var backOff = Duration.zero
        if case .timerFired(let timer) = step.input, let armed = armed[timer] {
            backOff = armed.at.duration(to: armed.due)
        }
        for effect in step.effects {
            switch effect {
            case .arm(let timer, let due): armed[timer] = (step.at, due)
            case .spawn(let peer, let order):
                let kind = Event.Kind.spawned(peer, generation: order.generation, backOff: backOff)
                events.append(Event(at: step.at, process: step.process, kind: kind))
            default: continue
            }
        }
    }

    /// The time that the supervisor scheduled before the first instance of a child after `generation`. Nil without
    /// such an instance.
    func backOff(of peer: Peer, after generation: UInt32) -> Duration? {
        for mark in events {
            if case .spawned(peer, let next, let backOff) = mark.kind, next > generation { return backOff }
        }
        return nil
    }

    /// The time from `moment` to the first mark that satisfies `isSo`; nil without one before `limit`.
    func first(after moment: Instant, before limit: Instant = .never, where isSo: (Event) -> Bool) -> Duration? {
        // Causal order is nearly the order of time. A mark of another process may be slightly out of it.
        var found: Instant?
        for mark in events where mark.at >= moment && mark.at < limit && mark.at < found ?? .never && isSo(mark) {
            found = mark.at
        }
        return found.map { moment.duration(to: $0) }
    }

    /// The moments of all marks that satisfy `isSo`, ascending.
    func moments(after moment: Instant, where isSo: (Event) -> Bool) -> [Instant] {
        events.filter { $0.at >= moment && isSo($0) }.map(\.at).sorted()
    }

    /// The number of live touches of all apps at this moment.
    func liveTouches(at moment: Instant) -> Int {
        var last: [ProcessInstance: Int] = [:]
        for mark in events where mark.at <= moment && mark.process.peer.role == .app { last[mark.process] = mark.live }
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
        if more > 0 { lines.append("\(more) more violations") }
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
