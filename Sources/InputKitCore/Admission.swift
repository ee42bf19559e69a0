// Admission.swift: whether a device may send one more scan, with so many of its own on their way.
//
// A storm of one device must leave room for what the others have to say, and a landing must not wait behind it. Scans
// in which fingers only move can wait, as they become one: so of those a device has few on their way, and the last of
// the server's credit is not for them. Scans with an edge never become one; their bound is half of what the server
// takes.
//
// Station   device
// Fed by    InputKitCore, before each scan
// Feeds     LiveDevices
// Knows     numbers of frames. No finger, no queue.
//
// Sources   documented  Docs/Spec/Pipeline.md section 1: credit is reserved for terminal events; F21: a limit for each device
//           invented    the limits

import Basics

struct Admission: Sendable {
    var unanswered: Unanswered
    /// What the server takes now, and what it takes when nothing is on its way.
    var credit, capacity: Int
    /// Frames sent before are not waited for: their receipts were lost.
    var since: Instant

    /// Frames of one device on their way beyond which it sends none in which fingers only move.
    static let moves = 32
    /// Of the credit, what no such frame may use.
    static let keptForEdges = 32

    /// - Parameter hasEdge: Whether a finger lands or leaves in the scan.
    func admits(_ sender: UInt64, hasEdge: Bool) -> Bool {
        let half = max(1, capacity / 2)
        let count = unanswered.count(of: sender, since: since)
        if hasEdge { return count < half }
        return count < min(Self.moves, half) && credit > min(Self.keptForEdges, capacity / 8)
    }
}
