// ZeroMQHost+Sending.swift: sends the core's frames as packets, each on its peer's link, and applies faults to them.
//
//     outgoing ─▶ Chaos, while a fault is active ─▶ packets ─▶ link, listener, child
//
// Input     ZeroMQHost, when no input is left
// Output    PacketChannel, ServerLink, FetchThread, PeerListener
//
// Sources   invented, after Docs/Spec/Pipeline.md section 1

import Basics
import CSystem
import Faults
import Glibc
import Hosting
import Links
import Trace
import Wire

extension ZeroMQHost {
    func sendOutgoing() {
        guard !mail.outgoing.isEmpty else { return }
        let moment = now()
        for index in mail.outgoing.indices {
            let entry = mail.outgoing[index]
            let (peer, frames) = (entry.peer, entry.frames)
            if let listener = parts.listeners.first(where: { $0.serves(peer) }) {
                listener.returnTokens(entry.returnedTokens, to: peer)
            }
            if !chaos.isQuiet {
                let framesToSend = chaos.framesToSend(frames, to: peer, at: moment) { frame in
                    noteLoss(of: frame, to: peer, at: moment)
                }
                mail.packets.write(framesToSend, sentAt: moment, translate: translation(to: peer)) { packet in
                    send(packet, to: peer)
                }
                continue
            }
            mail.packets.write(frames, sentAt: moment, translate: translation(to: peer)) { packet in
                send(packet, to: peer)
            }
        }
        mail.outgoing.removeAll()
        runLoop(isReady: false)
        queueArrivals()
    }

    /// Converts frames to the server's clock; nil if both ends use one clock.
    func translation(to peer: Peer) -> ((inout Frame) -> Void)? {
        guard peer == .systemServer, let server = parts.server, server.remote != nil else { return nil }
        return server.convertOutgoing
    }

    func send(_ packet: [UInt8], to peer: Peer) {
        switch peer.role {
        case .supervisor:
            guard let link = parts.supervisor else { return }
            link.send(packet, into: &mail.arrivals)
            watchForWriting(link, as: .link)
        case .systemServer where parts.server != nil: parts.server?.send(packet, into: &mail.arrivals)
        case .systemServer where parts.fetch != nil: parts.fetch?.send(packet)
        case .inputKit, .systemServer, .app, .controller:
            if let child = children.child(peer) {
                child.channel.send(packet, into: &mail.arrivals)
                watchForWriting(child.channel, as: .childLink(child.pid))
            } else {
                parts.listeners.first { $0.serves(peer) }?.send(packet, to: peer, into: &mail.arrivals)
            }
        }
    }

    func watchForWriting(_ channel: PacketChannel, as watch: PollSource) {
        guard channel.hasPending else { return }
        poller.setWriting(true, channel.descriptor, as: watch.token)
    }

    // MARK: Chaos

    func startFault(_ line: String) {
        let moment = now()
        guard let fault = chaos.startFault(line, at: moment) else { return }
        if fault.kind == .diskFull { journals.own?.simulateFullDisk(until: moment.advanced(by: fault.length)) }
    }

    func applyFaults() {
        let moment = now()
        for (peer, frames) in chaos.removeDueFrames(at: moment) {
            mail.packets.write(frames, sentAt: moment, translate: translation(to: peer)) { packet in
                send(packet, to: peer)
            }
        }
        chaos.expire(at: moment)
        guard chaos.hasMalformedPackets(at: moment), !isServerLinkFull else { return }
        for shot in chaos.nextMalformedPackets(Self.budget, at: moment) {
            parts.server?.send(shot, into: &mail.arrivals)
            parts.fetch?.send(shot)
        }
        queueArrivals()
    }

    /// Whether malformed packets have to wait, so that they do not accumulate here.
    var isServerLinkFull: Bool { parts.server?.hasPending == true || parts.fetch?.isFull == true }

    /// Notes a frame that a fault keeps from its receiver: the audit accounts for it.
    func noteLoss(of frame: Frame, to peer: Peer, at moment: Instant) {
        journals.own?.noteLoss(of: frame, to: peer, at: moment)
        outbox.trace.note(
            moment, .process, "#{a} to {b:n} dropped by a fault", Int64(frame.sequence),
            outbox.trace.intern("\(peer)"))
    }

    func applySlowness() {
        let cost = chaos.extraTime(at: now()) + chaos.removeStopDuration()
        if cost > .zero { usleep(UInt32(clamping: cost.nanoseconds / 1000)) }
    }
}
