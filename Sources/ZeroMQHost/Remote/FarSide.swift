// FarSide.swift: the state that an app of another machine keeps about its server: the app's identity and the server's
// clock.
//
//    connection up ─▶ knock ─▶ welcome: identity, the server's time ─▶ connected
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
struct FarSide {
    /// The process generation of this app; 0 until the server assigns it.
    private(set) var generation: UInt32 = 0
    private let lives: UInt32
    private(set) var order: LaunchOrder?
    private(set) var clock = PeerClock()
    /// The reason why the link does not continue; nil while it does.
    private(set) var end: String?
    private var isUp = false
    private(set) var isWelcome = false
    private var knocks = 0
    private var knockAt = Instant.never
    /// The clock offset that each of the last frames was converted with, oldest first.
    private var offsets: [(sequence: SequenceNumber, offset: Int64)] = []

    /// Exchanges at the beginning of a link, one right after another.
    static let first = 8
    private static let period = Duration.seconds(1)
    /// The time between knocks on a link that has not welcomed this app yet.
    private static let patience = Duration.milliseconds(250)
    private static let offsetLimit = 1024

    /// - Parameter lives: The latest generation of this app that this machine knows of.
    init(lives: UInt32) { self.lives = lives }

    /// The time of the next knock.
    var deadline: Instant { knockAt }

    mutating func cameUp() {
        (isUp, isWelcome, knocks) = (true, false, 0)
        clock.renew()
        offsets.removeAll(keepingCapacity: true)
    }

    mutating func wentDown() { (isUp, isWelcome, knockAt) = (false, false, .never) }

    /// Whether enough exchanges have been made for a first estimate of the clock.
    var isSettled: Bool { knocks >= Self.first }

    /// The next knock; nil while the connection is down.
    mutating func knock(at now: Instant) -> RemoteHello? {
        guard isUp else { return nil }
        knockAt = now.advanced(by: isWelcome ? Self.period : Self.patience)
        clock.follow(at: now)
        var knock = RemoteHello(generation: generation, latestGeneration: lives, sent: now)
        if let known = clock.inForce(at: now) { (knock.offset, knock.error) = (known.offset, known.error) }
        return knock
    }

    /// Processes a welcome.
    ///
    /// - Returns: Whether this welcome opens the link.
    mutating func take(_ welcome: Welcome, at now: Instant) -> Bool {
        guard isUp else { return false }
        if let order, welcome.order.peer != order.peer {
            end = "this key is \(welcome.order.peer)'s now, and was \(order.peer)'s"
            return false
        }
        if order == nil { (order, generation) = (welcome.order, welcome.order.generation) }
        clock.take(sent: welcome.sent, received: welcome.received, answered: welcome.answered, heard: now)
        knocks += 1
        if knocks < Self.first { knockAt = now }
        guard !isWelcome, clock.isKnown else { return false }
        isWelcome = true
        return true
    }

    mutating func turnedAway(_ reason: String) { end = reason }

    /// Converts a received frame to this machine's clock.
    mutating func arriving(_ frame: inout Frame) {
        if frame.ledger.count > 0, let offset = clock.offset {
            offsets.append((frame.sequence, offset))
            if offsets.count > Self.offsetLimit { offsets.removeFirst(Self.offsetLimit / 2) }
            frame.ledger.shift(byNanoseconds: -offset)
        }
        switch frame.message {
        case .touches(var touches):
            for index in touches.history.indices {
                touches.history[index].timeStamp = clock.oursInOrder(touches.history[index].timeStamp)
            }
            touches.timeStamp = clock.oursInOrder(touches.timeStamp)
            frame.message = .touches(touches)
        case .input(var event):
            event.timeStamp = clock.oursInOrder(event.timeStamp)
            frame.message = .input(event)
        default: return
        }
    }

    /// Converts an outgoing frame to the server's clock.
    mutating func leaving(_ frame: inout Frame) {
        if case .facts(var page) = frame.message, let offset = clock.offset {
            page.shift(byNanoseconds: offset)
            frame.message = .facts(page)
        }
        guard frame.ledger.count > 0, let now = clock.offset else { return }
        var offset = now
        if case .handled(let receipt) = frame.message,
            let came = offsets.last(where: { $0.sequence == receipt.frame })
        {
            offset = came.offset
        }
        frame.ledger.shift(byNanoseconds: offset)
    }
}
