// EventQueue.swift: the application's event queue, first in, first out.
//
// Station   queue
// Input     EventFetcher, in its source1
// Output    events for UIApplication, from the main loop's source0
//
//     waiting ──source0──▶ handling one ──▶ the next … ──▶ empty
//
// With immediate delivery each HID frame is one `sendEvent` (B15.4). An event that arrives during the processing is
// handled in the same callout (C2.2). With frame-aligned delivery the events wait for the screen's next frame (C6).
// Frames of moves are then delivered together with the last of them; a frame with a landing or a lift is always alone
// (B15.1). A nested run does not process the queue, because one event is already being delivered (S97).
//
// Sources   Docs/Spec/Semantics.md B15, C2, C6, S97

import Basics
import HID
import UIKit
import Wire

/// The events that wait for the main loop.
struct EventQueue {
    private var waiting = Deque<QueuedEvent>()
    /// The number of waiting events; a shared frame counts as its events.
    private(set) var count = 0
    private(set) var isProcessing = false

    mutating func append(_ event: consuming QueuedEvent) {
        count += event.count
        waiting.append(event)
    }

    /// Whether an event waits that does not wait for a display frame. Such events are life-cycle and scene changes,
    /// URLs, screenshots, and landings if those are delivered early.
    func hasUrgentEvent(landingsAreUrgent hurried: Bool) -> Bool {
        waiting.contains { event in
            switch event.content {
            case .lifeCycle, .scene, .open, .screenshot: true
            case .touches(let frame): hurried && frame.contacts.contains { $0.phase == .began }
            case .device: false
            }
        }
    }

    /// Removes and returns the next event.
    ///
    /// - Returns: Nil if the queue is empty; this ends the processing.
    mutating func removeFirst() -> QueuedEvent? {
        isProcessing = count > 0
        guard isProcessing else { return nil }
        count -= 1
        return waiting[0].removeFirstPart() ?? waiting.popFirst()
    }

    /// The receipt of the first event that came in a frame with a receipt.
    var firstReceipt: QueuedEvent.Receipt? {
        for event in waiting { if let receipt = event.receipt { return receipt } }
        return nil
    }

    /// Replaces all events of frames that need a receipt, and returns their receipts. The new events come first.
    mutating func replaceEventsWithReceipts(by events: [QueuedEvent]) -> [QueuedEvent.Receipt] {
        let receipts = waiting.compactMap(\.receipt)
        waiting = Deque(events + waiting.filter { $0.receipt == nil })
        count = waiting.reduce(0) { $0 + $1.count }
        return receipts
    }

    /// Ends the processing of the due events. The other events wait for their own time.
    mutating func endProcessing() { isProcessing = false }

    /// Whether the first waiting event only moves the touches of `frame`, so that the two can be delivered together.
    func canMerge(_ frame: TouchFrame) -> Bool {
        guard case .touches(let next)? = waiting.first?.content else { return false }
        return frame.hasNoEdge && next.hasNoEdge && frame.contacts.map(\.touch) == next.contacts.map(\.touch)
    }
}

extension TouchFrame {
    /// Whether the frame has only moves. A frame without a move reports that a system-gesture gate has opened.
    fileprivate var hasNoEdge: Bool {
        let areHeld = contacts.allSatisfy { $0.phase == .moved || $0.phase == .stationary }
        return areHeld && contacts.contains { $0.phase == .moved }
    }
}
