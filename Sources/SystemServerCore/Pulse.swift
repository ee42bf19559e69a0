// Pulse.swift: the server's periodic checks: was it stopped, and do its apps receive and answer?
//
//     a scan is in flight ─▶ a timer every 100 ms ─┬ the server was stopped for longer than its lease ─▶ it exits
//                                                  ├ an app may not have received every frame ─▶ a probe
//                                                  └ an app has not carried out a change of its life cycle ─▶ Watchdog
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

/// The state of the periodic checks.
struct Pulse: Sendable {
    var suspension: SuspensionDetector
    /// The moment after which fingers that are down no longer keep the checks running. A new scan moves it.
    var restsAt = Instant.boot
    /// Whether an app may not have received every frame. Each check computes it again.
    var mayHaveUnreceivedFrames = false
    /// The moment of `Timer.responsiveness`; nil while the timer is not armed.
    var nextJudgement: Instant?
    /// Whether the server was stopped for longer than its lease. It then exits, and handles no further input.
    var hasExpired = false

    /// How long the checks go on after the last scan of fingers that stay down.
    static let rest = Duration.seconds(2)

    init(suspension: SuspensionDetector) { self.suspension = suspension }
}

extension SystemServerCore {
    /// Probes the apps that may not have received every frame, or have not answered.
    mutating func checkApps(at now: Instant, into outbox: inout Outbox) {
        pulse.suspension.timerFired()
        pulse.mayHaveUnreceivedFrames = false
        for appIndex in connections.values.indices {
            let app = connections.app(at: appIndex)
            guard
                connections.values[appIndex].link.acknowledged < connections.values[appIndex].link.sent
                    || connections.values[appIndex].unanswered > 0 || !connections.values[appIndex].changes.isEmpty
            else { continue }
            pulse.mayHaveUnreceivedFrames = true
            checkDeadline(of: appIndex, at: now, into: &outbox)
            guard let probe = connections.values[appIndex].link.probe(at: now) else { continue }
            outbox.append(.send(probe, to: .app(app)))
        }
    }

    /// Keeps the checks running while a scan is in flight, an app may miss a frame, or a finger has moved lately.
    mutating func keepPulse(at now: Instant, into outbox: inout Outbox) {
        guard !pulse.suspension.isWatching else { return }
        let isTouched = touches.router.fingersDown > 0 && now < pulse.restsAt
        let isLive = inputKit.inFlight.count > 0 || pulse.mayHaveUnreceivedFrames || isTouched
        if let moment = pulse.suspension.watch(isLive, at: now) { outbox.append(.arm(Timer.pulse, at: moment)) }
    }

    /// Exits, because all peers have given this server up by now.
    mutating func end(after away: Duration, at now: Instant, into outbox: inout Outbox) {
        pulse.hasExpired = true
        outbox.trace.note(
            now, .process, "system-server was suspended for {a:t}, limit {b:t}: it exits and a new epoch begins",
            away.nanoseconds,
            pulse.suspension.limit.nanoseconds)
        outbox.append(.exit(status: ExitStatus.leaseExpired))
    }
}

extension InputKitConnection {
    /// The moment when input-kit sent this scan. Nil for any other input, and for a repeated frame, which has not
    /// waited for the server.
    func timeSent(of input: Input) -> Instant? {
        // The sender is compared apart: a pattern with a value copies the frame.
        guard link.isOpen, case .frame(let frame, from: let sender) = input, sender == .inputKit,
            frame.epoch == link.epoch, frame.generation == link.peerGeneration, frame.sequence > link.received
        else { return nil }
        return frame.ledger[.inputSent]
    }
}
