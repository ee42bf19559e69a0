// Door.swift: who a connection to a listening socket is, and who is not listened to any more.
//
//    a sender, a connection ─▶ name ─▶ the peer, or nobody
//    hung up on ─▶ its process is banished, by the kernel's word, until the roster has another in its place, or until
//                  another process has its pid
//
// A peer is hung up on for what it sent, which need not have been a frame: it may never have got so far as to have a
// connection that counts. So it is its process that is banished, and at every door of the house.
//
// Knows     credentials and connections by name, and when processes began. No socket.
//
// Sources   invented, after Docs/Spec/Pipeline.md T2, F7

import Wire

struct Door {
    let policy: PeerAdmission.Policy
    /// Whose processes may come without a roster.
    private let user: UInt32
    private(set) var roster = Roster()
    /// A process of whose nothing more is wanted.
    private struct Ban {
        let sender: Credentials
        /// When it began; nil where /proc did not say, or no longer.
        let start: UInt64?
        /// The connections that are known to be its own: the latest few.
        var routes: [RouteID] = []
    }

    /// Without a roster the oldest of too many is forgiven.
    private var banished: [Ban] = []
    /// Who came by which connection, where no roster says so; the oldest of too many is nobody again.
    private var callers: [(id: RouteID, sender: Credentials, start: UInt64?, peer: Peer)] = []
    private let start: (Int32) -> UInt64?
    private var instances: UInt32 = 0

    /// More connections than a group has processes.
    static let callerLimit = 256

    /// Connections of a banished process that are told from those of another with its pid without asking the kernel.
    private static let routeLimit = 16

    /// - Parameter start: When the process of this pid began.
    init(
        admitting policy: PeerAdmission.Policy, user: UInt32,
        start: @escaping (Int32) -> UInt64? = startOfProcess
    ) {
        (self.policy, self.user, self.start) = (policy, user, start)
    }

    /// Who a connection is, if anybody has said so.
    mutating func name(of sender: Credentials, on id: RouteID) -> (peer: Peer, generation: UInt32)? {
        switch policy {
        case .roster: return roster.entry(for: sender).map { ($0.peer, $0.generation) }
        // Said by its key, and by the gate what that stands for.
        case .keys: return sender.heldKey.map { (.app($0), 0) }
        case .sameUser(let role):
            guard sender.uid == user else { return nil }
            if let known = callers.first(where: { $0.id == id && $0.sender == sender }) { return (known.peer, 0) }
            let peer: Peer
            if role == .inputKit {
                // There is one, and the others are counted as they come.
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

    /// Whether the process that has this pid now is banished. A ban ends with its process.
    func isBanished(_ sender: Credentials) -> Bool {
        guard let ban = banished.first(where: { $0.sender == sender }) else { return false }
        return start(sender).map { $0 == ban.start } ?? true
    }

    /// Whether a connection is a banished process's. Where another process has the pid by now, the ban is forgotten.
    ///
    /// The kernel is asked once for each connection when its process began.
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
        // Of another machine's processes no kernel of ours knows.
        sender.uid == Credentials.elsewhere ? nil : start(sender.pid)
    }

    /// Forgets a ban of another process that had this pid.
    private mutating func add(_ sender: Credentials, began start: UInt64?) {
        if let place = banished.firstIndex(where: { $0.sender == sender }) {
            guard banished[place].start != start else { return }
            banished.remove(at: place)
        }
        banished.append(Ban(sender: sender, start: start))
    }

    /// A process of whose nothing more is wanted, whoever it is. Of strangers only so many are remembered.
    mutating func banish(_ sender: Credentials) {
        let known = callers.last { $0.sender == sender }
        add(sender, began: known?.start ?? start(sender))
        if banished.count > Self.callerLimit { banished.removeFirst() }
    }

    /// - Parameter others: Processes that are known to be this peer by their connections.
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

    /// Takes the supervisor's word; whom the roster has no place for any more needs no banishing.
    mutating func update(_ roster: Roster) {
        self.roster = roster
        // Its number may be another's one day: then it is a stranger anew.
        banished.removeAll { roster.entry(for: $0.sender) == nil }
    }
}
