// PeerAdmission+Machine.swift: what is decided about one connection, from its first packet to its end.
//
// Station   process
// Input     PeerAdmission: each packet, by its process and its first bytes; the end of the connection; the core's word
// Output    Decision, which PeerListener carries out
// Knows     one connection. No process table, no socket, no clock.
//
//     unproven ──pass, knock, a frame that needs no proof──▶ open ──ended, replaced, no longer listed──▶ closed
//        │                                                    │                                            ▲
//        └──────── flooded; the next of a banished controller ┴─ flooded, unread, replaced ─▶ ending ─due──┘
//
// Docs/Machines/PeerAdmission.md is the whole table.
//
// Sources   invented, after Docs/Spec/Pipeline.md T2, T6, F7, F8

import Basics
import Hosting
import Wire

/// A peer as the roster, its key or its connection names it.
struct NamedPeer: Hashable, CustomStringConvertible {
    let peer: Peer
    /// Which start of its process, if a roster says so; 0 otherwise.
    let generation: UInt32

    var description: String { "\(peer)" }
}

extension PeerAdmission {
    enum State: Hashable {
        /// No packet of the connection has shown whose it is.
        case unproven
        /// Its frames are heard as this peer's.
        case open(NamedPeer)
        /// No packet of it is heard. Its peer has until then to read the reason.
        case ending(at: Instant)
        /// No packet of it is heard: what libzmq still hands over is thrown away.
        case closed
    }

    /// How a banished process finds out about its ban.
    enum BanNotice: Hashable {
        /// A child finds out by the end of its process. If its connection ended, libzmq would open the next one at once.
        case none
        /// A process of another machine has knocked, and is told the reason.
        case reason
        /// A controller finds out by the end of its connection.
        case end
    }

    enum Input: Equatable {
        /// A packet of a process that no roster names yet.
        case unnamed
        /// A packet of a process that is banished.
        case banished(BanNotice)
        /// A packet beyond the packets, or requests, that its peer may send unasked in one second.
        case flooded(Peer, limit: UInt32)
        /// A packet that is refused. The next one of the connection may be right.
        case wrong(Refusal)
        /// A packet of another version of the protocol, or a malformed knock.
        case unreadable(Peer, WireError)
        /// The pass of the process.
        case pass(NamedPeer)
        /// A knock of an app of another machine, which has shown its key.
        case knock(NamedPeer)
        /// Any other packet of a named process.
        case frames(NamedPeer, needProof: Bool)
        /// A pass at a listener that asks for none.
        case needlessPass
        /// A packet of a connection that is ending or closed. It is not decoded.
        case unexamined
        /// A frame of the first packet is one that its peer may send.
        case permitted(NamedPeer)
        /// Another connection has opened as the same peer, or with the same descriptor. An app of another machine is told.
        case replaced(isTold: Bool)
        /// The roster no longer lists the process as this peer, or the peer has flooded by another connection.
        case disowned
        /// The core takes nothing more of the peer.
        case hungUp
        /// The peer does not read: so much is kept for it, or for all peers of the listener.
        case unread(bytes: UInt32, limit: UInt32)
        /// The connection has ended, or libzmq has no such connection any more.
        case lost
        /// The time to read the reason is over.
        case due
    }

    enum Decision: Equatable {
        case throwAway
        /// Keep the packet until a roster names its process.
        case hold
        case refuse(Refusal)
        /// Refuse the packet, and tell a peer of another version which version this process speaks.
        case explain(Peer, WireError)
        /// Decode the packet: its frames are this peer's.
        case hear(Peer)
        /// Decode the packet: the first frame that the peer may send opens the connection.
        case hearFirst(NamedPeer)
        case open(NamedPeer)
        case openAndWelcome(NamedPeer)
        /// Answer a knock of an open connection.
        case welcome(NamedPeer)
        /// Tell a banished process that it is banished.
        case tellBan
        /// Tell the peer the reason, and report it. A peer whose connection was open is lost.
        case hangUp(Refusal, losing: Peer?)
        /// Tell the peer that another process has joined with its key. The peer of this connection is lost.
        case replace(Peer)
        case lose(Peer)
        /// End the connection.
        case end
    }

    /// Every state, every input, no default. Nil cannot happen: a packet of a connection that is not heard is not examined,
    /// an open connection has a named peer, and only connections that are open or ending are kept.
    ///
    /// - Parameter now: The time from which a peer has `farewell` to read a reason.
    static func transition(from state: State, on input: Input, at now: Instant) -> (State, Decision)? {
        var ending: State { .ending(at: now.advanced(by: farewell)) }
        return switch (state, input) {
        case (.unproven, .unnamed): (state, .hold)
        case (.unproven, .banished(.none)), (.closed, .banished(.none)): (state, .throwAway)
        case (.unproven, .banished(.reason)), (.ending, .banished(.reason)), (.closed, .banished(.reason)):
            (state, .tellBan)
        case (.unproven, .banished(.end)), (.closed, .banished(.end)): (ending, .throwAway)
        case (.unproven, .flooded(let peer, let limit)): (ending, .hangUp(.flooding(peer, limit: limit), losing: nil))
        case (.open(let named), .flooded(let peer, let limit)):
            (ending, .hangUp(.flooding(peer, limit: limit), losing: named.peer))
        case (.unproven, .wrong(let refusal)), (.open, .wrong(let refusal)): (state, .refuse(refusal))
        case (.unproven, .unreadable(let peer, let error)), (.open, .unreadable(let peer, let error)):
            (state, .explain(peer, error))
        case (.unproven, .pass(let named)): (.open(named), .open(named))
        // A client whose link was renewed faster than it noticed may show its pass twice on one connection.
        case (.open, .pass): (state, .throwAway)
        case (.unproven, .knock(let named)): (.open(named), .openAndWelcome(named))
        case (.open, .knock(let named)): (state, .welcome(named))
        case (.unproven, .frames(let named, needProof: true)): (state, .refuse(.unproven(named.peer)))
        case (.unproven, .frames(let named, needProof: false)): (state, .hearFirst(named))
        case (.open(let named), .frames): (state, .hear(named.peer))
        case (.unproven, .needlessPass): (state, .throwAway)
        case (.ending, .unexamined), (.closed, .unexamined): (state, .throwAway)
        case (.unproven, .permitted(let named)): (.open(named), .open(named))
        case (.open(let named), .replaced(isTold: true)): (ending, .replace(named.peer))
        case (.open(let named), .replaced(isTold: false)): (.closed, .lose(named.peer))
        // Its descriptor is another connection's, so it has ended.
        case (.ending, .replaced): (.closed, .throwAway)
        case (.open(let named), .disowned): (.closed, .lose(named.peer))
        case (.open, .hungUp): (.closed, .throwAway)
        case (.open(let named), .unread(let bytes, let limit)):
            (ending, .hangUp(.unread(named.peer, bytes: bytes, limit: limit), losing: named.peer))
        case (.open(let named), .lost): (.closed, .lose(named.peer))
        case (.ending, .lost): (.closed, .throwAway)
        case (.ending, .due): (.closed, .end)
        case (.open, .unnamed), (.open, .banished), (.open, .needlessPass), (.open, .unexamined), (.open, .permitted),
            (.unproven, .unexamined):
            nil
        case (.ending, .unnamed), (.ending, .banished), (.ending, .flooded), (.ending, .wrong), (.ending, .unreadable),
            (.ending, .pass), (.ending, .knock), (.ending, .frames), (.ending, .needlessPass), (.ending, .permitted):
            nil
        case (.closed, .unnamed), (.closed, .flooded), (.closed, .wrong), (.closed, .unreadable), (.closed, .pass),
            (.closed, .knock), (.closed, .frames), (.closed, .needlessPass), (.closed, .permitted):
            nil
        case (.unproven, .replaced), (.closed, .replaced), (.unproven, .disowned), (.ending, .disowned),
            (.closed, .disowned), (.unproven, .hungUp), (.ending, .hungUp), (.closed, .hungUp), (.unproven, .unread),
            (.ending, .unread), (.closed, .unread), (.unproven, .lost), (.closed, .lost), (.unproven, .due),
            (.open, .due), (.closed, .due):
            nil
        }
    }
}
