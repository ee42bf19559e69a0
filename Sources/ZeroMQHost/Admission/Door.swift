// Door.swift: the peer of a connection to a listening socket, and the banned processes.
//
//    a sender, a connection ─▶ name ─▶ the peer, or nil
//    banned ─▶ all packets of the process are dropped, until the roster lists another process for the peer, or until
//              another process has its pid
//
// A peer may be banned for bytes that are no frame, so it may have no open connection. The ban therefore applies to its
// process, at every listener.
//
// Knows     credentials and route ids, and start times of processes. No socket.
//
// Sources   invented, after Docs/Spec/Pipeline.md T2, F7

import Wire

/// Names the peers of a listener's connections, and bans processes.
struct Door {
    let policy: PeerAdmission.Policy
    /// The user that a process needs without a roster.
    private let user: UInt32
    private(set) var roster = Roster()
    /// A banned process: no packet of it is accepted.
    private struct Ban {
        let sender: Credentials
        /// The start time of the process; nil if /proc has none.
        let start: UInt64?
        /// Its known connections: the latest few.
        var routes: [RouteID] = []
    }

    /// Banned processes. Without a roster, the oldest entry beyond the limit is removed.
    private var banished: [Ban] = []
    /// The peers of connections that no roster names. The oldest entry beyond the limit is removed.
    private var callers: [(id: RouteID, sender: Credentials, start: UInt64?, peer: Peer)] = []
    private let start: (Int32) -> UInt64?
    private var instances: UInt32 = 0

    /// More connections than a group has processes.
    static let callerLimit = 256

    /// The connections of a banned process that are recognized without a query of the kernel. Other processes may have
    /// the same pid later.
    private static let routeLimit = 16

    /// - Parameter start: Returns the start time of the process with this pid.
    init(
        admitting policy: PeerAdmission.Policy, user: UInt32,
        start: @escaping (Int32) -> UInt64? = startOfProcess
    ) {
        (self.policy, self.user, self.start) = (policy, user, start)
    }

    /// The peer of a connection; nil if it has none.
    mutating func name(of sender: Credentials, on id: RouteID) -> (peer: Peer, generation: UInt32)? {
        switch policy {
        case .roster: return roster.entry(for: sender).map { ($0.peer, $0.generation) }
        // The key identifies the app, and the gate has looked it up.
        case .keys: return sender.heldKey.map { (.app($0), 0) }
        case .sameUser(let role):
            guard sender.uid == user else { return nil }
            if let known = callers.first(where: { $0.id == id && $0.sender == sender }) { return (known.peer, 0) }
            let peer: Peer
            if role == .inputKit {
                // There is one input-kit, whereas other peers are numbered as they connect.
                peer = .inputKit
            } else {
                instances &+= 1
                peer = Peer(role, instances)
            }
            callers.append((id, sender, start(sender), peer))
            if callers.count > Self.callerLimit { callers.removeFirst() }
            return (peer, 0)
        }
    }

    /// Whether the process that has this pid now is banned. A ban ends with its process.
    func isBanished(_ sender: Credentials) -> Bool {
        guard let ban = banished.first(where: { $0.sender == sender }) else { return false }
        return start(sender).map { $0 == ban.start } ?? true
    }

    /// Whether a connection belongs to a banned process. The ban is removed if another process has the pid by now.
    ///
    /// For each connection, the kernel is asked once for the start time of the process.
    mutating func isBanished(_ sender: Credentials, on id: RouteID) -> Bool {
        guard let place = banished.firstIndex(where: { $0.sender == sender }) else { return false }
        if banished[place].routes.contains(id) { return true }
        guard isBanished(sender) else {
            banished.remove(at: place)
            return false
        }
        banished[place].routes.append(id)
        if banished[place].routes.count > Self.routeLimit { banished[place].routes.removeFirst() }
        return true
    }

    private func start(_ sender: Credentials) -> UInt64? {
        // This kernel does not know processes of another machine.
        sender.uid == Credentials.elsewhere ? nil : start(sender.pid)
    }

    /// Adds a ban and removes the ban of an earlier process with this pid.
    private mutating func add(_ sender: Credentials, began start: UInt64?) {
        if let place = banished.firstIndex(where: { $0.sender == sender }) {
            guard banished[place].start != start else { return }
            banished.remove(at: place)
        }
        banished.append(Ban(sender: sender, start: start))
    }

    /// Bans a process, even an unknown one. Bans of unknown processes are limited in number.
    mutating func banish(_ sender: Credentials) {
        let known = callers.last { $0.sender == sender }
        add(sender, began: known?.start ?? start(sender))
        if banished.count > Self.callerLimit { banished.removeFirst() }
    }

    /// Bans all processes of a peer.
    ///
    /// - Parameter others: Processes that are this peer according to their connections.
    mutating func hangUp(on peer: Peer, and others: [Credentials] = []) {
        for caller in callers where caller.peer == peer { add(caller.sender, began: caller.start) }
        for sender in roster.senders(of: peer) + others where !banished.contains(where: { $0.sender == sender }) {
            add(sender, began: start(sender))
        }
        callers.removeAll { $0.peer == peer }
        if case .sameUser = policy, banished.count > Self.callerLimit {
            banished.removeFirst(banished.count - Self.callerLimit)
        }
    }

    /// Replaces the roster. A process that it no longer lists needs no ban, because it is refused anyway.
    mutating func update(_ roster: Roster) {
        self.roster = roster
        // Another process may have its pid later, which must not be banned.
        banished.removeAll { roster.entry(for: $0.sender) == nil }
    }
}
