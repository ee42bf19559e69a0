import Basics
import CSystem
import CZeroMQ
import Foundation
import Hosting
import Testing
import Wire

@testable import ZeroMQHost

@Suite("The guard in front of libzmq") struct GuardTests {
    let scratch = Scratch()

    private func server() throws -> Running {
        let path = scratch.paths.input
        let listener = try scratch.listen(path)
        let server = try Running(
            as: .systemServer,
            parts: { parts in
                parts.listeners = [
                    try PeerListener(
                        "ipc://\(path)", listener: listener, admitting: .roster(.inputKit), for: .systemServer,
                        user: me.uid, in: try Context())
                ]
            })
        server.sendAsSupervisor(roster(.inputKit))
        server.recorded.wait("the roster") { $0.frames.count == 1 }
        return server
    }

    /// Expects that the server still serves a peer that follows the protocol.
    private func expectService(_ server: Running) {
        let honest = ArbitraryClient(scratch.paths.input)
        honest.send(frame(.hello).encoded())
        server.recorded.wait("the hello of an honest peer") { !$0.frames(from: .inputKit).isEmpty }
        server.stop()
    }

    private func isTurnedAway(_ why: ConnectionRefusal) -> ([Input]) -> Bool {
        { inputs in
            inputs.refusals.contains { refusal in
                if case .connectionsRefused(pid: getpid(), uid: me.uid, count: _, why) = refusal { true } else { false }
            }
        }
    }

    @Test("libzmq in this program accepts and reads through the guard")
    func isInPlace() { #expect(guard_is_in_place() == 1) }

    @Test("routing ids begin at a kernel random number, not at unseeded rand()")
    func seeds() throws {
        // The first value of `rand()` in a process that never called `srand()`.
        let unseeded: Int32 = 1_804_289_383
        var first: Set<Int32> = []
        for _ in 0..<4 {
            _ = try Context()
            first.insert(rand())
        }
        #expect(first.count > 1 && !first.contains(unseeded))
    }

    @Test(
        "a peer that sends its own routing id is refused",
        arguments: [
            // A listener's own ids are a zero and four bytes. The first rows are ids that an unseeded libzmq gives out
            // first; the others are arbitrary.
            [0, 0x6B, 0x8B, 0x45, 0x67], [0, 0x6B, 0x8B, 0x45, 0x68], [0, 0xE4, 0x3C, 0x98, 0x69], [0, 0, 0, 0, 0],
            [1], Array("app1".utf8), [UInt8](repeating: 7, count: 200),
        ] as [[UInt8]])
    func namesItself(id: [UInt8]) throws {
        let server = try server()
        let call = try RawConnection(scratch.paths.input)
        call.send(RawConnection.greeting())
        call.send(RawConnection.ready([RawConnection.dealer, ("identity", id)]))
        #expect(call.waitForClose())
        server.recorded.wait("the refusal", until: isTurnedAway(.choseRoutingID))
        expectService(server)
    }

    @Test("a client of libzmq that sets its routing id is refused")
    func namedClient() throws {
        let server = try server()
        let context = try #require(zmq_ctx_new())
        let socket = try #require(zmq_socket(context, ZMQ_DEALER))
        var linger: Int32 = 0
        zmq_setsockopt(socket, ZMQ_LINGER, &linger, 4)
        zmq_setsockopt(socket, ZMQ_ROUTING_ID, "input-kit", 9)
        #expect(zmq_connect(socket, "ipc://\(scratch.paths.input)") == 0)
        server.recorded.wait("the refusal", until: isTurnedAway(.choseRoutingID))
        zmq_close(socket)
        zmq_ctx_term(context)
        expectService(server)
    }

    @Test(
        "a connection that is not ZMTP 3 is refused",
        arguments: [
            RawConnection.greeting(version: 1), RawConnection.greeting(version: 2),
            // ZMTP 1: an anonymous peer's first frame, and a frame with a name.
            [1, 0], [6, 0, 0, 0x6B, 0x8B, 0x45, 0x67], Array("GET / HTTP/1.1\r\n\r\n".utf8),
            // A frame with unknown flags, a command that is no READY, a message before READY, and a truncated READY.
            RawConnection.greeting() + [0x80, 1, 0], RawConnection.greeting() + [4, 5, 4] + Array("PING".utf8),
            RawConnection.greeting() + RawConnection.part([1], more: false),
            RawConnection.greeting() + [4, 9, 5] + Array("READY".utf8) + [200, 1, 1],
            // Commands after READY: libzmq takes them for messages that were not counted.
            GuardShareTests.greeted + [4, 13, 9] + Array("SUBSCRIBEabc".utf8),
            GuardShareTests.greeted + [4, 7, 6] + Array("CANCEL".utf8),
            RawConnection.greeting() + RawConnection.ready([RawConnection.dealer, RawConnection.dealer]) + [4, 0],
            // A command of several parts, and a command above the length limit.
            RawConnection.greeting() + [5, 1, 0], RawConnection.greeting() + [6, 0, 0, 0, 0, 1, 0, 0, 0],
        ] as [[UInt8]])
    func noZMTP(bytes: [UInt8]) throws {
        let server = try server()
        let call = try RawConnection(scratch.paths.input)
        call.send(bytes)
        #expect(call.waitForClose())
        server.recorded.wait("the refusal", until: isTurnedAway(.noZMTP))
        expectService(server)
    }

    /// A guarded listening socket of this test. The test accepts and reads connections as libzmq does.
    private func guarded(_ limit: UInt32, _ body: (_ listener: Int32, _ number: Int32) throws -> Void) throws {
        let path = scratch.paths.input
        let listener = system_unix_listen(path, 16)
        try #require(listener >= 0)
        defer { close(listener) }
        var limits = guard_limits()
        (limits.connections, limits.backlog, limits.is_plain) = (limit, 1 << 20, 1)
        let number = guard_open(listener, &limits)
        try #require(number >= 0)
        defer { guard_close(number) }
        try body(listener, number)
    }

    private func read(_ descriptor: Int32) -> (count: Int, failure: Int32) {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return (count, errno)
    }

    @Test("a closed connection left behind does not free its successor's guard slot")
    func reusedNumber() throws {
        try guarded(2) { listener, number in
            for _ in 0..<1_000 {
                let first = try RawConnection(scratch.paths.input)
                let old = guard_accept(listener)
                guard_prove(number, old)
                let second = try RawConnection(scratch.paths.input)
                close(old)
                let new = guard_accept(listener)
                defer { close(new) }
                // Another thread may have taken the descriptor in between.
                guard new == old else { continue }
                guard_prove(number, new)
                // The guard is full and looks for closed connections.
                let third = try RawConnection(scratch.paths.input)
                let last = guard_accept(listener)
                defer { close(last) }
                #expect(last >= 0)
                second.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
                #expect(read(new) == (-1, ECONNRESET))
                return withExtendedLifetime((first, third)) {}
            }
            Issue.record("no number was given twice in a row")
        }
    }

    @Test("bytes that an evicted connection sent earlier are not read")
    func evictedBytes() throws {
        try guarded(1) { listener, _ in
            let first = try RawConnection(scratch.paths.input)
            first.send(RawConnection.greeting() + RawConnection.ready([RawConnection.dealer]))
            let old = guard_accept(listener)
            defer { close(old) }
            let second = try RawConnection(scratch.paths.input)
            let new = guard_accept(listener)
            defer { close(new) }
            #expect(new >= 0)
            #expect(read(old) == (-1, ECONNRESET))
            second.send(RawConnection.greeting())
            #expect(read(new).count == 64)
        }
    }

    @Test("a greeting and a READY sent byte by byte are accepted")
    func byteByByte() throws {
        let server = try server()
        let call = try RawConnection(scratch.paths.input)
        for byte in RawConnection.greeting() + RawConnection.ready([RawConnection.dealer]) { call.send([byte]) }
        // libzmq reads what arrives with READY only when more arrives. The test waits for libzmq's own READY, as its
        // clients do.
        #expect(call.waitForText("READY"))
        for byte in RawConnection.part(myPass.packet, more: false) { call.send([byte]) }
        withExtendedLifetime(call) { _ = server.recorded.wait("the connection", until: isConnected(.inputKit)) }
        server.stop()
    }

    @Test("T4: a multipart message ends its connection at the first part")
    func multipart() throws {
        let server = try server()
        let call = try RawConnection(scratch.paths.input)
        call.send(RawConnection.greeting())
        call.send(RawConnection.ready([RawConnection.dealer]))
        let part = RawConnection.part([UInt8](repeating: 7, count: 60_000), more: true)
        // The parts are 1.5 GB together if the listener reads them all.
        var sent = 0
        while sent < 25_000, call.send(part) { sent += 1 }
        #expect(sent < 100)
        server.recorded.wait("the refusal", until: isTurnedAway(.multipart))
        expectService(server)
    }

    @Test("T9: a child process is refused at the controllers' listener before libzmq")
    func child() throws {
        let path = scratch.paths.control
        let listener = try scratch.listen(path)
        // The test ends this host over its supervisor's link; a real supervisor has no such link.
        let holder = try Running(
            as: .systemServer,
            parts: { parts in
                let door = try PeerListener(
                    "ipc://\(path)", listener: listener, admitting: .sameUser(.controller), for: .supervisor,
                    user: me.uid, in: try Context())
                door.refuse { [getpid()] }
                parts.listeners = [door]
            })
        let call = try RawConnection(path)
        #expect(call.waitForClose())
        holder.recorded.wait("the refusal", until: isTurnedAway(.child))
        holder.stop()
    }

    /// Sends what a client sends, changed at random: `TOUCHLINE_GUARD_CALLS` calls from the seed
    /// `TOUCHLINE_GUARD_SEED`.
    @Test("whatever bytes a peer sends, the listener serves the next peer")
    func noise() throws {
        let environment = ProcessInfo.processInfo.environment
        let calls = environment["TOUCHLINE_GUARD_CALLS"].flatMap(Int.init) ?? 300
        var random = SeededGenerator(seed: environment["TOUCHLINE_GUARD_SEED"].flatMap(UInt64.init) ?? 1)
        func below(_ limit: Int) -> Int { Int(random.next(upperBound: UInt64(max(1, limit)))) }
        let server = try server()
        let ping: [UInt8] = [4, 11, 4] + Array("PING".utf8) + [0, 10, 1, 2, 3, 4]
        for _ in 0..<calls {
            let name: [UInt8] = below(4) == 0 ? [0, 1, 2, 3, 4] : []
            let version = below(4) == 0 ? UInt8(below(5)) : 3
            var pieces: [[UInt8]] = [RawConnection.greeting(version: version)]
            pieces.append(RawConnection.ready([RawConnection.dealer, ("Identity", name)]))
            pieces.append(RawConnection.part(myPass.packet, more: false))
            pieces.append(ping)
            pieces.append(RawConnection.part(frame(.hello).encoded(), more: below(4) == 0))
            pieces += [[0, 0], [4, 0]]
            for _ in 0..<below(3) { pieces.swapAt(below(pieces.count), below(pieces.count)) }
            var bytes = Array(pieces.joined())
            for _ in 0..<below(4) {
                let bit: UInt8 = 1 << UInt8(below(8))
                bytes[below(bytes.count)] ^= bit
            }
            if below(3) == 0 { bytes.removeLast(below(bytes.count)) }
            let call = try RawConnection(scratch.paths.input)
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = rest.prefix(1 + below(200))
                guard call.send(Array(part)) else { break }
                rest = rest.dropFirst(part.count)
            }
            // Some connections close at once; others first wait for the answer.
            if below(2) == 0 { usleep(UInt32(below(300))) }
        }
        expectService(server)
    }
}
