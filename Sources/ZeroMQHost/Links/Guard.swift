// Guard.swift: a listening socket's guard in front of libzmq: who may connect, how many may, and what may be sent.
//
//    connect ─▶ accept4 (CSystem/guard.c) ─▶ of this user? not refused? within the process's and the door's share? ─▶ libzmq
//    bytes   ─▶ recv    (CSystem/guard.c) ─▶ ZMTP 3, no routing id of its own, one part, within the backlog? ─▶ libzmq
//                                                     └▶ no: the connection ends, and the refusal is an event here
//
// Why libzmq's own calls are guarded, and not a socket in front of libzmq: Docs/Decisions/Guard.md.

import CSystem
import Glibc
import Hosting
import Wire

final class Guard {
    /// What the connections of one door may be.
    struct Limits {
        /// Connections at once. When there are as many, a newcomer takes the place of the oldest that is not proved.
        var connections: UInt32
        /// Connections of one process at once; 0 where no process can be told.
        var processConnections: UInt32
        /// Bytes that libzmq has taken of one connection and the listener has not.
        var backlog: UInt64 = 4 << 20
        /// The same of all connections together; beyond it the connection with the most is ended.
        var doorBacklog: UInt64 = 32 << 20
        /// Seconds that a connection has to show what it is; then a newcomer ends it, though there is room. 0: as long as
        /// there is room.
        var silence: UInt32 = 0
        /// Whose processes may connect; nil for a door to other machines, where frames are encrypted and processes unknown.
        var user: UInt32?

        /// A process needs descriptors for other things than its connections.
        private static let reserve: UInt64 = 40
        private static let most: UInt64 = 512

        /// - Parameters:
        ///   - doors: Of this process: they share its descriptors evenly.
        ///   - each: Connections of one process.
        init(doors: Int, each: UInt32, user: UInt32?, descriptors: UInt64 = descriptorLimit()) {
            let share = descriptors > Self.reserve ? (descriptors - Self.reserve) / UInt64(max(1, doors)) : 0
            connections = UInt32(min(Self.most, max(4, share)))
            if user == nil { silence = 5 }
            processConnections = user == nil ? 0 : min(each, max(2, connections / 2))
            self.user = user
        }
    }

    private let number: Int32
    private let limits: Limits

    /// - Parameter listener: The listening socket; libzmq's from then on.
    init(_ listener: Int32, _ limits: Limits) throws(HostError) {
        guard guard_is_in_place() == 1 else {
            throw .system(call: "guard: another library has accept4 or recv", subject: "this process", errno: ENOTSUP)
        }
        var plain = guard_limits(
            connections: limits.connections, process_connections: limits.processConnections,
            backlog: limits.backlog, door_backlog: limits.doorBacklog, silence: limits.silence,
            only_user: limits.user == nil ? 0 : 1, user: limits.user ?? 0, is_plain: limits.user == nil ? 0 : 1)
        number = guard_open(listener, &plain)
        guard number >= 0 else { throw .system(call: "guard", subject: "a listening socket", errno: errno) }
        self.limits = limits
    }

    deinit { guard_close(number) }

    /// Readable when there are refusals.
    var descriptor: Int32 { guard_descriptor(number) }

    /// A connection is one that the door is there for: no newcomer takes its place.
    func prove(_ connection: Int32) { guard_prove(number, connection) }

    /// The listener has taken a message of so many bytes from libzmq.
    func took(_ bytes: Int, of connection: Int32) { guard_took(number, connection, bytes) }

    /// The listener has taken all that libzmq had.
    func tookAll() { guard_took_all(number) }

    /// Ends a connection: nothing more of it is read.
    func hangUp(_ connection: Int32) { guard_hang_up(number, connection) }

    /// Lets nobody in while something is done, and these processes no more from then on.
    func refuse(after work: () -> [Int32]) {
        guard_hold(number)
        let pids = work()
        guard_release(number, pids, pids.count)
    }

    /// Puts the clock of this guard forward; for tests.
    func advance(seconds: UInt32) { guard_advance(number, seconds) }

    /// The connections that there are now.
    var count: Int { Int(guard_count(number)) }

    func takeRefusals(into arrivals: inout [Arrival]) {
        var event = guard_event()
        while guard_next(number, &event) == 1 {
            arrivals.append(.refused(refusal(event)))
        }
    }

    private func refusal(_ event: guard_event) -> Refusal {
        let why: TurnedAway
        switch Int(event.reason) {
        case guard_other_user: return .stranger(pid: event.pid, uid: event.uid)
        case guard_refused_process: why = .child
        case guard_process_share: why = .processShare(limits.processConnections)
        case guard_door_share: why = .doorShare(limits.connections)
        case guard_evicted: why = .evicted(limits.connections)
        case guard_no_descriptors: why = .noDescriptors
        case guard_named_itself: why = .namedItself
        case guard_multipart: why = .multipart
        case guard_backlog: why = .backlog(limits.backlog)
        case guard_door_backlog: why = .backlog(limits.doorBacklog)
        default: why = .noZMTP
        }
        return .turnedAway(pid: event.pid, uid: event.uid, calls: event.count, why)
    }
}

/// How many descriptors this process may have.
func descriptorLimit() -> UInt64 {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return UInt64(limit.rlim_cur)
}
