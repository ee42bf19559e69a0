// EventFetcher.swift: moves events from the inbox to the event queue and wakes the main loop.
//
// Station   inbox, source1
// Input     AppCore: each event that has arrived
// Output    events in the EventQueue; the signal of the main loop's source0, and its wake-up
// Knows     its own loop, if it has one. Not the meaning of an event.
//
//     message ─▶ inbox ─▶ port ready ─▶ source1: inbox → queue ─▶ signal source0 ─▶ wake the main loop
//
// Sources   observed    iOS ≥ 9 serves the port on a thread of its own ("event fetch"); the seeds on the main loop
//                       (C2.1, E13). Either way the order is source1, source0, UIEvent.
//           inferred    the port is signaled when the inbox was empty, and its callout takes all events

import Basics
import RunLoops
import Settings
import Trace
import UIKit

/// The fetch loop, or the part of the main loop that fetches events.
final class EventFetcher {
    @exclusivity(unchecked) private var inbox: Inbox
    @exclusivity(unchecked) private var loop = RunLoops.RunLoop()
    /// The source1 of the port; nil if the main loop serves the port.
    private var port: RunLoops.RunLoop.Source1ID?
    /// AppCore keeps both objects alive.
    private unowned(unsafe) let main: MainLoop
    /// The number of frames of touches and of other input that have arrived, for the trace.
    private(set) var arrived: Int64 = 0

    init(_ place: EventFetch, capacity: Int, main: MainLoop) {
        inbox = Inbox(capacity: capacity)
        self.main = main
        switch place {
        case .loop, .thread: port = loop.addSource1(in: .standard)
        case .main: main.servePort(of: self)
        }
    }

    var depth: Int { inbox.count }
    /// The number of further messages of the server that fit.
    var credit: Int { max(0, inbox.capacity - inbox.count - main.queue.count) }

    /// Adds an event, or the events of one frame, to the inbox.
    ///
    /// - Returns: False if there is no room; then nothing is added.
    func post(_ event: consuming QueuedEvent) -> Bool {
        let depth = inbox.count
        let wasEmpty = depth == 0
        let (isInput, count) = (event.content.isInput, event.count)
        guard inbox.append(event, whileQueued: main.queue.count) else { return false }
        if isInput {
            for part in 1...count {
                arrived += 1
                main.application.note(.inbox, "#{a}, depth {b}", arrived, Int64(depth + part))
            }
        }
        if wasEmpty { signalPort() }
        return true
    }

    /// Adds an event that the app made, behind the events that have arrived. It may use the reserve.
    ///
    /// - Returns: False if the reserve is full too.
    func postUsingReserve(_ event: consuming QueuedEvent) -> Bool {
        let wasEmpty = inbox.count == 0
        guard inbox.appendUsingReserve(event) else { return false }
        if wasEmpty { signalPort() }
        return true
    }

    /// The receipt of the first event that came in a frame with a receipt.
    var firstReceipt: QueuedEvent.Receipt? { inbox.firstReceipt }

    /// Moves all events to the queue without waking a loop.
    func moveAllToQueue() {
        while let event = inbox.removeFirst() { main.queue.append(event) }
    }

    private func signalPort() {
        if let port { loop.signal(port) } else { main.signalPort() }
    }

    func start(at now: Instant) {
        if port != nil { loop.begin(in: .standard, at: now) }
    }

    /// Runs the fetch loop until it has nothing left to do.
    ///
    /// - Returns: The time at which it needs to run again.
    func turn(at now: Instant) -> Instant {
        guard port != nil else { return .never }
        while true {
            switch loop.next(at: now) {
            case .source1: portWoke(byOwnLoop: true)
            case .sleep(let moment), .busy(let moment): return moment
            case .finished: loop.begin(in: .standard, at: now)
            case .observe, .source0, .timer, .block, .mainQueue:
                preconditionFailure("the fetch loop has nothing but its port")
            }
        }
    }

    /// The callout of the source1: moves all events to the queue and signals the main loop.
    func portWoke(byOwnLoop: Bool) {
        let (main, application) = (main, main.application)
        main.probe(.source1, "loop source1")
        if byOwnLoop {
            application.note(.source1, "fetch loop woke")
        } else {
            application.note(.source1, "main loop woke")
        }
        while let event = inbox.removeFirst() { main.queue.append(event) }
        main.eventsArrived()
        if byOwnLoop {
            main.wakeUp()
            main.probe(.wake, "loop wake")
        }
    }
}
