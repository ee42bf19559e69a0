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

/// One event for the main loop, or the events of one shared frame.
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
    /// The touches of the further scans of the same frame. Each is an event of its own, to which the receipt passes on.
    private var following = TouchList.Iterator()
    /// The frame that the receipt answers; nil if no receipt is due.
    var receipt: Receipt?
    /// Whether the event was divided from a shared frame whose later events are still queued.
    var isPart = false
    /// The frame of a life-cycle change, which stays outstanding until the change is done.
    var frame: SequenceNumber?

    init(content: Content, receipt: Receipt?, isPart: Bool = false, frame: SequenceNumber? = nil) {
        (self.content, self.receipt, self.isPart, self.frame) = (content, receipt, isPart, frame)
    }

    /// The events of a frame with several scans.
    ///
    /// - Parameter touches: At least one scan.
    init(_ touches: TouchList, receipt: Receipt) {
        var scans = touches.makeIterator()
        guard let first = scans.next() else { preconditionFailure("a frame without a scan") }
        self.init(content: .touches(first), receipt: receipt)
        following = scans
    }

    /// The number of events.
    var count: Int { 1 + following.count }

    /// Removes and returns the first of several events.
    ///
    /// - Returns: Nil if there is one only.
    mutating func removeFirstPart() -> QueuedEvent? {
        guard let next = following.next() else { return nil }
        let part = QueuedEvent(content: content, receipt: nil, isPart: true)
        content = .touches(next)
        return part
    }

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
    /// The number of events; a shared frame counts as its events.
    private(set) var count = 0
    let capacity: Int

    /// The room for events that the credit does not count and that must not be lost, such as the cancels of lost links.
    private static let reserve = 16

    /// - Parameter capacity: The number of messages of the server that fit into the inbox and the queue together.
    init(capacity: Int) { self.capacity = capacity }

    /// The receipt of the first event that came in a frame with a receipt.
    var firstReceipt: QueuedEvent.Receipt? { events.lazy.compactMap(\.receipt).first }

    /// Adds an event, or the events of one frame, within the capacity.
    ///
    /// - Returns: False if there is no room; then nothing is added.
    mutating func append(_ event: consuming QueuedEvent, whileQueued queued: Int) -> Bool {
        guard count + event.count + queued <= capacity else { return false }
        count += event.count
        events.append(event)
        return true
    }

    /// Adds an event that may use the reserve.
    ///
    /// - Returns: False if the reserve is full too.
    mutating func appendUsingReserve(_ event: consuming QueuedEvent) -> Bool {
        guard count < capacity + Self.reserve else { return false }
        count += event.count
        events.append(event)
        return true
    }

    /// Removes and returns the first event, with those that follow it in its frame.
    mutating func removeFirst() -> QueuedEvent? {
        let event = events.popFirst()
        count -= event?.count ?? 0
        return event
    }
}
