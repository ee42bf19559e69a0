// ScanOutlet.swift: the scans of one device that wait for the server, and which of them may be sent now.
//
// Station   hid, frame
// Input     LiveDevice, through its node
// Output    one event at a time, to LiveDevices
// Knows     scans, tokens, admission. No path, no link.
//
//     ScanQueue ─ credit, a token for each move ─▶ FrameAssembler, one for each opening ─▶ HIDEvent
//
// Sources   invented

import Basics
import HID

/// The waiting scans of one device, and the conditions under which they are sent.
struct ScanOutlet: Sendable {
    var queue = ScanQueue()
    /// Each scan of moves takes a token. Without a token it waits, and later moves are merged into it (ScanQueue).
    private var moveTokens: TokenBucket
    /// The time at which the waiting scan may be sent, if only a token is missing.
    private(set) var waitsUntil: Instant?
    private var assembler: FrameAssembler?
    private(set) var sent: UInt64 = 0

    init(moveLimits: TokenBucket.Limits) { moveTokens = TokenBucket(moveLimits) }

    /// Whether the tokens allow the oldest scan.
    private mutating func isAllowed(_ hasEdge: Bool, at now: Instant) -> Bool {
        waitsUntil = nil
        if hasEdge || moveTokens.takeTokens(at: now) { return true }
        // The scans behind it cannot be merged into it, so that waiting would only delay them.
        if queue.count > 1 { return true }
        waitsUntil = moveTokens.next
        return false
    }

    /// Whether one scan of moves waits, and no token will be there for it before a later time.
    func waitsForToken(at now: Instant) -> Bool { queue.count == 1 && waitsUntil.map { now < $0 } ?? false }

    /// The next event that may be sent; nil if no scan waits or none may be sent.
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

    /// Ends the wait for a token if its time has come.
    mutating func endTokenWait(at now: Instant) { if waitsUntil.map({ $0 <= now }) ?? false { waitsUntil = nil } }

    /// Removes the scans, because the server that would receive them is gone.
    mutating func forget() {
        queue.removeAll()
        (waitsUntil, assembler) = (nil, nil)
    }

    /// The state frame of the device as the server knows it; nil if the server knows nothing of it.
    func stateEvent() -> HIDEvent? { assembler?.stateEvent() }
}
