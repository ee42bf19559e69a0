import Basics
import CSystem
import Foundation
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import ZeroMQHost

/// The answers of a listener to peers that it does not admit: over real sockets, with a core that only records inputs.
@Suite("Defense of the listeners") struct ThreatTests {
    let scratch = Scratch()

    private func server(
        as role: Role = .inputKit, allowing limits: TokenBucket.Limits = .init(Settings())
    ) throws -> Running {
        let path = role == .app ? scratch.paths.app : scratch.paths.input
        let listener = try scratch.listen(path)
        return try Running(
            as: .systemServer,
            parts: { parts in
                parts.listeners = [
                    try PeerListener(
                        "ipc://\(path)", listener: listener, admitting: .roster(role), for: .systemServer,
                        user: me.uid, in: try Context(), allowing: limits)
                ]
            })
    }

    private func named(_ peer: Peer, seal: Seal = myPass.seal, in server: Running) {
        server.sendAsSupervisor(roster(peer, seal: seal))
        server.recorded.wait("the roster") { $0.frames.count == 1 }
    }

    // MARK: T2

    @Test("T2: ten thousand frames without a pass are all refused and counted")
    func forgedWithoutPass() throws {
        let server = try server()
        named(.inputKit, in: server)
        let forger = ArbitraryClient(scratch.paths.input, showing: nil)
        let scan = frame(.hello).encoded()
        for _ in 0..<10_000 { forger.send(scan) }
        let served = server.recorded.wait("all refusals") { $0.count >= 10_002 }
        #expect(served.refusals == [Refusal](repeating: .passNotShown(.inputKit), count: 10_000))
        #expect(served.frames(from: .inputKit).isEmpty && !served.contains(.connected(.inputKit)))
        server.stop()
    }

    @Test("T2: a wrong or outdated pass opens nothing and is refused")
    func wrongPass() throws {
        let server = try server()
        let mine = Pass(secret: [UInt8](repeating: 1, count: Pass.secretSize))
        named(.inputKit, seal: mine.seal, in: server)
        let forger = ArbitraryClient(scratch.paths.input)
        forger.send(frame(.hello).encoded())
        var served = server.recorded.wait("both refusals") { $0.refusals.count == 2 }
        #expect(served.refusals == [.wrongPass(.inputKit), .passNotShown(.inputKit)])
        // Now the pass is its own. Then its next generation has another one.
        server.sendAsSupervisor(roster(.inputKit))
        server.recorded.wait("the roster") { $0.frames.count == 2 }
        forger.send(myPass.packet)
        forger.send(frame(.hello, 2).encoded())
        server.recorded.wait("the hello") { !$0.frames(from: .inputKit).isEmpty }
        server.sendAsSupervisor(roster(.inputKit, generation: 2, seal: mine.seal))
        server.recorded.wait("the loss", until: isLost(.inputKit))
        let late = ArbitraryClient(scratch.paths.input)
        late.send(frame(.hello, 3).encoded())
        served = server.recorded.wait("the old pass refused") { $0.refusals.count == 4 }
        #expect(served.refusals.suffix(2) == [.wrongPass(.inputKit), .passNotShown(.inputKit)])
        #expect(served.frames(from: .inputKit).count == 1)
        server.stop()
    }

    @Test("T2: no pass admits a peer that is listed without a seal")
    func noSeal() throws {
        let server = try server()
        named(.inputKit, seal: .none, in: server)
        let client = ArbitraryClient(scratch.paths.input)
        let served = server.recorded.wait("the refusal") { !$0.refusals.isEmpty }
        #expect(served.refusals == [.wrongPass(.inputKit)])
        server.stop()
        _ = consume client
    }

    @Test("a repeated pass changes nothing; a wrong one is refused")
    func shownTwice() throws {
        let server = try server()
        named(.inputKit, in: server)
        let client = ArbitraryClient(scratch.paths.input)
        client.send(myPass.packet)
        client.send(frame(.hello).encoded())
        client.send(Pass(secret: [UInt8](repeating: 1, count: Pass.secretSize)).packet)
        let served = server.recorded.wait("the refusal") { !$0.refusals.isEmpty }
        #expect(served.refusals == [.wrongPass(.inputKit)])
        #expect(served.filter { $0 == .connected(.inputKit) }.count == 1)
        #expect(served.frames(from: .inputKit).count == 1)
        server.stop()
    }

    // MARK: T3

    @Test(
        "T3: forbidden messages of each kind are refused before the core",
        arguments: [Role.inputKit, .app])
    func matrix(role: Role) throws {
        let server = try server(as: role)
        let peer = role == .app ? Peer.app(1) : .inputKit
        named(peer, in: server)
        let client = ArbitraryClient(role == .app ? scratch.paths.app : scratch.paths.input)
        let forbidden = oneOfEach.filter { !$0.isAllowed(from: role, to: .systemServer) }
        #expect(forbidden.count > 10)
        for (index, message) in forbidden.enumerated() { client.send(frame(message, UInt64(index + 1)).encoded()) }
        let served = server.recorded.wait("all refusals") { $0.refusals.count == forbidden.count }
        #expect(served.refusals == forbidden.map { .forbidden(peer, $0.kind) })
        #expect(served.frames(from: peer).isEmpty)
        server.stop()
    }

    @Test("T3: a link passes exactly the messages of the role table")
    func everyPair() {
        #expect(Set(oneOfEach.map(\.kind)) == Set(MessageKind.allCases))
        for sender in Role.allCases {
            for receiver in Role.allCases {
                for message in oneOfEach {
                    var arrivals: [Input] = []
                    let peer = Peer(sender, 1)
                    frame(message).encoded().withUnsafeBytes { bytes in
                        PacketDecoder(for: receiver).decode(bytes, from: peer, into: &arrivals)
                    }
                    let isAllowed = message.isAllowed(from: sender, to: receiver)
                    let expected: Input =
                        isAllowed ? .frame(frame(message), from: peer) : .refused(.forbidden(peer, message.kind))
                    #expect(arrivals == [expected])
                }
            }
        }
    }

    // MARK: T6

    @Test("T6: a flooding peer gets the reason and is disconnected for good")
    func flood() throws {
        let server = try server(allowing: .init(rate: 100, burst: 200))
        named(.inputKit, in: server)
        let client = ArbitraryClient(scratch.paths.input)
        for sequence in 1...1000 { client.send(frame(.link(.probe), UInt64(sequence)).encoded()) }
        let served = server.recorded.wait("the end of it", until: isLost(.inputKit))
        #expect(served.frames(from: .inputKit).count < 1000)
        let reason = "input-kit sent more than 100 frames a second that no process had asked for"
        #expect(client.receive().map(\.message) == [.refused(reason)])
        let flooded = server.recorded.wait("the reason") { !$0.refusals.isEmpty }
        #expect(flooded.refusals == [.flooding(.inputKit, limit: 100)])
        // The frames of a second connection are not received either.
        let again = ArbitraryClient(scratch.paths.input)
        for sequence in 1...50 { again.send(frame(.hello, UInt64(sequence)).encoded()) }
        server.sendAsSupervisor(.reportRequest)
        let after = server.recorded.wait("a later word") { $0.frames.contains { $0.message == .reportRequest } }
        let heard = served.frames(from: .inputKit).count
        #expect(after.refusals.count == 1 && after.frames(from: .inputKit).count == heard)
        server.stop()
    }

    @Test("T6: a flooding command gets the reason and is disconnected")
    func floodOfQuestions() throws {
        let listener = try scratch.listen(scratch.paths.control)
        let supervisor = try Running(
            as: .systemServer,
            parts: { parts in
                parts.listeners = [
                    try PeerListener(
                        "ipc://\(scratch.paths.control)", listener: listener, admitting: .sameUser(.controller),
                        for: .supervisor, user: me.uid, in: try Context(), allowing: .init(rate: 10, burst: 50))
                ]
            })
        let client = ArbitraryClient(scratch.paths.control, showing: nil)
        for sequence in 1...500 { client.send(frame(.reportRequest, UInt64(sequence)).encoded()) }
        let controller = Peer(.controller, 1)
        let served = supervisor.recorded.wait("the reason") { !$0.refusals.isEmpty }
        #expect(served.refusals == [.flooding(controller, limit: 10)])
        #expect(served.contains(.peerLost(controller)))
        #expect(client.receive().map(\.message) == [.refused("\(Refusal.flooding(controller, limit: 10))")])
        supervisor.stop()
    }

    @Test("T6: a flooding command's connection and its next one end")
    func endOfFlood() throws {
        let supervisor = try supervisor(allowing: .init(rate: 10, burst: 50))
        let flooder = try RawController(scratch.folder)
        // All questions are in one packet, the first of the connection, so all are sent before the refusal.
        flooder.send(Array(repeating: .reportRequest, count: 100))
        #expect(flooder.connection.waitForClose())
        let refusals = supervisor.recorded.inputs.refusals
        #expect(refusals == [.flooding(Peer(.controller, 1), limit: 10)])
        // Later frames are refused on any connection.
        let again = try RawController(scratch.folder)
        again.send([.reportRequest])
        #expect(again.connection.waitForClose())
        #expect(supervisor.recorded.inputs.refusals.count == 1)
        supervisor.stop()
    }

    /// A supervisor that answers each question with 56 KiB.
    private func supervisor(
        keeping backlog: PeerListener.Backlog = .init(), allowing limits: TokenBucket.Limits = .init(Settings())
    ) throws -> Running {
        let listener = try scratch.listen(scratch.paths.control)
        return try Running(as: .systemServer) { input, _, outbox in
            guard case .frame(let asked, let peer) = input, asked.message == .reportRequest, peer.role == .controller
            else { return }
            var report = Report(peer: .supervisor)
            for number in 0..<56 { report.add("row.\(number)", text: String(repeating: "x", count: 1000)) }
            outbox.append(.send(frame(.report(report), asked.sequence.rawValue), to: peer))
        } parts: { parts in
            parts.listeners = [
                try PeerListener(
                    "ipc://\(scratch.paths.control)", listener: listener, admitting: .sameUser(.controller),
                    for: .supervisor, user: me.uid, in: try Context(), allowing: limits, keeping: backlog)
            ]
        }
    }

    @Test("T6: a controller that never reads is disconnected with the limit")
    func unread() throws {
        let supervisor = try supervisor(keeping: .init(each: 1 << 20, all: 1 << 30))
        let lazy = ArbitraryClient(scratch.paths.control, showing: nil, receiving: 1)
        let quick = ArbitraryClient(scratch.paths.control, showing: nil)
        for sequence in UInt64(1)...200 { lazy.send(frame(.reportRequest, sequence).encoded()) }
        let served = supervisor.recorded.wait("the refusal") { !$0.refusals.isEmpty }
        guard case .unread(let peer, let bytes, limit: 1 << 20)? = served.refusals.first else {
            Issue.record("\(served.refusals)")
            return
        }
        #expect(bytes > 1 << 20 && bytes <= (1 << 20) + UInt32(Frame.packetLimit))
        #expect(served.contains(.peerLost(peer)))
        // The controller reads what libzmq kept for it, then the reason, and nothing more.
        var heard: [Message] = []
        while case let frames = lazy.receive(), !frames.isEmpty {
            heard += frames.map(\.message)
            if heard.last?.kind == .refused { break }
        }
        #expect(heard.last == .refused("\(served.refusals[0])"))
        #expect(heard.count < 60)
        // Other controllers are not affected.
        for sequence in UInt64(1)...50 {
            quick.send(frame(.reportRequest, sequence).encoded())
            #expect(quick.receive().map(\.message.kind) == [.report])
        }
        #expect(supervisor.recorded.inputs.refusals.count == 1)
        supervisor.stop()
    }

    @Test("T6: fifty controllers that never read share one memory limit")
    func unreadByMany() throws {
        let total = 4 << 20
        let supervisor = try supervisor(keeping: .init(each: 1 << 30, all: total))
        func resident() throws -> Int {
            let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            return Int(text.split(separator: " ")[1])! * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
        let clients = (0..<50).map { _ in ArbitraryClient(scratch.paths.control, showing: nil, receiving: 1) }
        let before = try resident()
        for sequence in UInt64(1)...100 {
            for client in clients { client.send(frame(.reportRequest, sequence).encoded()) }
        }
        supervisor.recorded.wait("all questions, or their ends") { inputs in
            inputs.frames.count + inputs.refusals.count * 100 >= 5000
        }
        let refusals = supervisor.recorded.inputs.refusals
        #expect(!refusals.isEmpty)
        for case .unread(_, let bytes, let limit) in refusals {
            #expect(Int(limit) == total && Int(bytes) <= total + Frame.packetLimit)
        }
        // 280 MB were requested. Both ends and other tests are in this process, so libzmq's buffers of both sides
        // count. ProcessTests measures what a group's supervisor keeps. A sanitizer's own memory is resident too.
        let grown = try resident() - before
        #expect(Sanitizer.kind != nil || grown < 250 << 20, "\(grown >> 20) MiB")
        let quick = ArbitraryClient(scratch.paths.control, showing: nil)
        quick.send(frame(.reportRequest).encoded())
        #expect(quick.receive().map(\.message.kind) == [.report])
        supervisor.stop()
        _ = consume clients
    }

    @Test("T6: five hundred requests in one packet count as five hundred")
    func floodInPackets() throws {
        let supervisor = try supervisor(allowing: .init(rate: 10, burst: 50))
        let client = ArbitraryClient(scratch.paths.control, showing: nil)
        let packet = (UInt64(1)...500).flatMap { frame(.act(.home), $0).encoded() }
        client.send(frame(.act(.home)).encoded())
        client.send(packet)
        let controller = Peer(.controller, 1)
        let served = supervisor.recorded.wait("the reason") { !$0.refusals.isEmpty }
        #expect(served.refusals == [.flooding(controller, limit: 10)])
        #expect(served.frames(from: controller).count == 1)
        supervisor.stop()
    }

    @Test("T6: five hundred frames in one packet of a process count as five hundred")
    func floodInFrames() throws {
        let server = try server(allowing: .init(rate: 10, burst: 50))
        named(.inputKit, in: server)
        let client = ArbitraryClient(scratch.paths.input)
        client.send(frame(.hello).encoded())
        client.send((UInt64(2)...501).flatMap { frame(.hello, $0).encoded() })
        let served = server.recorded.wait("the loss", until: isLostWithReason(.inputKit))
        #expect(served.refusals == [.flooding(.inputKit, limit: 10)])
        #expect(served.frames(from: .inputKit).count == 1)
        server.stop()
    }

    @Test("T6: a turn takes a limited number of packets and frames, also while the end of a connection waits")
    func turns() throws {
        let listener = try scratch.listen(scratch.paths.input)
        let server = try PeerListener(
            "ipc://\(scratch.paths.input)", listener: listener, admitting: .roster(.inputKit), for: .systemServer,
            user: me.uid, in: try Context(), allowing: .init(rate: 1, burst: 100_000))
        var arrivals: [Input] = []
        guard case .roster(let entries) = roster(.inputKit) else { return }
        server.update(Roster(entries), into: &arrivals)
        let (packets, framesOfLast) = (200, 700)
        do {
            let client = ArbitraryClient(scratch.paths.input, sendsAll: true)
            for sequence in 1...UInt64(packets) { client.send(frame(.hello, sequence).encoded()) }
            for _ in 0..<3 { client.send((0..<UInt64(framesOfLast)).flatMap { frame(.hello, $0).encoded() }) }
            waitUntilReadable(server.descriptors.packets)
        }
        let count = packets + 3 * framesOfLast
        var (turns, isWhole) = ([Int](), false)
        while !isWhole {
            waitUntilReadable(server.descriptors.packets)
            server.readConnectionEvents()
            var more = true
            while more {
                let before = arrivals.count
                more = server.drain(budget: 64, at: server.now(), into: &arrivals)
                turns.append(arrivals.count - before)
            }
            isWhole = arrivals.contains(.peerLost(.inputKit)) || arrivals.frames(from: .inputKit).count > count
        }
        #expect(arrivals.frames(from: .inputKit).count == count)
        #expect(arrivals.last == .peerLost(.inputKit))
        #expect(turns.max() ?? 0 < PeerAdmission.Policy.roster(.inputKit).inputsOfOneTurn + framesOfLast)
        #expect(turns.count { $0 > 0 } >= packets / 64 + 2, "\(turns)")
    }

    /// Waits until a descriptor is readable, for a minute at most.
    private func waitUntilReadable(_ descriptor: Int32, at location: SourceLocation = #_sourceLocation) {
        var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&item, 1, 60_000) == 1, sourceLocation: location)
    }

    @Test("T6: an answer costs no tokens, so an honest peer is unlimited")
    func honest() {
        var bucket = TokenBucket(.init(rate: 1, burst: 10))
        let moment = Instant(nanoseconds: 1_000_000_000)
        func taken(of count: Int, at milliseconds: Int64, earning earned: Int = 0) -> Int {
            (0..<count).count { _ in
                bucket.returnTokens(earned)
                return bucket.takeTokens(at: moment.advanced(by: .milliseconds(milliseconds)))
            }
        }
        #expect(taken(of: 100_000, at: 0, earning: 1) == 100_000)
        #expect(taken(of: 20, at: 0) == 9)
        #expect(taken(of: 1, at: 1) == 0)
        // One second later there is one more token.
        #expect(taken(of: 2, at: 1002) == 1)
    }

    @Test("T6: tokens earned beyond the burst are lost")
    func noSaving() {
        var bucket = TokenBucket(.init(rate: 1, burst: 10))
        bucket.returnTokens(1_000_000)
        var taken = 0
        while bucket.takeTokens(at: .boot) { taken += 1 }
        #expect(taken == 10)
    }

    @Test("T6: a stranger's flood is counted up to its burst, then discarded")
    func strangersFlood() throws {
        let server = try server(allowing: .init(rate: 1, burst: 100))
        server.sendAsSupervisor(roster(.inputKit, pid: 1))
        let forger = ArbitraryClient(scratch.paths.input, showing: nil)
        for sequence in 1...1000 { forger.send(frame(.hello, UInt64(sequence)).encoded()) }
        let served = server.recorded.wait("a hundred and one refusals") { $0.refusals.count >= 101 }
        #expect(served.refusals.allSatisfy { $0 == .notOnRoster(pid: me.pid, uid: me.uid) })
        server.sendAsSupervisor(.reportRequest)
        let after = server.recorded.wait("a later word") { $0.frames.contains { $0.message == .reportRequest } }
        #expect(after.refusals.count <= 102)
        server.stop()
    }

    @Test("T6: descriptors that a peer sends unasked are closed and refused")
    func unwantedDescriptors() throws {
        for (receiver, sender, count) in [
            (Role.supervisor, Peer.app(1), 1), (.supervisor, .app(1), 2), (.supervisor, .app(1), 16),
            (.app, .supervisor, 2), (.app, .supervisor, 16),
        ] {
            var ends: [Int32] = [0, 0]
            try #require(system_packet_pair(&ends) == 0)
            let channel = PacketChannel(Descriptor(ends[0]), to: sender, for: receiver)
            let evil = Descriptor(ends[1])
            var pair: [Int32] = [0, 0]
            try #require(system_packet_pair(&pair) == 0)
            let watched = Descriptor(pair[0])
            var arrivals: [Input] = []
            for _ in 0..<50 {
                #expect(system_send_descriptors(evil.number, pair[1], Int32(count)) == 0)
                _ = channel.drain(budget: 64, into: &arrivals)
            }
            close(pair[1])
            // This end hangs up when the last copy of the other end is closed; other tests fork and keep copies for a
            // moment.
            var item = pollfd(fd: watched.number, events: Int16(POLLIN), revents: 0)
            #expect(poll(&item, 1, 10_000) == 1 && item.revents & Int16(POLLHUP) != 0, "\(sender) \(count)")
            #expect(arrivals.refusals.count == 50, "\(sender) \(count)")
            #expect(channel.isOpen && channel.granted.isEmpty)
        }
    }

    // MARK: F22

    @Test(
        "F22: a peer of another version is refused with both version numbers",
        arguments: [Frame.version - 1, Frame.version + 1])
    func otherVersion(version: UInt8) throws {
        let server = try server()
        named(.inputKit, in: server)
        func other(_ bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            bytes[2] = version
            return bytes
        }
        let reason = "protocol version \(version), this process speaks \(Frame.version)"
        // A client that shows a pass of its version, and one from before passes existed.
        for first in [other(myPass.packet), other(frame(.hello).encoded())] {
            let client = ArbitraryClient(scratch.paths.input, showing: nil)
            client.send(first)
            #expect(client.receive().map(\.message) == [.refused(reason)])
        }
        // A client whose pass was accepted.
        let client = ArbitraryClient(scratch.paths.input)
        client.send(other(frame(.hello).encoded()))
        #expect(client.receive().map(\.message) == [.refused(reason)])
        let error = WireError.version(version, known: Frame.version)
        let served = server.recorded.wait("the refusals") { $0.refusals.count == 3 }
        #expect(served.refusals == [Refusal](repeating: .malformed(.inputKit, error), count: 3))
        server.stop()
    }

    // MARK: T1

    @Test("T1: another user cannot connect to any socket of the group", .enabled(if: geteuid() == 0))
    func otherUser() throws {
        let folder = "\(scratch.folder)/run"
        let directory = try RunDirectory(folder)
        // The folder above it is open to everybody; it does not keep other users out.
        chmod(scratch.folder, 0o755)
        let paths = [directory.paths.input, directory.paths.app, directory.paths.control]
        let sockets = try paths.map { ListeningSocket(try directory.listen($0)) }
        for path in paths {
            #expect(system_knock_as(65534, path, 100) == 0)
            // Each socket is private to its owner, even if the folder is open.
            chmod(folder, 0o755)
            #expect(system_knock_as(65534, path, 100) == 0)
            chmod(folder, 0o700)
            #expect(system_knock_as(geteuid(), path, 1) == 1)
        }
        _ = consume sockets
    }

    @Test("T1: a command sends no byte to another user's listening socket", .enabled(if: geteuid() == 0))
    func foreignListener() throws {
        let folder = "\(scratch.folder)/run"
        let directory = try RunDirectory(folder)
        let path = directory.paths.control
        let listener = try directory.listen(path)
        try #require(system_listen_as(65_534, listener.number, 16) == 0)
        #expect(throws: HostError.foreignListener(path: path, user: 65_534)) {
            _ = try ControlClient(runDirectory: folder)
        }
        // The command has connected to ask the kernel who listens.
        let call = Descriptor(accept(listener.number, nil, nil))
        var byte: UInt8 = 0
        #expect(recv(call.number, &byte, 1, 0) == 0)
        #expect(accept(listener.number, nil, nil) == -1 && errno == EAGAIN)
    }
}

/// One message of each kind.
private let oneOfEach: [Message] = {
    var kinds: Set<MessageKind> = []
    return sampleFrames.map(\.message).filter { kinds.insert($0.kind).inserted }
}()
