// PeerRings.swift: the rings of a listener's connections, from the request to the supervisor to the end.
//
// Input     PeerListener: connections that open and end, grants of the supervisor, switches of clients
// Output    requests; the channel that serves a connection
// Knows     connections by their route ids, and channels. No socket, no clock.
//
//     requested ──granted──▶ offered ──the client switches──▶ switched ──the connection ends──▶ forgotten
//
// Sources   invented, after Docs/Decisions/Ring.md

import Wire

/// The rings of one listener.
struct PeerRings {
    private enum State {
        case requested
        /// The client has received an offer, and its packets still come over ZeroMQ.
        case offered(RingChannel)
        case switched(RingChannel)
    }

    private struct Entry {
        let origin: PeerAdmission.Origin
        let peer: Peer
        var state: State

        var channel: RingChannel? { if case .switched(let channel) = state { channel } else { nil } }
    }

    private var entries: [Entry] = []
    private var requests: [RingRequest] = []
    /// The channels that are read in each turn, with their connections.
    private(set) var awake: [(origin: PeerAdmission.Origin, channel: RingChannel)] = []
    /// Whether packets may wait for room in a ring.
    private(set) var hasPending = false

    /// Asks for a ring for a connection that has opened.
    mutating func request(for peer: Peer, on origin: PeerAdmission.Origin) {
        entries.append(Entry(origin: origin, peer: peer, state: .requested))
        requests.append(RingRequest(peer, pid: origin.sender.pid))
    }

    /// Removes and returns the requests for the supervisor.
    mutating func removeRequests() -> [RingRequest] {
        guard !requests.isEmpty else { return [] }
        defer { requests.removeAll() }
        return requests
    }

    /// Keeps a ring that the supervisor has given to this process and to process `pid`.
    ///
    /// - Returns: The connection on which to offer it; nil if the peer or its process has no connection that waits.
    mutating func offer(_ channel: RingChannel, pid: Int32) -> RouteID? {
        let index = entries.firstIndex { entry in
            guard case .requested = entry.state else { return false }
            return entry.peer == channel.peer && entry.origin.sender.pid == pid
        }
        guard let index else { return nil }
        entries[index].state = .offered(channel)
        return entries[index].origin.route
    }

    /// Begins to use the ring of a connection: the peer's next packets are in it.
    ///
    /// - Returns: Whether this ring was offered on this connection, and is not in use yet.
    mutating func activate(_ token: RingToken, on route: RouteID) -> Bool {
        guard let index = entries.firstIndex(where: { $0.origin.route == route }),
            case .offered(let channel) = entries[index].state, channel.token.matches(token)
        else { return false }
        entries[index].state = .switched(channel)
        awake.append((entries[index].origin, channel))
        return true
    }

    /// The channel that carries the packets of a connection; nil while ZeroMQ carries them.
    func channel(for route: RouteID) -> RingChannel? {
        entries.first { $0.origin.route == route }?.channel
    }

    /// The channels in use, with their connections.
    var channels: [(origin: PeerAdmission.Origin, channel: RingChannel)] {
        entries.compactMap { entry in entry.channel.map { (entry.origin, $0) } }
    }

    /// Notes that a packet waits for room in a ring.
    mutating func notePending() { hasPending = true }

    /// The channels in which packets wait for room, with their connections. The caller retries all of them.
    mutating func removePending() -> [(origin: PeerAdmission.Origin, channel: RingChannel)] {
        hasPending = false
        return channels.filter { $0.channel.hasPending }
    }

    /// Notes that the bell of a ring has rung. Nothing happens if the ring is not in use, or not any more.
    mutating func wake(_ number: UInt32) {
        guard let entry = entries.first(where: { $0.channel?.number == number }), let channel = entry.channel else {
            return
        }
        if !channel.isAwake { awake.append((entry.origin, channel)) }
        channel.wake()
    }

    /// Prepares the host's wait.
    ///
    /// - Returns: Whether the host may wait.
    mutating func sleep() -> Bool {
        guard !awake.isEmpty else { return true }
        awake.removeAll { $0.channel.sleep() }
        return awake.isEmpty
    }

    /// Ends the ring of a connection that has ended.
    mutating func forget(_ route: RouteID) {
        guard let index = entries.firstIndex(where: { $0.origin.route == route }) else { return }
        let entry = entries.remove(at: index)
        switch entry.state {
        case .requested: break
        case .offered(let channel), .switched(let channel): channel.close()
        }
        awake.removeAll { $0.origin.route == route }
    }
}
