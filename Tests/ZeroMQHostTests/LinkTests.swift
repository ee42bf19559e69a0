import Basics
import CSystem
import Foundation
import HID
import Hosting
import Synchronization
import Testing
import Wire

@testable import ZeroMQHost

@Suite("Links between a client and the server") struct LinkTests {
    let scratch = Scratch()

    /// A server that answers each hello from input-kit with a receipt.
    func server(
        listener: Int32? = nil, admitting: PeerAdmission.Policy = .roster(.inputKit),
        patience: Duration = UnlistedPackets.waitLimit,
        answer: @escaping @Sendable (Input, Instant, inout Outbox) -> Void = { input, now, outbox in
            guard case .frame(let frame, let peer) = input, peer == .inputKit, frame.message == .hello else { return }
            outbox.append(.send(answerTo(for: frame, at: now), to: peer))
        }
    ) throws -> Running {
        let listener = try listener ?? scratch.listen(scratch.paths.input)
        return try Running(as: .systemServer, answer: answer) { parts in
            parts.listeners = [
                try PeerListener(
                    "ipc://\(scratch.paths.input)", listener: listener, admitting: admitting, for: .systemServer,
                    user: me.uid, in: try Context(), waitLimit: patience)
            ]
        }
    }

    func client(
        answer: @escaping @Sendable (Input, Instant, inout Outbox) -> Void = { input, _, outbox in
            guard input == .connected(.systemServer) else { return }
            outbox.append(.send(frame(.hello, ledger: Ledger(device: Instant(nanoseconds: 5))), to: .systemServer))
        }
    ) throws -> Running {
        try Running(as: .inputKit, answer: answer) { parts in
            parts.server = try ServerLink(
                "ipc://\(scratch.paths.input)", to: .systemServer, trusting: .listener(me), showing: myPass,
                for: .inputKit, in: try Context())
        }
    }

    @Test("a frame and its answer carry a time for every hop")
    func relay() throws {
        let server = try server()
        server.sendAsSupervisor(roster(.inputKit))
        let client = try client()
        let heard = client.recorded.wait("the receipt") { !$0.frames(from: .systemServer).isEmpty }
        let ledger = try #require(heard.frames(from: .systemServer).first).ledger
        #expect(ledger.count == 4)
        let stamps = Ledger.Hop.allCases.compactMap { ledger[$0] }
        #expect(stamps == stamps.sorted() && stamps.first == Instant(nanoseconds: 5))
        let served = server.recorded.inputs
        let connected = try #require(served.firstIndex(of: .connected(.inputKit)))
        #expect(
            served.dropFirst(connected).first { if case .frame = $0 { true } else { false } } == served[connected + 1])
        client.stop()
        server.recorded.wait("the end of input-kit", until: isLost(.inputKit))
        server.stop()
    }

    @Test("a child's frames sent before its roster entry are received")
    func fasterThanTheRoster() throws {
        let server = try server(patience: .seconds(600))
        let client = try client()
        client.recorded.wait("the link", until: isConnected(.systemServer))
        server.sendAsSupervisor(roster(.inputKit))
        client.recorded.wait("the receipt") { !$0.frames(from: .systemServer).isEmpty }
        #expect(server.recorded.inputs.refusals.isEmpty)
        client.stop()
        server.stop()
    }

    @Test("all packets sent before the roster entry are received, pass first")
    func hasSaidMuch() throws {
        let server = try server(patience: .seconds(600))
        let child = ArbitraryClient(scratch.paths.input)
        let count = UInt64(UnlistedPackets.packetsPerPID)
        // With its pass that is one packet more than may wait. When it is refused, all others are waiting.
        for sequence in 1...count { child.send(frame(.hello, sequence).encoded()) }
        server.recorded.wait("the one too many") { !$0.refusals.isEmpty }
        server.sendAsSupervisor(roster(.inputKit))
        let heard = server.recorded.wait("what was said before") { $0.frames(from: .inputKit).count == count - 1 }
        #expect(heard.frames(from: .inputKit).map(\.sequence.rawValue) == Array(1..<count))
        #expect(heard.refusals == [.notOnRoster(pid: me.pid, uid: me.uid)])
        server.stop()
    }

    @Test("a process that is not on the roster is refused")
    func forged() throws {
        let server = try server()
        // The roster names another process as input-kit.
        server.sendAsSupervisor(roster(.inputKit, pid: 1))
        let forger = ArbitraryClient(scratch.paths.input, showing: nil)
        for sequence in 1...100 { forger.send(frame(.hello, UInt64(sequence)).encoded()) }
        let served = server.recorded.wait("a hundred refusals") { $0.refusals.count == 100 }
        #expect(served.refusals.allSatisfy { $0 == .notOnRoster(pid: me.pid, uid: me.uid) })
        #expect(served.frames.count == 1 && !served.contains(.connected(.inputKit)))
        server.stop()
    }

    @Test("an app at input-kit's listener is refused")
    func wrongDoor() throws {
        let server = try server()
        server.sendAsSupervisor(roster(.app(1)))
        server.recorded.wait("the roster") { $0.frames.count == 1 }
        let app = ArbitraryClient(scratch.paths.input)
        app.send(frame(.hello).encoded())
        let served = server.recorded.wait("the refusal") { !$0.refusals.isEmpty }
        #expect(served.refusals == [.forbidden(.app(1), .hello)])
        #expect(!served.contains(.connected(.app(1))))
        server.stop()
    }

    @Test("malformed packets are refused with reasons; later frames are received")
    func malformed() throws {
        let server = try server()
        server.sendAsSupervisor(roster(.inputKit))
        server.recorded.wait("the roster") { $0.frames.count == 1 }
        let client = ArbitraryClient(scratch.paths.input)
        client.send([1, 2, 3])
        client.send([UInt8](repeating: 0xAA, count: 100))
        client.send(frame(.hello).encoded() + [9])
        client.send([])
        client.send(frame(.handled(receipt)).encoded())
        client.send(frame(.hello).encoded())
        let served = server.recorded.wait("the hello") { !$0.frames(from: .inputKit).isEmpty }
        #expect(
            served.refusals.map { "\($0)" } == [
                "input-kit sent bytes that are no frame: frame cut short: 3 of 88 bytes",
                "input-kit sent bytes that are no frame: not a frame: magic 0xaaaa",
                "input-kit sent bytes that are no frame: frame cut short: 89 of 176 bytes",
                "input-kit sent bytes that are no frame: frame cut short: 0 of 88 bytes",
                "input-kit may not send handled",
            ])
        server.stop()
    }

    @Test("a packet above the length limit ends its connection")
    func oversized() throws {
        let server = try server()
        server.sendAsSupervisor(roster(.inputKit))
        server.recorded.wait("the roster") { $0.frames.count == 1 }
        let client = ArbitraryClient(scratch.paths.input)
        client.send(frame(.hello).encoded())
        server.recorded.wait("the hello", until: isConnected(.inputKit))
        client.send([UInt8](repeating: 7, count: Frame.packetLimit + 1))
        let served = server.recorded.wait("the loss", until: isLost(.inputKit))
        #expect(served.refusals.isEmpty && served.frames(from: .inputKit).count == 1)
        server.stop()
    }

    @Test("a client that connects between two servers is served by the second")
    func backlog() throws {
        let listener = try scratch.listen(scratch.paths.input)
        defer { close(listener) }
        let first = try server(listener: system_duplicate_above(listener, 10))
        first.sendAsSupervisor(roster(.inputKit))
        let client = try client()
        client.recorded.wait("the first receipt") { !$0.frames(from: .systemServer).isEmpty }
        first.stop()
        client.recorded.wait("the loss", until: isLost(.systemServer))
        let second = try server(listener: system_duplicate_above(listener, 10))
        second.sendAsSupervisor(roster(.inputKit))
        let heard = client.recorded.wait("the second receipt") { $0.frames(from: .systemServer).count == 2 }
        #expect(heard.filter { $0 == .connected(.systemServer) }.count == 2)
        client.stop()
        second.stop()
    }

    @Test("a peer that leaves the roster is lost before its connection closes")
    func struckOff() throws {
        let server = try server()
        server.sendAsSupervisor(roster(.inputKit))
        let client = try client()
        server.recorded.wait("input-kit", until: isConnected(.inputKit))
        server.sendAsSupervisor(.roster([]))
        server.recorded.wait("the loss", until: isLost(.inputKit))
        client.stop()
        server.stop()
    }

    @Test("the frames of one input travel in few packets, in order")
    func batches() throws {
        // These frames need two packets at least.
        let count = 400
        let server = try server { input, _, outbox in
            guard case .frame(let first, .inputKit) = input, first.message == .hello else { return }
            for sequence in 1...count {
                let message = Message.refused(String(repeating: "x", count: 100))
                outbox.append(.send(frame(message, UInt64(sequence)), to: .inputKit))
            }
        }
        server.sendAsSupervisor(roster(.inputKit))
        server.recorded.wait("the roster") { $0.frames.count == 1 }
        let client = ArbitraryClient(scratch.paths.input)
        client.send(frame(.hello).encoded())
        var heard: [[Frame]] = []
        while heard.flatMap({ $0 }).count < count {
            let packet = client.receive()
            guard !packet.isEmpty else { break }
            heard.append(packet)
        }
        #expect(heard.flatMap { $0 }.map(\.sequence.rawValue) == Array(1...UInt64(count)))
        #expect(heard.count <= 4)
        server.stop()
    }

    @Test(
        "the answers to many frames of one packet leave in parts, so that the receiver does not wait for the last",
        arguments: [(0, [256, 72]), (1, [256, 72]), (30, [9, 9, 4]), (128, [2, 2, 1])]
            as [(UInt16, [Int])])
    func parts(moves: UInt16, expected: [Int]) throws {
        let count = UInt64(expected.reduce(0, +))
        // A receipt counts as the moves that it answers, whether they were merged or not.
        var receipt = Receipt(frame: 1, outcome: .delivered, moved: moves / 2)
        receipt.coalesced = moves - moves / 2
        let answer = moves == 0 ? Message.refused("") : .handled(receipt)
        let server = try server { input, _, outbox in
            guard case .frame(let frame, .inputKit) = input else { return }
            outbox.append(.send(ZeroMQHostTests.frame(answer, frame.sequence.rawValue), to: .inputKit))
        }
        server.sendAsSupervisor(roster(.inputKit))
        server.recorded.wait("the roster") { $0.frames.count == 1 }
        let client = ArbitraryClient(scratch.paths.input)
        var counts: [Int] = []
        // A machine that stands still for longer than the time of a batch cuts a part short.
        for round in 0..<20 where counts != expected {
            let sequences = (UInt64(round) * count + 1)...(UInt64(round + 1) * count)
            client.send(sequences.flatMap { frame(.hello, $0).encoded() })
            var heard: [[Frame]] = []
            while heard.reduce(0, { $0 + $1.count }) < Int(count) {
                let packet = client.receive()
                guard !packet.isEmpty else { break }
                heard.append(packet)
            }
            #expect(heard.flatMap { $0 }.map(\.sequence.rawValue) == Array(sequences))
            counts = heard.map(\.count)
            #expect(counts.allSatisfy { $0 <= expected[0] }, "\(counts)")
        }
        #expect(counts == expected)
        server.stop()
    }

    @Test("a client whose server reads nothing ends the connection and makes another")
    func unreadByServer() throws {
        let unread = try Socket(.router, on: "ipc://\(scratch.paths.input)", in: try Context())
        try unread.limitQueues(sent: 1, received: 1)
        try unread.adopt(listener: try scratch.listen(scratch.paths.input))
        let connections = Mutex(0)
        let client = try client { input, _, outbox in
            guard input == .connected(.systemServer) else { return }
            let isFirst = connections.withLock { count in
                count += 1
                return count == 1
            }
            guard isFirst else { return outbox.append(.send(frame(.hello, 1), to: .systemServer)) }
            // More than the queues of libzmq and the link hold. Two of these frames do not fit into a packet.
            let reason = String(repeating: "x", count: Frame.packetLimit / 2)
            for sequence in 1...2000 {
                outbox.append(.send(frame(.refused(reason), UInt64(sequence)), to: .systemServer))
            }
        }
        let heard = client.recorded.wait("the second connection") { inputs in
            inputs.count { $0 == .connected(.systemServer) } == 2
        }
        #expect(
            heard.filter { $0 == .connected(.systemServer) || $0 == .peerLost(.systemServer) } == [
                .connected(.systemServer), .peerLost(.systemServer), .connected(.systemServer),
            ])
        client.stop()
    }

    @Test("an event port on its own thread sends and receives frames")
    func fetchThread() throws {
        let server = try server()
        server.sendAsSupervisor(roster(.inputKit))
        let client = try Running(as: .inputKit) { input, _, outbox in
            guard input == .connected(.systemServer) else { return }
            outbox.append(.send(frame(.hello), to: .systemServer))
        } parts: { parts in
            let link = try ServerLink(
                "ipc://\(scratch.paths.input)", to: .systemServer, trusting: .listener(me), showing: myPass,
                for: .inputKit, in: try Context())
            parts.fetch = try FetchThread(link, spins: false)
        }
        client.recorded.wait("the receipt") { !$0.frames(from: .systemServer).isEmpty }
        client.stop()
        server.recorded.wait("the end of input-kit", until: isLost(.inputKit))
        server.stop()
    }

    @Test("ten servers and clients leak no descriptors")
    func descriptors() throws {
        func once() throws {
            let server = try server()
            server.sendAsSupervisor(roster(.inputKit))
            let client = try client()
            client.recorded.wait("the receipt") { !$0.frames(from: .systemServer).isEmpty }
            client.stop()
            server.stop()
            unlink(scratch.paths.input)
        }
        try once()
        // Other tests of this process open and close descriptors at the same time. A leak here would be dozens of
        // descriptors.
        func openDescriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        let before = try openDescriptors()
        for _ in 0..<10 { try once() }
        #expect(try openDescriptors() < before + 100)
    }
}

@Sendable private func answerTo(for hello: Frame, at now: Instant) -> Frame {
    var ledger = hello.ledger
    if ledger.count > 0 { ledger.append(now) }
    return frame(.handled(receipt), ledger: ledger)
}
