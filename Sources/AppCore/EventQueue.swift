// EventQueue.swift: the application's queue: first in, first out.
//
// Station   queue
// Fed by    EventFetcher, in its source1
// Feeds     UIApplication, from the main loop's source0
//
//     waiting ──source0──▶ handling one ──▶ the next … ──▶ empty
//
// Delivery is immediate: each HID frame is one `sendEvent`, and none is coalesced (SEMANTICS B15.4). What is queued
// while the queue is being processed is taken in the same callout (C2.2); a nested run leaves it alone, as one event
// is already being delivered (S97).

import Wire
import UIKit

package struct EventQueue {
    private var waiting: [QueuedEvent] = []
    /// Those before it are done with.
    private var head = 0
    private(set) var isProcessing = false

    package var count: Int { waiting.count - head }

    mutating func append(_ event: QueuedEvent) { waiting.append(event) }

    /// - Returns: Nil when there is nothing, and processing is over.
    mutating func removeFirst() -> QueuedEvent? {
        guard head < waiting.count else {
            waiting.removeAll(keepingCapacity: true)
            head = 0
            isProcessing = false
            return nil
        }
        isProcessing = true
        defer { head += 1 }
        return waiting[head]
    }
}
