// Door.swift: who a connection to a listening socket is, and who is not listened to any more.
//
//    a sender, a connection ─▶ name ─▶ the peer, or nobody
//    hung up on ─▶ its process is banished, by the kernel's word, until the roster has another in its place
//
// A peer is hung up on for what it sent, which need not have been a frame: it may never have got so far as to have a
// connection that counts. So it is its process that is banished, and at every door of the house.
//
// Knows     credentials and connections by name. No socket.
//
// Sources   invented, after PIPELINE.md T2, F7

import Wire

struct Door {
    let admission: PeerListener.Admission
    /// Whose processes may come without a roster.
    private let user: UInt32
    private(set) var roster = Roster()
    /// Without a roster the oldest of too many is forgiven.
    private var banished: [Credentials] = []
    /// Who came by which connection, where no roster says so; the oldest of too many is nobody again.
    private var callers: [(id: RouteID, sender: Credentials, peer: Peer)] = []
    private var instances: UInt32 = 0

    /// More connections than a group has processes.
    static let callerLimit = 256

    init(admitting admission: PeerListener.Admission, user: UInt32) { (self.admission, self.user) = (admission, user) }

    /// Who a connection is, if anybody has said so.
    mutating func name(of sender: Credentials, on id: RouteID) -> (peer: Peer, generation: UInt32)? {
        switch admission {
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
            callers.append((id, sender, peer))
            if callers.count > Self.callerLimit { callers.removeFirst() }
            return (peer, 0)
        }
    }

    func isBanished(_ sender: Credentials) -> Bool { banished.contains(sender) }

    /// A process of whose nothing more is wanted, whoever it is. Of strangers only so many are remembered.
    mutating func banish(_ sender: Credentials) {
        guard !banished.contains(sender) else { return }
        banished.append(sender)
        if banished.count > Self.callerLimit { banished.removeFirst() }
    }

    /// - Parameter others: Processes that are known to be this peer by their connections.
    mutating func hangUp(on peer: Peer, and others: [Credentials] = []) {
        for sender in roster.senders(of: peer) + callers.filter({ $0.peer == peer }).map(\.sender) + others
        where !banished.contains(sender) {
            banished.append(sender)
        }
        callers.removeAll { $0.peer == peer }
        if case .sameUser = admission, banished.count > Self.callerLimit {
            banished.removeFirst(banished.count - Self.callerLimit)
        }
    }

    /// Takes the supervisor's word; whom the roster has no place for any more needs no banishing.
    mutating func update(_ roster: Roster) {
        self.roster = roster
        // Its number may be another's one day: then it is a stranger anew.
        banished.removeAll { roster.entry(for: $0) == nil }
    }
}
