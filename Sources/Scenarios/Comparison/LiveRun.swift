// LiveRun.swift: what was ordered of a live group, and what it did then, from its journals.
//
//    journals ─▶ ReplayedGroup ─▶ occurrences ─┬▶ orders of controllers, and when
//                                              ├▶ RunRecord, from the first order to the group's stop
//                                              └▶ LinkDelays
//
// Fed by    `touchline compare`
// Feeds     OrderedRun, which does the same again in a World; Comparison
//
// Sources   invented, after Docs/Spec/Pipeline.md section 6

public import Basics
import Hosting
import Journals
import Settings
import Wire

/// A run that cannot be compared. Blame: whoever chose it; what happened in it does not happen twice.
public struct IncomparableRun: Error, CustomStringConvertible {
    public var description: String
    init(_ description: String) { self.description = description }
}

public struct LiveRun {
    struct Order {
        /// Since the first of all.
        var at: Duration
        var controller: Peer
        var message: Message
        /// How many awaited messages controllers had been sent when it came.
        var answered: Int
    }

    public private(set) var delays = LinkDelays()
    private(set) var orders: [Order] = []
    private(set) var record = RunRecord()
    private(set) var settings = Settings()
    private(set) var apps: UInt32 = 0
    /// From everybody's being ready to the first order, and from there to the group's stop.
    private(set) var pause = Duration.zero
    private(set) var length = Duration.zero

    /// Plays that are under way, by whom they are for.
    private var plays: [(controller: Peer, id: UInt32)] = []
    /// Apps that an act terminated and that have not ended.
    private var dismissed: [Peer] = []
    /// Controllers that are touch monitors.
    private var monitors: [Peer] = []
    /// How many awaited messages controllers were sent before the group's stop.
    private(set) var answered = 0
    private var ready = Instant.boot
    private var zero: Instant?
    private var end: Instant?

    /// - Parameters:
    ///   - group: Traced; is at its end afterwards.
    ///   - watch: Told of every step, with how many there have been.
    public init(_ group: inout ReplayedGroup, watch: (UInt64, Instant) -> Void = { _, _ in }) throws {
        guard let header = group.supervisor else {
            throw IncomparableRun("expected a supervisor's journal, found none")
        }
        settings = try Settings(header.order.settings)
        apps = header.apps
        while let occurrence = group.next() {
            switch occurrence {
            case .began(let life, at: _):
                delays.begin(life)
                dismissed.removeAll { $0 == life.peer }
            case .step(let step):
                watch(group.steps, step.at)
                delays.take(step)
                if step.life.peer == .supervisor { try take(step) }
                guard zero != nil, end == nil else { continue }
                record.take(step)
                record.take(group.facts)
            case .ended(let life, at: let moment, let status):
                delays.end(life)
                guard end == nil else { continue }
                if status == .exited(0), let index = dismissed.firstIndex(of: life.peer) {
                    dismissed.remove(at: index)
                    continue
                }
                throw IncomparableRun("expected that everybody lives to the end, found \(life) ended at \(moment)")
            case .lost(_, let kind, let from, let to, at: let moment, _):
                throw IncomparableRun("expected no faults, found \(kind) from \(from) to \(to) lost at \(moment)")
            }
        }
        delays.finish()
        if let difference = group.difference { throw IncomparableRun("\(difference)") }
        if let complaint = group.complaints.first { throw IncomparableRun(complaint) }
        guard let zero else {
            throw IncomparableRun("expected a play, an act or a URL in the group's run, found none")
        }
        guard let end else {
            throw IncomparableRun("expected a group that was ended, found one that runs: touchline down")
        }
        (pause, length) = (ready.duration(to: zero), zero.duration(to: end))
    }

    private mutating func take(_ step: Step) throws {
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
            case .spy(let request):
                switch request.word {
                case .begin: monitors.append(peer)
                case .end: monitors.removeAll { $0 == peer }
                case .took, .answer: break
                }
                note(frame.message, of: peer, at: step.at)
            case .chaos(let line): throw IncomparableRun("expected no faults, found \(line)")
            case .shutdown: end = end ?? step.at
            default: break
            }
        case .frame(let frame, from: _):
            if case .ready = frame.message, zero == nil { ready = step.at }
        case .peerLost(let peer):
            // A touch monitor that leaves without a word ends by that.
            if monitors.contains(peer) {
                monitors.removeAll { $0 == peer }
                note(.spy(SpyRequest(id: 0, .end)), of: peer, at: step.at)
            }
            guard end == nil, plays.contains(where: { $0.controller == peer }) else { break }
            throw IncomparableRun("expected plays to their end, found one broken off at \(step.at)")
        case .stopRequested: end = end ?? step.at
        default: break
        }
        guard end == nil else { return }
        for case .send(let frame, to: let peer) in step.effects where peer.role == .controller {
            if case .played(let report) = frame.message {
                plays.removeAll { $0.controller == peer && $0.id == report.id }
            }
            if frame.message.isAwaited { answered += 1 }
        }
    }

    private mutating func note(_ message: Message, of controller: Peer, at moment: Instant) {
        guard end == nil else { return }
        zero = zero ?? moment
        orders.append(
            Order(
                at: (zero ?? moment).duration(to: moment), controller: controller, message: message, answered: answered
            ))
    }
}

extension Message {
    /// Whether a controller that gives orders may wait for this: an answer, or a touch that its monitor may take.
    var isAwaited: Bool {
        switch self {
        case .played, .opened, .spied: true
        default: false
        }
    }
}
