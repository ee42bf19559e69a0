// LossyLinks.swift: the frames of a process whose links are made bad: which leave now, which later, which never.
//
//    frames for a peer ─▶ FaultyLink, one a peer ─┬▶ sent at once
//                                                 ├▶ held until it leaves
//                                                 └▶ lost: noted in the journal, for the audit's books
//
// On data links only: what the supervisor is told is not part of a touch's way. In the sender and not between the
// two: Docs/Decisions/LossyLinks.md.
//
// Sources   invented, after fault F6

import Basics
import Faults
import Wire

struct LossyLinks {
    private let own: Peer
    private var lasting: [(fault: Fault, until: Instant)] = []
    private var links: [(peer: Peer, link: FaultyLink)] = []
    /// In the order they leave.
    private var held: [Held] = []
    private var faults = LinkFaults()

    private struct Held {
        let leaves: Instant
        let peer: Peer
        let frame: Frame
    }

    /// A minute of a clogged link at 1 kHz. What is beyond is lost, and told as lost.
    static let heldLimit = 65_536

    init(_ own: Peer) { self.own = own }

    /// Whether frames must come by here.
    private(set) var isQuiet = true

    /// What is kept back leaves at this moment, or a fault ends.
    var deadline: Instant {
        var next = held.first?.leaves ?? .never
        for one in lasting { next = min(next, one.until) }
        return next
    }

    mutating func take(_ fault: Fault, at now: Instant) {
        lasting.append((fault, now.advanced(by: fault.length)))
        renew(at: now)
    }

    /// Ends the faults whose time is over. Frames that are kept back still leave when they are due.
    mutating func expire(at now: Instant) {
        lasting.removeAll { $0.until <= now }
        renew(at: now)
    }

    private mutating func renew(at now: Instant) {
        faults = LinkFaults()
        for (fault, until) in lasting {
            switch fault.word {
            case .loss: faults.loss = max(faults.loss, fault.amount)
            case .duplicate: faults.duplicate = max(faults.duplicate, fault.amount)
            case .reorder: faults.reorder = max(faults.reorder, fault.amount)
            // Of two at a time the longer one, as in a simulation.
            case .delay: faults.delay = max(faults.delay, Duration(seconds: max(0, fault.amount) / 1000))
            case .clog: faults.clogged = max(faults.clogged ?? .boot, until)
            // Not of links.
            case .kill, .stop, .slow, .crashLoop, .malformed, .suspend, .deviceTime, .wallTime, .diskFull: break
            }
        }
        for index in links.indices { links[index].link.faults = faults }
        isQuiet = lasting.isEmpty && held.isEmpty
    }

    /// What is to be sent now: what was kept back until now, and then what of these frames is not kept back.
    ///
    /// - Parameter lost: Hears of each that never will be.
    mutating func pass(_ frames: [Frame], to peer: Peer, at now: Instant, lost: (Frame) -> Void) -> [Frame] {
        let index = links.firstIndex { $0.peer == peer } ?? links.count
        if index == links.count {
            // Each its own chance, the same in every run.
            var link = FaultyLink(seed: UInt64(own.role.rawValue) << 32 | UInt64(own.instance) << 16 | UInt64(index))
            link.faults = faults
            links.append((peer, link))
        }
        var leaving = leave(to: peer, at: now)
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
                leaving.append(frame)
            } else if !hold(frame, to: peer, until: now.advanced(by: first)) {
                lost(frame)
                continue
            }
            // A second one for which there is no room costs nobody anything.
            if let second { hold(frame, to: peer, until: now.advanced(by: second)) }
        }
        return leaving
    }

    /// What was kept back from this peer and leaves now.
    private mutating func leave(to peer: Peer, at now: Instant) -> [Frame] {
        guard let first = held.first, first.leaves <= now else { return [] }
        var leaving: [Frame] = []
        held.removeAll { one in
            guard one.peer == peer, one.leaves <= now else { return false }
            leaving.append(one.frame)
            return true
        }
        return leaving
    }

    /// - Returns: False when there is no room for it.
    @discardableResult
    private mutating func hold(_ frame: Frame, to peer: Peer, until leaves: Instant) -> Bool {
        guard held.count < Self.heldLimit else { return false }
        // Nearly always the last.
        let index = (held.lastIndex { $0.leaves <= leaves } ?? -1) + 1
        held.insert(Held(leaves: leaves, peer: peer, frame: frame), at: index)
        isQuiet = false
        return true
    }

    /// Frames that are due, by peer, in order.
    mutating func due(at now: Instant) -> [(peer: Peer, frames: [Frame])] {
        let count = held.firstIndex { $0.leaves > now } ?? held.count
        guard count > 0 else { return [] }
        var leaving: [(peer: Peer, frames: [Frame])] = []
        for one in held[..<count] {
            if leaving.last?.peer == one.peer {
                leaving[leaving.count - 1].frames.append(one.frame)
            } else {
                leaving.append((one.peer, [one.frame]))
            }
        }
        held.removeFirst(count)
        return leaving
    }

    /// The link to this peer ended, and what was on its way with it.
    mutating func ended(_ peer: Peer, lost: (Frame) -> Void) {
        for one in held where one.peer == peer { lost(one.frame) }
        held.removeAll { $0.peer == peer }
        links.removeAll { $0.peer == peer }
    }
}
