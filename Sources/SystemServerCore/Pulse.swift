// Pulse.swift: what the server looks at by the clock: whether it was stopped, and whether its apps receive and answer.
//
//     something is in flight ─▶ a timer every 100 ms ─┬ the server was stopped for longer than its lease ─▶ it exits
//                                                     ├ an app may not have received everything ─▶ a probe
//                                                     └ an app has not done what its life asks ─▶ Watchdog
//
// Station   process
// Input     SystemServerCore: every input, and the moment
// Output    probes, the exit of a server whose lease has expired
// Knows     moments. No touch.
//
// Sources   invented (Docs/Decisions/Lease.md)

import Basics
import Hosting
import Links
import Trace
import Wire

struct Pulse: Sendable {
    var suspension: SuspensionDetector
    /// Until then a touch keeps the pulse going; from then on only a new scan does.
    var restsAt = Instant.boot
    /// An app may not have received everything that was sent to it: each pulse looks.
    var mayBeUnheard = false
    /// When `Timer.patience` fires; nil when it is not armed.
    var judgesAt: Instant?
    /// The server was stopped for longer than its lease: it exits, and handles nothing any more.
    var isOver = false

    static let rest = Duration.seconds(2)

    init(suspension: SuspensionDetector) { self.suspension = suspension }
}

extension SystemServerCore {
    /// Probes the apps that may not have received everything, or have not answered.
    mutating func firePulse(at now: Instant, into outbox: inout Outbox) {
        pulse.suspension.timerFired()
        pulse.mayBeUnheard = false
        for place in connections.values.indices {
            let app = connections.app(at: place)
            guard
                connections.values[place].link.acknowledged < connections.values[place].link.sent
                    || connections.values[place].unanswered > 0 || !connections.values[place].changes.isEmpty
            else { continue }
            pulse.mayBeUnheard = true
            watch(place, at: now, into: &outbox)
            guard let probe = connections.values[place].link.probe(at: now) else { continue }
            outbox.append(.send(probe, to: .app(app)))
        }
    }

    /// Keeps the pulse going while something is in flight.
    mutating func keepPulse(at now: Instant, into outbox: inout Outbox) {
        guard !pulse.suspension.isWatching else { return }
        let isTouched = touches.router.fingersDown > 0 && now < pulse.restsAt
        let isLive = inputKit.inFlight.count > 0 || pulse.mayBeUnheard || isTouched
        if let moment = pulse.suspension.watch(isLive, at: now) { outbox.append(.arm(Timer.pulse, at: moment)) }
    }

    /// All peers have given this server up by now.
    mutating func end(after away: Duration, at now: Instant, into outbox: inout Outbox) {
        pulse.isOver = true
        outbox.trace.note(
            now, .process, "was stopped for {a:t}, lease {b:t}: a new epoch is to begin", away.nanoseconds,
            pulse.suspension.limit.nanoseconds)
        outbox.append(.exit(status: ExitStatus.leaseExpired))
    }

    /// When input-kit sent this scan; nil for an input that is no new scan: a repeated frame has not waited for the server.
    func handedOver(_ input: Input) -> Instant? {
        let link = inputKit.link
        guard case .frame(let frame, from: .inputKit) = input, link.isOpen, frame.epoch == link.epoch,
            frame.generation == link.peerGeneration, frame.sequence > link.received
        else { return nil }
        return frame.ledger[.inputSent]
    }
}
