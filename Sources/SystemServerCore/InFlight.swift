// InFlight.swift: scans that were routed, and whose recipients have not all answered.
//
// Station   router
// Input     SystemServerCore: each routed scan, each receipt, each exit
// Output    one receipt for every scan, when its last recipient has answered
// Knows     sequence numbers and counts. No finger.
//
// This file ensures conservation (law I4): each scan that arrived leaves as exactly one receipt.

import Basics
import HID
import Links
import Wire

/// The link to input-kit, and the scans without a receipt.
struct InputKitConnection: Sendable {
    var link: Link
    var inFlight = InFlight()

    init(_ order: LaunchOrder) { link = Link(.server, epoch: order.epoch, generation: order.generation) }
}

/// The scans that the server has received and not answered.
struct InFlight: Sendable {
    /// The answer to a scan.
    struct Answer: Equatable, Sendable {
        var receipt: Receipt
        /// The ledger of the recipient that answered last.
        var ledger: Ledger
        /// The number of scans that are answered.
        var scans = 1
    }

    private struct Entry: Sendable {
        /// The scan's sequence number on input-kit's link.
        let frame: SequenceNumber
        var receipt: Receipt
        var unansweredParts: Int
        var ledger: Ledger
        /// The number of scans in the frame.
        var scans = 1
    }

    /// The scans in ascending order. They are answered nearly in order.
    private var entries = Deque<Entry>()
    var count: Int { entries.count }

    /// The first scan that is not answered; zero for none.
    var oldest: SequenceNumber { entries.first?.frame ?? .zero }

    /// Adds a scan that was routed.
    ///
    /// - Parameters:
    ///   - frame: The scan's sequence number on input-kit's link.
    ///   - recipients: The number of recipients that have to answer: apps, and the home screen.
    ///   - reason: Why no recipient gets the scan, if there are none.
    ///   - takenByMonitor: The number of contacts that moved or lifted after a touch monitor had taken them.
    ///   - takenBySystem: The number of contacts that moved or lifted after a system gesture had taken them.
    /// - Returns: The answer, if there is no recipient.
    mutating func open(
        _ frame: SequenceNumber, ledger: Ledger, recipients: Int, reason: Receipt.Reason = .none,
        takenByMonitor: UInt16 = 0,
        takenBySystem: UInt16 = 0
    ) -> Answer? {
        var receipt = Receipt(frame: frame, outcome: .dropped, reason: reason)
        (receipt.takenByMonitor, receipt.takenBySystem) = (takenByMonitor, takenBySystem)
        guard recipients > 0 else { return Answer(receipt: receipt, ledger: ledger) }
        let entry = Entry(frame: frame, receipt: receipt, unansweredParts: recipients, ledger: ledger)
        // The link's numbers only grow. A number that is present already would replace its entry.
        let index = lowerBound(frame)
        if index == entries.count {
            entries.append(entry)
        } else if entries[index].frame == frame {
            entries[index] = entry
        } else {
            entries.insert(entry, at: index)
        }
        return nil
    }

    /// Adds a frame of several scans, whose recipients are not known yet. `closeShared` ends the list of its scans.
    ///
    /// - Parameter scans: The number of its scans.
    mutating func openShared(_ frame: SequenceNumber, scans: Int, ledger: Ledger) {
        // No recipient, but one part: the list of scans.
        _ = open(frame, ledger: ledger, recipients: 1)
        let index = lowerBound(frame)
        entries[index].receipt.coalesced = 0
        entries[index].scans = scans
    }

    /// Notes the contacts of one scan of a frame of several that no recipient gets.
    mutating func note(_ split: Router.Outcome, of frame: SequenceNumber) {
        let index = lowerBound(frame)
        guard index < entries.count, entries[index].frame == frame else { return }
        entries[index].receipt.takenByMonitor &+= split.takenByMonitor
        entries[index].receipt.takenBySystem &+= split.takenBySystem
        guard split.deliveries.isEmpty else { return }
        entries[index].receipt.add(Receipt(frame: frame, outcome: .dropped, reason: split.reason))
    }

    /// Notes moves of a frame of several scans that were merged into a later scan of the same frame.
    mutating func noteCoalesced(_ moves: Int, of frame: SequenceNumber) {
        let index = lowerBound(frame)
        guard index < entries.count, entries[index].frame == frame else { return }
        entries[index].receipt.add(.coalesced(moves))
    }

    /// Adds a part that has to be settled: a frame for an app, or a delivery to a scene of the server.
    mutating func expectPart(of frame: SequenceNumber) {
        let index = lowerBound(frame)
        guard index < entries.count, entries[index].frame == frame else { return }
        entries[index].unansweredParts += 1
    }

    /// Ends the list of a frame's scans.
    ///
    /// - Returns: The frame's answer, if all recipients have answered.
    mutating func closeShared(_ frame: SequenceNumber) -> Answer? {
        settle(frame, Receipt(frame: frame, outcome: .dropped))
    }

    /// Settles one recipient's part of a scan: the recipient answered, or never will.
    ///
    /// - Parameters:
    ///   - frame: The scan, or its frame; zero stands for no scan.
    ///   - ledger: The recipient's ledger, if it answered.
    /// - Returns: The scan's answer, if this was the last part.
    mutating func settle(_ frame: SequenceNumber, _ part: Receipt, ledger: Ledger? = nil) -> Answer? {
        let index = lowerBound(frame)
        guard index < entries.count, entries[index].frame == frame else { return nil }
        entries[index].receipt.add(part)
        entries[index].unansweredParts -= 1
        if let ledger { entries[index].ledger = ledger }
        guard entries[index].unansweredParts == 0 else { return nil }
        let answer = Answer(
            receipt: entries[index].receipt, ledger: entries[index].ledger, scans: entries[index].scans)
        entries.remove(at: index)
        return answer
    }

    /// Forgets all scans, because input-kit is gone and needs no answers.
    mutating func clear() { entries = Deque() }

    /// The index of the scan's entry, or the index at which it would be inserted.
    private func lowerBound(_ frame: SequenceNumber) -> Int {
        var (low, high) = (0, entries.count)
        // Most calls concern the oldest scan, or add the newest.
        if low < high, entries[low].frame >= frame { return low }
        if low < high, entries[high - 1].frame < frame { return high }
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].frame < frame { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Receipt {
    /// Adds another recipient's counts. The outcome is delivered if any recipient received the scan, else home, else
    /// dropped. A dropped scan has the first reason that a recipient gave; it is stale only if there is no other reason.
    mutating func add(_ other: Receipt) {
        began &+= other.began
        moved &+= other.moved
        stationary &+= other.stationary
        ended &+= other.ended
        cancelled &+= other.cancelled
        if let before = coalesced { coalesced = before &+ (other.coalesced ?? 0) }
        if other.outcome.rawValue < outcome.rawValue { outcome = other.outcome }
        if outcome != .dropped {
            reason = .none
        } else if reason == .none || reason == .stale && other.reason != .none {
            reason = other.reason
        }
    }
}
