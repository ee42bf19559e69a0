// Player.swift: the play in progress: where it stands, its timers, and what of its report has gone out.
//
// Station   device
// Input     InputKitCore: orders, what hinders the next frame, receipts, timers
// Output    PlayState.Order, which InputKitCore carries out; timers; ledgers to report
// Knows     one play. The frames are sent by InputKitCore, on the PlayedDevice.
//
// Sources   invented

import Basics
import Hosting
import Wire

struct Player: Sendable {
    private(set) var state = PlayState.idle
    var play: Play?
    /// Of the last play: file numbers count up over all plays.
    var lastFile = FileID(0)
    private var momentArmed: Instant?
    private var isPatienceArmed = false
    /// While blocked: with this many frames unanswered, sending goes on. A few at once travel as one packet.
    private(set) var resumeBelow = 0
    /// Ledgers of the play being reported that have gone out.
    private var measured = 0

    /// How long frames may stay unanswered without any receipt coming.
    static let patience = Duration.seconds(2)
    /// `measured` frames handed over at once, and the pause after them: 240 KB, so that no link has to hold a run's.
    private static let measuredAtOnce = 4
    static let measuredPause = Duration.milliseconds(1)

    var unanswered: Int { play?.unanswered ?? 0 }

    mutating func begin(_ order: PlayOrder, from source: FrameSource) {
        play = Play(order, source: source)
        measured = 0
    }

    /// Forgets the play: everything of its report has gone out.
    mutating func end() { play = nil }

    mutating func advance(_ input: PlayState.Input) -> PlayState.Order {
        guard let (next, order) = PlayState.transition(from: state, on: input) else {
            preconditionFailure("a play cannot take \(input) while \(state)")
        }
        state = next
        return order
    }

    // MARK: Timers

    mutating func arm(_ moment: Instant, into outbox: inout Outbox) {
        guard momentArmed != moment else { return }
        momentArmed = moment
        outbox.append(.arm(InputKitCore.Timer.moment, at: moment))
    }

    mutating func momentCame() { momentArmed = nil }

    /// Begins to wait for receipts.
    mutating func armPatience(at now: Instant, into outbox: inout Outbox) {
        resumeBelow = (play?.unansweredNow ?? 0) * 3 / 4
        guard !isPatienceArmed else { return }
        isPatienceArmed = true
        outbox.append(.arm(InputKitCore.Timer.patience, at: now.advanced(by: Self.patience)))
    }

    /// The timer is armed once and looks at the last receipt when it fires: cheaper than moving it with each.
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

    /// The ledgers that go out next, a frame's worth each.
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

    /// Gives up the ledgers that have not gone out: the process ends.
    mutating func dropLedgers() { measured = play?.ledgers.count ?? 0 }
}
