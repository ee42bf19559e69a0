import Basics
import CSystem
import CZeroMQ
import Foundation
import HID
import Hosting
import Testing
import Wire

@testable import ZeroMQHost

/// The listener for other machines on the loopback interface: real sockets, real CURVE, and a core that only records
/// inputs.
@Suite("Apps on other machines") struct RemoteTests {
    let scratch = Scratch()
    private let serverKey: SecretKey

    init() throws {
        serverKey = try SecretKey.new()
        try scratch.makeAllowList()
    }

    private func allowed(_ app: UInt32) throws -> SecretKey { try scratch.allowedKey(of: app) }

    private struct RemoteServer {
        let server: Running
        let address: TCPAddress
    }

    private func house(
        told: [Setting] = [],
        answer: @escaping @Sendable (Input, Instant, inout Outbox) -> Void = { _, _, _ in }
    ) throws -> RemoteServer {
        let listener = system_tcp_listen("127.0.0.1", 0, 16)
        try #require(listener >= 0)
        let address = try #require(TCPAddress("127.0.0.1:\(system_tcp_port(listener))"))
        let order = LaunchOrder(peer: .systemServer, epoch: 1, generation: 1, runDirectory: "", settings: [])
        let server = try Running(as: .systemServer, answer: answer) { parts in
            parts.listeners = [
                try PeerListener(
                    at: "tcp://\(address)", listener: listener, key: serverKey, allowing: "\(scratch.folder)/allow",
                    order: order, settings: { _ in told }, in: try Context(), heartbeat: .seconds(1))
            ]
        }
        return RemoteServer(server: server, address: address)
    }

    private func app(
        _ key: SecretKey, at address: TCPAddress, server: SecretKey? = nil,
        answer: @escaping @Sendable (Input, Instant, inout Outbox) -> Void = { input, _, outbox in
            guard input == .connected(.systemServer) else { return }
            outbox.append(.send(frame(.hello), to: .systemServer))
        }
    ) throws -> Running {
        try Running(as: .app(9), answer: answer) { parts in
            parts.server = try ServerLink(
                to: [address], key: key, server: (server ?? serverKey).publicKey, latestGeneration: 0,
                in: try Context(),
                heartbeat: .seconds(1))
        }
    }

    // MARK: Admission

    @Test("T10: this libzmq supports CURVE")
    func curve() { #expect(zmq_has("curve") == 1) }

    @Test("T10: an app with a listed key joins under its file's number")
    func joins() throws {
        let house = try house { input, _, outbox in
            guard case .frame(let frame, let peer) = input, frame.message == .hello else { return }
            outbox.append(.send(answerTo(frame), to: peer))
        }
        let client = try app(try allowed(9), at: house.address)
        let served = house.server.recorded.wait("the hello") { !$0.frames(from: .app(9)).isEmpty }
        #expect(served.frames(from: .app(9)).map(\.message) == [.hello])
        #expect(served.contains(.connected(.app(9))) && served.refusals.isEmpty)
        client.recorded.wait("the answer") { !$0.frames(from: .systemServer).isEmpty }
        client.stop()
        house.server.recorded.wait("the end of app 9", until: isLost(.app(9)))
        house.server.stop()
    }

    @Test("T10: connections without a key are refused, counted and not received", arguments: [1, 20])
    func plain(callers: Int) throws {
        let house = try house()
        let clients = (0..<callers).map { _ in Caller(house.address) }
        for client in clients { client.send(frame(.hello).encoded()) }
        // libzmq does not report every connection that ends during its greeting. The count is a lower bound.
        let served = house.server.recorded.wait("a refusal") { $0.keylessCalls >= 1 }
        #expect(served.keylessCalls <= callers)
        expectUnheard(served)
        house.server.stop()
        _ = consume clients
    }

    @Test("T10: bytes that are not ZMTP end their connection unreceived")
    func noise() throws {
        let house = try house()
        for noise in [[UInt8](repeating: 0x47, count: 512), [1, 0], [UInt8](repeating: 0xFF, count: 512)] {
            let call = try RawCall(house.address)
            call.send(noise)
            #expect(call.isHungUpOn)
        }
        let client = try app(try allowed(9), at: house.address)
        let served = house.server.recorded.wait("an app", until: isConnected(.app(9)))
        #expect(served.filter { if case .connected = $0 { true } else { false } } == [.connected(.app(9))])
        client.stop()
        house.server.stop()
    }

    @Test("T10: an unlisted key is refused by name and sends nothing")
    func unknownKey() throws {
        _ = try allowed(9)
        let house = try house()
        let key = try SecretKey.new()
        let caller = Caller(house.address, key: key, server: serverKey.publicKey)
        for sequence in 1...100 { caller.send(frame(.hello, UInt64(sequence)).encoded()) }
        let served = house.server.recorded.wait("the refusal") { !$0.refusals.isEmpty }
        #expect(served.refusals.first == .unknownKey("\(key.publicKey)", address: "127.0.0.1"))
        expectUnheard(served)
        house.server.stop()
        _ = consume caller
    }

    @Test("T10: an app with a wrong server key sends nothing")
    func otherServer() throws {
        let house = try house()
        let client = try app(try allowed(9), at: house.address, server: try SecretKey.new())
        expectUnheard(house.server.recorded.wait("the refusal") { $0.keylessCalls >= 1 })
        #expect(!client.recorded.inputs.contains(.connected(.systemServer)))
        client.stop()
        house.server.stop()
    }

    @Test("T10: a key cannot join as an app that the group started")
    func child() throws {
        let key = try allowed(9)
        let house = try house()
        house.server.sendAsSupervisor(roster(.app(9)))
        house.server.recorded.wait("the roster") { $0.frames.count == 1 }
        let client = try app(key, at: house.address)
        let served = house.server.recorded.wait("the refusal") { !$0.refusals.isEmpty }
        #expect(served.refusals.first == .unknownKey("\(key.publicKey)", address: "127.0.0.1"))
        #expect(!served.contains(.connected(.app(9))))
        #expect(client.recorded.waitForExit() == 1)
        house.server.stop()
    }

    @Test("T10: adding or removing a key file takes effect immediately")
    func listed() throws {
        let house = try house()
        let key = try SecretKey.new()
        let early = try app(key, at: house.address)
        house.server.recorded.wait("the refusal") { !$0.refusals.isEmpty }
        #expect(early.recorded.waitForExit() == 1)
        try "public \(key.publicKey)\n".write(
            toFile: "\(scratch.folder)/allow/app9.pub", atomically: true, encoding: .utf8)
        let client = try app(key, at: house.address)
        house.server.recorded.wait("app 9", until: isConnected(.app(9)))
        client.stop()
        house.server.recorded.wait("its end", until: isLost(.app(9)))
        try FileManager.default.removeItem(atPath: "\(scratch.folder)/allow/app9.pub")
        let before = house.server.recorded.inputs.refusals.count
        let again = try app(key, at: house.address)
        let served = house.server.recorded.wait("the refusal") { $0.refusals.count > before }
        #expect(served.filter { $0 == .connected(.app(9)) }.count == 1)
        #expect(again.recorded.waitForExit() == 1)
        house.server.stop()
    }

    @Test("T3: forbidden messages from another machine are refused and end the app")
    func roles() throws {
        let key = try allowed(9)
        let house = try house { input, _, outbox in
            // The server's core does the same at the third strike.
            if case .refused(.forbidden(let peer, .act)) = input { outbox.append(.hangUp(peer)) }
        }
        let client = try app(key, at: house.address) { input, _, outbox in
            guard input == .connected(.systemServer) else { return }
            for (index, message) in [Message.roster([]), .shutdown, .act(.home), .hello].enumerated() {
                outbox.append(.send(frame(message, UInt64(index + 1)), to: .systemServer))
            }
        }
        let served = house.server.recorded.wait("the refusals") { $0.refusals.count >= 3 }
        #expect(
            served.refusals == [
                .forbidden(.app(9), .roster), .forbidden(.app(9), .shutdown), .forbidden(.app(9), .act),
            ])
        // The process learns of the ban when it connects again, and exits.
        #expect(client.recorded.waitForExit() == 1)
        house.server.stop()
    }

    @Test("a connection whose first packet is no remote hello stays closed")
    func unintroduced() throws {
        let house = try house()
        let caller = Caller(house.address, key: try allowed(9), server: serverKey.publicKey)
        caller.send(frame(.hello).encoded())
        let served = house.server.recorded.wait("the refusal") { !$0.refusals.isEmpty }
        #expect(served.refusals == [.passNotShown(.app(9))])
        expectUnheard(served)
        house.server.stop()
        _ = consume caller
    }

    // MARK: Generations

    @Test("each process generation of a remote app is higher than earlier ones")
    func lives() throws {
        let key = try allowed(9)
        let told = [Setting(key: "screen.width", value: "390")]
        let house = try house(told: told)
        func welcome(_ hello: RemoteHello) throws -> LaunchOrder {
            let caller = Caller(house.address, key: key, server: serverKey.publicKey)
            caller.send(hello.packet)
            let bytes = caller.receive()
            return try bytes.withUnsafeBytes { try Welcome($0) }.order
        }
        let first = try welcome(RemoteHello(generation: 0, latestGeneration: 0, sent: .boot))
        #expect(first == LaunchOrder(peer: .app(9), epoch: 1, generation: 1, runDirectory: "", settings: told))
        #expect(try welcome(RemoteHello(generation: 0, latestGeneration: 0, sent: .boot)).generation == 2)
        // The app's machine remembers more starts than this server, which may have been restarted.
        #expect(try welcome(RemoteHello(generation: 0, latestGeneration: 7, sent: .boot)).generation == 8)
        #expect(try welcome(RemoteHello(generation: 8, latestGeneration: 7, sent: .boot)).generation == 8)
        #expect(try welcome(RemoteHello(generation: 0, latestGeneration: 0, sent: .boot)).generation == 9)
        // Numbers beyond the limit of a hello are not counted. An app that claims the highest number is not believed
        // and can join again.
        let last = RemoteHello.generationLimit - 1
        #expect(try welcome(RemoteHello(generation: 0, latestGeneration: last, sent: .boot)).generation == 10)
        #expect(try welcome(RemoteHello(generation: last, latestGeneration: last, sent: .boot)).generation == 11)
        #expect(try welcome(RemoteHello(generation: 0, latestGeneration: 0, sent: .boot)).generation == 12)
        house.server.stop()
    }

    @Test("the later of two processes with one key replaces the earlier")
    func twins() throws {
        let key = try allowed(9)
        let house = try house()
        let first = try app(key, at: house.address)
        house.server.recorded.wait("the first", until: isConnected(.app(9)))
        let second = try app(key, at: house.address)
        let served = house.server.recorded.wait("the second") { $0.filter { $0 == .connected(.app(9)) }.count == 2 }
        #expect(first.recorded.waitForExit() == 1)
        #expect(served.filter { $0 == .peerLost(.app(9)) }.count >= 1)
        second.stop()
        house.server.stop()
    }

    @Test("T10: one key gets few connections; other keys are served meanwhile")
    func oneKeyOfMany() throws {
        let (key, other) = (try allowed(9), try allowed(8))
        let house = try house()
        let begun = Instant(nanoseconds: clock())
        let callers = (0..<60).map { _ in Caller(house.address, key: key, server: serverKey.publicKey) }
        for caller in callers { caller.send(frame(.hello).encoded()) }
        let crowded = house.server.recorded.wait("the refusal of most") { inputs in
            inputs.refusals.contains { refusal in
                if case .connectionsRefused(pid: 0, uid: _, count: _, .processLimit(4)) = refusal {
                    true
                } else {
                    false
                }
            }
        }
        let client = try app(other, at: house.address)
        let served = house.server.recorded.wait("the other app", until: isConnected(.app(8)))
        // An admitted connection has sent a packet that is no hello.
        let letIn = served.refusals.count { $0 == .passNotShown(.app(9)) }
        let seconds = begun.duration(to: Instant(nanoseconds: clock())).seconds
        #expect(letIn >= 1 && Double(letIn) <= 4 + 2 * seconds + 1, "\(letIn) in \(seconds) s")
        #expect(!crowded.contains(.connected(.app(9))))
        client.stop()
        house.server.stop()
        _ = consume callers
    }

    @Test("a remote app finds a restarted server and keeps its identity")
    func newServer() throws {
        let key = try allowed(9)
        let listener = system_tcp_listen("127.0.0.1", 0, 16)
        let address = try #require(TCPAddress("127.0.0.1:\(system_tcp_port(listener))"))
        func server(epoch: UInt32) throws -> Running {
            let order = LaunchOrder(
                peer: .systemServer, epoch: epoch, generation: epoch, runDirectory: "", settings: [])
            return try Running(
                as: .systemServer,
                parts: { parts in
                    parts.listeners = [
                        try PeerListener(
                            at: "tcp://\(address)", listener: dup(listener), key: serverKey,
                            allowing: "\(scratch.folder)/allow", order: order, settings: { _ in [] }, in: try Context(),
                            heartbeat: .seconds(1))
                    ]
                })
        }
        let first = try server(epoch: 1)
        let client = try app(key, at: address)
        first.recorded.wait("the app", until: isConnected(.app(9)))
        // The server has the app with its hello. An app that was not welcomed by then has no link to lose and receives
        // no loss.
        client.recorded.wait("the welcome", until: isConnected(.systemServer))
        first.stop()
        client.recorded.wait("the loss", until: isLost(.systemServer))
        let second = try server(epoch: 2)
        second.recorded.wait("the app again", until: isConnected(.app(9)))
        client.recorded.wait("the link") { $0.filter { $0 == .connected(.systemServer) }.count >= 2 }
        client.stop()
        second.stop()
        close(listener)
    }

    // MARK: Clocks

    @Test("the report gives a remote app's clock offset within its error")
    func clocks() throws {
        let key = try allowed(9)
        let house = try house { input, _, outbox in
            guard case .frame(let request, from: .supervisor) = input, request.message == .reportRequest else { return }
            outbox.append(.send(frame(.report(Report(peer: .systemServer))), to: .supervisor))
        }
        let client = try app(key, at: house.address)
        house.server.recorded.wait("the app", until: isConnected(.app(9)))
        // The hello after the first exchange carries the result of that exchange.
        let deadline = Date(timeIntervalSinceNow: 60)
        var rows: Report?
        while rows?["app9.clock.offset"] == nil, Date() < deadline {
            house.server.sendAsSupervisor(.reportRequest)
            rows = house.server.report()
        }
        guard case .text(let offset)? = rows?["app9.clock.offset"], case .text(let error)? = rows?["app9.clock.error"]
        else {
            Issue.record("\(String(describing: rows))")
            return
        }
        func number(_ text: String) -> Double {
            Double(text.split(separator: " ").first { Double($0) != nil } ?? "") ?? .nan
        }
        #expect(abs(number(offset)) <= number(error) + 0.001, "\(offset) \(error)")
        client.stop()
        house.server.stop()
    }

    @Test("a remote app's frames and receipts keep the length of every hop")
    func ledger() throws {
        var far = RemoteLink(latestGeneration: 0)
        far.connectionOpened()
        let first = far.nextHello(at: Instant(nanoseconds: 1_000))
        let hello = try #require(first)
        // Their clock is one million nanoseconds ahead of ours, and each direction takes one hundred.
        let order = LaunchOrder(peer: .app(9), epoch: 1, generation: 1, runDirectory: "", settings: [])
        let isOpen = far.apply(
            Welcome(
                order: order, sent: hello.sent, received: Instant(nanoseconds: 1_001_100),
                answered: Instant(nanoseconds: 1_001_200)), at: Instant(nanoseconds: 1_300))
        #expect(isOpen && far.clock.offset == 1_000_000)
        var ledger = Ledger(device: Instant(nanoseconds: 2_000_000))
        for stamp in [2_000_010, 2_000_020, 2_000_030] { ledger.append(Instant(nanoseconds: Int64(stamp))) }
        let sent = ledger
        var scan = frame(
            .touches(TouchFrame(timeStamp: Instant(nanoseconds: 2_000_000), contacts: [])), 5, ledger: ledger)
        far.convertIncoming(&scan)
        #expect(scan.ledger[.device] == Instant(nanoseconds: 1_000_000))
        guard case .touches(let touches) = scan.message else { return }
        #expect(touches.timeStamp == Instant(nanoseconds: 1_000_000))
        func moves(_ times: Int64...) -> Message {
            .severalTouches(TouchList(times.map { TouchFrame(timeStamp: Instant(nanoseconds: $0), contacts: []) }))
        }
        var shared = Frame(epoch: 1, generation: 1, sequence: 6, message: moves(2_000_000, 2_000_100))
        far.convertIncoming(&shared)
        #expect(shared.message == moves(1_000_000, 1_000_100))
        // The estimate of the clocks has changed by now.
        _ = far.nextHello(at: Instant(nanoseconds: 3_000_000_000))
        _ = far.apply(
            Welcome(
                order: order, sent: Instant(nanoseconds: 3_000_000_000), received: Instant(nanoseconds: 3_001_500_000),
                answered: Instant(nanoseconds: 3_001_500_000)), at: Instant(nanoseconds: 3_000_000_010))
        _ = far.nextHello(at: Instant(nanoseconds: 4_000_000_000))
        #expect(far.clock.offset != 1_000_000)
        scan.ledger.append(Instant(nanoseconds: 1_000_100))
        scan.ledger.append(Instant(nanoseconds: 1_000_150))
        var answer = frame(.handled(Receipt(frame: 5, outcome: .delivered)), 6, ledger: scan.ledger)
        far.convertOutgoing(&answer)
        for hop in [Ledger.Hop.device, .inputSent, .serverReceived, .serverSent] {
            #expect(answer.ledger[hop] == sent[hop])
        }
        #expect(answer.ledger[.appReceived] == Instant(nanoseconds: 2_000_100))
        #expect(answer.ledger[.appHandled] == Instant(nanoseconds: 2_000_150))
    }

    private func expectUnheard(_ served: [Input]) {
        for input in served {
            switch input {
            case .connected(let peer), .frame(_, from: let peer), .peerLost(let peer):
                #expect(peer == .supervisor, "\(input)")
            default: break
            }
        }
    }
}

private func answerTo(_ question: Frame) -> Frame {
    Frame(epoch: 1, generation: 1, sequence: 1, ack: question.sequence, message: .hello)
}

extension [Input] {
    fileprivate var keylessCalls: Int {
        refusals.reduce(0) { if case .keyless(let calls) = $1 { $0 + Int(calls) } else { $0 } }
    }
}

extension Running {
    /// The report that the process sends to its supervisor on request.
    fileprivate func report() -> Report? {
        var item = pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0)
        while link.isOpen, poll(&item, 1, 20_000) == 1 {
            var arrivals: [Input] = []
            _ = link.drain(budget: 64, into: &arrivals)
            for case .frame(let frame, _) in arrivals { if case .report(let report) = frame.message { return report } }
        }
        return nil
    }
}

/// A DEALER over TCP that sends any bytes.
private final class Caller {
    private let context = zmq_ctx_new()!
    private let socket: UnsafeMutableRawPointer

    /// - Parameter key: Nil for a connection without CURVE.
    init(_ address: TCPAddress, key: SecretKey? = nil, server: PublicKey? = nil) {
        socket = zmq_socket(context, ZMQ_DEALER)
        var linger: Int32 = 0
        zmq_setsockopt(socket, ZMQ_LINGER, &linger, 4)
        var patience: Int32 = 20_000
        zmq_setsockopt(socket, ZMQ_RCVTIMEO, &patience, 4)
        if let key, let server {
            zmq_setsockopt(socket, ZMQ_CURVE_SERVERKEY, server.bytes, server.bytes.count)
            zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, key.publicKey.bytes, PublicKey.size)
            zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, key.bytes, key.bytes.count)
        }
        #expect(zmq_connect(socket, "tcp://\(address)") == 0)
    }

    deinit {
        zmq_close(socket)
        zmq_ctx_term(context)
    }

    /// Sends without waiting: a connection that was ended by then cannot send at all.
    func send(_ bytes: [UInt8]) {
        let sent = zmq_send(socket, bytes, bytes.count, ZMQ_DONTWAIT)
        #expect(sent == bytes.count || zmq_errno() == EAGAIN)
    }

    func receive() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = zmq_recv(socket, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes[..<Int(count)]) : []
    }
}

/// A TCP connection without ZeroMQ.
private final class RawCall {
    private let socket: Int32

    init(_ address: TCPAddress) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = address.port.bigEndian
        inet_pton(AF_INET, address.host, &name.sin_addr)
        let isConnected = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isConnected)
    }

    deinit { close(socket) }

    func send(_ bytes: [UInt8]) { #expect(write(socket, bytes, bytes.count) == bytes.count) }

    /// Waits much longer than the one second that a handshake may take.
    var isHungUpOn: Bool {
        var item = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        var byte = [UInt8](repeating: 0, count: 256)
        while poll(&item, 1, 20_000) == 1 { if read(socket, &byte, byte.count) <= 0 { return true } }
        return false
    }
}
