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
    private var momentArmed: Instant?
    private var isPatienceArmed = false
    /// The number of outstanding frames at which a blocked play continues. Several frames then go out as one packet.
    private(set) var resumeBelow = 0
    /// The number of ledgers that were sent.
    private var measured = 0

    /// The longest time for which frames may stay unanswered without any receipt.
    static let patience = Duration.seconds(2)
    /// The number of `measured` frames sent at once, 240 KB, and the pause after them, so that no link must hold all of them.
    private static let measuredAtOnce = 4
    static let measuredPause = Duration.milliseconds(1)

    var unanswered: Int { play?.unanswered ?? 0 }

    mutating func begin(_ order: PlayOrder, from source: FrameSource) {
        play = Play(order, source: source)
        measured = 0
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
        guard momentArmed != moment else { return }
        momentArmed = moment
        outbox.append(.arm(InputKitCore.Timer.moment, at: moment))
    }

    mutating func momentCame() { momentArmed = nil }

    /// Starts to wait for receipts.
    mutating func armPatience(at now: Instant, into outbox: inout Outbox) {
        resumeBelow = (play?.unansweredNow ?? 0) * 3 / 4
        guard !isPatienceArmed else { return }
        isPatienceArmed = true
        outbox.append(.arm(InputKitCore.Timer.patience, at: now.advanced(by: Self.patience)))
    }

    /// Handles the timer of the wait. The timer is armed once and checks the last receipt when it fires, which costs
    /// less than moving it at each receipt.
    ///
    /// - Returns: Whether the play has waited too long for a receipt.
    mutating func patienceEnded(at now: Instant, into outbox: inout Outbox) -> Bool {
        isPatienceArmed = false
        guard state == .blocked || state == .draining, let play else { return false }
        let deadline = play.lastProgress.advanced(by: Self.patience)
        guard now < deadline else { return true }
        isPatienceArmed = true
        outbox.append(.arm(InputKitCore.Timer.patience, at: deadline))
        return false
    }

    // MARK: The report

    /// The ledgers to send next, in batches of one frame each.
    mutating func nextLedgers() -> [[Ledger]] {
        var batches: [[Ledger]] = []
        guard let ledgers = play?.ledgers else { return [] }
        while batches.count < Self.measuredAtOnce, measured < ledgers.count {
            let end = min(ledgers.count, measured + Message.ledgersPerFrame)
            batches.append(Array(ledgers[measured..<end]))
            measured = end
        }
        return batches
    }

    var hasSentLedgers: Bool { measured == play?.ledgers.count ?? 0 }

    /// Discards the ledgers that were not sent, because the process ends.
    mutating func dropLedgers() { measured = play?.ledgers.count ?? 0 }
}
