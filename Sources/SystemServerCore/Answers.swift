// Answers.swift: what an app says over its link, and how the server and the app agree again after a loss.
//
//     a receipt ─▶ the scan's part is settled, room in the window, the app responds
//     an answer to a probe ─▶ receipts that were lost are made up for
//     either says that frames were missed ─▶ the app's touches end, and it is told again how it stands
//
// Station   router
// Input     frames of apps that count
// Output    receipts to input-kit, frames to the app
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2, F5 and F6

import Basics
import HID
import Hosting
import Links
import Trace
import Wire

extension SystemServerCore {
    /// A message of an app, in a frame that counts.
    ///
    /// - Parameter place: In `connections`.
    mutating func take(
        _ message: AppToServer, in frame: Frame, from app: AppID, at place: Int, _ now: Instant,
        into outbox: inout Outbox
    ) {
        switch message {
        case .handled(let receipt): answered(receipt, in: frame, by: app, at: place, now, into: &outbox)
        case .link(.heard(let oldest, let missed)):
            received(frame.ack, oldest: oldest, missed: missed, by: app, at: place, now, into: &outbox)
        case .windows(let diff): declare(diff, by: app, at: now, into: &outbox)
        case .open(let request): open(request, for: .app(app, generation: frame.generation), at: now, into: &outbox)
        case .opened(let answer):
            let generation = connections.values[place].link.peerGeneration
            switch urls.answered(answer, by: app, generation: generation, at: now, trace: &outbox.trace) {
            case .steps(let steps): carryOut(steps, at: now, into: &outbox)
            case .violation(let reason): strike(.app(app), reason, at: now, into: &outbox)
            }
        case .facts(let page): passOn(page, from: app, into: &outbox)
        case .hello, .link(.probe), .refused: break
        }
    }

    private mutating func answered(
        _ receipt: Receipt, in frame: Frame, by app: AppID, at place: Int, _ now: Instant, into outbox: inout Outbox
    ) {
        let sent = connections.values[place].link.sent
        guard receipt.frame > .zero, receipt.frame <= max(1, sent) else {
            return strike(.app(app), "it answers frame \(receipt.frame) of \(sent)", at: now, into: &outbox)
        }
        if receipt.isOfLoss {
            connections.values[place].missed &+= 1
            let isAsked = connections.values[place].isAsked(receipt.frame)
            agree(
                with: app, lacking: receipt.frame,
                isOfLifeCycle: !isAsked && receipt.frame <= connections.values[place].lastLifeCycle, at: now,
                into: &outbox)
        }
        if let scan = connections.values[place].answered(receipt.frame) {
            settle(inputKit.inFlight.settled(scan, receipt, ledger: frame.ledger), into: &outbox)
        }
        if receipt.outcome == .delivered { connections.values[place].isDone(before: receipt.frame) }
        let isMore = connections.values[place].unanswered > 0
        let over = connections.values[place].responsiveness.answered(isMore: isMore, at: now)
        recovered(over, at: now, into: &outbox)
        // No timer was set while the app did not respond.
        if isMore { expectAnswer(at: place, at: now, into: &outbox) }
        sendWaiting(to: app, at: now, into: &outbox)
        carryOut(touches.answered(receipt, of: app, on: &apps, at: now), at: now, into: &outbox)
    }

    /// The app has answered a probe: how far it has received, the first frame that it has yet to answer, and how many it
    /// has missed.
    private mutating func received(
        _ frame: SequenceNumber, oldest: SequenceNumber, missed: UInt64, by app: AppID, at place: Int, _ now: Instant,
        into outbox: inout Outbox
    ) {
        let sent = connections.values[place].link.sent
        guard missed <= sent.distance(from: .zero) else {
            return strike(.app(app), "it has missed \(missed) frames of \(sent)", at: now, into: &outbox)
        }
        connections.values[place].isDone(before: oldest > .zero ? min(frame.next, oldest) : frame.next)
        for scan in connections.values[place].answersLost(received: frame, oldest: oldest) {
            settle(inputKit.inFlight.settled(scan, .lost), into: &outbox)
        }
        if connections.values[place].unanswered == 0 {
            recovered(connections.values[place].responsiveness.nothingIsAsked(at: now), at: now, into: &outbox)
        }
        // Last: what is sent now is asked now.
        if missed > connections.values[place].missed {
            connections.values[place].missed = missed
            agree(with: app, isOfLifeCycle: connections.values[place].lastLifeCycle > .zero, at: now, into: &outbox)
        }
        sendWaiting(to: app, at: now, into: &outbox)
    }

    /// An app missed a frame, or had no room for it, and has ended its touches: they end here too, and the app is told
    /// again how it stands. That is not repeated for a frame from before the last time: three frames for each missing
    /// one would become more and more on a link that loses a third of them.
    ///
    /// - Parameter frame: The frame it missed; nil when it does not say.
    private mutating func agree(
        with app: AppID, lacking frame: SequenceNumber? = nil, isOfLifeCycle: Bool, at now: Instant,
        into outbox: inout Outbox
    ) {
        history.counters.lost += 1
        if let frame {
            for delivery in touches.router.revoke(.app(app), toldBy: frame, at: now) {
                tell(delivery, at: now, into: &outbox)
            }
            for delivery in devices.revoke(.app(app), at: now) { tell(delivery, at: now, into: &outbox) }
        } else {
            perform([.revoke(.app(app))], at: now, into: &outbox)
        }
        guard let place = connections.place(of: app) else { return }
        let (frame, next) = (frame ?? .max, connections.values[place].link.sent.next)
        let isSceneDue = frame >= connections.values[place].sceneSaid
        if isSceneDue {
            connections.values[place].sceneSaid = next
            if apps.knowsItsScene(app) { sayScene(to: app, at: now, into: &outbox) }
        }
        if isOfLifeCycle, frame >= connections.values[place].standingSaid {
            connections.values[place].standingSaid = next
            sayStanding(to: app, at: now, into: &outbox)
        }
        if isSceneDue { carryOut(urls.unheard(by: app, at: now, trace: &outbox.trace), at: now, into: &outbox) }
    }

    /// Tells an app how its life stands, unless just that waits for its window already.
    mutating func sayStanding(to app: AppID, at now: Instant, into outbox: inout Outbox) {
        guard let place = connections.place(of: app) else { return }
        let standing = apps.standing(of: app).map(ServerToApp.lifeCycle)
        guard connections.values[place].waiting.suffix(standing.count).map(\.message) != standing else { return }
        for message in standing { send(message, to: app, at: now, into: &outbox) }
    }
}

extension Receipt {
    /// For a part whose recipient is gone.
    static let nobody = Receipt(frame: .zero, outcome: .dropped, reason: .ownerDied)
    /// For a part whose receipt was lost.
    static let lost = Receipt(frame: .zero, outcome: .dropped, reason: .lostOnLink)

    /// Whether the app ended its touches with it.
    var isOfLoss: Bool { reason == .lostOnLink || reason == .inboxFull || reason == .late }
}
