// ReceiptAccount.swift: which frames of one link wait for a receipt, and whether a receipt answers one of them.
//
// Input     StreamVerifier: each frame that asks for a receipt, and each receipt
// Output    the rule that a receipt breaks
// Knows     numbers of frames. Not their content.
//
// Sources   Docs/Spec/Pipeline.md section 3: I1

import Wire

/// The receipts that each end of one link still has to send.
struct ReceiptAccount: Sendable {
    /// Frames of this end without a receipt.
    private var awaitingPeer = SequenceWindow()
    /// Frames of the peer that this end has not answered.
    private var awaitingThisEnd = SequenceWindow()

    /// The frames of this end of several scans, with the number of scans beyond the first.
    private var moreScans: [(frame: SequenceNumber, count: Int)] = []

    /// The number of scans in frames of this end without a receipt.
    var unanswered: Int { moreScans.reduce(awaitingPeer.count) { $0 + $1.count } }

    mutating func removeAll() {
        moreScans.removeAll()
        awaitingPeer.removeAll()
        awaitingThisEnd.removeAll()
    }

    mutating func didSend(_ sequence: SequenceNumber, scans: Int) {
        awaitingPeer.insert(sequence)
        if scans > 1 { moreScans.append((sequence, scans - 1)) }
    }

    mutating func didReceive(_ sequence: SequenceNumber) { awaitingThisEnd.insert(sequence) }
    /// Notes that the link has lost this frame of this end: no receipt will arrive.
    mutating func didLose(_ sequence: SequenceNumber) { _ = removeAwaiting(sequence) }
    /// Notes that no receipt will arrive for any frame of this end up to this one.
    mutating func didAbandon(through sequence: SequenceNumber) {
        moreScans.removeAll { $0.frame <= sequence }
        awaitingPeer.removeAll(through: sequence)
    }

    /// - Returns: Whether a receipt for the frame was awaited.
    private mutating func removeAwaiting(_ sequence: SequenceNumber) -> Bool {
        if !moreScans.isEmpty { moreScans.removeAll { $0.frame == sequence } }
        return awaitingPeer.remove(sequence)
    }

    /// Checks a receipt that this end sends.
    ///
    /// - Parameter received: The newest frame that this end has received.
    mutating func fault(ofOwn receipt: Receipt, received: SequenceNumber) -> StreamFault? {
        if (receipt.outcome == .dropped) != (receipt.reason != .none) {
            return .receiptReason(receipt.outcome, receipt.reason)
        }
        if awaitingThisEnd.remove(receipt.frame) { return nil }
        // The frame never arrived, and later ones did.
        if receipt.reason == .lostOnLink, receipt.frame < received { return nil }
        return Self.unexpected(receipt, newest: received)
    }

    /// Checks a receipt that the peer sends.
    ///
    /// - Parameters:
    ///   - sent: The newest frame that this end has sent.
    ///   - hadGap: Whether frames of the peer are missing.
    mutating func fault(ofPeers receipt: Receipt, sent: SequenceNumber, hadGap: Bool) -> StreamFault? {
        if removeAwaiting(receipt.frame) || hadGap { return nil }
        // A peer that missed frames sends one receipt for each of them, whatever their kind.
        if receipt.reason == .lostOnLink, receipt.frame <= sent { return nil }
        return Self.unexpected(receipt, newest: sent)
    }

    private static func unexpected(_ receipt: Receipt, newest: SequenceNumber) -> StreamFault {
        receipt.frame > newest
            ? .receiptForUnreceived(frame: receipt.frame, received: newest) : .receiptTwice(frame: receipt.frame)
    }
}
