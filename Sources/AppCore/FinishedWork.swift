// FinishedWork.swift: what the main loop has finished since the core last took it, and its totals.
//
// Station   queue
// Input     MainLoop, at the end of each event
// Output    AppCore, which answers the server; its report
// Knows     receipts and numbers of frames. No links.

import UIKit
import Wire

struct FinishedWork {
    /// Frames whose sender waits for a receipt, and what they did to touches.
    var answers: [(receipt: QueuedEvent.Receipt, counts: TouchCounts)] = []
    /// Frames of life-cycle changes that are done.
    var lifeCycleChanges: [SequenceNumber] = []
    /// URLs that were opened, by the server's numbers.
    var openedURLs: [UInt32] = []
    /// Since the start.
    private(set) var totals = TouchCounts()
    /// Events that reached the application since the start.
    private(set) var eventCount: Int64 = 0

    /// Counts one event that the application has handled.
    mutating func delivered(_ counts: TouchCounts, receipt: QueuedEvent.Receipt?) {
        eventCount += 1
        totals.add(counts)
        if let receipt { answers.append((receipt, counts)) }
    }
}

extension TouchCounts {
    fileprivate mutating func add(_ other: TouchCounts) {
        began += other.began
        moved += other.moved
        stationary += other.stationary
        ended += other.ended
        cancelled += other.cancelled
    }
}
