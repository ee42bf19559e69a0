// InFlight.swift: frames that have been routed and not yet answered by everybody they went to.
//
// Station   router
// Fed by    SystemServerCore: each routed frame, each receipt, each death
// Feeds     SystemServerCore: one receipt for every frame, when the last recipient has answered
// Knows     sequence numbers and counts. No fingers.
//
// Conservation (law I4) rests here: a frame that came in leaves as exactly one receipt.

import Basics
import Links
import Wire

/// What the server knows of input-kit: their link, and the scans that have no receipt yet.
struct InputKitConnection: Sendable {
    var link: Link
    var inFlight = InFlight()

    init(_ order: LaunchOrder) { link = Link(.server, epoch: order.epoch, generation: order.generation) }
}

struct InFlight: Sendable {
    /// A frame of input-kit's that is answered.
    struct Answer: Equatable, Sendable {
        var receipt: Receipt
        /// The ledger of the recipient that answered last.
        var ledger: Ledger
    }

    private struct Entry: Sendable {
        /// Its sequence number on input-kit's link.
        let frame: SequenceNumber
        var receipt: Receipt
        var waitingFor: Int
        var ledger: Ledger
    }

    /// Ascending by frame. Answered nearly in order.
    private var entries = Deque<Entry>()
    var count: Int { entries.count }

    /// The first frame that is not answered; zero for none.
    var oldest: SequenceNumber { entries.first?.frame ?? .zero }

    /// A frame was routed.
    ///
    /// - Parameters:
    ///   - frame: Its sequence number on input-kit's link.
    ///   - recipients: How many have yet to answer: apps, and the home screen.
    ///   - reason: Why nobody gets it, when there are none.
    ///   - takenByMonitor: Contacts of it that moved or left after a touch monitor had taken them.
    ///   - takenBySystem: The same of a system gesture.
    /// - Returns: Its answer, when there is nobody to wait for.
    mutating func opened(
        _ frame: SequenceNumber, ledger: Ledger, recipients: Int, reason: Receipt.Reason = .none,
        takenByMonitor: UInt16 = 0,
        takenBySystem: UInt16 = 0
    ) -> Answer? {
        var nobody = Receipt(frame: frame, outcome: .dropped, reason: reason)
        (nobody.takenByMonitor, nobody.takenBySystem) = (takenByMonitor, takenBySystem)
        guard recipients > 0 else { return Answer(receipt: nobody, ledger: ledger) }
        let entry = Entry(frame: frame, receipt: nobody, waitingFor: recipients, ledger: ledger)
        // The link's numbers only grow; one that was there already would be asked anew.
        let place = lowerBound(frame)
        if place == entries.count {
            entries.append(entry)
        } else if entries[place].frame == frame {
            entries[place] = entry
        } else {
            entries.insert(entry, at: place)
        }
        return nil
    }

    /// A recipient has settled its part of a frame: it answered, or it never will.
    ///
    /// - Parameters:
    ///   - frame: Zero is part of nothing.
    ///   - ledger: The recipient's, if it answered.
    /// - Returns: The frame's answer, when this was the last part.
    mutating func settled(_ frame: SequenceNumber, _ part: Receipt, ledger: Ledger? = nil) -> Answer? {
        let place = lowerBound(frame)
        guard place < entries.count, entries[place].frame == frame else { return nil }
        entries[place].receipt.add(part)
        entries[place].waitingFor -= 1
        if let ledger { entries[place].ledger = ledger }
        guard entries[place].waitingFor == 0 else { return nil }
        let answer = Answer(receipt: entries[place].receipt, ledger: entries[place].ledger)
        entries.remove(at: place)
        return answer
    }

    /// Input-kit is gone: nobody waits for answers any more.
    mutating func clear() { entries = Deque() }

    /// Where the frame's entry is, or would be.
    private func lowerBound(_ frame: SequenceNumber) -> Int {
        var (low, high) = (0, entries.count)
        // Mostly the oldest is asked about, or the newest opened.
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
    /// Adds another recipient's counts. Delivered to anybody is delivered; the home screen comes next; and what
    /// nobody got is dropped for the first reason that anybody gave.
    mutating func add(_ other: Receipt) {
        began &+= other.began
        moved &+= other.moved
        stationary &+= other.stationary
        ended &+= other.ended
        cancelled &+= other.cancelled
        if other.outcome.rawValue < outcome.rawValue { outcome = other.outcome }
        if outcome != .dropped {
            reason = .none
        } else if reason == .none {
            reason = other.reason
        }
    }
}
