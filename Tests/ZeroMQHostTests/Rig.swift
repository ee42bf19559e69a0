// Rig.swift: hosts on threads of the test's own process, and libzmq clients that ignore the protocol.

import Basics
import CSystem
import CZeroMQ
import Foundation
import Hosting
import Settings
import Testing
import Wire

@testable import ZeroMQHost

/// A core that records its inputs and answers through a closure.
struct RecordingCore: ProcessCore {
    let recorded: RecordedInputs
    let answer: @Sendable (Input, Instant, inout Outbox) -> Void

    mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        answer(input, now, &outbox)
        if input == .stopRequested { outbox.append(.exit(status: 0)) }
        recorded.append(input)
    }
}

/// The inputs that a `Diary` has recorded, for other threads.
final class RecordedInputs: @unchecked Sendable {
    // The condition's lock guards all properties.
    private let condition = NSCondition()
    private var storedInputs: [Input] = []
    private var status: Int32?

    func append(_ input: Input) {
        condition.withLock {
            storedInputs.append(input)
            condition.broadcast()
        }
    }

    func finish(_ status: Int32) {
        condition.withLock {
            self.status = status
            condition.broadcast()
        }
    }

    var inputs: [Input] { condition.withLock { storedInputs } }

    /// Waits until the inputs satisfy the predicate, and returns the inputs. A timeout records an issue and returns
    /// them too.
    @discardableResult
    func wait(
        _ what: String, at location: SourceLocation = #_sourceLocation, until isEnough: ([Input]) -> Bool
    ) -> [Input] {
        condition.withLock {
            let deadline = Date(timeIntervalSinceNow: 60)
            while !isEnough(storedInputs) {
                guard condition.wait(until: deadline) else {
                    Issue.record("never: \(what); there was \(storedInputs)", sourceLocation: location)
                    break
                }
            }
            return storedInputs
        }
    }

    func waitForExit(at location: SourceLocation = #_sourceLocation) -> Int32? {
        condition.withLock {
            let deadline = Date(timeIntervalSinceNow: 60)
            while status == nil {
                guard condition.wait(until: deadline) else {
                    Issue.record("it never ended", sourceLocation: location)
                    break
                }
            }
            return status
        }
    }
}

extension NSCondition {
    fileprivate func withLock<Result>(_ body: () -> Result) -> Result {
        lock()
        defer { unlock() }
        return body()
    }
}

/// A host that runs on a thread; the test holds the supervisor's end of its link.
final class Running {
    let recorded = RecordedInputs()
    let link: PacketChannel
    private var sent = SequenceNumber.zero

    /// - Parameter parts: Makes the parts on this thread; the host's thread uses them.
    init(
        as peer: Peer, settings: Settings = Settings(), runDirectory: String = "",
        answer: @escaping @Sendable (Input, Instant, inout Outbox) -> Void = { _, _, _ in },
        parts: (inout ZeroMQHost.Parts) throws -> Void = { _ in }
    ) throws {
        var ends: [Int32] = [0, 0]
        #expect(system_packet_pair(&ends) == 0)
        link = PacketChannel(Descriptor(ends[0]), to: peer, for: .supervisor)
        var made = ZeroMQHost.Parts()
        try parts(&made)
        made.supervisor = PacketChannel(Descriptor(ends[1]), to: .supervisor, for: peer.role)
        let order = LaunchOrder(
            peer: peer, epoch: 1, generation: 1, runDirectory: runDirectory, settings: settings.changed)
        let box = Transfer(value: try ZeroMQHost(order: order, settings: settings, parts: made))
        let pages = recorded
        Thread.detachNewThread {
            var core = RecordingCore(recorded: pages, answer: answer)
            pages.finish(box.removeValue().run(&core))
        }
    }

    /// Sends a message as the supervisor.
    func sendAsSupervisor(_ message: Message) {
        sent = sent.next
        var arrivals: [Input] = []
        link.send(Frame(epoch: 1, generation: 1, sequence: sent, message: message).encoded(), into: &arrivals)
    }

    func stop() {
        sendAsSupervisor(.shutdown)
        #expect(recorded.waitForExit() == 0)
    }
}

/// Transfers a value from one thread to another.
private final class Transfer<Value>: @unchecked Sendable {
    private var value: Value?
    init(value: Value) { self.value = value }
    func removeValue() -> Value {
        defer { value = nil }
        return value!
    }
}

/// A run directory for one test.
final class Scratch {
    let folder: String
    var paths: RunPaths { RunPaths(folder) }

    init() {
        var template = Array("/tmp/touchline-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func listen(_ path: String) throws -> Int32 {
        let listener = system_unix_listen(path, 16)
        try #require(listener >= 0)
        return listener
    }
}

/// A DEALER that sends any bytes.
final class ArbitraryClient {
    private let context = zmq_ctx_new()!
    private let socket: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - pass: The first packet; nil for a client without a pass.
    ///   - queue: The packets that the client accepts before they are read.
    ///   - sendsAll: Whether its end waits until every packet is written.
    init(
        _ path: String, showing pass: Pass? = myPass, receiving queue: Int32 = 1000, sendsAll: Bool = false
    ) {
        socket = zmq_socket(context, ZMQ_DEALER)
        var queue = queue
        zmq_setsockopt(socket, ZMQ_RCVHWM, &queue, 4)
        var linger: Int32 = sendsAll ? -1 : 0
        zmq_setsockopt(socket, ZMQ_LINGER, &linger, 4)
        var receiveTimeout: Int32 = 5000
        zmq_setsockopt(socket, ZMQ_RCVTIMEO, &receiveTimeout, 4)
        #expect(zmq_connect(socket, "ipc://\(path)") == 0)
        if let pass { send(pass.packet) }
    }

    deinit {
        zmq_close(socket)
        zmq_ctx_term(context)
    }

    func send(_ bytes: [UInt8], more: Bool = false) {
        #expect(zmq_send(socket, bytes, bytes.count, more ? ZMQ_SNDMORE : 0) == bytes.count)
    }

    func receive() -> [Frame] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = zmq_recv(socket, &bytes, bytes.count, 0)
        guard count > 0 else { return [] }
        return (try? Frame.decode(packet: Array(bytes[..<Int(count)]))) ?? []
    }
}

let me = Credentials(pid: getpid(), uid: geteuid())

/// The pass that this process would have if it were a child of a supervisor.
let myPass = Pass(secret: (0..<UInt8(Pass.secretSize)).map { $0 })

func roster(
    _ peer: Peer, pid: Int32 = me.pid, generation: UInt32 = 1, seal: Seal = myPass.seal
) -> Message {
    .roster([
        RosterEntry(peer: peer, pid: pid, uid: me.uid, generation: generation, isReady: true, seal: seal)
    ])
}

func frame(_ message: Message, _ sequence: UInt64 = 1, ledger: Ledger = Ledger()) -> Frame {
    Frame(epoch: 1, generation: 1, sequence: SequenceNumber(sequence), ledger: ledger, message: message)
}

let receipt = Receipt(frame: 1, outcome: .home)

func isConnected(_ peer: Peer) -> ([Input]) -> Bool { { $0.contains(.connected(peer)) } }
func isLost(_ peer: Peer) -> ([Input]) -> Bool { { $0.contains(.peerLost(peer)) } }

/// Whether the peer's link has ended because of what it sent. The refusal follows the loss as an input of its own.
func isLostWithReason(_ peer: Peer) -> ([Input]) -> Bool { { isLost(peer)($0) && !$0.refusals.isEmpty } }

extension [Input] {
    var frames: [Frame] {
        compactMap { if case .frame(let frame, _) = $0 { frame } else { nil } }
    }
    func frames(from peer: Peer) -> [Frame] {
        compactMap { if case .frame(let frame, peer) = $0 { frame } else { nil } }
    }
    var refusals: [Refusal] {
        compactMap { if case .refused(let refusal) = $0 { refusal } else { nil } }
    }
}
