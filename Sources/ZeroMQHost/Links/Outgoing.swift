// Outgoing.swift: the frames that wait to be sent, by peer, in the order of the core's decisions.

import Wire

/// Collects frames so that frames for one peer travel in one packet.
struct Outgoing {
    /// With this many frames, they are sent although more input waits to be handled.
    private static let frameLimit = 256

    private var peers: [(peer: Peer, frames: [Frame])] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a frame.
    ///
    /// - Returns: Whether the frames should be sent now.
    mutating func append(_ frame: Frame, to peer: Peer) -> Bool {
        count += 1
        if let index = peers.firstIndex(where: { $0.peer == peer }) {
            peers[index].frames.append(frame)
        } else {
            peers.append((peer, [frame]))
        }
        return count >= Self.frameLimit
    }

    mutating func drain() -> [(peer: Peer, frames: [Frame])] {
        defer {
            peers.removeAll(keepingCapacity: true)
            count = 0
        }
        return peers
    }
}
