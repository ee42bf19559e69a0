// Inbox.swift: what has arrived for the app and has not been fetched, in order of arrival.
//
// Station   inbox
// Fed by    AppCore, one message of the system server at a time
// Feeds     EventFetcher, when its port wakes
// Knows     how much fits. The bound covers what waits here and in the event queue together: it is the credit the
//           server is given.

import Basics
import HID
import Wire

/// One thing the main loop will do when it gets to it.
struct QueuedEvent: Sendable {
    enum Content: Sendable {
        case touches(TouchFrame)
        case device(DeviceEvent<SceneSpace>)
        case lifeCycle(LifeCycle)
        case scene(SceneState)
        /// A URL of the server's, under its number.
        case open(OpenRequest)
        /// A picture of the screen was taken.
        case screenshot

        /// Something a device did, which a frame may hold back.
        var isInput: Bool {
            switch self {
            case .touches, .device: true
            case .lifeCycle, .scene, .open, .screenshot: false
            }
        }
    }
    var content: Content
    /// What the receipt answers; nil when nobody waits for one.
    var receipt: Receipt?
    /// Of a change of life, the frame that brought it: whoever asks how far this app is hears whether it is done.
    var frame: SequenceNumber?

    struct Receipt: Sendable {
        /// The frame's sequence number, on the link it came by.
        var frame: SequenceNumber
        var ledger: Ledger
        /// Which of the app's links to the server, counted from 1: what an earlier one asked is of no use to the next.
        var link: UInt32
    }
}

struct Inbox {
    private var ring: Ring<QueuedEvent>
    let capacity: Int

    /// Room for what no peer sends and nobody may lose: the cancels of lost links.
    private static let reserve = 16

    /// - Parameter capacity: Messages of the server, here and in the queue.
    init(capacity: Int) {
        self.capacity = capacity
        ring = Ring(capacity: capacity + Self.reserve)
    }

    var count: Int { ring.count }
    /// The first that a frame of the server's brought.
    var firstAsked: QueuedEvent.Receipt? { ring.elements.lazy.compactMap(\.receipt).first }

    /// - Returns: False when there was no room; the event is then not taken.
    mutating func append(_ event: QueuedEvent, whileQueued queued: Int) -> Bool {
        guard ring.count + queued < capacity else { return false }
        return ring.append(event)
    }

    /// - Returns: False when the reserve, too, is full.
    mutating func appendOwn(_ event: QueuedEvent) -> Bool { ring.append(event) }

    mutating func removeFirst() -> QueuedEvent? { ring.removeFirst() }
}
