// EventFetcher.swift: takes messages off the event port and wakes who handles them.
//
// Station   inbox, source1
// Fed by    AppCore: a message lands on the port
// Feeds     EventQueue; the main loop, by signalling its source0 and waking it
// Knows     its own loop, if it has one. Not what an event means.
//
//     message ─▶ inbox ─▶ port ready ─▶ source1: inbox → queue ─▶ signal source0 ─▶ wake the main loop
//
// Sources   observed    iOS ≥ 9 serves the port on a thread of its own ("event fetch"); the seeds on the main loop
//                       (C2.1, E13). Either way the order is source1, source0, UIEvent.
//           inferred    the port is told when its queue was empty, and its callout takes all there is

import Basics
import RunLoops
import Settings
import Trace
import UIKit

final class EventFetcher {
    @exclusivity(unchecked) private var inbox: Inbox
    @exclusivity(unchecked) private var loop = RunLoops.RunLoop()
    /// Nil when the main loop serves the port.
    private var port: RunLoops.RunLoop.Source1ID?
    /// AppCore holds both.
    private unowned(unsafe) let main: MainLoop
    /// Frames of touches and of other input that have arrived, for the trace.
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
    /// How many more messages of the server fit.
    var credit: Int { max(0, inbox.capacity - inbox.count - main.queue.count) }

    /// - Returns: False when there is no room; the event is then not taken.
    func post(_ event: QueuedEvent) -> Bool {
        let wasEmpty = inbox.count == 0
        guard inbox.append(event, whileQueued: main.queue.count) else { return false }
        if event.content.isInput {
            arrived += 1
            main.application.note(.inbox, "#{a}, depth {b}", arrived, Int64(inbox.count))
        }
        if wasEmpty { ring() }
        return true
    }

    /// An event of the app's own making, that comes behind those that have arrived.
    ///
    /// - Returns: False when not even that fits.
    func postOwn(_ event: QueuedEvent) -> Bool {
        let wasEmpty = inbox.count == 0
        guard inbox.appendOwn(event) else { return false }
        if wasEmpty { ring() }
        return true
    }

    /// The first arrived that a frame of the server's brought.
    var firstAsked: QueuedEvent.Receipt? { inbox.firstAsked }

    /// All that has arrived is in the queue now, though nobody woke for it.
    func empty() {
        while let event = inbox.removeFirst() { main.queue.append(event) }
    }

    private func ring() {
        if let port { loop.signal(port) } else { main.signalPort() }
    }

    func start(at now: Instant) {
        if port != nil { loop.begin(in: .standard, at: now) }
    }

    /// Turns the fetch loop until it has nothing left to do.
    ///
    /// - Returns: When it wants to turn again.
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

    /// The source1's callout.
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
