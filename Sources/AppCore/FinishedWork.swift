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
    /// The receipt of a handled frame.
    struct Answer {
        let receipt: QueuedEvent.Receipt
        /// The number of touches in each phase.
        var counts: TouchCounts
        /// The moves in events that were merged into later ones; nil for none in a frame of one event.
        var coalesced: Int?
    }

    /// The receipts of handled frames.
    var answers: [Answer] = []
    /// What was handled of a frame of several events whose last one has not been handled yet.
    private var begun = (counts: TouchCounts(), coalesced: 0)
    /// The frames of life-cycle changes that are done.
    var lifeCycleChanges: [SequenceNumber] = []
    /// The URLs that were opened, by the server's numbers.
    var openedURLs: [UInt32] = []
    /// The touches in each phase since the start.
    private(set) var totals = TouchCounts()
    /// The events that reached the application since the start.
    private(set) var eventCount: Int64 = 0

    /// Counts one event that the application has handled.
    mutating func delivered(_ counts: TouchCounts, of event: QueuedEvent) {
        eventCount += 1
        totals.add(counts)
        answer(event, counts, coalesced: 0)
    }

    /// Notes an event that was merged into a later one, which has all its counts.
    ///
    /// - Parameter moves: The number of touches that moved in it.
    mutating func merged(_ event: QueuedEvent, moves: Int) { answer(event, TouchCounts(), coalesced: moves) }

    /// Forgets the first events of a frame whose other events will not be handled.
    mutating func forgetParts() { begun = (TouchCounts(), 0) }

    private mutating func answer(_ event: QueuedEvent, _ counts: TouchCounts, coalesced: Int) {
        guard event.isPart || event.receipt?.isOfSeveral == true else {
            if let receipt = event.receipt {
                answers.append(Answer(receipt: receipt, counts: counts, coalesced: coalesced > 0 ? coalesced : nil))
            }
            return
        }
        begun.counts.add(counts)
        begun.coalesced += coalesced
        guard let receipt = event.receipt else { return }
        answers.append(Answer(receipt: receipt, counts: begun.counts, coalesced: begun.coalesced))
        forgetParts()
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
