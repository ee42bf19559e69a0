// ServerLoop.swift: the server's run loop: scans arrive by source1, the server's own parts of them wait for source0.
//
// Station   source1, source0
// Input     SystemServerCore: frames of input-kit, the server's own parts of scans
// Output    the next piece of work, in the loop's order
// Knows     scans and their parts. No recipient.
//
// Sources   documented  source1 before source0 (S84)

import Basics
import HID
import RunLoops
import Wire

/// The server's run loop and its two queues.
struct ServerLoop: Sendable {
    /// One frame of input-kit.
    struct Scan: Sendable {
        enum Content: Sendable {
            case glass(Boxed<HIDEvent>)
            /// Scans that were due at the same time, oldest first.
            case several(ScanList)
            case device(DeviceEvent<DigitizerSpace>)

            /// Takes the content of a message.
            ///
            /// - Parameter message: A message of input-kit. The result is nil for one without input of a device.
            init?(_ message: Message) {
                switch InputKitToServer(message) {
                case .digitizer(let event): self = .glass(event)
                case .scans(let scans): self = .several(scans)
                case .device(let event): self = .device(event)
                case .hello, .link, .refused, nil: return nil
                }
            }
        }

        let content: Content
        let sequence: SequenceNumber
        let ledger: Ledger

        /// The number of scans, or of other inputs.
        var count: Int { if case .several(let scans) = content { scans.count } else { 1 } }

        /// Whether a touch or an input begins or ends in the frame. Such a frame is never dropped for lack of credit.
        var hasEdge: Bool {
            switch content {
            case .glass(let event): event.value.hasEdge
            case .several(let scans): scans.parts.contains { $0.first.hasEdge }
            case .device(let event): event.input.phase != .changed
            }
        }
    }

    /// A part of a scan for a scene of the server.
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
    private var homeParts: [(scan: SequenceNumber, part: HomePart)] = []

    init() {
        port = loop.addSource1(in: .common)
        homeSource = loop.addSource0(in: .common)
    }

    mutating func begin(at now: Instant) { loop.begin(in: .standard, at: now) }

    mutating func post(_ scan: consuming Scan) {
        scans.append(scan)
        loop.signal(port)
    }

    mutating func post(_ part: consuming HomePart, of scan: SequenceNumber) {
        homeParts.append((scan, part))
        loop.signal(homeSource)
        loop.wakeUp()
    }

    /// The next piece of work; nil if the loop would sleep.
    mutating func next(at now: Instant) -> Work? {
        switch loop.next(at: now) {
        // Most turns have one scan. `removeLast` then moves no element.
        case .source1: return .scan(scans.count == 1 ? scans.removeLast() : scans.removeFirst())
        case .source0:
            let parts = homeParts
            homeParts = []
            return .home(parts)
        case .sleep: return nil
        case .observe, .timer, .block, .mainQueue, .busy, .finished:
            preconditionFailure("the server's loop has two sources and nothing else")
        }
    }
}

extension HIDEvent {
    /// Whether a finger lands or lifts in this scan, or may have done so before it. A scan without changes restates
    /// what is down after scans were lost.
    var hasEdge: Bool {
        var changes = false
        for finger in fingers {
            if !finger.mask.isDisjoint(with: [.touch, .cancel]) { return true }
            changes = changes || !finger.mask.isDisjoint(with: [.position, .attribute])
        }
        return !changes
    }
}
