// Responsiveness.swift: whether an app answers what it is told, by its main loop's answers and nothing else.
//
//     at rest ──a frame is told──▶ asked ──nothing answered for a limit──▶ stalled: an episode, one record
//        ▲                           │ ▲                                      │
//        └───────all answered────────┘ └──────────an answer, of whatever──────┘
//
// While an app is stalled its touches are over, and what lands on it is nobody's. A slow app answers, if late: it is
// not stalled. Docs/Decisions/Responsiveness.md says who else judges, and why they agree.
//
// Station   router
// Fed by    SystemServerCore: frames told, answers, a timer
// Feeds     SystemServerCore: when an episode begins, when it is over
// Knows     moments. No frame.
//
// Sources   documented  500 ms without an answer (fault F4); the heartbeat of a link says nothing of a main loop (Docs/Spec/Pipeline.md section 1)

import Basics
import HID
import Hosting
import Links
import Trace
import Wire

struct Responsiveness: Sendable {
    /// Of the last answer, or of the question that nothing was asked before; nil while nothing is.
    private(set) var since: Instant?
    /// The episode under way.
    private(set) var stall: Stall?
    private(set) var episodes: UInt32 = 0

    var isStalled: Bool { stall != nil }

    /// A frame went out that is to be answered.
    mutating func asked(at now: Instant) { since = since ?? now }

    /// An app answered: it turns.
    ///
    /// - Parameter isMore: Whether it has yet to answer something.
    /// - Returns: The episode that is over with it.
    mutating func answered(isMore: Bool, at now: Instant) -> Stall? {
        since = isMore ? now : nil
        return end(at: now)
    }

    /// There is nothing any more that it could answer.
    mutating func nothingIsAsked(at now: Instant) -> Stall? {
        since = nil
        return end(at: now)
    }

    private mutating func end(at now: Instant) -> Stall? {
        guard var over = stall else { return nil }
        stall = nil
        over.lasted = over.since.duration(to: now)
        return over
    }

    /// When it is to be judged; nil when there is nothing to judge.
    func due(_ limit: Duration) -> Instant? { stall == nil ? since?.advanced(by: limit) : nil }

    mutating func begins(_ record: (UInt32) -> Stall) -> Stall {
        episodes &+= 1
        let record = record(episodes)
        stall = record
        return record
    }
}

extension SystemServerCore {
    /// A timer that comes so late says that this server was not there to hear answers either.
    private static let lateness = Duration.milliseconds(100)

    /// A frame that an app is to answer has gone out.
    mutating func expectAnswer(at place: Int, at now: Instant, into outbox: inout Outbox) {
        connections.values[place].responsiveness.asked(at: now)
        guard rules.patience > .zero, pulse.judgesAt == nil else { return }
        judge(at: now.advanced(by: rules.patience), into: &outbox)
    }

    private mutating func judge(at moment: Instant, into outbox: inout Outbox) {
        pulse.judgesAt = moment
        outbox.append(.arm(Timer.patience, at: moment))
    }

    /// Some app may not have answered for too long.
    mutating func judgeApps(at now: Instant, into outbox: inout Outbox) {
        guard let awaited = pulse.judgesAt else { return }
        pulse.judgesAt = nil
        guard awaited.duration(to: now) <= Self.lateness else {
            return judge(at: now.advanced(by: Self.lateness), into: &outbox)
        }
        var next: Instant?
        for place in connections.values.indices {
            guard let due = connections.values[place].responsiveness.due(rules.patience) else { continue }
            if due <= now {
                stalls(place, at: now, into: &outbox)
            } else {
                next = min(next ?? due, due)
            }
        }
        // What a stalled app was told just now has set the timer for it.
        if let next, pulse.judgesAt.map({ next < $0 }) ?? true { judge(at: next, into: &outbox) }
    }

    /// The app's touches end, and it hears so when it goes on: once, in place of all that waited.
    private mutating func stalls(_ place: Int, at now: Instant, into outbox: inout Outbox) {
        let app = connections.app(at: place)
        let fingers = touches.router.revoke(.app(app), at: now).flatMap(\.frame.contacts)
        let inputs = devices.revoke(.app(app), at: now).map(\.event.input)
        let waiting = connections.values[place].pending
        let cut = connections.values[place].cut(revoked: fingers, inputs: inputs, at: now)
        let connection = connections.values[place]
        let (unanswered, first) = (connection.unanswered, connection.firstUnanswered)
        let link = connections.values[place]
        let record = connections.values[place].responsiveness.begins { episode in
            Stall(
                app: app, generation: link.link.peerGeneration, episode: episode,
                hop: link.link.acknowledged < first ? .link : .mainLoop, frame: first,
                since: link.responsiveness.since ?? now, unanswered: UInt32(clamping: unanswered),
                waiting: UInt32(clamping: waiting), touches: UInt32(clamping: cut.touches))
        }
        outbox.trace.note(
            now, .router, "app {a} does not answer #{b} for {c:t}: {d:n}", Int64(app), Int64(first),
            record.since.duration(to: now).nanoseconds, outbox.trace.name(record.hop.words))
        outbox.trace.note(
            now, .router, "app {a}: {b} frames unanswered, {c} waited, {d} touches cancelled", Int64(app),
            Int64(record.unanswered), Int64(record.waiting), Int64(record.touches))
        outbox.append(.send(supervisor.frame(.stalled(record)), to: .supervisor))
        for scan in cut.scans { settle(inputKit.inFlight.settled(scan, .notResponding), into: &outbox) }
        sendWaiting(to: app, at: now, into: &outbox)
    }

    /// An app goes on, or there is nothing any more it could answer.
    mutating func recovered(_ over: Stall?, at now: Instant, into outbox: inout Outbox) {
        guard let over, let lasted = over.lasted else { return }
        outbox.trace.note(
            now, .router, "app {a} answers again after {b:t}, episode {c}", Int64(over.app), lasted.nanoseconds,
            Int64(over.episode))
        outbox.append(.send(supervisor.frame(.stalled(over)), to: .supervisor))
    }

    /// Apps that do not respond: nothing that lands or begins there has an owner.
    var stalled: [Recipient] {
        var stalled: [Recipient] = []
        for place in connections.values.indices where connections.values[place].responsiveness.isStalled {
            stalled.append(.app(connections.app(at: place)))
        }
        return stalled
    }
}

extension Stall.Hop {
    /// For a person: who has it.
    var words: String {
        switch self {
        case .link: "its process has not heard it"
        case .mainLoop: "its main loop has not come to it"
        }
    }
}
