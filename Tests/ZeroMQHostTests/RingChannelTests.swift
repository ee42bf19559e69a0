import Basics
import Hosting
import CSystem
import Foundation
import Testing
import Wire

@testable import ZeroMQHost

@Suite("A channel over a ring") struct RingChannelTests {
    private func packet(_ channel: RingChannel) -> [UInt8]? {
        if case .packet(let bytes) = channel.receive() { Array(bytes) } else { nil }
    }

    @Test("a grant travels as a packet with one descriptor")
    func grants() throws {
        var ends: [Int32] = [0, 0]
        try #require(system_packet_pair(&ends) == 0)
        let supervisor = PacketChannel(Descriptor(ends[0]), to: .inputKit, for: .supervisor)
        let child = PacketChannel(Descriptor(ends[1]), to: .supervisor, for: .inputKit)
        let ring = try RingGrant.make(number: 7, client: .inputKit, pid: 4711, server: 4712)
        var arrivals: [Input] = []
        supervisor.grant(ring.client, into: &arrivals)
        _ = child.drain(budget: 8, into: &arrivals)
        let granted = try #require(child.removeRings().first)
        #expect(granted.number == 7 && granted.peer == .systemServer && granted.pid == 4712)
        #expect(granted.token.matches(ring.server.token) && ring.server.peer == .inputKit && ring.server.pid == 4711)
        let (client, server) = (try RingChannel(granted, as: .client), try RingChannel(ring.server, as: .server))
        #expect(client.send([1, 2, 3]) == .done && packet(server) == [1, 2, 3])
        #expect(server.send([4]) == .done && packet(client) == [4])
        #expect(arrivals.isEmpty && child.removeRings().isEmpty)
    }

    @Test("a token prints as a token, and only its own bytes match")
    func tokens() throws {
        let token = RingToken([UInt8](repeating: 7, count: RingToken.size))
        var other = [UInt8](repeating: 7, count: RingToken.size)
        #expect(token.matches(RingToken(other)))
        for index in other.indices {
            other[index] ^= 1
            #expect(!token.matches(RingToken(other)))
            other[index] ^= 1
        }
        #expect("\(token)" == "a ring's token" && !"\(RingPacket(.offer, token))".contains("7, 7"))
    }

    @Test("packets about rings are read strictly")
    func strict() throws {
        let packet = RingPacket(.switch, try RingToken.random()).packet
        func read(_ bytes: [UInt8]) throws -> RingPacket { try bytes.withUnsafeBytes { try RingPacket($0) } }
        #expect(try read(packet).kind == .switch)
        #expect(throws: WireError.truncated(expected: 36, actual: 35)) { try read(Array(packet.dropLast())) }
        #expect(throws: WireError.trailingBytes(1)) { try read(packet + [0]) }
        var changed = packet
        changed[3] = 2
        #expect(throws: WireError.unknownKind(2)) { try read(changed) }
        changed[2] = Frame.version + 1
        #expect(throws: WireError.version(Frame.version + 1, known: Frame.version)) { try read(changed) }
        // It is neither a frame nor a pass, and a frame and a pass are no packets about rings.
        #expect(throws: WireError.self) { try Frame.decode(packet: packet) }
        #expect(!packet.withUnsafeBytes { Pass.matches($0) })
        for other in [myPass.packet, frame(.hello).encoded(), []] {
            #expect(!other.withUnsafeBytes { RingPacket.matches($0) })
        }
    }

    @Test("a request or a grant that is cut is refused, and its descriptor closed")
    func cut() throws {
        let request = RingRequest(.app(3), pid: 12)
        #expect(request.packet.withUnsafeBytes { RingRequest(packet: $0) } == request)
        for count in request.packet.indices {
            #expect(Array(request.packet[..<count]).withUnsafeBytes { RingRequest(packet: $0) } == nil)
        }
        let grant = try RingGrant.make(number: 1, client: .app(3), pid: 12, server: 13).client.packet
        for count in grant.indices where Array(grant[..<count]).withUnsafeBytes({ RingGrant.matches($0) }) {
            var pair: [Int32] = [0, 0]
            try #require(system_packet_pair(&pair) == 0)
            let watched = Descriptor(pair[0])
            let isGrant = Array(grant[..<count]).withUnsafeBytes { RingGrant(packet: $0, carrying: pair[1]) != nil }
            #expect(!isGrant, "\(count) bytes")
            // Other tests fork, and keep copies for a moment.
            var item = pollfd(fd: watched.number, events: Int16(POLLIN), revents: 0)
            #expect(poll(&item, 1, 10_000) == 1 && item.revents & Int16(POLLHUP) != 0, "\(count) bytes")
        }
    }

    @Test("packets wait while the lane is full, in order, up to a limit")
    func pending() throws {
        let (client, server) = try RingChannel.pair()
        let large = [UInt8](repeating: 1, count: 60_000)
        for number in 0..<(4 + RingChannel.pendingLimit) {
            #expect(client.value.send(number == 5 ? [5] : large) == .done, "\(number)")
        }
        #expect(client.value.hasPending && client.value.send(large) == .unread)
        var received = 0
        while client.value.hasPending || received < 5 + RingChannel.pendingLimit {
            let bytes = try #require(packet(server.value))
            #expect(bytes == (received == 5 ? [5] : large))
            received += 1
            #expect(client.value.retry() == .done)
        }
        #expect(packet(server.value) == nil)
    }

    @Test("a channel that is closed neither sends nor receives, and lets its host sleep")
    func closed() throws {
        let (client, server) = try RingChannel.pair()
        #expect(client.value.send([1]) == .done)
        #expect(!server.value.sleep())
        server.value.close()
        #expect(packet(server.value) == nil && server.value.send([2]) == .done && server.value.sleep())
        #expect(packet(client.value) == nil)
    }

    @Test("a signal counts as empty until a packet is received")
    func signals() throws {
        let (client, server) = try RingChannel.pair()
        #expect(server.value.sleep() && !server.value.isAwake)
        #expect(client.value.send([1]) == .done)
        server.value.wake()
        #expect(server.value.isAwake && packet(server.value) == [1] && !server.value.removeEmptySignal())
        server.value.wake()
        #expect(packet(server.value) == nil && server.value.removeEmptySignal() && !server.value.removeEmptySignal())
    }

    @Test("a million packets arrive in order, and no reader sleeps through one")
    func stream() throws {
        let (client, server) = try RingChannel.pair()
        let count = 1_000_000
        let writer = Thread {
            var generator = SeededGenerator(seed: 3)
            for number in 0..<count {
                var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 8 + Int(generator.next() % 40))
                withUnsafeBytes(of: number) { bytes.replaceSubrange(0..<8, with: $0) }
                _ = client.value.send(bytes)
                while client.value.hasPending {
                    sched_yield()
                    _ = client.value.retry()
                }
            }
        }
        writer.start()
        var (next, waits) = (0, 0)
        receiving: while next < count {
            switch server.value.receive() {
            case .packet(let bytes):
                let number = bytes.loadUnaligned(as: Int.self)
                guard number == next else {
                    Issue.record("packet \(number) instead of \(next)")
                    break receiving
                }
                next += 1
            case .nothing:
                guard server.value.sleep() else { continue }
                waits += 1
                var item = pollfd(fd: server.value.descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&item, 1, 60_000) == 1 else {
                    Issue.record("no signal after packet \(next)")
                    break receiving
                }
                // As epoll would report it once; here the signal stays until it is taken.
                _ = ring_bell_clear(server.value.descriptor)
                server.value.wake()
            case .broken(let error):
                Issue.record("\(error)")
                break receiving
            }
        }
        #expect(next == count && waits > 0)
    }
}

extension RingChannel {
    /// Both ends of a ring, in one process.
    static func pair() throws -> (client: SendablePointer<RingChannel>, server: SendablePointer<RingChannel>) {
        let ends = try RingGrant.make(number: 1, client: .inputKit, pid: me.pid, server: me.pid)
        return (
            SendablePointer(value: try RingChannel(ends.client, as: .client)),
            SendablePointer(value: try RingChannel(ends.server, as: .server))
        )
    }
}
