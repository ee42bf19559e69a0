// ServerLink+Ring.swift: the packets between a client and the server that go through a ring (host.transport=ring).
//
// Input     ZeroMQHost: the ring of the supervisor, the bell, the wait before a sleep; ServerLink: packets about rings
// Output    frames and refusals
//
// Sources   invented, after Docs/Decisions/Ring.md

import Hosting
import Wire

extension ServerLink {
    /// Keeps a ring of the supervisor for this link.
    ///
    /// - Returns: Whether the link has a use for it.
    func attach(_ channel: RingChannel) -> Bool {
        guard isOfSupervisedGroup, ring.grant(channel) else { return false }
        switchIfOffered()
        return true
    }

    /// Handles a packet about a ring.
    ///
    /// - Returns: False if the packet is not about a ring.
    func handleRingPacket(
        _ bytes: UnsafeRawBufferPointer, on connection: Int32, into arrivals: inout [Input]
    ) -> Bool {
        guard isOfSupervisedGroup, RingPacket.matches(bytes) else { return false }
        do throws(WireError) {
            let packet = try RingPacket(bytes)
            switch packet.kind {
            case .offer:
                ring.offer(packet.token, on: connection)
                switchIfOffered()
            case .switch:
                guard ring.startReading(packet.token) else {
                    throw .badValue("ring: a switch without one of this end", UInt64(packet.kind.rawValue))
                }
            }
        } catch { arrivals.append(.refused(.malformed(peer, error))) }
        return true
    }

    private func switchIfOffered() {
        guard let channel = ring.startWriting() else { return }
        // Packets that wait for room in libzmq leave before this one, which is the last on this connection.
        sendOverSocket(RingPacket(.switch, channel.token).packet)
    }

    /// Whether the server is the one of the supervisor that started this process. Only such a server has rings.
    private var isOfSupervisedGroup: Bool { if case .listener = trust { true } else { false } }

    // MARK: Receiving

    func bellRang() { ring.incoming?.wake() }

    /// Prepares the host's wait.
    ///
    /// - Returns: Whether the host may wait; false if the ring has a packet.
    func sleepRing() -> Bool {
        guard let channel = ring.incoming, channel.isAwake else { return true }
        return channel.sleep()
    }

    var hasAwakeRing: Bool { ring.incoming?.isAwake == true }

    /// Receives packets of the ring.
    func drainRing(budget: Int, into arrivals: inout [Input]) {
        guard let channel = ring.incoming else { return }
        for _ in 0..<budget {
            switch channel.receive() {
            case .packet(let bytes): decoder.decode(bytes, from: peer, into: &arrivals)
            case .nothing: return
            case .broken(let error): return breakRing(channel, error, into: &arrivals)
            }
        }
    }

    // MARK: Sending

    func send(_ bytes: [UInt8], through channel: RingChannel, into arrivals: inout [Input]) {
        carryOut(channel.send(bytes), of: channel, into: &arrivals)
    }

    func retryRing(into arrivals: inout [Input]) {
        guard let channel = ring.outgoing, channel.hasPending else { return }
        carryOut(channel.retry(), of: channel, into: &arrivals)
    }

    private func carryOut(
        _ result: RingChannel.SendResult, of channel: RingChannel, into arrivals: inout [Input]
    ) {
        switch result {
        case .done: break
        case .unread: end(channel)
        case .broken(let error): breakRing(channel, error, into: &arrivals)
        }
    }

    private func breakRing(_ channel: RingChannel, _ error: WireError, into arrivals: inout [Input]) {
        arrivals.append(.refused(.malformed(peer, error)))
        end(channel)
    }

    /// Ends the connection of a ring that is of no more use. libzmq reports the end, and connects again.
    private func end(_ channel: RingChannel) {
        channel.close()
        guard case .listener(let listener) = trust else { return }
        endConnection(on: ring.connection, of: listener)
    }
}
