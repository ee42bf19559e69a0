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
    func handOver() {
        guard !mail.outgoing.isEmpty else { return }
        let moment = now()
        for (peer, frames) in mail.outgoing.drain() {
            if let listener = parts.listeners.first(where: { $0.serves(peer) }) {
                listener.earned(frames.count { $0.isAnswering || $0.isToBeAnswered }, by: peer)
            }
            if !chaos.isQuiet {
                let leaving = chaos.pass(frames, to: peer, at: moment) { frame in lose(frame, to: peer, at: moment) }
                packets(of: leaving, sentAt: moment, translate: translation(to: peer)) { packet in
                    send(packet, to: peer)
                }
                continue
            }
            packets(of: frames, sentAt: moment, translate: translation(to: peer)) { packet in send(packet, to: peer) }
        }
        takeArrivals()
    }

    /// Converts frames to the server's clock; nil if both ends use one clock.
    func translation(to peer: Peer) -> ((inout Frame) -> Void)? {
        guard peer == .systemServer, let server = parts.server, server.far != nil else { return nil }
        return server.leaving
    }

    func send(_ packet: [UInt8], to peer: Peer) {
        switch peer.role {
        case .supervisor:
            guard let link = parts.supervisor else { return }
            link.send(packet, into: &mail.arrivals)
            watchRoom(link, as: .link)
        case .systemServer where parts.server != nil: parts.server?.send(packet, into: &mail.arrivals)
        case .systemServer where parts.fetch != nil: parts.fetch?.send(packet)
        case .inputKit, .systemServer, .app, .controller:
            if let child = children.child(peer) {
                child.channel.send(packet, into: &mail.arrivals)
                watchRoom(child.channel, as: .childLink(child.pid))
            } else {
                parts.listeners.first { $0.serves(peer) }?.send(packet, to: peer, into: &mail.arrivals)
            }
        }
    }

    func watchRoom(_ channel: PacketChannel, as watch: Watch) {
        guard channel.hasPending else { return }
        poller.setWriting(true, channel.descriptor, as: watch.token)
    }

    // MARK: Chaos

    func suffer(_ line: String) {
        let moment = now()
        guard let fault = chaos.take(line, at: moment) else { return }
        if fault.kind == .diskFull { journals.own?.pretendFull(until: moment.advanced(by: fault.length)) }
    }

    func suffer() {
        let moment = now()
        for (peer, frames) in chaos.due(at: moment) {
            packets(of: frames, sentAt: moment, translate: translation(to: peer)) { packet in send(packet, to: peer) }
        }
        chaos.expire(at: moment)
        guard chaos.hasShots(at: moment), !isHeldUp else { return }
        for shot in chaos.nextShots(Self.budget, at: moment) {
            parts.server?.send(shot, into: &mail.arrivals)
            parts.fetch?.send(shot)
        }
        takeArrivals()
    }

    /// Whether a barrage has to wait, so that its packets do not accumulate here.
    var isHeldUp: Bool { parts.server?.hasPending == true || parts.fetch?.isFull == true }

    /// Notes a frame that a fault keeps from its receiver: the audit accounts for it.
    func lose(_ frame: Frame, to peer: Peer, at moment: Instant) {
        journals.own?.noteLoss(of: frame, to: peer, at: moment)
        outbox.trace.note(
            moment, .process, "#{a} to {b:n} lost on purpose", Int64(frame.sequence),
            outbox.trace.intern("\(peer)"))
    }

    func slow() {
        let cost = chaos.slowness(at: now()) + chaos.takeNap()
        if cost > .zero { usleep(UInt32(clamping: cost.nanoseconds / 1000)) }
    }
}

extension Frame {
    /// Whether it answers a scan for which the receiver had a credit.
    fileprivate var isAnswering: Bool {
        if case .handled(let receipt) = message { receipt.reason != .overLimit } else { false }
    }

    /// Whether its receiver has to answer it.
    fileprivate var isToBeAnswered: Bool {
        switch message.kind {
        case .touches, .input, .monitorPage: true
        default: false
        }
    }
}
