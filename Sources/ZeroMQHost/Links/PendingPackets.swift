// PendingPackets.swift: packets that wait until libzmq has room for them, by connection.
//
// Input     PeerListener: packets that libzmq has not taken, and those that it has taken after all
// Output    which packets are next; which connection has too many
// Knows     route ids and bytes. No peers, no socket, no clock.
//
// Sources   invented, after threat T6

import Wire

extension PeerListener {
    /// Bytes kept for controllers whose queue in libzmq is full: what they ask for may be large.
    struct Backlog {
        var each = 16 << 20
        var all = 32 << 20
        /// Packets of 64 KiB in libzmq, for each controller: to it, and of it.
        static let queues: (sent: Int32, received: Int32) = (4, 64)
    }
}

struct PendingPackets {
    /// Packets kept for one connection. A peer with more of them does not read at all.
    private static let limit = 256

    enum Excess: Equatable {
        case packets
        /// So many bytes of one connection or of all; this connection has the most.
        case bytes(of: RouteID, Int, limit: Int)
    }

    private struct Queue {
        let route: RouteID
        var packets: [[UInt8]] = []
        var bytes = 0
    }

    /// Of controllers; nil for others, whose packets are counted.
    let backlog: PeerListener.Backlog?
    /// None is empty.
    private var queues: [Queue] = []

    init(_ backlog: PeerListener.Backlog?) { self.backlog = backlog }

    var isEmpty: Bool { queues.isEmpty }

    /// The connections for which packets wait.
    var routes: [RouteID] { queues.map(\.route) }

    /// The packets that wait, oldest first.
    func packets(for route: RouteID) -> [[UInt8]] { queues.first { $0.route == route }?.packets ?? [] }

    func holdsAny(for route: RouteID) -> Bool { queues.contains { $0.route == route } }

    /// Keeps a packet.
    ///
    /// - Returns: Nil unless too much is kept now. Then the connection that it names is to be forgotten.
    mutating func append(_ bytes: [UInt8], for route: RouteID) -> Excess? {
        let index = queues.firstIndex { $0.route == route } ?? queues.count
        if index == queues.count { queues.append(Queue(route: route)) }
        queues[index].bytes += bytes.count
        guard let backlog else {
            queues[index].packets.append(bytes)
            return queues[index].packets.count > Self.limit ? .packets : nil
        }
        // Few large packets: what libzmq keeps is counted in packets.
        if let last = queues[index].packets.indices.last,
            queues[index].packets[last].count + bytes.count <= Frame.packetLimit
        {
            queues[index].packets[last] += bytes
        } else {
            queues[index].packets.append(bytes)
        }
        let kept = queues[index].bytes
        if kept > backlog.each { return .bytes(of: route, kept, limit: backlog.each) }
        let all = queues.reduce(0) { $0 + $1.bytes }
        guard all > backlog.all, let largest = queues.max(by: { $0.bytes < $1.bytes }) else { return nil }
        return .bytes(of: largest.route, all, limit: backlog.all)
    }

    /// The first `count` packets of a connection have been handed over.
    mutating func removeFirst(_ count: Int, for route: RouteID) {
        guard count > 0, let index = queues.firstIndex(where: { $0.route == route }) else { return }
        queues[index].bytes -= queues[index].packets[..<count].reduce(0) { $0 + $1.count }
        queues[index].packets.removeFirst(count)
        if queues[index].packets.isEmpty { queues.remove(at: index) }
    }

    mutating func forget(_ route: RouteID) {
        guard !queues.isEmpty else { return }
        queues.removeAll { $0.route == route }
    }
}
