// Outgoing.swift: the frames that wait to be sent, by peer, in the order of the core's decisions.

import Wire

/// Collects frames so that frames for one peer travel in one packet.
struct Outgoing {
    /// With this many frames, they are sent although the effects of one input have more.
    private static let frameLimit = 256
    /// With frames of this many scans after an input, they are sent although more input waits to be handled, so that the
    /// next process works on them meanwhile. Docs/Performance.md has the figures of other sizes.
    private static let batchSize = 2 * Message.scansPerFrame
    /// Places for more peers are not kept.
    private static let keptPeers = 16

    /// The frames for one peer.
    struct Entry {
        var peer: Peer
        var frames: [Frame] = []
        /// The number of frames that answer a scan of the peer or ask for its answer: each returns a token to it.
        var returnedTokens = 0
    }

    /// The places in use come first, in order. The others keep the memory of their frames.
    private var entries: [Entry] = []
    private var usedCount = 0
    private var frameCount = 0
    /// The number of scans in the frames, or of scans that they answer; any other frame counts as one.
    private var scanCount = 0

    var isEmpty: Bool { frameCount == 0 }

    /// Whether the frames of the inputs so far should be sent now.
    var isBatch: Bool { scanCount >= Self.batchSize }

    /// Adds a frame.
    ///
    /// - Parameter message: The message to send instead of the frame's own; nil for its own.
    /// - Returns: Whether the frames should be sent now.
    mutating func append(_ frame: consuming Frame, to peer: Peer, replacing message: Message? = nil) -> Bool {
        frameCount += 1
        scanCount += frame.message.handedScanCount
        if let message { frame.message = message }
        var index = 0
        while index < usedCount, entries[index].peer != peer { index += 1 }
        if index == usedCount {
            usedCount += 1
            if index < entries.count { entries[index].peer = peer } else { entries.append(Entry(peer: peer)) }
        }
        if frame.returnsToken { entries[index].returnedTokens += 1 }
        entries[index].frames.append(frame)
        return frameCount >= Self.frameLimit
    }

    /// The indices of the peers that have frames, in order.
    var indices: Range<Int> { 0..<usedCount }

    subscript(index: Int) -> Entry { entries[index] }

    /// Removes all frames, which have been sent.
    mutating func removeAll() {
        for index in 0..<usedCount {
            let isSmall = entries[index].frames.count < Self.frameLimit / 4
            entries[index].frames.removeAll(keepingCapacity: isSmall)
            entries[index].returnedTokens = 0
        }
        if entries.count > Self.keptPeers { entries.removeSubrange(Self.keptPeers...) }
        (usedCount, frameCount, scanCount) = (0, 0, 0)
    }
}

extension Message {
    /// About the number of scans that the receiver can work on, or send, because of this message: those in it, or the moves of
    /// touches that a receipt answers.
    fileprivate var handedScanCount: Int {
        guard case .handled(let receipt) = self else { return scanCount }
        return max(1, Int(receipt.moved) + Int(receipt.coalesced ?? 0))
    }
}

extension Frame {
    /// Whether its receiver may send another packet for it: it answers a scan for which the receiver had a credit, or asks
    /// for an answer.
    fileprivate var returnsToken: Bool {
        switch message {
        case .handled(let receipt): receipt.reason != .overLimit
        case .touches, .severalTouches, .input, .monitorPage: true
        default: false
        }
    }
}
