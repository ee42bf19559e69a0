// FinishedWork.swift: the work that the main loop has finished since the core last took it, and its totals.
//
// Station   queue
// Input     MainLoop, at the end of each event
// Output    receipts for AppCore, which sends them; totals for its report
// Knows     receipts and numbers of frames. No links.
//
// Sources   invented

import UIKit
import Wire

/// The work that the main loop has finished.
struct FinishedWork {
    /// The receipts of handled frames, and the numbers of touches in each phase.
    var answers: [(receipt: QueuedEvent.Receipt, counts: TouchCounts)] = []
    /// The frames of life-cycle changes that are done.
    var lifeCycleChanges: [SequenceNumber] = []
    /// The URLs that were opened, by the server's numbers.
    var openedURLs: [UInt32] = []
    /// The touches in each phase since the start.
    private(set) var totals = TouchCounts()
    /// The events that reached the application since the start.
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
