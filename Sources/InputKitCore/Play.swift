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
    /// The frames without a receipt, and the number of their scans and inputs.
    private(set) var frames = Outstanding<Note>()
    private(set) var unanswered = 0
    /// The moves of frames that were merged into later ones, and the moves that those later frames counted in addition to
    /// their own: a finger that moved only in the older frame moves in the merged one.
    private var silentMoves: UInt64 = 0
    private var inheritedMoves: UInt64 = 0
    /// The time of the last receipt, or the time since which one is expected.
    var lastProgress = Instant.boot

    /// What is stored about an outstanding frame.
    struct Note: Sendable {
        let isMeasured: Bool
        /// The number of scans in the frame; 1 for a frame of keys or pointers.
        var scans = 1
        /// The number of contacts that moved in the frame.
        var moved: UInt64 = 0
    }

    /// The largest number of outstanding frames, however much credit there is.
    static let window = 128

    /// The largest number of outstanding scans that share frames. If none of them reaches an app on its own, one frame of
    /// touches and its history have all of them.
    ///
    /// - Parameter contacts: The number of contacts in each scan.
    static func sharedWindow(contacts: Int) -> Int {
        1 + TouchFrame.historyLimit(contacts: contacts)
    }
    /// The largest number of ledgers, 112 MB of stamps. An order that wants more gets the first ones.
    static let ledgerLimit = 2_000_000

    init(_ order: PlayOrder, source: FrameSource) {
        (self.order, self.source) = (order, source)
        report = PlayReport(id: order.id)
        pacing = Pacing(order.pace)
    }

    /// `unanswered` for a play in a mutable location, which this property reads in place instead of copying the play.
    var unansweredInPlace: Int { mutating get { unanswered } }

    /// The number of scans that may be outstanding, apart from the server's credit.
    ///
    /// - Parameter contacts: The number of contacts that are down.
    func limit(contacts: Int) -> Int {
        order.pace == .closedLoop ? 1 : sharesFrames ? Self.sharedWindow(contacts: contacts) : Self.window
    }

    /// Whether scans that are due together share a frame. A ledger measures the way of one scan, so that each scan has a
    /// frame of its own if the order wants ledgers.
    var sharesFrames: Bool { order.pace == .max && !order.wantsLedgers }

    /// Records a frame without contacts.
    mutating func didSend(as sequence: SequenceNumber) {
        let isMeasured = order.wantsLedgers && report.sent >= UInt64(order.warmUpFrames)
        frames.append(sequence, Note(isMeasured: isMeasured))
        report.sent += 1
        unanswered += 1
    }

    /// Records a scan and counts its contacts by phase.
    mutating func didSend(_ event: HIDEvent, as sequence: SequenceNumber) {
        didSend(as: sequence)
        countContacts(of: event.fingers)
    }

    /// Records the scans of one frame, and counts their contacts by phase.
    mutating func didSend(_ scans: ScanList, as sequence: SequenceNumber) {
        didSend(as: sequence)
        let more = scans.count - 1
        report.sent += UInt64(more)
        unanswered += more
        frames.changeLast { $0.scans += more }
        for part in scans.parts.indices {
            countContacts(of: scans.parts[part].first.fingers, inScans: UInt64(scans.parts[part].count))
        }
    }

    /// - Parameter scans: The number of scans that have contacts in these phases.
    private mutating func countContacts(of fingers: [DigitizerEvent], inScans scans: UInt64 = 1) {
        var moved: UInt64 = 0
        for index in fingers.indices {
            let phase = fingers[index].phase
            report.sentTouches.count(phase, times: scans)
            if phase == .moved { moved += scans }
        }
        if moved > 0 { frames.changeLast { $0.moved += moved } }
    }

    /// Counts a receipt.
    ///
    /// - Returns: False if the frame is not this play's, or was answered before.
    mutating func record(_ receipt: Receipt, ledger: Ledger) -> Bool {
        guard let note = frames.remove(receipt.frame) else { return false }
        unanswered -= note.scans
        report.count(receipt, ofScans: note.scans)
        if receipt.outcome == .delivered {
            let silent = receipt.coalesced.map(UInt64.init) ?? (receipt.isSilent ? note.moved : 0)
            silentMoves += silent
            let counted = UInt64(receipt.moved) + (note.scans > 1 ? silent : 0)
            if counted > note.moved { inheritedMoves += counted - note.moved }
            report.coalesced = silentMoves > inheritedMoves ? silentMoves - inheritedMoves : 0
        }
        if note.isMeasured, ledger.isComplete, ledgers.count < Self.ledgerLimit { ledgers.append(ledger) }
        return true
    }

    /// Records why the play stopped early. The first reason stays.
    mutating func fail(_ reason: String) {
        if report.failure.isEmpty { report.failure = reason }
    }
}
