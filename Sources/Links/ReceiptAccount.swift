// ReceiptAccount.swift: which frames of one link wait for a receipt, and whether a receipt answers one of them.
//
// Input     StreamVerifier: each frame that asks for a receipt, and each receipt
// Output    the rule that a receipt breaks
// Knows     numbers of frames. Not what the frames say.
//
// Sources   Docs/Spec/Pipeline.md section 3: I1

import Wire

struct ReceiptAccount: Sendable {
    /// Frames of this end that no receipt has come for.
    private var asked = SequenceWindow()
    /// Frames of the peer that this end has not answered.
    private var owed = SequenceWindow()

    /// How many frames of this end no receipt has come for.
    var unanswered: Int { asked.count }

    mutating func removeAll() {
        asked.removeAll()
        owed.removeAll()
    }

    mutating func didSend(_ sequence: SequenceNumber) { asked.insert(sequence) }
    mutating func didHear(_ sequence: SequenceNumber) { owed.insert(sequence) }
    /// No receipt will come for this frame of this end: the link has lost it.
    mutating func didLose(_ sequence: SequenceNumber) { asked.remove(sequence) }
    /// No receipt will come for any frame of this end up to this one.
    mutating func gaveUp(through sequence: SequenceNumber) { asked.removeAll(through: sequence) }

    /// Takes a receipt that this end sends.
    ///
    /// - Parameter heard: The newest frame that this end has heard.
    mutating func fault(ofOwn receipt: Receipt, heard: SequenceNumber) -> StreamFault? {
        if (receipt.outcome == .dropped) != (receipt.reason != .none) {
            return .receiptReason(receipt.outcome, receipt.reason)
        }
        if owed.remove(receipt.frame) { return nil }
        // The frame was never heard, and later ones were.
        if receipt.reason == .lostOnLink, receipt.frame < heard { return nil }
        return Self.unexpected(receipt, newest: heard)
    }

    /// Takes a receipt of the peer's.
    ///
    /// - Parameters:
    ///   - sent: The newest frame that this end has sent.
    ///   - hadGap: Whether frames of the peer's are missing.
    mutating func fault(ofPeers receipt: Receipt, sent: SequenceNumber, hadGap: Bool) -> StreamFault? {
        if asked.remove(receipt.frame) || hadGap { return nil }
        // A peer that missed frames answers for all of them, whatever they were.
        if receipt.reason == .lostOnLink, receipt.frame <= sent { return nil }
        return Self.unexpected(receipt, newest: sent)
    }

    private static func unexpected(_ receipt: Receipt, newest: SequenceNumber) -> StreamFault {
        receipt.frame > newest
            ? .receiptForUnheard(frame: receipt.frame, heard: newest) : .receiptTwice(frame: receipt.frame)
    }
}
