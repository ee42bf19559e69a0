// PeerRegistry.swift: the peer of a connection to a listening socket, and the banned processes.
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
struct PeerRegistry {
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
    private var bans: [Ban] = []
    /// The peers of connections that no roster names. The oldest entry beyond the limit is removed.
    private var unlistedConnections: [(id: RouteID, sender: Credentials, start: UInt64?, peer: Peer)] = []
    private let start: (Int32) -> UInt64?
    private var instances: UInt32 = 0

    /// More connections than a group has processes.
    static let unlistedConnectionLimit = 256

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
    mutating func identifyPeer(of sender: Credentials, on id: RouteID) -> (peer: Peer, generation: UInt32)? {
        switch policy {
        case .roster: return roster.entry(for: sender).map { ($0.peer, $0.generation) }
        // The key identifies the app, and the gate has looked it up.
        case .keys: return sender.keyApp.map { (.app($0), 0) }
        case .sameUser(let role):
            guard sender.uid == user else { return nil }
            if let known = unlistedConnections.first(where: { $0.id == id && $0.sender == sender }) {
                return (known.peer, 0)
            }
            let peer: Peer
            if role == .inputKit {
                // There is one input-kit, whereas other peers are numbered as they connect.
                peer = .inputKit
            } else {
                instances &+= 1
                peer = Peer(role, instances)
            }
            unlistedConnections.append((id, sender, startTime(of: sender), peer))
            if unlistedConnections.count > Self.unlistedConnectionLimit { unlistedConnections.removeFirst() }
            return (peer, 0)
        }
    }

    /// Whether the process that has this pid now is banned. A ban ends with its process.
    func isBanned(_ sender: Credentials) -> Bool {
        guard let ban = bans.first(where: { $0.sender == sender }) else { return false }
        return startTime(of: sender).map { $0 == ban.start } ?? true
    }

    /// Whether a connection belongs to a banned process. The ban is removed if another process has the pid by now.
    ///
    /// For each connection, the kernel is asked once for the start time of the process.
    mutating func isBanned(_ sender: Credentials, on id: RouteID) -> Bool {
        guard let index = bans.firstIndex(where: { $0.sender == sender }) else { return false }
        if bans[index].routes.contains(id) { return true }
        guard isBanned(sender) else {
            bans.remove(at: index)
            return false
        }
        bans[index].routes.append(id)
        if bans[index].routes.count > Self.routeLimit { bans[index].routes.removeFirst() }
        return true
    }

    private func startTime(of sender: Credentials) -> UInt64? {
        // This kernel does not know processes of another machine.
        sender.uid == Credentials.remoteUser ? nil : start(sender.pid)
    }

    /// Adds a ban and removes the ban of an earlier process with this pid.
    private mutating func addBan(of sender: Credentials, startedAt start: UInt64?) {
        if let index = bans.firstIndex(where: { $0.sender == sender }) {
            guard bans[index].start != start else { return }
            bans.remove(at: index)
        }
        bans.append(Ban(sender: sender, start: start))
    }

    /// Bans a process, even an unknown one. Bans of unknown processes are limited in number.
    mutating func ban(_ sender: Credentials) {
        let known = unlistedConnections.last { $0.sender == sender }
        addBan(of: sender, startedAt: known?.start ?? startTime(of: sender))
        if bans.count > Self.unlistedConnectionLimit { bans.removeFirst() }
    }

    /// Bans all processes of a peer.
    ///
    /// - Parameter others: Processes that are this peer according to their connections.
    mutating func ban(_ peer: Peer, and others: [Credentials] = []) {
        for caller in unlistedConnections where caller.peer == peer {
            addBan(of: caller.sender, startedAt: caller.start)
        }
        for sender in roster.senders(of: peer) + others where !bans.contains(where: { $0.sender == sender }) {
            addBan(of: sender, startedAt: startTime(of: sender))
        }
        unlistedConnections.removeAll { $0.peer == peer }
        if case .sameUser = policy, bans.count > Self.unlistedConnectionLimit {
            bans.removeFirst(bans.count - Self.unlistedConnectionLimit)
        }
    }

    /// Replaces the roster. A process that it no longer lists needs no ban, because it is refused anyway.
    mutating func update(_ roster: Roster) {
        self.roster = roster
        // Another process may have its pid later, which must not be banned.
        bans.removeAll { roster.entry(for: $0.sender) == nil }
    }
}
