// LossyLinks.swift: the frames of a process with bad links: each frame leaves now, later, or never.
//
//     frames for a peer ─▶ FaultyLink, one a peer ─┬▶ sent at once
//                                                 ├▶ held until it leaves
//                                                 └▶ lost: noted in the journal, for the audit
//
// Only data links suffer these faults: frames to the supervisor carry no touches. Docs/Decisions/LossyLinks.md explains
// why the faults are in the sender and not between the two processes.
//
// Sources   invented, after fault F6

import Basics
import Faults
import Wire

/// The bad links of one process.
struct LossyLinks {
    private let own: Peer
    private var activeFaults: [(fault: LinkFault, amount: Double, until: Instant)] = []
    private var links: [(peer: Peer, link: FaultyLink)] = []
    /// Delayed frames, in the order they leave.
    private var heldFrames: [HeldFrame] = []
    private var faults = LinkFaults()

    private struct HeldFrame {
        let sendAt: Instant
        let peer: Peer
        let frame: Frame
    }

    /// A minute of a clogged link at 1 kHz. Frames beyond it are lost and noted as lost.
    static let heldLimit = 65_536

    init(_ own: Peer) { self.own = own }

    /// Whether no fault of links is active and no frame is held.
    private(set) var isQuiet = true

    /// The time at which a held frame leaves or a fault ends.
    var deadline: Instant {
        var next = heldFrames.first?.sendAt ?? .never
        for one in activeFaults { next = min(next, one.until) }
        return next
    }

    /// Takes a fault of links; another changes nothing here.
    mutating func startFault(_ fault: Fault, at now: Instant) {
        guard case .link(let linkFault) = fault.kind else { return }
        activeFaults.append((linkFault, fault.amount, now.advanced(by: fault.length)))
        updateLinks()
    }

    /// Ends the faults without time left. Held frames still leave when they are due.
    mutating func expire(at now: Instant) {
        activeFaults.removeAll { $0.until <= now }
        updateLinks()
    }

    private mutating func updateLinks() {
        faults = LinkFaults()
        for (fault, amount, until) in activeFaults { faults.add(fault, amount, until: until) }
        for index in links.indices { links[index].link.faults = faults }
        isQuiet = activeFaults.isEmpty && heldFrames.isEmpty
    }

    /// The frames that leave now: held frames that are due, then the new frames that are not held.
    ///
    /// - Parameter lost: Receives each frame that is lost.
    mutating func framesToSend(_ frames: [Frame], to peer: Peer, at now: Instant, lost: (Frame) -> Void) -> [Frame] {
        let index = links.firstIndex { $0.peer == peer } ?? links.count
        if index == links.count {
            // Each link has its own random numbers, which are the same in every run.
            var link = FaultyLink(seed: UInt64(own.role.rawValue) << 32 | UInt64(own.instance) << 16 | UInt64(index))
            link.faults = faults
            links.append((peer, link))
        }
        var framesToSend = removeDueFrames(to: peer, at: now)
        for frame in frames {
            let (first, second): (Duration, Duration?)
            switch links[index].link.passage(at: now) {
            case .lost:
                lost(frame)
                continue
            case .once(let delay): (first, second) = (delay, nil)
            case .twice(let delay, let echo): (first, second) = (delay, echo)
            }
            if first <= .zero {
                framesToSend.append(frame)
            } else if !hold(frame, to: peer, until: now.advanced(by: first)) {
                lost(frame)
                continue
            }
            // A duplicate without room is dropped, which loses no frame.
            if let second { hold(frame, to: peer, until: now.advanced(by: second)) }
        }
        return framesToSend
    }

    /// Removes and returns the held frames for this peer that are due.
    private mutating func removeDueFrames(to peer: Peer, at now: Instant) -> [Frame] {
        guard let first = heldFrames.first, first.sendAt <= now else { return [] }
        var dueFrames: [Frame] = []
        heldFrames.removeAll { one in
            guard one.peer == peer, one.sendAt <= now else { return false }
            dueFrames.append(one.frame)
            return true
        }
        return dueFrames
    }

    /// - Returns: False if there is no room for it.
    @discardableResult
    private mutating func hold(_ frame: Frame, to peer: Peer, until leaves: Instant) -> Bool {
        guard heldFrames.count < Self.heldLimit else { return false }
        // Nearly always the last index.
        let index = (heldFrames.lastIndex { $0.sendAt <= leaves } ?? -1) + 1
        heldFrames.insert(HeldFrame(sendAt: leaves, peer: peer, frame: frame), at: index)
        isQuiet = false
        return true
    }

    /// Removes and returns the held frames that are due, by peer, in order.
    mutating func removeDueFrames(at now: Instant) -> [(peer: Peer, frames: [Frame])] {
        let count = heldFrames.firstIndex { $0.sendAt > now } ?? heldFrames.count
        guard count > 0 else { return [] }
        var dueFrames: [(peer: Peer, frames: [Frame])] = []
        for one in heldFrames[..<count] {
            if dueFrames.last?.peer == one.peer {
                dueFrames[dueFrames.count - 1].frames.append(one.frame)
            } else {
                dueFrames.append((one.peer, [one.frame]))
            }
        }
        heldFrames.removeFirst(count)
        return dueFrames
    }

    /// Handles the end of a link: the frames held for it are lost.
    mutating func linkEnded(_ peer: Peer, lost: (Frame) -> Void) {
        for one in heldFrames where one.peer == peer { lost(one.frame) }
        heldFrames.removeAll { $0.peer == peer }
        links.removeAll { $0.peer == peer }
    }
}
