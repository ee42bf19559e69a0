// Answers.swift: the messages of an app, and how the server and the app resynchronize after a loss.
//
//     a receipt ─▶ the scan's part is settled, the credit window opens, the app counts as responsive
//     an answer to a probe ─▶ parts whose receipts were lost are settled
//     either one reports missed frames ─▶ the app's touches end; the server sends its scene and life cycle again
//
// Station   router
// Input     frames of apps that the link accepted
// Output    receipts to input-kit, frames to the app
// Knows     connections, scans in flight. No position.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2, F5 and F6

import Basics
import HID
import Hosting
import Links
import Trace
import Wire

extension SystemServerCore {
    /// Handles a message of an app, in a frame that the link accepted.
    ///
    /// - Parameter appIndex: The app's index in `connections`.
    mutating func handle(
        _ message: AppToServer, in frame: Frame, from app: AppID, at appIndex: Int, _ now: Instant,
        into outbox: inout Outbox
    ) {
        switch message {
        case .handled(let receipt): handleReceipt(receipt, in: frame, by: app, at: appIndex, now, into: &outbox)
        case .link(.received(let oldest, let missed)):
            handleProbeAnswer(frame.ack, oldest: oldest, missed: missed, by: app, at: appIndex, now, into: &outbox)
        case .windows(let diff): declare(diff, by: app, at: now, into: &outbox)
        case .open(let request): open(request, for: .app(app, generation: frame.generation), at: now, into: &outbox)
        case .opened(let answer):
            let generation = connections.values[appIndex].link.peerGeneration
            switch urls.answered(answer, by: app, generation: generation, at: now, trace: &outbox.trace) {
            case .steps(let steps): carryOut(steps, at: now, into: &outbox)
            case .violation(let reason): strike(.app(app), reason, at: now, into: &outbox)
            }
        case .facts(let page): relay(page, from: app, into: &outbox)
        case .hello, .link(.probe), .refused: break
        }
    }

    private mutating func handleReceipt(
        _ receipt: Receipt, in frame: Frame, by app: AppID, at appIndex: Int, _ now: Instant, into outbox: inout Outbox
    ) {
        let sent = connections.values[appIndex].link.sent
        guard receipt.frame > .zero, receipt.frame <= max(1, sent) else {
            return strike(.app(app), "it answers frame \(receipt.frame) of \(sent)", at: now, into: &outbox)
        }
        if receipt.isOfLoss {
            connections.values[appIndex].missed &+= 1
            let isAsked = connections.values[appIndex].isOutstanding(receipt.frame)
            resynchronize(
                with: app, lacking: receipt.frame,
                isOfLifeCycle: !isAsked && receipt.frame <= connections.values[appIndex].lastLifeCycle, at: now,
                into: &outbox)
        }
        if let scan = connections.values[appIndex].noteAnswer(to: receipt.frame) {
            settle(inputKit.inFlight.settle(scan, receipt, ledger: frame.ledger), into: &outbox)
        }
        if receipt.outcome == .delivered { connections.values[appIndex].noteDone(before: receipt.frame) }
        let isMore = connections.values[appIndex].unanswered > 0
        let over = connections.values[appIndex].responsiveness.noteAnswer(isMore: isMore, at: now)
        endStall(over, at: now, into: &outbox)
        // While the app was unresponsive, no timer was armed for it.
        if isMore { expectAnswer(at: appIndex, at: now, into: &outbox) }
        sendWaiting(to: app, at: now, into: &outbox)
        carryOut(touches.answered(receipt, of: app, on: &apps, at: now), at: now, into: &outbox)
    }

    /// Handles an app's answer to a probe.
    ///
    /// - Parameters:
    ///   - frame: The last frame that the app has received in order.
    ///   - oldest: The first frame that it has not answered; zero for none.
    ///   - missed: How many frames it has missed since the link opened.
    private mutating func handleProbeAnswer(
        _ frame: SequenceNumber, oldest: SequenceNumber, missed: UInt64, by app: AppID, at appIndex: Int,
        _ now: Instant,
        into outbox: inout Outbox
    ) {
        let sent = connections.values[appIndex].link.sent
        guard missed <= sent.distance(from: .zero) else {
            return strike(.app(app), "it has missed \(missed) frames of \(sent)", at: now, into: &outbox)
        }
        connections.values[appIndex].noteDone(before: oldest > .zero ? min(frame.next, oldest) : frame.next)
        for scan in connections.values[appIndex].removeAnswersLost(received: frame, oldest: oldest) {
            settle(inputKit.inFlight.settle(scan, .lost), into: &outbox)
        }
        if connections.values[appIndex].unanswered == 0 {
            endStall(
                connections.values[appIndex].responsiveness.noteNothingOutstanding(at: now), at: now, into: &outbox)
        }
        // This step comes last, because the frames that it sends are outstanding from now on.
        if missed > connections.values[appIndex].missed {
            connections.values[appIndex].missed = missed
            resynchronize(
                with: app, isOfLifeCycle: connections.values[appIndex].lastLifeCycle > .zero, at: now, into: &outbox)
        }
        sendWaiting(to: app, at: now, into: &outbox)
    }

    /// Ends the touches of an app that missed a frame or had no room for it, and sends its scene and life cycle again.
    ///
    /// The app has ended its touches too. The state is not sent again for a frame older than the last restatement:
    /// three frames for each missing one would multiply on a link that loses a third of them.
    ///
    /// - Parameter frame: The missed frame; nil if the app does not report it.
    private mutating func resynchronize(
        with app: AppID, lacking frame: SequenceNumber? = nil, isOfLifeCycle: Bool, at now: Instant,
        into outbox: inout Outbox
    ) {
        history.counters.lost += 1
        if let frame {
            for delivery in touches.router.revoke(.app(app), toldBy: frame, at: now) {
                deliver(delivery, at: now, into: &outbox)
            }
            for delivery in devices.revoke(.app(app), at: now) { deliver(delivery, at: now, into: &outbox) }
        } else {
            perform([.revoke(.app(app))], at: now, into: &outbox)
        }
        guard let appIndex = connections.index(of: app) else { return }
        let (frame, next) = (frame ?? .max, connections.values[appIndex].link.sent.next)
        let isSceneDue = frame >= connections.values[appIndex].sceneRestatedFrom
        if isSceneDue {
            connections.values[appIndex].sceneRestatedFrom = next
            if apps.wasSentScene(app) { sendScene(to: app, at: now, into: &outbox) }
        }
        if isOfLifeCycle, frame >= connections.values[appIndex].lifeCycleRestatedFrom {
            connections.values[appIndex].lifeCycleRestatedFrom = next
            sendLifeCycleState(to: app, at: now, into: &outbox)
        }
        if isSceneDue { carryOut(urls.framesLost(by: app, at: now, trace: &outbox.trace), at: now, into: &outbox) }
    }

    /// Sends an app its life cycle state, unless the same messages are the last that wait for its credit window.
    mutating func sendLifeCycleState(to app: AppID, at now: Instant, into outbox: inout Outbox) {
        guard let appIndex = connections.index(of: app) else { return }
        let standing = apps.lifeCycleRestatement(of: app).map(ServerToApp.lifeCycle)
        guard connections.values[appIndex].waiting.suffix(standing.count).map(\.message) != standing else { return }
        for message in standing { send(message, to: app, at: now, into: &outbox) }
    }
}

extension Receipt {
    /// The receipt of a part whose recipient is gone.
    static let recipientGone = Receipt(frame: .zero, outcome: .dropped, reason: .ownerDied)
    /// The receipt of a part whose own receipt was lost.
    static let lost = Receipt(frame: .zero, outcome: .dropped, reason: .lostOnLink)

    /// Whether the app ended its touches when it sent this receipt.
    var isOfLoss: Bool { reason == .lostOnLink || reason == .inboxFull || reason == .late }
}
