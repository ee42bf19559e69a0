// LiveRun.swift: the orders that a live group received, and the record of the run, from its journals.
//
//    journals ─▶ ReplayedGroup ─▶ occurrences ─┬▶ orders of controllers, with their times
//                                              ├▶ RunRecord, from the first order to the stop of the group
//                                              └▶ LinkDelays
//
// Input     `touchline compare`
// Output    OrderedRun, which repeats the orders in a World; Comparison
//
// Sources   invented, after Docs/Spec/Pipeline.md section 6

public import Basics
import Hosting
import Journals
import Settings
import Wire

/// A run that cannot be compared. At fault: the person who chose it, because its events do not repeat.
public struct IncomparableRun: Error, CustomStringConvertible {
    public var description: String
    init(_ description: String) { self.description = description }
}

/// The orders and the record of one live run.
public struct LiveRun {
    /// One message of a controller.
    struct Order {
        /// The time since the first order.
        var at: Duration
        var controller: Peer
        var message: Message
        /// The number of awaited messages that controllers had received when the order came.
        var answerCount: Int
    }

    public private(set) var delays = LinkDelays()
    private(set) var orders: [Order] = []
    private(set) var record = RunRecord()
    private(set) var settings = Settings()
    private(set) var apps: UInt32 = 0
    /// The time from the readiness of all children to the first order, and from there to the stop of the group.
    private(set) var pause = Duration.zero
    private(set) var length = Duration.zero

    /// The running plays, with their controllers.
    private var plays: [(controller: Peer, id: UInt32)] = []
    /// The apps that an act terminated and that have not exited yet.
    private var dismissed: [Peer] = []
    /// The controllers that are touch monitors.
    private var monitors: [Peer] = []
    /// The number of awaited messages that controllers received before the stop of the group.
    private(set) var answerCount = 0
    private var ready = Instant.boot
    private var firstOrder: Instant?
    private var end: Instant?

    /// - Parameters:
    ///   - group: A traced group. It is at its end afterwards.
    ///   - onStep: Called after every step with the number of steps so far and the time.
    public init(_ group: inout ReplayedGroup, onStep: (UInt64, Instant) -> Void = { _, _ in }) throws {
        guard let header = group.supervisor else {
            throw IncomparableRun("expected a supervisor's journal, found none")
        }
        settings = try Settings(header.order.settings)
        apps = header.apps
        while let occurrence = group.next() {
            switch occurrence {
            case .began(let instance, at: _):
                delays.begin(instance)
                dismissed.removeAll { $0 == instance.peer }
            case .step(let step):
                onStep(group.steps, step.at)
                delays.add(step)
                if step.process.peer == .supervisor { try handleSupervisorStep(step) }
                guard firstOrder != nil, end == nil else { continue }
                record.count(step)
                record.count(group.facts)
            case .ended(let instance, at: let moment, let status):
                delays.end(instance)
                guard end == nil else { continue }
                if status == .exited(0), let index = dismissed.firstIndex(of: instance.peer) {
                    dismissed.remove(at: index)
                    continue
                }
                throw IncomparableRun(
                    "expected processes that run to the end, found that \(instance) ended at \(moment)")
            case .lost(_, let kind, let from, let to, at: let moment, _):
                throw IncomparableRun("expected no faults, found \(kind) from \(from) to \(to) lost at \(moment)")
            }
        }
        delays.finish()
        if let difference = group.difference { throw IncomparableRun("\(difference)") }
        if let complaint = group.complaints.first { throw IncomparableRun(complaint) }
        guard let firstOrder else {
            throw IncomparableRun("expected a play, an act or a URL in the group's run, found none")
        }
        guard let end, !group.isUnfinished else {
            throw IncomparableRun("expected a group that was ended, found one that runs: touchline down")
        }
        (pause, length) = (ready.duration(to: firstOrder), firstOrder.duration(to: end))
    }

    private mutating func handleSupervisorStep(_ step: Step) throws {
        switch step.input {
        case .frame(let frame, from: let peer) where peer.role == .controller:
            switch frame.message {
            case .play(let order):
                plays.append((peer, order.id))
                note(frame.message, of: peer, at: step.at)
            case .act(let act):
                if case .terminate(let app) = act { dismissed.append(.app(app)) }
                note(frame.message, of: peer, at: step.at)
            case .open: note(frame.message, of: peer, at: step.at)
            case .monitor(let request):
                switch request.kind {
                case .begin: monitors.append(peer)
                case .end: monitors.removeAll { $0 == peer }
                case .acknowledged, .answer: break
                }
                note(frame.message, of: peer, at: step.at)
            case .chaos(let line): throw IncomparableRun("expected no faults, found \(line)")
            case .shutdown: end = end ?? step.at
            default: break
            }
        case .frame(let frame, from: _):
            if case .ready = frame.message, firstOrder == nil { ready = step.at }
        case .peerLost(let peer):
            // A touch monitor that disconnects has ended.
            if monitors.contains(peer) {
                monitors.removeAll { $0 == peer }
                note(.monitor(TouchMonitorRequest(id: 0, .end)), of: peer, at: step.at)
            }
            guard end == nil, plays.contains(where: { $0.controller == peer }) else { break }
            throw IncomparableRun("expected plays to their end, found one that stopped at \(step.at)")
        case .stopRequested: end = end ?? step.at
        default: break
        }
        guard end == nil else { return }
        for case .send(let frame, to: let peer) in step.effects where peer.role == .controller {
            if case .played(let report) = frame.message {
                plays.removeAll { $0.controller == peer && $0.id == report.id }
            }
            if frame.message.isAwaited { answerCount += 1 }
        }
    }

    private mutating func note(_ message: Message, of controller: Peer, at moment: Instant) {
        guard end == nil else { return }
        firstOrder = firstOrder ?? moment
        orders.append(
            Order(
                at: (firstOrder ?? moment).duration(to: moment), controller: controller, message: message,
                answerCount: answerCount
            ))
    }
}

extension Message {
    /// Whether a controller may wait for this message before its next order: an answer, or a touch that its monitor may
    /// take.
    var isAwaited: Bool {
        switch self {
        case .played, .opened, .monitorPage: true
        default: false
        }
    }
}
