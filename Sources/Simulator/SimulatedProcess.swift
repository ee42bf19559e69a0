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

    /// By timer: the arming that counts, 0 for none.
    @exclusivity(unchecked) private var armed: [UInt32] = []
    private var otherTimers: [TimerID: UInt32] = [:]

    // MARK: Links

    /// A client's, while its host believes in it.
    @exclusivity(unchecked) var connection: Int?
    /// It has called, and nobody has taken the call.
    var isWaiting = false
    /// A server's, by the client's slot: the connection it takes frames from.
    @exclusivity(unchecked) var routes: [Int?] = []
    /// A server's: who may speak. Nil where there is no supervisor to say it.
    var roster: [RosterEntry]?
    /// A server's: lives it has hung up on.
    var banished: [UInt32] = []
    /// Strangers whom a test has speak without a link, and who have been announced.
    var announced: [Peer] = []
    /// To the supervisor, or from it: nothing overtakes.
    var lastControl: (toSupervisor: Int64, toChild: Int64) = (0, 0)
    /// By the receiver's slot, while they are bad.
    @exclusivity(unchecked) var faultyLinks: [FaultyLink?] = []
    /// Of what they double, the second copy always comes long after the first.
    var echoesLate = false

    // MARK: What keeps it from working

    /// Nothing comes before its first input.
    @exclusivity(unchecked) var hasStarted = false
    /// What it stands still for, stops and frozen machines alike.
    @exclusivity(unchecked) var halts = 0
    /// Of those, stops: the I/O thread stands still too.
    @exclusivity(unchecked) var stops = 0
    var stopNumber: UInt32 = 0
    /// Nanoseconds an input costs.
    @exclusivity(unchecked) var cost: Int64 = 0
    @exclusivity(unchecked) var busyUntil = Int64.min
    /// Arrived and not handled, in order.
    @exclusivity(unchecked) var backlog: [Due] = []
    @exclusivity(unchecked) var handled = 0
    /// Due and not fired, in order.
    @exclusivity(unchecked) var lateTimers: [Due] = []
    /// Of the backlog, how much goes before the timers that are late.
    @exclusivity(unchecked) var batch = 0

    init(_ core: any ProcessCore, as peer: Peer, life: Life, serial: UInt32, slot: Int) {
        (self.core, self.peer, self.life, self.serial, self.slot) = (core, peer, life, serial, slot)
        pid = Int32(clamping: 1000 + Int64(serial))
    }

    var isClient: Bool { peer.role == .inputKit || peer.role == .app }
    var isServer: Bool { peer.role == .systemServer }

    func arming(of timer: TimerID) -> UInt32 {
        let index = Int(timer.rawValue)
        return index < armed.count ? armed[index] : index < Self.timerLimit ? 0 : otherTimers[timer] ?? 0
    }

    func setArming(of timer: TimerID, to arming: UInt32) {
        let index = Int(timer.rawValue)
        guard index < Self.timerLimit else {
            otherTimers[timer] = arming
            return
        }
        while armed.count <= index { armed.append(0) }
        armed[index] = arming
    }

    /// Ids below are kept in an array.
    private static let timerLimit = 256

    var backlogCount: Int { backlog.count - handled }

    func nextOfBacklog() -> Due {
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
