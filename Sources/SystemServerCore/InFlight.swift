// InFlight.swift: frames that have been routed and not yet answered by everybody they went to.
//
// Station   router
// Fed by    SystemServerCore: each routed frame, each receipt, each death
// Feeds     SystemServerCore: one receipt for every frame, when the last recipient has answered
// Knows     sequence numbers and counts. No fingers.
//
// Conservation (law I4) rests here: a frame that came in leaves as exactly one receipt.

import Wire

struct InFlight: Sendable {
    /// A frame of input-kit's that is answered.
    struct Answer: Equatable, Sendable {
        var receipt: Receipt
        /// The ledger of the recipient that answered last.
        var ledger: Ledger
    }

    private struct Entry: Sendable {
        var receipt: Receipt
        var waitingFor: Int
        var ledger: Ledger
    }

    /// What one app was asked: the sequence on its link, and the frame of input-kit's it is a part of.
    private struct Question: Sendable {
        let sequence: UInt64
        let frame: UInt64
    }

    /// Asked by key, never walked.
    private var entries: [UInt64: Entry] = [:]
    /// By app; each app's in the order they were sent, and answered nearly so.
    private var questions: [UInt32: [Question]] = [:]

    var count: Int { entries.count }

    func unanswered(by app: UInt32) -> Int { questions[app]?.count ?? 0 }

    /// A frame was routed.
    ///
    /// - Parameters:
    ///   - frame: Its sequence number on input-kit's link.
    ///   - recipients: How many have yet to answer: apps, and the home screen.
    /// - Returns: Its answer, when there is nobody to wait for.
    mutating func opened(_ frame: UInt64, ledger: Ledger, recipients: Int) -> Answer? {
        let nobody = Receipt(frame: frame, outcome: .dropped)
        guard recipients > 0 else { return Answer(receipt: nobody, ledger: ledger) }
        entries[frame] = Entry(receipt: nobody, waitingFor: recipients, ledger: ledger)
        return nil
    }

    /// Its part for `app` has gone out as `sequence` on the app's link.
    mutating func sent(_ frame: UInt64, to app: UInt32, as sequence: UInt64) {
        questions[app, default: []].append(Question(sequence: sequence, frame: frame))
    }

    /// An app answered. Nil for a question nobody asked, or when others have yet to answer.
    mutating func answered(by app: UInt32, _ receipt: Receipt, ledger: Ledger) -> Answer? {
        guard let index = questions[app]?.firstIndex(where: { $0.sequence == receipt.frame }),
            let question = questions[app]?.remove(at: index)
        else { return nil }
        return settle(question.frame, adding: receipt, ledger: ledger)
    }

    /// An app is gone: what it has not answered is dropped.
    mutating func died(_ app: UInt32) -> [Answer] {
        let open = questions.removeValue(forKey: app) ?? []
        return open.compactMap { settle($0.frame, adding: .nobody, ledger: nil) }
    }

    /// One recipient's part that was never a question on a link: the home screen's, or that of an app which died
    /// while its part still waited for credit.
    mutating func settled(_ frame: UInt64, _ part: Receipt) -> Answer? { settle(frame, adding: part, ledger: nil) }

    /// Input-kit is gone: nobody waits for answers any more.
    mutating func clear() {
        entries.removeAll()
        questions.removeAll()
    }

    private mutating func settle(_ frame: UInt64, adding part: Receipt, ledger: Ledger?) -> Answer? {
        guard var entry = entries[frame] else { return nil }
        entry.receipt.add(part)
        entry.waitingFor -= 1
        if let ledger { entry.ledger = ledger }
        guard entry.waitingFor == 0 else {
            entries[frame] = entry
            return nil
        }
        entries[frame] = nil
        return Answer(receipt: entry.receipt, ledger: entry.ledger)
    }
}

extension Receipt {
    /// Adds another recipient's counts. Delivered to anybody is delivered; the home screen comes next.
    mutating func add(_ other: Receipt) {
        began &+= other.began
        moved &+= other.moved
        stationary &+= other.stationary
        ended &+= other.ended
        cancelled &+= other.cancelled
        if other.outcome.rawValue < outcome.rawValue { outcome = other.outcome }
    }
}
