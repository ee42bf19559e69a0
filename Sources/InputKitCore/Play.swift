// Play.swift: one order being played: what is sent when, what has come back, and what will be reported.
//
// Station   device
// Fed by    InputKitCore: the order, file bytes, receipts, timers
// Feeds     frames through InputKitCore's link, in order
// Knows     schedules, windows, counts. The link's numbers belong to Link, the fingers to FrameAssembler.

import Basics
import HID
import Hosting
import Links
import Wire

struct Play: Sendable {
    let order: PlayOrder
    var report: PlayReport
    var source: FrameSource
    var pacing: Pacing
    /// Receipts' complete ledgers, in the order they came.
    private(set) var ledgers: [Ledger] = []
    /// The frames without a receipt.
    private(set) var frames = Outstanding<Note>()
    /// When a receipt last came, or the wait for one began.
    var lastProgress = Instant.boot

    struct Note: Sendable {
        let isMeasured: Bool
        /// Fingers that moved in it.
        var moved: UInt64 = 0
    }

    /// Frames on their way at once, however much credit there is.
    static let window = 128
    /// 112 MB of stamps; an order that wants more gets the first ones.
    static let ledgerLimit = 2_000_000

    init(_ order: PlayOrder, source: FrameSource) {
        (self.order, self.source) = (order, source)
        report = PlayReport(id: order.id)
        pacing = Pacing(order.pace)
    }

    var unanswered: Int { frames.count }
    /// The same of a play that is where it can be changed: it is looked at there, not copied to be looked at.
    var unansweredNow: Int { mutating get { frames.count } }

    /// How many frames may be on their way, the server's credit aside.
    var limit: Int { order.pace == .closedLoop ? 1 : Self.window }

    /// A frame that says nothing of fingers.
    mutating func didSend(as sequence: SequenceNumber) {
        let isMeasured = order.wantsLedgers && report.sent >= UInt64(order.warmUpFrames)
        frames.append(sequence, Note(isMeasured: isMeasured))
        report.sent += 1
    }

    mutating func didSend(_ event: HIDEvent, as sequence: SequenceNumber) {
        didSend(as: sequence)
        for finger in event.fingers {
            let phase = finger.phase
            report.sentTouches.count(phase)
            if phase == .moved { frames.changeLast { $0.moved += 1 } }
        }
    }

    /// - Returns: False for a receipt of a frame that is not this play's, or that has been answered.
    mutating func take(_ receipt: Receipt, ledger: Ledger) -> Bool {
        guard let note = frames.remove(receipt.frame) else { return false }
        report.answered += 1
        switch receipt.outcome {
        case .delivered: report.delivered += 1
        case .home: report.home += 1
        case .dropped where [.takenByMonitor, .takenBySystem].contains(receipt.reason): report.taken += 1
        case .dropped: report.dropped += 1
        }
        report.takenByMonitor += UInt64(receipt.takenByMonitor)
        report.takenBySystem += UInt64(receipt.takenBySystem)
        if receipt.outcome == .delivered, receipt.isSilent { report.coalesced += note.moved }
        report.arrivedTouches += PhaseCounts(of: receipt)
        if note.isMeasured, ledger.isComplete, ledgers.count < Self.ledgerLimit { ledgers.append(ledger) }
        return true
    }

    /// Why it stopped early; the first reason stays.
    mutating func fail(_ reason: String) {
        if report.failure.isEmpty { report.failure = reason }
    }
}
