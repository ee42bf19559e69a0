import Basics
import CSystem
import CZeroMQ
import Foundation
import HID
import Hosting
import Settings
import Synchronization
import Testing
import Wire

@testable import ZeroMQHost

/// A server whose supervisor, played by the test, answers requests for rings; and clients that use them or abuse them.
@Suite("Links over a ring") struct RingLinkTests {
    let scratch = Scratch()

    /// Answers the supervisor's request for a report, whose rows the host adds.
    @Sendable private static func report(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        guard case .frame(let request, .supervisor) = input, request.message == .reportRequest else { return }
        outbox.append(.send(frame(.report(Report(peer: .systemServer))), to: .supervisor))
    }

    /// Answers each frame of input-kit under the frame's own number.
    @Sendable private static func echo(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        guard case .frame(let scan, .inputKit) = input else { return report(input, at: now, into: &outbox) }
        outbox.append(.send(frame(.handled(receipt), scan.sequence.rawValue), to: .inputKit))
    }

    @Sendable private static func sayHello(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        if input == .connected(.systemServer) { outbox.append(.send(frame(.hello), to: .systemServer)) }
    }

    /// - Parameter isListed: Whether the server has received a roster that lists input-kit.
    private func server(
        limits: TokenBucket.Limits = .init(rate: 1_000_000, burst: 1_000_000), isListed: Bool = true,
        answer: @escaping @Sendable (Input, Instant, inout Outbox) -> Void = RingLinkTests.report
    ) throws -> Running {
        let listener = try scratch.listen(scratch.paths.input)
        let server = try Running(as: .systemServer, answer: answer) { parts in
            parts.listeners = [
                try PeerListener(
                    "ipc://\(scratch.paths.input)", listener: listener, admitting: .roster(.inputKit),
                    for: .systemServer, user: me.uid, in: try Context(), allowing: limits, waitLimit: .seconds(600),
                    over: .ring)
            ]
        }
        guard isListed else { return server }
        server.sendAsSupervisor(roster(.inputKit))
        server.recorded.wait("the roster") { $0.frames.count == 1 }
        return server
    }

    private func client(
        answer: @escaping @Sendable (Input, Instant, inout Outbox) -> Void = RingLinkTests.sayHello
    ) throws -> Running {
        try Running(as: .inputKit, answer: answer) { parts in
            parts.server = try ServerLink(
                "ipc://\(scratch.paths.input)", to: .systemServer, trusting: .listener(me), showing: myPass,
                for: .inputKit, in: try Context())
        }
    }

    /// Waits until the server asks for a ring.
    private func request(of server: Running, at location: SourceLocation = #_sourceLocation) throws -> RingRequest {
        for _ in 0..<600 {
            var arrivals: [Input] = []
            _ = server.link.drain(budget: 64, into: &arrivals)
            if let request = server.link.removeRingRequests().first { return request }
            var item = pollfd(fd: server.link.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&item, 1, 100)
        }
        Issue.record("no request for a ring", sourceLocation: location)
        throw CancellationError()
    }

    /// Answers the server's request as the supervisor does.
    private func grantRing(to client: Running, and server: Running) throws {
        try grant(request(of: server), number: 1, to: client, and: server)
    }

    private func grant(_ request: RingRequest, number: UInt32, to client: Running, and server: Running) throws {
        #expect(request == RingRequest(.inputKit, pid: me.pid))
        let ends = try RingGrant.make(number: number, client: request.peer, pid: request.pid, server: me.pid)
        var arrivals: [Input] = []
        client.link.grant(ends.client, into: &arrivals)
        server.link.grant(ends.server, into: &arrivals)
    }

    /// Asks the server until its report shows this transport of input-kit.
    ///
    /// - Parameter client: The client that receives the rings for which the server asks in the meantime.
    private func expectTransport(
        _ transport: String, of server: Running, grantingRingsTo client: Running? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        var latest: Report.Value?
        var number: UInt32 = 1
        for _ in 0..<600 {
            server.sendAsSupervisor(.reportRequest)
            var item = pollfd(fd: server.link.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&item, 1, 1000)
            var arrivals: [Input] = []
            _ = server.link.drain(budget: 64, into: &arrivals)
            for case .report(let report) in arrivals.frames.map(\.message) {
                latest = report["input-kit.transport"]
            }
            if let client {
                for request in server.link.removeRingRequests() {
                    number += 1
                    try grant(request, number: number, to: client, and: server)
                }
            }
            if latest == .text(transport) { return }
        }
        Issue.record("the transport is \(String(describing: latest))", sourceLocation: location)
    }

    @Test("frames travel through the ring once both ends have changed to it")
    func relay() throws {
        let server = try server(answer: Self.echo)
        let client = try client()
        client.recorded.wait("the answer over ZeroMQ") { $0.frames(from: .systemServer).count == 1 }
        try expectTransport("zeromq", of: server)
        try grantRing(to: client, and: server)
        try expectTransport("ring", of: server)
        client.stop()
        server.recorded.wait("the end of input-kit", until: isLost(.inputKit))
        #expect(server.recorded.inputs.refusals.isEmpty && client.recorded.inputs.refusals.isEmpty)
        server.stop()
    }

    @Test("frames keep their order while a link changes to its ring")
    func order() throws {
        let count: UInt64 = 5000
        let server = try server(answer: Self.echo)
        let client = try client { input, _, outbox in
            // One frame leaves for each answer, before, during and after the change.
            let next: UInt64
            switch input {
            case .connected(.systemServer): next = 1
            case .frame(let answer, .systemServer): next = answer.sequence.rawValue + 1
            default: return
            }
            guard next <= count else { return }
            outbox.append(.send(frame(.hello, next), to: .systemServer))
        }
        server.recorded.wait("some frames over ZeroMQ") { $0.frames(from: .inputKit).count >= 20 }
        try grantRing(to: client, and: server)
        let heard = client.recorded.wait("all answers") { $0.frames(from: .systemServer).count == count }
        #expect(heard.frames(from: .systemServer).map(\.sequence.rawValue) == Array(1...count))
        #expect(server.recorded.inputs.frames(from: .inputKit).map(\.sequence.rawValue) == Array(1...count))
        try expectTransport("ring", of: server)
        client.stop()
        server.stop()
    }

    @Test("more frames than a ring holds wait, and arrive in order")
    func backpressure() throws {
        let count: UInt64 = 20_000
        // The server reads nothing until the client's host has passed all frames on.
        let areSent = DispatchSemaphore(value: 0)
        let server = try server { input, now, outbox in
            Self.report(input, at: now, into: &outbox)
            if case .frame(let first, .inputKit) = input, first.sequence.rawValue == 2 { areSent.wait() }
        }
        let client = try client { input, _, outbox in
            guard case .frame(let order, .supervisor) = input else {
                return Self.sayHello(input, at: .boot, into: &outbox)
            }
            guard order.sequence.rawValue == 1 else {
                areSent.signal()
                return
            }
            for sequence in 2...count { outbox.append(.send(frame(.hello, sequence), to: .systemServer)) }
        }
        server.recorded.wait("the hello") { $0.frames(from: .inputKit).count == 1 }
        try grantRing(to: client, and: server)
        try expectTransport("ring", of: server)
        client.sendAsSupervisor(.reportRequest)
        client.sendAsSupervisor(.reportRequest)
        let served = server.recorded.wait("all frames") { $0.frames(from: .inputKit).count == count }
        #expect(served.frames(from: .inputKit).map(\.sequence.rawValue) == Array(1...count))
        #expect(!served.contains(.peerLost(.inputKit)) && served.refusals.isEmpty)
        client.stop()
        server.stop()
    }

    @Test("frames written before a client's end are received before its loss")
    func lastWords() throws {
        let server = try server()
        let hostile = try HostileClient(of: scratch.paths.input)
        try hostile.join(server, request: request(of: server))
        for sequence in 2...200 as ClosedRange<UInt64> {
            hostile.write(frame(.hello, sequence).encoded(), isSilent: true)
        }
        hostile.leave()
        let served = server.recorded.wait("the loss", until: isLost(.inputKit))
        let loss = try #require(served.firstIndex(of: .peerLost(.inputKit)))
        #expect(Array(served[..<loss]).frames(from: .inputKit).map(\.sequence.rawValue) == Array(1...200))
        server.stop()
    }

    @Test("a client that connects again receives another ring")
    func again() throws {
        let server = try server()
        let client = try client()
        try grantRing(to: client, and: server)
        try expectTransport("ring", of: server)
        // The roster lists no process for a moment, so the server ends the link.
        server.sendAsSupervisor(.roster([]))
        server.recorded.wait("the loss", until: isLost(.inputKit))
        client.stop()
        server.sendAsSupervisor(roster(.inputKit, generation: 2))
        let next = try self.client()
        // The first client may have connected once more before it stopped, so there may be two requests.
        try expectTransport("ring", of: server, grantingRingsTo: next)
        next.stop()
        server.stop()
    }

    @Test("a client whose packets wait for the roster receives a ring")
    func unlisted() throws {
        let server = try server(isListed: false)
        let client = try HostileClient(of: scratch.paths.input)
        // With the pass and the first hello that is one packet more than may wait. When it is refused, all others are
        // waiting, and the client sends nothing more.
        for sequence in 2...UInt64(UnlistedPackets.packetsPerPID) { client.send(frame(.hello, sequence).encoded()) }
        server.recorded.wait("the one too many") { !$0.refusals.isEmpty }
        server.sendAsSupervisor(roster(.inputKit))
        try client.join(server, request: request(of: server))
        try expectTransport("ring", of: server)
        server.stop()
    }

    // MARK: Hostile clients

    @Test("a switch with a wrong token, no offer, or twice is refused")
    func wrongSwitches() throws {
        let server = try server()
        let hostile = try HostileClient(of: scratch.paths.input)
        hostile.send(RingPacket(.switch, try RingToken.random()).packet)
        let request = try request(of: server)
        hostile.send(RingPacket(.switch, try RingToken.random()).packet)
        try hostile.join(
            server, request: request, before: { hostile.send(RingPacket(.switch, try RingToken.random()).packet) })
        hostile.send(RingPacket(.switch, hostile.token!).packet)
        hostile.send(RingPacket(.offer, hostile.token!).packet)
        hostile.send(Array(RingPacket(.switch, hostile.token!).packet.dropLast()))
        let served = server.recorded.wait("the refusals") { $0.refusals.count == 6 }
        #expect(
            Set(served.refusals.map { "\($0)" }) == [
                "input-kit sent bytes that are no frame: ring: a switch without an offer cannot be 1",
                "input-kit sent bytes that are no frame: ring: a switch without an offer cannot be 0",
                "input-kit sent bytes that are no frame: frame cut short: 35 of 36 bytes",
            ])
        hostile.write(frame(.hello, 2).encoded())
        server.recorded.wait("the frame of the ring") { $0.frames(from: .inputKit).count == 2 }
        server.stop()
    }

    @Test(
        "a client that contradicts itself in the ring is lost with reason",
        arguments: [
            (RingLayout.head, 1 << 40, "ring: bytes waiting: "), (RingLayout.head, 7, "ring: a position cannot be 7"),
            (RingLayout.data, 0, "ring: bytes of a packet cannot be 0"),
            (RingLayout.data, 1 << 33, "ring: bytes of a packet: 8589934592, limit 65536"),
            (RingLayout.data, 4096, "ring: bytes up to a packet's end: 4104, limit "),
        ] as [(Int, UInt64, String)])
    func contradicts(offset: Int, value: UInt64, reason: String) throws {
        let server = try server()
        let hostile = try HostileClient(of: scratch.paths.input)
        try hostile.join(server, request: request(of: server))
        hostile.contradict(at: offset, value)
        let served = server.recorded.wait("the loss", until: isLostWithReason(.inputKit))
        #expect(served.refusals.count == 1)
        #expect(
            "\(served.refusals)".contains("input-kit sent bytes that are no frame: \(reason)"), "\(served.refusals)")
        // The same process may join again, with another ring.
        let next = try HostileClient(of: scratch.paths.input)
        try next.join(server, request: request(of: server), number: 2)
        next.write(frame(.hello, 3).encoded())
        server.recorded.wait("a later frame") { $0.frames(from: .inputKit).contains { $0.sequence == 3 } }
        server.stop()
    }

    @Test("malformed or forbidden frames in a ring are refused one by one")
    func malformed() throws {
        let server = try server()
        let hostile = try HostileClient(of: scratch.paths.input)
        try hostile.join(server, request: request(of: server))
        hostile.write([1, 2, 3])
        hostile.write(frame(.handled(receipt)).encoded())
        hostile.write(frame(.hello, 2).encoded())
        let served = server.recorded.wait("the hello") { $0.frames(from: .inputKit).count == 2 }
        #expect(
            served.refusals.map { "\($0)" } == [
                "input-kit sent bytes that are no frame: frame cut short: 3 of 88 bytes",
                "input-kit may not send handled",
            ])
        server.stop()
    }

    @Test("T6: packets of a ring are counted as those of ZeroMQ are")
    func flood() throws {
        let server = try server(limits: .init(rate: 1, burst: 100))
        let hostile = try HostileClient(of: scratch.paths.input)
        try hostile.join(server, request: request(of: server))
        for sequence in 2...200 as ClosedRange<UInt64> { hostile.write(frame(.hello, sequence).encoded()) }
        let served = server.recorded.wait("the loss", until: isLostWithReason(.inputKit))
        #expect(served.refusals == [.flooding(.inputKit, limit: 1)])
        #expect(served.frames(from: .inputKit).count <= 100)
        server.stop()
    }

    @Test("T6: a client that rings the bell without packets is counted")
    func emptySignals() throws {
        let server = try server(limits: .init(rate: 1, burst: 100))
        let hostile = try HostileClient(of: scratch.paths.input)
        try hostile.join(server, request: request(of: server))
        let served = server.recorded.wait("the loss") { inputs in
            hostile.ring()
            // Each look at the recorded inputs rings once more.
            server.sendAsSupervisor(.reportRequest)
            return isLostWithReason(.inputKit)(inputs)
        }
        #expect(served.refusals == [.flooding(.inputKit, limit: 1)])
        server.stop()
    }

    @Test("the ring of a process that the core has hung up on is closed")
    func hungUp() throws {
        let server = try server { input, now, outbox in
            if case .frame(let last, .inputKit) = input, last.sequence == 5 { outbox.append(.hangUp(.inputKit)) }
            Self.report(input, at: now, into: &outbox)
        }
        let hostile = try HostileClient(of: scratch.paths.input)
        try hostile.join(server, request: request(of: server))
        hostile.write(frame(.hello, 5).encoded())
        #expect(hostile.waitUntilUnheard())
        server.stop()
    }

    @Test("of two grants that a client has received, it uses the one that the server offers")
    func twoGrants() throws {
        let channels = try (1...6 as ClosedRange<UInt32>).map { number in
            try RingChannel(
                RingGrant.make(number: number, client: .inputKit, pid: me.pid, server: me.pid).client, as: .client)
        }
        var ring = ServerRing()
        #expect(channels.allSatisfy { ring.grant($0) })
        // Only the last four are kept.
        ring.offer(channels[0].token, on: 3)
        #expect(ring.startWriting() == nil)
        ring.offer(channels[3].token, on: 3)
        #expect(ring.startWriting() === channels[3])
        #expect(ring.startReading(channels[3].token) && ring.incoming === channels[3])
        #expect(channels.map(\.isOpen) == [false, false, false, true, false, false])
    }

    @Test("T6: a client that asks for one ring after the other takes none from others")
    func issuer() throws {
        var issuer = RingIssuer()
        func count(for client: Peer, at moment: Instant) -> Int {
            (0..<600).count { _ in issuer.issue(to: client, pid: me.pid, server: me.pid, at: moment) != nil }
        }
        #expect(count(for: .app(1), at: .boot) == 16)
        #expect(count(for: .app(2), at: .boot) == 16)
        #expect(count(for: .app(1), at: Instant(nanoseconds: 1_000_000_000)) == 5)
    }

    @Test("a ring is not kept for a process that does not read")
    func unread() throws {
        var ends: [Int32] = [0, 0]
        try #require(system_packet_pair(&ends) == 0)
        let supervisor = PacketChannel(Descriptor(ends[0]), to: .inputKit, for: .supervisor)
        let child = PacketChannel(Descriptor(ends[1]), to: .supervisor, for: .inputKit)
        var arrivals: [Input] = []
        var sent = 0
        while !supervisor.hasPending {
            supervisor.send(frame(.hello).encoded(), into: &arrivals)
            sent += 1
        }
        let ring = try RingGrant.make(number: 1, client: .inputKit, pid: me.pid, server: me.pid)
        supervisor.grant(ring.client, into: &arrivals)
        while child.drain(budget: 64, into: &arrivals) || supervisor.hasPending { supervisor.retry(into: &arrivals) }
        #expect(arrivals.count == sent && child.removeRings().isEmpty)
    }

    @Test("a ring granted for another process of the peer is not offered")
    func otherProcess() throws {
        let server = try server(answer: Self.echo)
        let client = try client()
        _ = try request(of: server)
        let ends = try RingGrant.make(number: 1, client: .inputKit, pid: me.pid + 1, server: me.pid)
        var arrivals: [Input] = []
        client.link.grant(ends.client, into: &arrivals)
        server.link.grant(ends.server, into: &arrivals)
        client.recorded.wait("the answer") { $0.frames(from: .systemServer).count == 1 }
        try expectTransport("zeromq", of: server)
        client.stop()
        server.stop()
    }
}

/// A client that speaks the handover correctly and then writes to its ring what it likes.
final class HostileClient {
    private let context = zmq_ctx_new()!
    private let socket: UnsafeMutableRawPointer
    private(set) var token: RingToken?
    private var end = ring_end()
    private var bell: Int32 = -1

    /// Connects, shows its pass, and sends one hello.
    init(of path: String) throws {
        socket = zmq_socket(context, ZMQ_DEALER)
        var linger: Int32 = 0
        zmq_setsockopt(socket, ZMQ_LINGER, &linger, 4)
        var timeout: Int32 = 60_000
        zmq_setsockopt(socket, ZMQ_RCVTIMEO, &timeout, 4)
        #expect(zmq_connect(socket, "ipc://\(path)") == 0)
        send(myPass.packet)
        send(frame(.hello).encoded())
    }

    deinit {
        leave()
        ring_close(&end)
        if bell >= 0 { close(bell) }
        zmq_ctx_term(context)
    }

    private var hasLeft = false

    /// Ends the connection.
    func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        zmq_close(socket)
    }

    func send(_ bytes: [UInt8]) { #expect(zmq_send(socket, bytes, bytes.count, 0) == bytes.count) }

    private func receive() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = zmq_recv(socket, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes[..<Int(count)]) : []
    }

    /// Receives a ring as the supervisor gives it, and changes to it as the server offers it.
    func join(_ server: Running, request: RingRequest, number: UInt32 = 1, before: () throws -> Void = {}) throws {
        let ends = try RingGrant.make(number: number, client: request.peer, pid: request.pid, server: me.pid)
        let memory = try ends.client.takeDescriptor()
        let ownBell = try ends.client.takeDescriptor()
        _ = ownBell.number
        try #require(ring_open(&end, memory.number, RingChannel.End.client.rawValue) == 0)
        bell = try ends.client.takeDescriptor().release()
        token = ends.client.token
        var arrivals: [Input] = []
        server.link.grant(ends.server, into: &arrivals)
        let offer = try receive().withUnsafeBytes { try RingPacket($0) }
        #expect(offer.kind == .offer && offer.token.matches(ends.client.token))
        try before()
        send(RingPacket(.switch, offer.token).packet)
        let answer = try receive().withUnsafeBytes { try RingPacket($0) }
        #expect(answer.kind == .switch && answer.token.matches(ends.client.token))
    }

    /// Writes a packet.
    ///
    /// - Parameter isSilent: Whether to leave a sleeping server asleep.
    func write(_ bytes: [UInt8], isSilent: Bool = false) {
        if end.write(bytes) == ring_done_wake, !isSilent { ring() }
    }

    func ring() { ring_bell(bell) }

    /// Waits until the server has closed its end of the bell, for a minute at most.
    func waitUntilUnheard() -> Bool {
        var item = pollfd(fd: bell, events: 0, revents: 0)
        return poll(&item, 1, 60_000) == 1 && item.revents & Int16(POLLERR) != 0
    }

    /// Writes a packet, and then a word of the memory; `RingLayout.data` stands for the length of that packet.
    func contradict(at offset: Int, _ value: UInt64) {
        // The client writes lane 1.
        let position = end.written
        let head = end.word(at: RingLayout.lane + RingLayout.head)
        if offset == RingLayout.data {
            let word = RingLayout.data + Int(ring_capacity) + Int(position % UInt64(ring_capacity))
            end.word(at: word).pointee.store(value, ordering: .relaxed)
            head.pointee.store(position + 16, ordering: .releasing)
        } else {
            head.pointee.store(value, ordering: .releasing)
        }
        ring()
    }
}
