// PeerAdmission+Machine.swift: the state machine of one connection, from its first packet to its end.
//
// Station   process
// Input     PeerAdmission: each packet, by its process and its first bytes; the end of the connection; the core's
//           orders
// Output    Decision, which PeerListener carries out
// Knows     one connection. No process table, no socket, no clock.
//
//     unproven ──pass, hello, a frame that needs no proof──▶ open ──ended, replaced, no longer listed──▶ closed
//        │                                                    │                                            ▲
//        └──────── flooded; the next of a banned controller ──┴─ flooded, unread, replaced ─▶ ending ─due──┘
//
// Docs/Reference/Machines/PeerAdmission.md has the whole table.
//
// Sources   invented, after Docs/Spec/Pipeline.md T2, T6, F7, F8

import Basics
import Hosting
import Wire

/// A peer as the roster, its key or its connection identifies it.
struct NamedPeer: Hashable, CustomStringConvertible {
    let peer: Peer
    /// The process generation, if a roster has it; 0 otherwise.
    let generation: UInt32

    var description: String { "\(peer)" }
}

extension PeerAdmission {
    /// The state of a connection.
    enum State: Hashable {
        /// No packet of the connection has identified its peer yet.
        case unproven
        /// Its frames are accepted as this peer's.
        case open(NamedPeer)
        /// No packet is accepted. The peer has until this time to read the reason.
        case ending(at: Instant)
        /// No packet is accepted: packets that libzmq still returns are dropped.
        case closed
    }

    /// How a banned process learns of its ban.
    enum BanNotification: Hashable {
        /// A child learns it by the end of its process. If its connection ended, libzmq would open the next one at
        /// once.
        case none
        /// A process of another machine that sends a hello receives the reason.
        case reason
        /// A controller learns it by the end of its connection.
        case end
    }

    /// An event of a connection.
    enum Input: Equatable {
        /// A packet of a process that no roster lists yet.
        case unnamed
        /// A packet of a banned process.
        case banned(BanNotification)
        /// A packet beyond the unsolicited packets, or requests, that its peer may send in one second.
        case flooded(Peer, limit: UInt32)
        /// A packet that is refused. The next packet of the connection may be accepted.
        case wrong(Refusal)
        /// A packet of another version of the protocol, or a malformed hello.
        case unreadable(Peer, WireError)
        /// The pass of the process.
        case pass(NamedPeer)
        /// A hello of an app of another machine, which has shown its key.
        case remoteHello(NamedPeer)
        /// A packet about a ring.
        case ring(NamedPeer)
        /// The peer has written to the ring of the connection what no process of the group writes.
        case brokenRing(WireError)
        /// Any other packet of a named process.
        case frames(NamedPeer, needProof: Bool)
        /// A pass at a listener that asks for none.
        case needlessPass
        /// A packet of a connection that is ending or closed. It is not decoded.
        case unexamined
        /// A frame of the first packet is one that its peer may send.
        case permitted(NamedPeer)
        /// Another connection has opened as the same peer, or with the same descriptor. An app of another machine is
        /// told.
        case replaced(isNotified: Bool)
        /// The roster no longer lists the process as this peer, or the peer has flooded over another connection.
        case disowned
        /// The core has hung up on the peer.
        case hungUp
        /// The peer does not read: `bytes` are kept for it, or for all peers of the listener.
        case unread(bytes: UInt32, limit: UInt32)
        /// The connection has ended, or libzmq no longer has it.
        case lost
        /// The time to read the reason is over.
        case deadlinePassed
    }

    /// The listener's response to an input.
    enum Decision: Equatable {
        case discard
        /// Keep the packet until a roster lists its process.
        case hold
        case refuse(Refusal)
        /// Refuse the packet, and tell a peer of another version the version of this process.
        case explain(Peer, WireError)
        /// Begin to use the ring of the connection, if the packet has the token of one that was offered.
        case switchToRing(Peer)
        /// Decode the packet: its frames are this peer's.
        case acceptFrames(Peer)
        /// Decode the packet: the first frame that the peer may send opens the connection.
        case acceptFirstFrames(NamedPeer)
        case open(NamedPeer)
        case openAndWelcome(NamedPeer)
        /// Answer a hello of an open connection.
        case welcome(NamedPeer)
        /// Tell a banned process that it is banned.
        case notifyBan
        /// Tell the peer the reason, and report it. A peer with an open connection is lost.
        case hangUp(Refusal, losing: Peer?)
        /// Tell the peer that another process has joined with its key. The peer of this connection is lost.
        case replace(Peer)
        case reportLoss(Peer)
        /// End the connection.
        case end
    }

    /// Every state and every input, no default.
    ///
    /// Nil marks impossible pairs. A packet of a connection that is not accepted is not examined. An open connection
    /// has a named peer. Only connections that are open or ending are kept.
    ///
    /// - Parameter now: The time from which a peer has `endingDuration` to read a reason.
    static func transition(from state: State, on input: Input, at now: Instant) -> (State, Decision)? {
        var ending: State { .ending(at: now.advanced(by: endingDuration)) }
        return switch (state, input) {
        case (.unproven, .unnamed): (state, .hold)
        case (.unproven, .banned(.none)), (.closed, .banned(.none)): (state, .discard)
        case (.unproven, .banned(.reason)), (.ending, .banned(.reason)), (.closed, .banned(.reason)):
            (state, .notifyBan)
        case (.unproven, .banned(.end)), (.closed, .banned(.end)): (ending, .discard)
        case (.unproven, .flooded(let peer, let limit)): (ending, .hangUp(.flooding(peer, limit: limit), losing: nil))
        case (.open(let named), .flooded(let peer, let limit)):
            (ending, .hangUp(.flooding(peer, limit: limit), losing: named.peer))
        case (.unproven, .wrong(let refusal)), (.open, .wrong(let refusal)): (state, .refuse(refusal))
        case (.unproven, .unreadable(let peer, let error)), (.open, .unreadable(let peer, let error)):
            (state, .explain(peer, error))
        case (.unproven, .pass(let named)): (.open(named), .open(named))
        // A client that renews its link before it notices may show its pass twice on one connection.
        case (.open, .pass): (state, .discard)
        case (.unproven, .remoteHello(let named)): (.open(named), .openAndWelcome(named))
        case (.open, .remoteHello(let named)): (state, .welcome(named))
        case (.open(let named), .ring): (state, .switchToRing(named.peer))
        case (.open(let named), .brokenRing(let error)):
            (ending, .hangUp(.malformed(named.peer, error), losing: named.peer))
        case (.unproven, .frames(let named, needProof: true)): (state, .refuse(.passNotShown(named.peer)))
        case (.unproven, .frames(let named, needProof: false)): (state, .acceptFirstFrames(named))
        case (.open(let named), .frames): (state, .acceptFrames(named.peer))
        case (.unproven, .needlessPass): (state, .discard)
        case (.ending, .unexamined), (.closed, .unexamined): (state, .discard)
        case (.unproven, .permitted(let named)): (.open(named), .open(named))
        case (.open(let named), .replaced(isNotified: true)): (ending, .replace(named.peer))
        case (.open(let named), .replaced(isNotified: false)): (.closed, .reportLoss(named.peer))
        // Its descriptor belongs to another connection, so this one has ended.
        case (.ending, .replaced): (.closed, .discard)
        case (.open(let named), .disowned): (.closed, .reportLoss(named.peer))
        case (.open, .hungUp): (.closed, .discard)
        case (.open(let named), .unread(let bytes, let limit)):
            (ending, .hangUp(.unread(named.peer, bytes: bytes, limit: limit), losing: named.peer))
        case (.open(let named), .lost): (.closed, .reportLoss(named.peer))
        case (.ending, .lost): (.closed, .discard)
        case (.ending, .deadlinePassed): (.closed, .end)
        case (.open, .unnamed), (.open, .banned), (.open, .needlessPass), (.open, .unexamined), (.open, .permitted),
            (.unproven, .unexamined):
            nil
        case (.ending, .unnamed), (.ending, .banned), (.ending, .flooded), (.ending, .wrong), (.ending, .unreadable),
            (.ending, .pass), (.ending, .remoteHello), (.ending, .frames), (.ending, .needlessPass),
            (.ending, .permitted):
            nil
        case (.closed, .unnamed), (.closed, .flooded), (.closed, .wrong), (.closed, .unreadable), (.closed, .pass),
            (.closed, .remoteHello), (.closed, .frames), (.closed, .needlessPass), (.closed, .permitted):
            nil
        case (.unproven, .replaced), (.closed, .replaced), (.unproven, .disowned), (.ending, .disowned),
            (.closed, .disowned), (.unproven, .hungUp), (.ending, .hungUp), (.closed, .hungUp), (.unproven, .unread),
            (.ending, .unread), (.closed, .unread), (.unproven, .lost), (.closed, .lost), (.unproven, .deadlinePassed),
            (.open, .deadlinePassed), (.closed, .deadlinePassed):
            nil
        case (.unproven, .ring), (.ending, .ring), (.closed, .ring), (.unproven, .brokenRing), (.ending, .brokenRing),
            (.closed, .brokenRing):
            nil
        }
    }
}
