// FarSide.swift: what an app of another machine keeps of its server: who it was told to be, and what time it is there.
//
//    connection up ─▶ knock ─▶ welcome: who we are, the server's time ─▶ connected
//                       ▲ 8 times at once, then once a second               │
//                       └───────────────────────────────────────────────────┘
//    a frame of the server's ─▶ its moments by our clock ─▶ the core        the answer ─▶ by the server's again
//
// The core so has one clock, its own, and so has its journal. An answer goes back by the offset its question came with:
// what the server wrote in a ledger it reads there to the nanosecond, and what the app adds lies between as it was.
//
// Sources   invented, after Docs/Spec/Pipeline.md T10 and section 2 (the ledger)

import Basics
import HID
import Hosting
import Wire

struct FarSide {
    /// Which life of its app this is; 0 until it is told.
    private(set) var generation: UInt32 = 0
    private let lives: UInt32
    private(set) var order: LaunchOrder?
    private(set) var clock = PeerClock()
    /// Why nothing more comes of it.
    private(set) var end: String?
    private var isUp = false
    private(set) var isWelcome = false
    private var knocks = 0
    private var knockAt = Instant.never
    /// By what offset the last frames came, oldest first.
    private var offsets: [(sequence: UInt64, offset: Int64)] = []

    /// Exchanges at the beginning of a link, one behind another.
    static let first = 8
    private static let period = Duration.seconds(1)
    /// A link that has not welcomed us yet is knocked at again.
    private static let patience = Duration.milliseconds(250)
    private static let offsetLimit = 1024

    /// - Parameter lives: The latest life of its app that this machine knows of.
    init(lives: UInt32) { self.lives = lives }

    /// When it wants to knock.
    var deadline: Instant { knockAt }

    mutating func cameUp() {
        (isUp, isWelcome, knocks) = (true, false, 0)
        clock.renew()
        offsets.removeAll(keepingCapacity: true)
    }

    mutating func wentDown() { (isUp, isWelcome, knockAt) = (false, false, .never) }

    /// Enough exchanges have been made to begin with.
    var isSettled: Bool { knocks >= Self.first }

    /// What to say now, if it is time.
    mutating func knock(at now: Instant) -> Knock? {
        guard isUp else { return nil }
        knockAt = now.advanced(by: isWelcome ? Self.period : Self.patience)
        clock.follow(at: now)
        var knock = Knock(generation: generation, lives: lives, sent: now)
        if let known = clock.inForce(at: now) { (knock.offset, knock.error) = (known.offset, known.error) }
        return knock
    }

    /// - Returns: Whether the link is open with it, and was not before.
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

    /// A frame that has come, by our clock.
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

    /// A frame that goes, by theirs.
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
