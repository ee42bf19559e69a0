// Responsiveness.swift: whether an app's main loop answers its frames.
//
//     at rest ──a frame is sent──▶ asked ──no answer for the limit──▶ stalled: an episode, one record
//        ▲                          │ ▲                                  │
//        └───────all answered───────┘ └────────any answer────────────────┘
//
// While an app is stalled, its touches are cancelled, and a touch that lands on it has no owner. An app that answers
// late is slow, not stalled. Docs/Decisions/Responsiveness.md describes the other judges, and why they agree.
//
// Station   router
// Input     SystemServerCore: frames sent, answers, a timer
// Output    SystemServerCore: the beginning and the end of an episode
// Knows     moments. No frame.
//
// Sources   documented  500 ms without an answer (fault F4); the heartbeat of a link does not show a main loop
//           (Docs/Spec/Pipeline.md section 1)

import Basics
import HID
import Hosting
import Links
import Trace
import Wire

/// Whether one app answers.
struct Responsiveness: Sendable {
    /// The moment of the last answer, or of the first outstanding frame; nil while no frame is outstanding.
    private(set) var since: Instant?
    /// The current episode.
    private(set) var stall: Stall?
    private(set) var episodes: UInt32 = 0

    var isStalled: Bool { stall != nil }

    /// Notes that a frame was sent that the app has to answer.
    mutating func noteSent(at now: Instant) { since = since ?? now }

    /// Notes an answer of the app.
    ///
    /// - Parameter isMore: Whether other frames are outstanding.
    /// - Returns: The episode that ends with the answer.
    mutating func noteAnswer(isMore: Bool, at now: Instant) -> Stall? {
        since = isMore ? now : nil
        return end(at: now)
    }

    /// Notes that no frame is outstanding any more.
    mutating func noteNothingOutstanding(at now: Instant) -> Stall? {
        since = nil
        return end(at: now)
    }

    private mutating func end(at now: Instant) -> Stall? {
        guard var over = stall else { return nil }
        stall = nil
        over.lasted = over.since.duration(to: now)
        return over
    }

    /// When the app is judged; nil if no frame is outstanding, or if the app is stalled already.
    func due(_ limit: Duration) -> Instant? { stall == nil ? since?.advanced(by: limit) : nil }

    /// Begins an episode.
    mutating func beginEpisode(_ record: (UInt32) -> Stall) -> Stall {
        episodes &+= 1
        let record = record(episodes)
        stall = record
        return record
    }
}

extension SystemServerCore {
    /// The greatest delay of the judging timer. After a longer one the server itself did not run, and could not receive
    /// answers.
    private static let latenessLimit = Duration.milliseconds(100)

    /// Notes that a frame which an app has to answer was sent, and arms the judging timer.
    mutating func expectAnswer(at appIndex: Int, at now: Instant, into outbox: inout Outbox) {
        connections.values[appIndex].responsiveness.noteSent(at: now)
        guard rules.unresponsiveLimit > .zero, pulse.nextJudgement == nil else { return }
        judge(at: now.advanced(by: rules.unresponsiveLimit), into: &outbox)
    }

    private mutating func judge(at moment: Instant, into outbox: inout Outbox) {
        pulse.nextJudgement = moment
        outbox.append(.arm(Timer.responsiveness, at: moment))
    }

    /// Judges all apps: one of them may not have answered for too long.
    mutating func judgeApps(at now: Instant, into outbox: inout Outbox) {
        guard let awaited = pulse.nextJudgement else { return }
        pulse.nextJudgement = nil
        guard awaited.duration(to: now) <= Self.latenessLimit else {
            return judge(at: now.advanced(by: Self.latenessLimit), into: &outbox)
        }
        var next: Instant?
        for appIndex in connections.values.indices {
            guard let due = connections.values[appIndex].responsiveness.due(rules.unresponsiveLimit) else { continue }
            if due <= now {
                markStalled(appIndex, at: now, into: &outbox)
            } else {
                next = min(next ?? due, due)
            }
        }
        // The cancels for a stalled app have armed the timer already.
        if let next, pulse.nextJudgement.map({ next < $0 }) ?? true { judge(at: next, into: &outbox) }
    }

    /// Begins an episode: the app's touches end, and one cancel replaces all waiting messages.
    private mutating func markStalled(_ appIndex: Int, at now: Instant, into outbox: inout Outbox) {
        let app = connections.app(at: appIndex)
        let fingers = touches.router.revoke(.app(app), at: now).flatMap(\.frame.contacts)
        let inputs = devices.revoke(.app(app), at: now).map(\.event.input)
        let waiting = connections.values[appIndex].pending
        let cut = connections.values[appIndex].discardWaiting(revoked: fingers, inputs: inputs, at: now)
        let connection = connections.values[appIndex]
        let (unanswered, first) = (connection.unanswered, connection.firstUnanswered)
        let link = connections.values[appIndex]
        let record = connections.values[appIndex].responsiveness.beginEpisode { episode in
            Stall(
                app: app, generation: link.link.peerGeneration, episode: episode,
                hop: link.link.acknowledged < first ? .link : .mainLoop, frame: first,
                since: link.responsiveness.since ?? now, unanswered: UInt32(clamping: unanswered),
                waiting: UInt32(clamping: waiting), touches: UInt32(clamping: cut.touches))
        }
        outbox.trace.note(
            now, .router, "app {a} has not answered #{b} for {c:t}: {d:n}", Int64(app), Int64(first),
            record.since.duration(to: now).nanoseconds, outbox.trace.intern(record.hop.words))
        outbox.trace.note(
            now, .router, "app {a}: {b} frames unanswered, {c} waiting, {d} touches cancelled", Int64(app),
            Int64(record.unanswered), Int64(record.waiting), Int64(record.touches))
        outbox.append(.send(supervisor.frame(.stalled(record)), to: .supervisor))
        for scan in cut.scans { settle(inputKit.inFlight.settle(scan, .notResponding), into: &outbox) }
        sendWaiting(to: app, at: now, into: &outbox)
    }

    /// Reports the end of an episode: the app answers again, or no frame is outstanding.
    mutating func endStall(_ over: Stall?, at now: Instant, into outbox: inout Outbox) {
        guard let over, let lasted = over.lasted else { return }
        outbox.trace.note(
            now, .router, "app {a} answers again after {b:t}, episode {c}", Int64(over.app), lasted.nanoseconds,
            Int64(over.episode))
        outbox.append(.send(supervisor.frame(.stalled(over)), to: .supervisor))
    }
}

extension PerApp<AppConnection> {
    /// The unresponsive apps. A touch that lands there, or an input that begins there, has no owner.
    var stalled: [Recipient] {
        var stalled: [Recipient] = []
        for appIndex in values.indices where values[appIndex].responsiveness.isStalled {
            stalled.append(.app(app(at: appIndex)))
        }
        return stalled
    }
}

extension Stall.Hop {
    /// Where the frame waits, as a text for people.
    var words: String {
        switch self {
        case .link: "its process has not heard it"
        case .mainLoop: "its main loop has not come to it"
        }
    }
}
