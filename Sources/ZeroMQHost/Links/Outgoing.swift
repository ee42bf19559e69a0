// Outgoing.swift: frames that wait to be handed over, by peer, in the order they were decided.

import Wire

struct Outgoing {
    /// More than this and they are handed over though there is more to handle first.
    private static let patience = 256

    private var peers: [(peer: Peer, frames: [Frame])] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// - Returns: Whether it is time to hand over.
    mutating func append(_ frame: Frame, to peer: Peer) -> Bool {
        count += 1
        if let index = peers.firstIndex(where: { $0.peer == peer }) {
            peers[index].frames.append(frame)
        } else {
            peers.append((peer, [frame]))
        }
        return count >= Self.patience
    }

    mutating func drain() -> [(peer: Peer, frames: [Frame])] {
        defer {
            peers.removeAll(keepingCapacity: true)
            count = 0
        }
        return peers
    }
}
