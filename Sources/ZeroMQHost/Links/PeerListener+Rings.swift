// PeerListener+Rings.swift: the packets of a listener's peers that come through rings (host.transport=ring).
//
// Each packet passes the same admission as one of ZeroMQ: it is counted before it is decoded, and belongs to the
// connection on which the peer has shown its pass and the ring's token.
//
// Input     ZeroMQHost: rings of the supervisor, bells, the wait before a sleep
// Output    requests to the supervisor; frames, refusals and losses
//
// Sources   invented, after Docs/Decisions/Ring.md

import Basics
import Hosting
import Wire

extension PeerListener {
    /// Removes and returns the requests for rings of connections that have opened.
    func removeRingRequests() -> [RingRequest] { rings?.removeRequests() ?? [] }

    /// Offers a ring of the supervisor to its peer.
    ///
    /// - Returns: Whether a connection of the peer's process waits for a ring.
    func offer(_ channel: RingChannel, pid: Int32, into arrivals: inout [Input]) -> Bool {
        guard let route = rings?.offer(channel, pid: pid) else { return false }
        sendOverSocket(RingPacket(.offer, channel.token).packet, on: route, into: &arrivals)
        return true
    }

    /// Takes the packet with which a peer changes to its ring, and changes to it too.
    func switchToRing(
        _ bytes: UnsafeRawBufferPointer, of peer: Peer, from origin: PeerAdmission.Origin,
        into arrivals: inout [Input]
    ) {
        do throws(WireError) {
            let packet = try RingPacket(bytes)
            guard packet.kind == .switch, rings?.activate(packet.token, on: origin.route) == true else {
                throw .badValue("ring: a switch without an offer", UInt64(packet.kind.rawValue))
            }
            // Packets that wait for room in libzmq leave before this one, which is the last on this connection.
            sendOverSocket(packet.packet, on: origin.route, into: &arrivals)
        } catch {
            arrivals.append(.refused(.malformed(peer, error)))
        }
    }

    // MARK: Receiving

    func bellRang(_ number: UInt32) { rings?.wake(number) }

    /// Prepares the host's wait.
    ///
    /// - Returns: Whether the host may wait; false if a ring has a packet.
    func sleepRings() -> Bool { rings?.sleep() ?? true }

    var hasAwakeRings: Bool { rings?.awake.isEmpty == false }

    /// Receives packets of the rings that are awake.
    ///
    /// - Parameter budget: The packets that one ring may bring.
    func drainRings(budget: Int, at now: Instant, into arrivals: inout [Input]) {
        guard let awake = rings?.awake else { return }
        for (origin, channel) in awake { drain(channel, of: origin, budget: budget, at: now, into: &arrivals) }
    }

    /// Receives the last packets of connections that have ended: those that the peers had written by then. A peer that lives
    /// on may write more.
    func drainRingsOfEndedConnections(at now: Instant, into arrivals: inout [Input]) {
        guard let rings else { return }
        for (origin, channel) in rings.channels where admission.hasEnded(origin) {
            channel.endReceiving()
            drain(channel, of: origin, budget: RingChannel.packetsInLane, at: now, into: &arrivals)
        }
    }

    private func drain(
        _ channel: RingChannel, of origin: PeerAdmission.Origin, budget: Int, at now: Instant,
        into arrivals: inout [Input]
    ) {
        let limit = arrivals.count + admission.policy.inputsOfOneTurn
        for _ in 0..<budget {
            guard channel.isEnding || arrivals.count < limit else { return }
            switch channel.receive() {
            case .packet(let bytes):
                guard let index = admission.connectionIndex(of: origin) else {
                    rings?.forget(origin.route)
                    return
                }
                let decision = admission.receive(bytes, from: origin, at: index, now: now)
                carryOut(decision, about: bytes, from: origin, at: now, into: &arrivals)
            case .nothing:
                guard channel.removeEmptySignal() else { return }
                if let decision = admission.countEmptySignal(of: origin, now: now) {
                    carryOut(decision, about: Self.emptyPacket, from: origin, at: now, into: &arrivals)
                }
                return
            case .broken(let error): return endRing(of: origin, because: error, at: now, into: &arrivals)
            }
        }
    }

    /// Ends the connection of a ring in which the peer has written what no process of the group writes.
    private func endRing(
        of origin: PeerAdmission.Origin, because error: WireError, at now: Instant, into arrivals: inout [Input]
    ) {
        admission.breakRing(of: origin, error, now: now)
        carryOutConsequences(into: &arrivals)
        rings?.forget(origin.route)
    }

    // MARK: Sending

    /// Sends a packet through the ring of a connection.
    func send(
        _ bytes: [UInt8], through channel: RingChannel, on origin: PeerAdmission.Origin, into arrivals: inout [Input]
    ) {
        carryOut(channel.send(bytes), of: channel, on: origin, into: &arrivals)
    }

    func retryRings(into arrivals: inout [Input]) {
        for (origin, channel) in rings?.removePending() ?? [] {
            carryOut(channel.retry(), of: channel, on: origin, into: &arrivals)
        }
    }

    private func carryOut(
        _ result: RingChannel.SendResult, of channel: RingChannel, on origin: PeerAdmission.Origin,
        into arrivals: inout [Input]
    ) {
        switch result {
        case .done: if channel.hasPending { rings?.notePending() }
        case .unread: closeConnection(origin.route, into: &arrivals)
        case .broken(let error): endRing(of: origin, because: error, at: now(), into: &arrivals)
        }
    }

    // MARK: Report

    /// Adds the transport of each connection.
    func addTransports(to report: inout Report) {
        for peer in admission.peers {
            guard let route = admission.connection(of: peer)?.route else { continue }
            report.add("\(peer).transport", text: rings?.channel(for: route) == nil ? "zeromq" : "ring")
        }
    }
}
