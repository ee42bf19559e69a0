// InFlight.swift: frames that have been routed and not yet answered by everybody they went to.
//
// Station   router
// Fed by    SystemServerCore: each routed frame, each receipt, each death
// Feeds     SystemServerCore: one receipt for every frame, when the last recipient has answered
// Knows     sequence numbers and counts. No fingers.
//
// Conservation (law I4) rests here: a frame that came in leaves as exactly one receipt.

import Links
import Wire

struct InFlight: Sendable {
    /// A frame of input-kit's that is answered.
    struct Answer: Equatable, Sendable {
        var receipt: Receipt
        /// The ledger of the recipient that answered last.
        var ledger: Ledger
    }

    private struct Entry: Sendable {
        /// Its sequence number on input-kit's link.
        let frame: UInt64
        var receipt: Receipt
        var waitingFor: Int
        var ledger: Ledger
    }

    /// Ascending by frame from `head` on; those before it are done with. Answered nearly in order.
    private var entries: [Entry] = []
    private var head = 0
    /// For each app the frames without a receipt. The note is the frame of input-kit that it is a part of; 0 for one
    /// that is part of none, or of an input-kit that is gone: it fills the app's window all the same.
    private var questions = PerApp<Outstanding<UInt64>>()

    var count: Int { entries.count - head }

    /// The first frame that is not answered; 0 for none.
    var oldest: UInt64 { head < entries.count ? entries[head].frame : 0 }

    func unanswered(by app: UInt32) -> Int { questions.place(of: app).map { questions.values[$0].count } ?? 0 }

    /// The first frame on the app's link that it has not answered; 0 for none.
    func firstUnanswered(by app: UInt32) -> UInt64 { questions[app]?.first ?? 0 }

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
        _ frame: UInt64, ledger: Ledger, recipients: Int, reason: Receipt.Reason = .none, takenByMonitor: UInt16 = 0,
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

    /// Its part for `app` has gone out as `sequence` on the app's link.
    mutating func sent(_ frame: UInt64, to app: UInt32, as sequence: UInt64) {
        if let place = questions.place(of: app) {
            questions.values[place].append(sequence, frame)
        } else {
            var first = Outstanding<UInt64>()
            first.append(sequence, frame)
            questions.set(first, for: app)
        }
    }

    /// An app answered. Nil for a question nobody asked, or when others have yet to answer.
    mutating func answered(by app: UInt32, _ receipt: Receipt, ledger: Ledger) -> Answer? {
        guard let place = questions.place(of: app), let frame = questions.values[place].remove(receipt.frame) else {
            return nil
        }
        return settle(frame, adding: receipt, ledger: ledger)
    }

    /// Whether the app has yet to answer this.
    func isAsked(_ app: UInt32, _ sequence: UInt64) -> Bool {
        questions.place(of: app).map { questions.values[$0].contains(sequence) } ?? false
    }

    /// An app has heard everything up to `heard`, and has answered what is older than `oldest` (0: all): of what is
    /// still open the answers were lost.
    mutating func unheard(by app: UInt32, heard: UInt64, oldest: UInt64) -> [Answer] {
        guard let place = questions.place(of: app) else { return [] }
        let lost = questions.values[place].answersLost(received: heard, oldest: oldest)
        let frames = lost.compactMap { questions.values[place].remove($0) }
        return frames.compactMap { settle($0, adding: .lost, ledger: nil) }
    }

    /// An app is gone: what it has not answered is dropped.
    mutating func died(_ app: UInt32) -> [Answer] {
        let open = questions.remove(app)?.entries ?? []
        return open.compactMap { settle($0.note, adding: .nobody, ledger: nil) }
    }

    /// One recipient's part that was never a question on a link: the home screen's, or that of an app which died
    /// while its part still waited for credit.
    mutating func settled(_ frame: UInt64, _ part: Receipt) -> Answer? { settle(frame, adding: part, ledger: nil) }

    /// Input-kit is gone: nobody waits for answers any more. The apps still have their questions.
    mutating func clear() {
        (entries, head) = ([], 0)
        for place in questions.values.indices { questions.values[place].changeAll { $0 = 0 } }
    }

    private mutating func settle(_ frame: UInt64, adding part: Receipt, ledger: Ledger?) -> Answer? {
        let place = lowerBound(frame)
        guard place < entries.count, entries[place].frame == frame else { return nil }
        entries[place].receipt.add(part)
        entries[place].waitingFor -= 1
        if let ledger { entries[place].ledger = ledger }
        guard entries[place].waitingFor == 0 else { return nil }
        let answer = Answer(receipt: entries[place].receipt, ledger: entries[place].ledger)
        remove(at: place)
        return answer
    }

    private mutating func remove(at place: Int) {
        guard place == head else {
            entries.remove(at: place)
            return
        }
        head += 1
        if head == entries.count {
            entries.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64, head * 2 > entries.count {
            entries.removeFirst(head)
            head = 0
        }
    }

    /// Where the frame's entry is, or would be.
    private func lowerBound(_ frame: UInt64) -> Int {
        var (low, high) = (head, entries.count)
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
