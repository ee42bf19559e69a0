// ServerLoop.swift: the server's own run loop: scans arrive by source1, what the server keeps for itself waits for source0.
//
// Station   source1, source0
// Input     SystemServerCore: frames of input-kit, the server's own parts of scans
// Output    what to do next, in the loop's order
//
// Sources   documented  source1 before source0 (S84)

import Basics
import HID
import RunLoops
import Wire

struct ServerLoop: Sendable {
    /// One frame of input-kit.
    struct Scan: Sendable {
        enum Content: Sendable {
            case glass(HIDEvent)
            case device(DeviceEvent<DigitizerSpace>)
        }

        let content: Content
        let sequence: SequenceNumber
        let ledger: Ledger

        /// Whether something begins or ends in it: such a scan is never dropped for want of room.
        var hasEdge: Bool {
            switch content {
            case .glass(let event): event.hasEdge
            case .device(let event): event.input.phase != .changed
            }
        }
    }

    /// A part of a scan that the server keeps for itself.
    enum HomePart: Sendable {
        case touches(Router.Delivery)
        case device(DeviceRouter.Delivery)
    }

    enum Work: Sendable {
        case scan(Scan)
        case home([(scan: SequenceNumber, part: HomePart)])
    }

    private var loop = RunLoop()
    private let port: RunLoop.Source1ID
    private let homeSource: RunLoop.Source0ID
    private var scans: [Scan] = []
    private var forHome: [(scan: SequenceNumber, part: HomePart)] = []

    init() {
        port = loop.addSource1(in: .common)
        homeSource = loop.addSource0(in: .common)
    }

    mutating func begin(at now: Instant) { loop.begin(in: .standard, at: now) }

    mutating func post(_ scan: Scan) {
        scans.append(scan)
        loop.signal(port)
    }

    mutating func keep(_ part: HomePart, of scan: SequenceNumber) {
        forHome.append((scan, part))
        loop.signal(homeSource)
        loop.wakeUp()
    }

    /// The next thing to do; nil when the loop would sleep.
    mutating func next(at now: Instant) -> Work? {
        switch loop.next(at: now) {
        // Mostly there is one; removing the last leaves the rest where it is.
        case .source1: return .scan(scans.count == 1 ? scans.removeLast() : scans.removeFirst())
        case .source0:
            let parts = forHome
            forHome = []
            return .home(parts)
        case .sleep: return nil
        case .observe, .timer, .block, .mainQueue, .busy, .finished:
            preconditionFailure("the server's loop has two sources and nothing else")
        }
    }
}

extension HIDEvent {
    /// Whether a finger lands or leaves in this scan, or may have before it: one in which nothing changes says how things
    /// stand, after others were lost.
    var hasEdge: Bool {
        var changes = false
        for finger in fingers {
            if !finger.mask.isDisjoint(with: [.touch, .cancel]) { return true }
            changes = changes || !finger.mask.isDisjoint(with: [.position, .attribute])
        }
        return !changes
    }
}
