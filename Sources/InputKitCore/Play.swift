// Play.swift: one order in progress: its frames, its outstanding frames and its report.
//
// Station   device
// Input     InputKitCore: the order, file bytes, receipts, timers
// Output    frames through InputKitCore's link, in order; the report
// Knows     schedules, windows, counts. The numbers of the link belong to Link, the contacts to FrameAssembler.
//
// Sources   invented

import Basics
import HID
import Hosting
import Links
import Wire

/// One order in progress.
struct Play: Sendable {
    let order: PlayOrder
    var report: PlayReport
    var source: FrameSource
    var pacing: Pacing
    /// The complete ledgers of receipts, in the order of arrival.
    private(set) var ledgers: [Ledger] = []
    /// The frames without a receipt.
    private(set) var frames = Outstanding<Note>()
    /// The moves of frames that were merged into later ones, and the moves that those later frames counted in addition to
    /// their own: a finger that moved only in the older frame moves in the merged one.
    private var silentMoves: UInt64 = 0
    private var inheritedMoves: UInt64 = 0
    /// The time of the last receipt, or the time since which one is expected.
    var lastProgress = Instant.boot

    /// What is stored about an outstanding frame.
    struct Note: Sendable {
        let isMeasured: Bool
        /// The number of contacts that moved in the frame.
        var moved: UInt64 = 0
    }

    /// The largest number of outstanding frames, however much credit there is.
    static let window = 128
    /// The largest number of ledgers, 112 MB of stamps. An order that wants more gets the first ones.
    static let ledgerLimit = 2_000_000

    init(_ order: PlayOrder, source: FrameSource) {
        (self.order, self.source) = (order, source)
        report = PlayReport(id: order.id)
        pacing = Pacing(order.pace)
    }

    var unanswered: Int { frames.count }
    /// The same number for a play in a mutable location, which this property reads in place instead of copying the play.
    var unansweredInPlace: Int { mutating get { frames.count } }

    /// The number of frames that may be outstanding, apart from the server's credit.
    var limit: Int { order.pace == .closedLoop ? 1 : Self.window }

    /// Records a frame without contacts.
    mutating func didSend(as sequence: SequenceNumber) {
        let isMeasured = order.wantsLedgers && report.sent >= UInt64(order.warmUpFrames)
        frames.append(sequence, Note(isMeasured: isMeasured))
        report.sent += 1
    }

    /// Records a scan and counts its contacts by phase.
    mutating func didSend(_ event: HIDEvent, as sequence: SequenceNumber) {
        didSend(as: sequence)
        for finger in event.fingers {
            let phase = finger.phase
            report.sentTouches.count(phase)
            if phase == .moved { frames.changeLast { $0.moved += 1 } }
        }
    }

    /// Counts a receipt.
    ///
    /// - Returns: False if the frame is not this play's, or was answered before.
    mutating func record(_ receipt: Receipt, ledger: Ledger) -> Bool {
        guard let note = frames.remove(receipt.frame) else { return false }
        report.answered += 1
        switch receipt.outcome {
        case .delivered: report.delivered += 1
        case .home: report.home += 1
        case .dropped where [.takenByMonitor, .takenBySystem].contains(receipt.reason): report.takenFrames += 1
        case .dropped: report.dropped += 1
        }
        report.takenByMonitor += UInt64(receipt.takenByMonitor)
        report.takenBySystem += UInt64(receipt.takenBySystem)
        if receipt.outcome == .delivered {
            if receipt.isSilent { silentMoves += note.moved }
            if UInt64(receipt.moved) > note.moved { inheritedMoves += UInt64(receipt.moved) - note.moved }
            report.coalesced = silentMoves > inheritedMoves ? silentMoves - inheritedMoves : 0
        }
        report.arrivedTouches += PhaseCounts(of: receipt)
        if note.isMeasured, ledger.isComplete, ledgers.count < Self.ledgerLimit { ledgers.append(ledger) }
        return true
    }

    /// Records why the play stopped early. The first reason stays.
    mutating func fail(_ reason: String) {
        if report.failure.isEmpty { report.failure = reason }
    }
}
