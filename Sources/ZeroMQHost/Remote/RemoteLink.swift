// RemoteLink.swift: the state that an app of another machine keeps about its server: the app's identity and the server's
// clock.
//
//    connection up ─▶ hello ─▶ welcome: identity, the server's time ─▶ connected
//                       ▲ 8 times at once, then once a second               │
//                       └───────────────────────────────────────────────────┘
//    a frame of the server ─▶ its times on the app's clock ─▶ the core     the answer ─▶ on the server's clock again
//
// So the core and its journal have one clock, the app's own. An answer is converted back by the offset that its
// question was converted with. The times that the server wrote into a ledger therefore return to it unchanged, to the
// nanosecond, and the app's entries keep their order.
//
// Sources   invented, after Docs/Spec/Pipeline.md T10 and section 2 (the ledger)

import Basics
import HID
import Hosting
import Wire

/// The state of a link to a server of another machine.
struct RemoteLink {
    /// The process generation of this app; 0 until the server assigns it.
    private(set) var generation: UInt32 = 0
    private let latestGeneration: UInt32
    private(set) var order: LaunchOrder?
    private(set) var clock = PeerClock()
    /// The reason why the link does not continue; nil while it does.
    private(set) var endReason: String?
    private var isUp = false
    private(set) var isWelcomed = false
    private var helloCount = 0
    private var nextHelloAt = Instant.never
    /// The clock offset that each of the last frames was converted with, oldest first.
    private var offsets: [(sequence: SequenceNumber, offset: Int64)] = []

    /// Exchanges at the beginning of a link, one right after another.
    static let initialExchanges = 8
    private static let period = Duration.seconds(1)
    /// The time between hellos on a link that has not welcomed this app yet.
    private static let helloInterval = Duration.milliseconds(250)
    private static let offsetLimit = 1024

    /// - Parameter latestGeneration: The latest generation of this app that this machine knows of.
    init(latestGeneration: UInt32) { self.latestGeneration = latestGeneration }

    /// The time of the next hello.
    var deadline: Instant { nextHelloAt }

    mutating func connectionOpened() {
        (isUp, isWelcomed, helloCount) = (true, false, 0)
        clock.reset()
        offsets.removeAll(keepingCapacity: true)
    }

    mutating func connectionClosed() { (isUp, isWelcomed, nextHelloAt) = (false, false, .never) }

    /// Whether enough exchanges have been made for a first estimate of the clock.
    var isSettled: Bool { helloCount >= Self.initialExchanges }

    /// The next hello; nil while the connection is down.
    mutating func nextHello(at now: Instant) -> RemoteHello? {
        guard isUp else { return nil }
        nextHelloAt = now.advanced(by: isWelcomed ? Self.period : Self.helloInterval)
        clock.adjustOffset(at: now)
        var hello = RemoteHello(generation: generation, latestGeneration: latestGeneration, sent: now)
        if let estimate = clock.offsetInForce(at: now) {
            (hello.offset, hello.error) = (estimate.offset, estimate.error)
        }
        return hello
    }

    /// Processes a welcome.
    ///
    /// - Returns: Whether this welcome opens the link.
    mutating func apply(_ welcome: Welcome, at now: Instant) -> Bool {
        guard isUp else { return false }
        if let order, welcome.order.peer != order.peer {
            endReason = "this key is \(welcome.order.peer)'s now, and was \(order.peer)'s"
            return false
        }
        if order == nil { (order, generation) = (welcome.order, welcome.order.generation) }
        clock.add(sent: welcome.sent, received: welcome.received, answered: welcome.answered, returned: now)
        helloCount += 1
        if helloCount < Self.initialExchanges { nextHelloAt = now }
        guard !isWelcomed, clock.isKnown else { return false }
        isWelcomed = true
        return true
    }

    mutating func noteRefusal(because reason: String) { endReason = reason }

    /// Converts a received frame to this machine's clock.
    mutating func convertIncoming(_ frame: inout Frame) {
        if frame.ledger.count > 0, let offset = clock.offset {
            offsets.append((frame.sequence, offset))
            if offsets.count > Self.offsetLimit { offsets.removeFirst(Self.offsetLimit / 2) }
            frame.ledger.shift(byNanoseconds: -offset)
        }
        switch frame.message {
        case .touches(var touches):
            touches.history.changeTimes { clock.localTimeInOrder(of: $0) }
            touches.timeStamp = clock.localTimeInOrder(of: touches.timeStamp)
            frame.message = .touches(touches)
        case .severalTouches(var several):
            several.changeTimes { clock.localTimeInOrder(of: $0) }
            frame.message = .severalTouches(several)
        case .input(var event):
            event.timeStamp = clock.localTimeInOrder(of: event.timeStamp)
            frame.message = .input(event)
        default: return
        }
    }

    /// Converts an outgoing frame to the server's clock.
    mutating func convertOutgoing(_ frame: inout Frame) {
        if case .facts(var page) = frame.message, let offset = clock.offset {
            page.shift(byNanoseconds: offset)
            frame.message = .facts(page)
        }
        guard frame.ledger.count > 0, let now = clock.offset else { return }
        var offset = now
        if case .handled(let receipt) = frame.message,
            let usedOffset = offsets.last(where: { $0.sequence == receipt.frame })
        {
            offset = usedOffset.offset
        }
        frame.ledger.shift(byNanoseconds: offset)
    }
}
