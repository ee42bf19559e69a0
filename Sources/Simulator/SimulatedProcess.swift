// SimulatedProcess.swift: one life of one process in a world, and what its host would know.
//
// Fed by    World
// Knows     one core, its timers and files, which connections it believes in, what it has not got round to

import Basics
import Faults
import Hosting
import Wire

/// What is looked at with every input is exempt from the runtime's checks of who else looks: one world has a process,
/// on one thread, and asks nothing of it while its core is at work.
final class SimulatedProcess {
    let peer: Peer
    let life: Life
    /// Of all lives in this world, from 1.
    let serial: UInt32
    let slot: Int
    let pid: Int32
    @exclusivity(unchecked) var core: any ProcessCore
    @exclusivity(unchecked) var outbox = Outbox()
    @exclusivity(unchecked) var steps: UInt64 = 0
    var files: [(id: FileID, rest: ArraySlice<UInt8>)] = []

    @exclusivity(unchecked) var timers = Timers()
    @exclusivity(unchecked) var links = Links()
    @exclusivity(unchecked) var pace = Pace()
    @exclusivity(unchecked) var waiting = Waiting()

    /// The connections that it believes in, and who may use them.
    struct Links {
        /// A client's, while its host believes in it.
        var connection: Int?
        /// It has called, and no server has taken the call.
        var isWaiting = false
        /// A server's, by the client's slot: the connection it takes frames from.
        var routes: [Int?] = []
        /// A server's: who may speak. Nil where there is no supervisor to say it.
        var roster: [RosterEntry]?
        /// A server's: lives it has hung up on.
        var banished: [UInt32] = []
        /// Strangers that speak without a link, for a test, and have been announced.
        var announced: [Peer] = []
        /// To the supervisor, or from it: nothing overtakes.
        var lastControl: (toSupervisor: Int64, toChild: Int64) = (0, 0)
        /// By the receiver's slot, while they are bad.
        var faultyLinks: [FaultyLink?] = []
        /// Of what they double, the second copy always comes long after the first.
        var echoesLate = false
    }

    /// What keeps it from working.
    struct Pace {
        /// Nothing comes before its first input.
        var hasStarted = false
        /// What it stands still for, stops and frozen machines alike.
        var halts = 0
        /// Of those, stops: the I/O thread stands still too.
        var stops = 0
        var stopNumber: UInt32 = 0
        /// Nanoseconds an input costs.
        var cost: Int64 = 0
        var busyUntil = Int64.min
    }

    /// What has come and is not handled.
    struct Waiting {
        /// Arrived and not handled, in order.
        var backlog: [Due] = []
        var handled = 0
        /// Due and not fired, in order.
        var lateTimers: [Due] = []
        /// Of the backlog, how much goes before the timers that are late.
        var batch = 0

        /// Arrivals that are not handled.
        var count: Int { backlog.count - handled }

        mutating func next() -> Due {
            defer {
                handled += 1
                if handled == backlog.count {
                    backlog.removeAll(keepingCapacity: true)
                    handled = 0
                }
            }
            return backlog[handled]
        }
    }

    /// By timer: the arming that counts, 0 for none.
    struct Timers {
        private var armed: [UInt32] = []
        private var others: [TimerID: UInt32] = [:]

        /// Ids below are kept in an array.
        private static let limit = 256

        subscript(timer: TimerID) -> UInt32 {
            get {
                let index = Int(timer.rawValue)
                return index < armed.count ? armed[index] : index < Self.limit ? 0 : others[timer] ?? 0
            }
            set {
                let index = Int(timer.rawValue)
                guard index < Self.limit else {
                    others[timer] = newValue
                    return
                }
                while armed.count <= index { armed.append(0) }
                armed[index] = newValue
            }
        }
    }

    init(_ core: any ProcessCore, as peer: Peer, life: Life, serial: UInt32, slot: Int) {
        (self.core, self.peer, self.life, self.serial, self.slot) = (core, peer, life, serial, slot)
        pid = Int32(clamping: 1000 + Int64(serial))
    }

    var isClient: Bool { peer.role == .inputKit || peer.role == .app }
    var isServer: Bool { peer.role == .systemServer }
}

/// One connection of a client to a server, from its being accepted to both ends having noticed its end.
struct Connection {
    let client: Int
    let clientSerial: UInt32
    let serverSerial: UInt32
    /// Nothing arrives before what was sent before it.
    var lastToServer = Int64.min
    var lastToClient = Int64.min
    /// On their way, or waiting for somebody who stands still.
    var heldForServer = 0
    var heldForClient = 0
    /// The host at that end has noticed the end.
    var isOverAtServer = false
    var isOverAtClient = false
    /// Packets of a client that nobody has named yet.
    var antechamber: [Due] = []
}
