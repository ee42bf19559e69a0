// SimulatedProcess.swift: one life of one process in a world, with the state that its host would keep.
//
// Input     World
// Knows     one core, its timers and files, its connections, its waiting inputs

import Basics
import Faults
import Hosting
import Wire

/// One life of one process.
///
/// Properties that every input uses are exempt from the runtime's exclusivity checks. One world has the process, on one
/// thread, and does not read it while its core runs.
final class SimulatedProcess {
    let peer: Peer
    let instance: ProcessInstance
    /// The number of this life among all lives of this world, from 1.
    let serial: UInt32
    let slot: Int
    let pid: Int32
    let core: SimulatedCore
    @exclusivity(unchecked) var outbox = Outbox()
    @exclusivity(unchecked) var steps: UInt64 = 0
    @exclusivity(unchecked) var files: [(id: FileID, rest: ArraySlice<UInt8>)] = []

    @exclusivity(unchecked) var timers = Timers()
    @exclusivity(unchecked) var links = Links()
    @exclusivity(unchecked) var pace = Pace()
    @exclusivity(unchecked) var waiting = Waiting()

    /// The connections of the process as its host knows them.
    struct Links {
        /// A client: its connection, until its host notices the end.
        var connection: Int?
        /// A client: it has tried to connect, and no server has accepted.
        var isWaiting = false
        /// A server: the connection from which it takes frames, by the client's slot.
        var routes: [Int?] = []
        /// A server: the roster. Nil where no supervisor sends one.
        var roster: [RosterEntry]?
        /// A server: the serials of lives that it has hung up on.
        var excludedSerials: [UInt32] = []
        /// A server: announced peers that a test speaks for and that have no link.
        var announced: [Peer] = []
        /// The times of the last control frames in each direction, which keep their order.
        var lastControl: (toSupervisor: Int64, toChild: Int64) = (0, 0)
        /// By the receiver's slot: the state of a faulty link.
        var faultyLinks: [FaultyLink?] = []
        /// Whether the second copy of a duplicated frame always arrives long after the first.
        var delaysDuplicates = false
    }

    /// The reasons for which a process does not handle inputs.
    struct Pace {
        /// No input is handled before the first one.
        var hasStarted = false
        /// The number of stops and suspensions that hold it.
        var halts = 0
        /// The number of stops among them, which halt the I/O thread as well.
        var stops = 0
        var stopNumber: UInt32 = 0
        /// The nanoseconds that one input takes.
        var cost: Int64 = 0
        var busyUntil = Int64.min
    }

    /// Entries that have arrived and are not handled.
    struct Waiting {
        /// Arrivals in order, the handled ones among them.
        var backlog: [ScheduledEntry] = []
        var handled = 0
        /// Timers that are due and have not fired, in order.
        var lateTimers: [ScheduledEntry] = []
        /// The number of arrivals that come before the late timers.
        var batch = 0

        /// The number of unhandled arrivals.
        var count: Int { backlog.count - handled }

        mutating func next() -> ScheduledEntry {
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

    /// By timer: the valid arming, 0 for none.
    struct Timers {
        private var armed: [UInt32] = []
        private var others: [TimerID: UInt32] = [:]

        /// Smaller ids are kept in an array.
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

    init(_ core: any ProcessCore, as peer: Peer, instance: ProcessInstance, serial: UInt32, slot: Int) {
        self.core = SimulatedCore.make(core)
        (self.peer, self.instance, self.serial, self.slot) = (peer, instance, serial, slot)
        pid = Int32(clamping: 1000 + Int64(serial))
    }

    var isClient: Bool { peer.role == .inputKit || peer.role == .app }
    var isServer: Bool { peer.role == .systemServer }
}

/// One connection of a client to a server, from its accept until both ends have noticed its end.
struct Connection {
    let client: Int
    let clientSerial: UInt32
    let serverSerial: UInt32
    /// The times of the last frames in each direction, which keep their order.
    var lastToServer = Int64.min
    var lastToClient = Int64.min
    /// Frames in transit, or held for a stopped process.
    var heldForServer = 0
    var heldForClient = 0
    /// The host at that end has noticed the end of the connection.
    var isOverAtServer = false
    var isOverAtClient = false
    /// Packets of a client that the roster does not name yet.
    var unnamedPackets: [ScheduledEntry] = []
}
