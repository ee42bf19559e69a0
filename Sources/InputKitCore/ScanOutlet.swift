// ScanOutlet.swift: the scans of one device that wait for the server, and which of them may go now.
//
//     ScanQueue ─ credit, a token for each move ─▶ FrameAssembler, one an opening ─▶ HIDEvent
//
// Station   hid, frame
// Fed by    LiveDevice, through its place
// Feeds     LiveDevices, one event at a time
// Knows     scans, tokens, admission. No path, no link.
//
// Sources   invented

import Basics
import HID

struct ScanOutlet: Sendable {
    var queue = ScanQueue()
    /// Scans in which fingers only moved take a token each. Without one they wait and become one (ScanQueue).
    private var moveTokens: TokenBucket
    /// When the scan that waits may go, if only a token is missing.
    private(set) var waitsUntil: Instant?
    private var assembler: FrameAssembler?
    private(set) var sent: UInt64 = 0

    init(moveLimits: TokenBucket.Limits) { moveTokens = TokenBucket(moveLimits) }

    /// - Returns: Whether its oldest scan may go as far as tokens are concerned.
    private mutating func isAllowed(_ hasEdge: Bool, at now: Instant) -> Bool {
        waitsUntil = nil
        if hasEdge || moveTokens.take(at: now) { return true }
        // The scans behind it cannot become part of it, and it has waited for nothing but its turn.
        if queue.count > 1 { return true }
        waitsUntil = moveTokens.next
        return false
    }

    /// The next event that may go; nil when no scan waits, or none that may.
    mutating func next(
        of sender: UInt64, by admission: Admission?, at now: Instant, faults: inout [ContactFault]
    ) -> (event: HIDEvent, ordinal: UInt64)? {
        waitsUntil = nil
        while let hasEdge = queue.firstHasEdge, admission?.admits(sender, hasEdge: hasEdge) ?? true,
            admission == nil || isAllowed(hasEdge, at: now), let scan = queue.removeFirst()
        {
            if assembler?.generationCount != scan.opening.number {
                let opening = scan.opening
                assembler = FrameAssembler(
                    ranges: opening.ranges, senderID: opening.sender, generationCount: opening.number,
                    device: opening.description, display: opening.display)
            }
            guard let event = assembler?.assemble(scan.frame, at: scan.moment, faults: &faults) else { continue }
            sent += 1
            return (event, scan.ordinal)
        }
        return nil
    }

    /// A scan that could not go has its next chance now, or when the server has room.
    mutating func look(at now: Instant) { if waitsUntil.map({ $0 <= now }) ?? false { waitsUntil = nil } }

    /// The server that would hear of the scans is gone.
    mutating func forget() {
        queue.removeAll()
        (waitsUntil, assembler) = (nil, nil)
    }

    /// How the device stands that the server has heard of, for a server that may have missed something.
    func standing() -> HIDEvent? { assembler?.standing() }
}
