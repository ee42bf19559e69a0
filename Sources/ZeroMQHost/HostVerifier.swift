// HostVerifier.swift: checks the frame streams of a process's data links (host.verify; debug builds always).
//
//    input ───▶ checkReceived ─ a fault of the peer ────────▶ counted, a fact
//    effects ─▶ checkSent ───── a fault of this process ─▶ counted, a fact, a line on stderr; in a debug build the end
//
// Sources   Docs/Spec/Pipeline.md section 3, I3

import Basics
import Hosting
import Links
import Trace
import Wire

/// The stream checks of one process, one for each peer.
struct HostVerifier {
    private let role: Role
    private var verifiers: [(peer: Peer, end: StreamVerifier)] = []
    private var isClosing = false
    /// The peer of a link that is down. Until its core has handled the loss, it acts as if the link were up.
    private var lostPeer: Peer?
    /// Whether a fault of this process ends the process.
    private let isFatal: Bool
    private var peerFaultLimit = RepetitionLimit()

    init(_ role: Role, isFatal: Bool = false) { (self.role, self.isFatal) = (role, isFatal) }

    /// Checks an input before the core handles it. A peer's fault only becomes a fact: the core judges peers.
    mutating func check(_ input: Input, at moment: Instant, in trace: inout TraceLog) {
        guard let (sender, fault) = checkReceived(input), peerFaultLimit.countOccurrence() else { return }
        trace.note(
            moment, .process, "{a:n} sent an invalid frame: {b:n}", trace.intern("\(sender)"),
            trace.intern("\(fault)"))
    }

    /// Checks the core's effects.
    mutating func check(_ effects: [Effect], of peer: Peer, at moment: Instant, in trace: inout TraceLog) {
        for effect in effects {
            guard let (receiver, fault) = checkSent(effect) else { continue }
            trace.note(
                moment, .process, "invalid frame to {a:n}: {b:n}", trace.intern("\(receiver)"), trace.intern("\(fault)")
            )
            printError("\(peer): invalid frame to \(receiver): \(fault)")
            precondition(!isFatal, "invalid frame to \(receiver): \(fault)")
        }
        endStep()
    }

    /// Updates the streams with an input.
    ///
    /// - Returns: A frame's fault that no honest peer causes; nil if there is no fault.
    private mutating func checkReceived(_ input: Input) -> (peer: Peer, fault: StreamFault)? {
        switch input {
        case .frame(let frame, from: let peer):
            if peer == .supervisor {
                if frame.message.kind == .shutdown { close() }
                return nil
            }
            guard let index = verifierIndex(of: peer), let fault = verifiers[index].end.checkReceived(frame) else {
                return nil
            }
            return (peer, fault)
        case .peerLost(.supervisor), .stopRequested: close()
        case .peerLost(let peer): lostPeer = peer
        default: break
        }
        return nil
    }

    /// Ends a step: the loss of a link applies after all effects of the step.
    private mutating func endStep() {
        if let peer = lostPeer { noteLinkLoss(of: peer) }
        lostPeer = nil
    }

    /// Updates the streams with an effect.
    ///
    /// - Returns: The fault of a frame of this process; nil if there is no fault.
    private mutating func checkSent(_ effect: Effect) -> (peer: Peer, fault: StreamFault)? {
        switch effect {
        case .send(let frame, to: let peer):
            guard let index = verifierIndex(of: peer), let fault = verifiers[index].end.checkSent(frame) else {
                return nil
            }
            return (peer, fault)
        case .hangUp(let peer): noteLinkLoss(of: peer)
        default: break
        }
        return nil
    }

    private mutating func noteLinkLoss(of peer: Peer) {
        if let index = verifierIndex(of: peer) { verifiers[index].end.linkLost() }
    }

    private mutating func close() {
        isClosing = true
        for place in verifiers.indices { verifiers[place].end.isClosing = true }
    }

    /// The index of a peer's stream, which is made if necessary; nil for a peer without a data link.
    private mutating func verifierIndex(of peer: Peer) -> Int? {
        for place in verifiers.indices where verifiers[place].peer == peer { return place }
        guard var end = StreamVerifier(of: role, to: peer.role) else { return nil }
        end.isClosing = isClosing
        verifiers.append((peer, end))
        return verifiers.count - 1
    }
}
