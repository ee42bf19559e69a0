// Inbox.swift: the events that have arrived for the app and are not in the event queue yet, in order of arrival.
//
// Station   inbox
// Input     AppCore, one message of the system server at a time
// Output    events for EventFetcher, when its port wakes
// Knows     its capacity, which covers the inbox and the event queue together. It is the credit that the server
//           receives.
//
// Sources   invented

import Basics
import HID
import Wire

/// One event for the main loop.
struct QueuedEvent: Sendable {
    /// The content of an event.
    enum Content: Sendable {
        case touches(TouchFrame)
        case device(DeviceEvent<SceneSpace>)
        case lifeCycle(LifeCycleChange)
        case scene(SceneState)
        /// A URL that the server wants opened, with the server's number.
        case open(OpenRequest)
        /// A screenshot was taken.
        case screenshot

        /// Whether it is input of a device, which may wait for a display frame.
        var isInput: Bool {
            switch self {
            case .touches, .device: true
            case .lifeCycle, .scene, .open, .screenshot: false
            }
        }
    }
    var content: Content
    /// The frame that the receipt answers; nil if no receipt is due.
    var receipt: Receipt?
    /// Whether more events of the same frame follow. The receipt is with the last one.
    var isPart = false
    /// The frame of a life-cycle change, which stays outstanding until the change is done.
    var frame: SequenceNumber?

    /// What the receipt of a frame needs.
    struct Receipt: Sendable {
        /// The frame's sequence number on its link.
        var frame: SequenceNumber
        var ledger: Ledger
        /// The number of the app's link to the server, from 1. A receipt for an earlier link is not sent.
        var link: UInt32
        /// Whether the frame had several events, which the receipt counts together.
        var isOfSeveral = false
    }
}

/// The bounded queue of events that have arrived.
struct Inbox {
    private var events = Deque<QueuedEvent>()
    let capacity: Int

    /// The room for events that the credit does not count and that must not be lost, such as the cancels of lost links.
    private static let reserve = 16

    /// - Parameter capacity: The number of messages of the server that fit into the inbox and the queue together.
    init(capacity: Int) { self.capacity = capacity }

    var count: Int { events.count }
    /// The receipt of the first event that came in a frame with a receipt.
    var firstReceipt: QueuedEvent.Receipt? { events.lazy.compactMap(\.receipt).first }

    /// Adds an event within the capacity.
    ///
    /// - Returns: False if there is no room; the event is then not added.
    mutating func append(_ event: consuming QueuedEvent, whileQueued queued: Int) -> Bool {
        guard events.count + queued < capacity else { return false }
        events.append(event)
        return true
    }

    /// Adds an event that may use the reserve.
    ///
    /// - Returns: False if the reserve is full too.
    mutating func appendUsingReserve(_ event: consuming QueuedEvent) -> Bool {
        guard events.count < capacity + Self.reserve else { return false }
        events.append(event)
        return true
    }

    mutating func removeFirst() -> QueuedEvent? { events.popFirst() }
}
