// Player.swift: the play in progress: its state, its timers, and the part of its report that was sent.
//
// Station   device
// Input     InputKitCore: orders, what blocks the next frame, receipts, timers
// Output    PlayState.Order, which InputKitCore carries out; timers; ledgers to report
// Knows     one play. InputKitCore sends the frames, on the PlayedDevice.
//
// Sources   invented

import Basics
import Hosting
import Wire

/// The player of one play at a time.
struct Player: Sendable {
    private(set) var state = PlayState.idle
    var play: Play?
    /// The file number of the last play. File numbers grow over all plays.
    var lastFile = FileID(0)
    private var armedFrameTime: Instant?
    private var isReceiptTimerArmed = false
    /// The number of outstanding scans at which a blocked play continues. Several scans then go out as one packet.
    private(set) var resumeBelow = 0
    /// The number of ledgers that were sent.
    private var sentLedgerCount = 0

    /// The longest time for which frames may stay unanswered without any receipt.
    static let receiptWaitLimit = Duration.seconds(2)
    /// The number of `measured` frames sent at once, 240 KB, and the pause after them, so that no link must hold all of them.
    private static let ledgerFramesAtOnce = 4
    static let ledgerPause = Duration.milliseconds(1)

    var unanswered: Int { play?.unanswered ?? 0 }

    mutating func begin(_ order: PlayOrder, from source: FrameSource) {
        play = Play(order, source: source)
        sentLedgerCount = 0
    }

    /// Removes the play, whose report was sent.
    mutating func end() { play = nil }

    mutating func advance(_ input: PlayState.Input) -> PlayState.Order {
        guard let (next, order) = PlayState.transition(from: state, on: input) else {
            preconditionFailure("a play cannot take \(input) while \(state)")
        }
        state = next
        return order
    }

    // MARK: Timers

    /// Arms the timer of the next frame's due time.
    mutating func arm(_ moment: Instant, into outbox: inout Outbox) {
        guard armedFrameTime != moment else { return }
        armedFrameTime = moment
        outbox.append(.arm(InputKitCore.Timer.frame, at: moment))
    }

    mutating func frameTimerFired() { armedFrameTime = nil }

    /// Starts to wait for receipts.
    mutating func armReceiptTimer(at now: Instant, into outbox: inout Outbox) {
        let unanswered = play?.unansweredInPlace ?? 0
        // Scans that share frames go on earlier, with one finger 192 scans at a time: the receivers are never without work.
        resumeBelow = unanswered * (play?.sharesFrames == true ? 7 : 6) / 8
        guard !isReceiptTimerArmed else { return }
        isReceiptTimerArmed = true
        outbox.append(.arm(InputKitCore.Timer.receipt, at: now.advanced(by: Self.receiptWaitLimit)))
    }

    /// Handles the timer of the wait. The timer is armed once and checks the last receipt when it fires, which costs
    /// less than moving it at each receipt.
    ///
    /// - Returns: Whether the play has waited too long for a receipt.
    mutating func receiptTimerFired(at now: Instant, into outbox: inout Outbox) -> Bool {
        isReceiptTimerArmed = false
        guard state == .blocked || state == .draining, let play else { return false }
        let deadline = play.lastProgress.advanced(by: Self.receiptWaitLimit)
        guard now < deadline else { return true }
        isReceiptTimerArmed = true
        outbox.append(.arm(InputKitCore.Timer.receipt, at: deadline))
        return false
    }

    // MARK: The report

    /// The ledgers to send next, in batches of one frame each.
    mutating func nextLedgers() -> [[Ledger]] {
        var batches: [[Ledger]] = []
        guard let ledgers = play?.ledgers else { return [] }
        while batches.count < Self.ledgerFramesAtOnce, sentLedgerCount < ledgers.count {
            let end = min(ledgers.count, sentLedgerCount + Message.ledgersPerFrame)
            batches.append(Array(ledgers[sentLedgerCount..<end]))
            sentLedgerCount = end
        }
        return batches
    }

    var hasSentLedgers: Bool { sentLedgerCount == play?.ledgers.count ?? 0 }

    /// Discards the ledgers that were not sent, because the process ends.
    mutating func dropLedgers() { sentLedgerCount = play?.ledgers.count ?? 0 }
}
