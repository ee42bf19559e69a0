// PendingPackets.swift: packets that wait until libzmq has room for them, by connection.
//
// Input     PeerListener: packets that libzmq has not taken, and packets that it has taken later
// Output    the next packets; the connection that has too many
// Knows     route ids and bytes. No peers, no socket, no clock.
//
// Sources   invented, after threat T6

import Wire

extension PeerListener {
    /// Limits on the bytes kept for controllers while their queue in libzmq is full: the answers may be large.
    struct Backlog {
        var each = 16 << 20
        var all = 32 << 20
        /// libzmq's queue limits for each controller, in packets of up to 64 KiB: sent to it, and received from it.
        static let queues: (sent: Int32, received: Int32) = (4, 64)
    }
}

/// The packets that wait, in one queue for each connection.
struct PendingPackets {
    /// Packets kept for one connection. A peer with more of them does not read at all.
    private static let limit = 256

    /// A limit that is exceeded.
    enum Excess: Equatable {
        case packets
        /// The bytes kept for one connection or for all; `of` is the connection with the most.
        case bytes(of: RouteID, Int, limit: Int)
    }

    private struct Queue {
        let route: RouteID
        var packets: [[UInt8]] = []
        var bytes = 0
    }

    /// The byte limits for controllers; nil for other peers, which have a limit of packets.
    let backlog: PeerListener.Backlog?
    /// No queue is empty.
    private var queues: [Queue] = []

    init(_ backlog: PeerListener.Backlog?) { self.backlog = backlog }

    var isEmpty: Bool { queues.isEmpty }

    var routes: [RouteID] { queues.map(\.route) }

    /// The packets that wait for a connection, oldest first.
    func packets(for route: RouteID) -> [[UInt8]] { queues.first { $0.route == route }?.packets ?? [] }

    func hasPackets(for route: RouteID) -> Bool { queues.contains { $0.route == route } }

    /// Keeps a packet.
    ///
    /// - Returns: Nil unless a limit is exceeded now. Then the caller forgets the connection that it names.
    mutating func append(_ bytes: [UInt8], for route: RouteID) -> Excess? {
        let index = queues.firstIndex { $0.route == route } ?? queues.count
        if index == queues.count { queues.append(Queue(route: route)) }
        queues[index].bytes += bytes.count
        guard let backlog else {
            queues[index].packets.append(bytes)
            return queues[index].packets.count > Self.limit ? .packets : nil
        }
        // Small packets are joined into large ones, because libzmq limits its queue by packets.
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

    /// Removes the first `count` packets of a connection, which have been sent.
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
