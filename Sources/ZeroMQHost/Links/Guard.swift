// Guard.swift: limits on the connections of a listening socket, enforced below libzmq.
//
//    connect ─▶ accept4 (CSystem/guard.c) ─▶ user, not refused, within both shares? ───────────────▶ libzmq
//    bytes   ─▶ recv    (CSystem/guard.c) ─▶ ZMTP 3, no routing id, one part, within the backlog? ─▶ libzmq
//                                                     └▶ no: the connection ends, and the refusal is an event here
//
// Docs/Decisions/Guard.md explains why libzmq's own calls are guarded, and not a socket in front of libzmq.

import CSystem
import Glibc
import Hosting
import Wire

/// The guard of one listening socket: it limits the processes, the connections and the bytes that libzmq accepts.
final class Guard {
    /// The limits for the connections of one listening socket.
    struct Limits {
        /// Connections at once. At this limit, a new connection replaces the oldest connection that is not proved.
        var connections: UInt32
        /// Connections of one process at once; 0 if processes cannot be identified.
        var processConnections: UInt32
        /// The bytes of one connection that libzmq has read and the listener has not taken.
        var backlog: UInt64 = 4 << 20
        /// The same sum for all connections. Above it, the guard ends the connection with the most bytes.
        var totalBacklog: UInt64 = 32 << 20
        /// Seconds that a connection has to prove itself. After them a new connection may replace it, even if there is
        /// room. 0: a connection is replaced only if there is no room.
        var proofSeconds: UInt32 = 0
        /// The user that connecting processes must have. Nil for the listener for other machines, where frames are
        /// encrypted and processes unknown.
        var user: UInt32?

        /// Descriptors that the process needs for other things than its connections.
        private static let reserve: UInt64 = 40
        private static let connectionLimit: UInt64 = 512

        /// - Parameters:
        ///   - listeners: The listening sockets of this process, which share its descriptors evenly.
        ///   - processConnections: The connections that one process may have.
        init(listeners: Int, processConnections: UInt32, user: UInt32?, descriptors: UInt64 = descriptorLimit()) {
            let share = descriptors > Self.reserve ? (descriptors - Self.reserve) / UInt64(max(1, listeners)) : 0
            connections = UInt32(min(Self.connectionLimit, max(4, share)))
            if user == nil { proofSeconds = 5 }
            self.processConnections = user == nil ? 0 : min(processConnections, max(2, connections / 2))
            self.user = user
        }
    }

    private let number: Int32
    private let limits: Limits

    /// - Parameter listener: The listening socket; libzmq owns it from now on.
    init(_ listener: Int32, _ limits: Limits) throws(HostError) {
        guard guard_is_in_place() == 1 else {
            throw .system(call: "guard: another library has accept4 or recv", subject: "this process", errno: ENOTSUP)
        }
        var plain = guard_limits(
            connections: limits.connections, process_connections: limits.processConnections,
            backlog: limits.backlog, door_backlog: limits.totalBacklog, silence: limits.proofSeconds,
            only_user: limits.user == nil ? 0 : 1, user: limits.user ?? 0, is_plain: limits.user == nil ? 0 : 1)
        number = guard_open(listener, &plain)
        guard number >= 0 else { throw .system(call: "guard", subject: "a listening socket", errno: errno) }
        self.limits = limits
    }

    deinit { guard_close(number) }

    /// A descriptor that is readable when there are refusals.
    var descriptor: Int32 { guard_descriptor(number) }

    /// Marks a connection as one that the listener exists for: no new connection replaces it.
    func markProved(_ connection: Int32) { guard_prove(number, connection) }

    /// Notes that the listener has taken a message of `bytes` bytes from libzmq.
    func noteTaken(_ bytes: Int, of connection: Int32) { guard_took(number, connection, bytes) }

    /// Notes that the listener has taken all that libzmq had.
    func noteAllTaken() { guard_took_all(number) }

    /// Ends a connection: nothing more is read from it.
    func hangUp(_ connection: Int32) { guard_hang_up(number, connection) }

    /// Accepts no connection while `work` runs, and refuses the processes that `work` returns from then on.
    func refuse(after work: () -> [Int32]) {
        guard_hold(number)
        let pids = work()
        guard_release(number, pids, pids.count)
    }

    /// Moves the clock of this guard forward; for tests.
    func advance(seconds: UInt32) { guard_advance(number, seconds) }

    /// The number of connections at present.
    var count: Int { Int(guard_count(number)) }

    func takeRefusals(into arrivals: inout [Input]) {
        var event = guard_event()
        while guard_next(number, &event) == 1 {
            arrivals.append(.refused(refusal(event)))
        }
    }

    private func refusal(_ event: guard_event) -> Refusal {
        let why: ConnectionRefusal
        switch Int(event.reason) {
        case guard_other_user: return .notOnRoster(pid: event.pid, uid: event.uid)
        case guard_refused_process: why = .child
        case guard_process_share: why = .processLimit(limits.processConnections)
        case guard_door_share: why = .listenerLimit(limits.connections)
        case guard_evicted: why = .evicted(limits.connections)
        case guard_no_descriptors: why = .noDescriptors
        case guard_named_itself: why = .choseRoutingID
        case guard_multipart: why = .multipart
        case guard_backlog: why = .backlog(limits.backlog)
        case guard_door_backlog: why = .backlog(limits.totalBacklog)
        default: why = .noZMTP
        }
        return .connectionsRefused(pid: event.pid, uid: event.uid, count: event.count, why)
    }
}

/// The number of descriptors that this process may have.
func descriptorLimit() -> UInt64 {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return UInt64(limit.rlim_cur)
}
