// ServerConnection.swift: the app's end of its link to the server, with its hello timer and its outstanding receipts.
//
// Station   process
// Input     AppCore: the connection is up or down, each frame of the server, messages to send
// Output    frames to the server; the meaning of each received frame (Link.Event)
// Knows     numbers and credit. No touch, no view.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2, laws I1 and I7

import Basics
import Hosting
import Links
import UIKit
import Wire

/// The app's end of its link to the server.
struct ServerConnection {
    private(set) var link: Link
    /// The fetcher's free room is the server's credit.
    private let fetcher: EventFetcher
    /// Frames of this link without an answer: their receipt is due, or their life-cycle change is not done.
    private var outstanding = Outstanding<Void>()

    init(generation: UInt32, fetcher: EventFetcher) {
        link = Link(.client, generation: generation)
        self.fetcher = fetcher
    }

    var isOpen: Bool { link.isOpen }
    var epoch: UInt32 { link.epoch }

    // MARK: Opening and closing

    /// Opens a new link on a connection, which may replace one whose end the host has not noticed yet.
    mutating func connect(at now: Instant, into outbox: inout Outbox) {
        link.connected(credit: fetcher.credit)
        sendHello(at: now, into: &outbox)
    }

    /// Ends the link.
    ///
    /// - Returns: Whether the link was opening or open.
    mutating func lose(into outbox: inout Outbox) -> Bool {
        guard link.lost() else { return false }
        outstanding.removeAll()
        outbox.append(.disarm(AppCore.helloTimer))
        return true
    }

    /// Sends the hello of a link that is opening, and arms the timer that repeats it.
    mutating func sendHello(at now: Instant, into outbox: inout Outbox) {
        guard let hello = link.pendingHello else { return }
        outbox.append(.send(hello, to: .systemServer))
        outbox.append(.arm(AppCore.helloTimer, at: now.advanced(by: Link.helloPeriod)))
    }

    // MARK: Receiving

    mutating func receive(_ frame: Frame, at now: Instant, into outbox: inout Outbox) -> Link.Event {
        let event = link.receive(frame, at: now)
        if case .opened = event { outbox.append(.disarm(AppCore.helloTimer)) }
        return event
    }

    /// Records that a receipt or a life-cycle change of the frame is outstanding.
    mutating func expectAnswer(to frame: Frame) { outstanding.append(frame.sequence, ()) }

    /// Forgets the outstanding frames, for which the server has stopped waiting.
    mutating func forgetOutstanding() { outstanding.removeAll() }

    /// Records that the frame was answered, or that its life-cycle change is done.
    mutating func removeOutstanding(_ frame: SequenceNumber) { _ = outstanding.remove(frame) }

    // MARK: Sending

    mutating func send(_ message: AppToServer, ledger: Ledger = Ledger(), into outbox: inout Outbox) {
        outbox.append(.send(link.frame(message.message, ledger: ledger, credit: fetcher.credit), to: .systemServer))
    }

    /// Answers a probe with the oldest outstanding frame and the credit.
    mutating func answerProbe(into outbox: inout Outbox) {
        outbox.append(
            .send(link.probeAnswer(oldest: outstanding.first, credit: fetcher.credit), to: .systemServer))
    }

    /// Sends the receipts for frames that the link lost right before this one.
    mutating func answerMissing(_ missing: UInt64, before frame: Frame, into outbox: inout Outbox) {
        for receipt in link.receipts(forMissing: missing, before: frame.sequence) {
            send(.handled(receipt), into: &outbox)
        }
    }

    /// Whether the server still waits for this receipt. It does not wait for receipts of an earlier link.
    func awaits(_ receipt: QueuedEvent.Receipt) -> Bool { link.isOpen && receipt.link == link.openings }

    /// Sends the receipt for a frame whose events the application has handled.
    mutating func answer(_ answer: FinishedWork.Answer, into outbox: inout Outbox) {
        guard awaits(answer.receipt) else { return }
        removeOutstanding(answer.receipt.frame)
        var receipt = Receipt(frame: answer.receipt.frame, answer.counts)
        receipt.coalesced = answer.coalesced.map { UInt16(clamping: $0) }
        send(.handled(receipt), ledger: answer.receipt.ledger, into: &outbox)
    }

    /// Sends the receipt for a frame that the app drops.
    ///
    /// - Parameter isMissed: Whether the frame counts among those that this end has not handled.
    mutating func refuse(
        _ receipt: QueuedEvent.Receipt, because reason: Receipt.Reason, isMissed: Bool, into outbox: inout Outbox
    ) {
        if isMissed { link.countMissed(1) }
        let answer = Receipt(frame: receipt.frame, outcome: .dropped, reason: reason)
        send(.handled(answer), ledger: receipt.ledger, into: &outbox)
    }
}

extension Receipt {
    fileprivate init(frame: SequenceNumber, _ counts: TouchCounts) {
        self.init(
            frame: frame, outcome: .delivered, began: UInt16(clamping: counts.began),
            moved: UInt16(clamping: counts.moved), stationary: UInt16(clamping: counts.stationary),
            ended: UInt16(clamping: counts.ended), cancelled: UInt16(clamping: counts.cancelled))
        deferredEdges = counts.deferredEdges
    }
}
