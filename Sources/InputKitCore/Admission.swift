// Admission.swift: whether a device may send one more scan, given its outstanding frames.
//
// Station   device
// Input     InputKitCore, before each scan
// Output    a yes or no for LiveDevices
// Knows     numbers of frames. No contact, no queue.
//
// The scans of one device must leave credit for other devices, and a landing must not wait behind them. Scans that only
// move contacts may wait, because they are coalesced: a device may have few of them outstanding, and they may not use
// the last of the server's credit. Scans with an edge (a landing or a lift) are never coalesced. Their limit is half of
// the server's capacity.
//
// Sources   documented  Docs/Spec/Pipeline.md section 1: credit is reserved for terminal events; F21: a limit for each device
//           invented    the limits

import Basics

/// The limits of a device's outstanding frames.
struct Admission: Sendable {
    var unanswered: Unanswered
    /// The server's credit now, and its credit when no frame is outstanding.
    var credit, capacity: Int
    /// Frames that were sent before this time do not count: their receipts were lost.
    var since: Instant

    /// The number of outstanding frames of one device at which it sends no more scans of moves.
    static let moves = 32
    /// The part of the credit that scans of moves may not use.
    static let keptForEdges = 32

    /// Whether every device may send one more scan of moves, whatever it has outstanding.
    var admitsAllMoves: Bool {
        unanswered.count < min(Self.moves, max(1, capacity / 2)) && credit > min(Self.keptForEdges, capacity / 8)
    }

    /// Whether a device may send one more scan.
    ///
    /// - Parameter hasEdge: Whether a contact lands or lifts in the scan.
    func admits(_ sender: UInt64, hasEdge: Bool) -> Bool {
        let half = max(1, capacity / 2)
        let count = unanswered.count(of: sender, since: since)
        if hasEdge { return count < half }
        return count < min(Self.moves, half) && credit > min(Self.keptForEdges, capacity / 8)
    }
}
