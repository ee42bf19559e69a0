// EventQueue.swift: the application's queue: first in, first out.
//
// Station   queue
// Fed by    EventFetcher, in its source1
// Feeds     UIApplication, from the main loop's source0
//
//     waiting ──source0──▶ handling one ──▶ the next … ──▶ empty
//
// With immediate delivery each HID frame is one `sendEvent` (B15.4), and what is queued while the queue is
// being processed is taken in the same callout (C2.2). With frame-aligned delivery what waits is taken at the screen's
// next frame (C6), and frames in which fingers only moved are handed out together with the last of them; one in which a
// finger lands or leaves is always alone (B15.1). A nested run leaves the queue alone, as one event is already being
// delivered (S97).

import Basics
import HID
import UIKit
import Wire

struct EventQueue {
    private var waiting = Deque<QueuedEvent>()
    private(set) var isProcessing = false

    var count: Int { waiting.count }

    mutating func append(_ event: QueuedEvent) { waiting.append(event) }

    /// Whether something waits that no frame may keep waiting: a change of life or of its scene, a URL, or a landing if those
    /// are hurried.
    func isUrgent(landingsAre hurried: Bool) -> Bool {
        waiting.contains { event in
            switch event.content {
            case .lifeCycle, .scene, .open, .screenshot: true
            case .touches(let frame): hurried && frame.contacts.contains { $0.phase == .began }
            case .device: false
            }
        }
    }

    /// - Returns: Nil when there is nothing, and processing is over.
    mutating func removeFirst() -> QueuedEvent? {
        let event = waiting.popFirst()
        isProcessing = event != nil
        return event
    }

    /// The first that a frame of the server's brought.
    var firstAsked: QueuedEvent.Receipt? {
        for event in waiting { if let receipt = event.receipt { return receipt } }
        return nil
    }

    /// Takes all that the server waits for an answer to; what comes in its place comes first.
    mutating func replaceAsked(by events: [QueuedEvent]) -> [QueuedEvent.Receipt] {
        let receipts = waiting.compactMap(\.receipt)
        waiting = Deque(events + waiting.filter { $0.receipt == nil })
        return receipts
    }

    /// What was due is done; the rest waits for its own time.
    mutating func endProcessing() { isProcessing = false }

    /// Whether what waits first says no more of the fingers in `frame` than where they have got to since.
    func continues(_ frame: TouchFrame) -> Bool {
        guard case .touches(let next)? = waiting.first?.content else { return false }
        return frame.hasNoEdge && next.hasNoEdge && frame.contacts.map(\.touch) == next.contacts.map(\.touch)
    }
}

extension TouchFrame {
    /// Whether no finger lands or leaves in it, and it does not say that a gate has opened, as one without a move does.
    fileprivate var hasNoEdge: Bool {
        let areHeld = contacts.allSatisfy { $0.phase == .moved || $0.phase == .stationary }
        return areHeld && contacts.contains { $0.phase == .moved }
    }
}
