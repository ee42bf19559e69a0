// ControlClient.swift: the connection of a person's command to a running group.

import Basics
import CSystem
import Glibc
import Hosting
public import Wire

/// One conversation with the supervisor of a run directory, as a peer of role `controller`.
///
/// Its calls block, for commands that have nothing else to do. It belongs to one thread.
public final class ControlClient {
    /// The supervisor ended a connection that ends sooner; libzmq's own timeout of 1 s ends it later.
    private static let hangUpLimit = Duration.milliseconds(800)

    private let runDirectory: String
    private let socket: Socket
    private let monitor: Socket
    private let packet = Packet()
    private let decoder = PacketDecoder(for: .controller)
    private var messages: [Message] = []
    private var sent = SequenceNumber.zero
    private var received = SequenceNumber.zero

    /// Connects to the group of this run directory.
    ///
    /// - Throws: `HostError.unsafeRunDirectory` or `foreignListener` before the first byte is sent, if another user
    ///   could read it. `noGroup` if no process listens. `tooManyControllers` if the supervisor accepts no more controllers.
    ///   `noAnswer` if the supervisor does not complete the handshake.
    public init(runDirectory: String, timeout: Duration = .seconds(2)) throws(HostError) {
        let path = RunPaths(runDirectory).control
        try checkSocketPath(path)
        var isCrowded = try !Self.checkListener(of: runDirectory)
        let socket = try Socket(.tool, on: "ipc://\(path)", in: try Context())
        let monitor = try socket.monitor()
        try socket.connect()
        let begun = Instant(nanoseconds: system_clock())
        let deadline = begun.advanced(by: timeout)
        // The start of the current connection attempt.
        var attemptStart = begun
        func noAnswer() -> HostError {
            guard !isCrowded else {
                return .tooManyControllers(runDirectory: runDirectory, pid: listener(at: path)?.pid)
            }
            let waited = begun.duration(to: Instant(nanoseconds: system_clock()))
            return .noAnswer(
                runDirectory: runDirectory, pid: listener(at: path)?.pid, milliseconds: Self.milliseconds(waited))
        }
        connecting: while true {
            switch ConnectionEvent.next(from: monitor, into: packet) {
            case .connected: break connecting
            // The group has ended, or the queue of the socket was full; libzmq tries again.
            case .retried:
                isCrowded = try !Self.checkListener(of: runDirectory) || isCrowded
                attemptStart = Instant(nanoseconds: system_clock())
            case .ended:
                let now = Instant(nanoseconds: system_clock())
                // libzmq has given up by itself: the kernel accepted the connection, and no process completed the
                // handshake.
                guard attemptStart.duration(to: now) < Self.hangUpLimit else { throw noAnswer() }
                // The supervisor has closed the connection: it has its limit of controllers, or it is ending.
                (isCrowded, attemptStart) = (true, now)
            case .accepted, .handshakeFailed, .keyRefused: continue
            case nil:
                guard let left = Self.remainingMilliseconds(until: deadline), monitor.wait(milliseconds: left) else {
                    throw noAnswer()
                }
            }
        }
        self.runDirectory = runDirectory
        self.monitor = monitor
        self.socket = socket
    }

    /// Checks which processes could read the sent bytes: the folder and the listening process must belong to this user.
    /// While the folder does, no other user can put a socket there later.
    ///
    /// - Returns: False if a process listens and its queue is full.
    /// - Throws: `HostError` if the folder or the listener is unsafe, or if no process listens.
    private static func checkListener(of runDirectory: String) throws(HostError) -> Bool {
        let path = RunPaths(runDirectory).control
        // Another user's folder must not be reported as a missing group.
        if access(runDirectory, X_OK) != 0, errno == EACCES {
            throw .system(call: "connect", subject: path, errno: EACCES)
        }
        do throws(HostError) { try checkFolder(runDirectory) } catch {
            if case .system(_, _, ENOENT) = error { throw .noGroup(runDirectory: runDirectory) }
            throw error
        }
        guard let found = listener(at: path) else {
            switch errno {
            case EAGAIN: return false
            case ENOENT, ECONNREFUSED: throw .noGroup(runDirectory: runDirectory)
            case let failure: throw .system(call: "connect", subject: path, errno: failure)
            }
        }
        guard found.uid == geteuid() else { throw .foreignListener(path: path, user: found.uid) }
        return true
    }

    /// Sends one frame with this message.
    ///
    /// - Throws: `HostError.groupEnded` if the supervisor is gone, or takes nothing for 2 s.
    public func send(_ message: Message) throws(HostError) {
        sent = sent.next
        let bytes = Frame(epoch: 0, generation: 0, sequence: sent, ack: received, credit: 256, message: message)
            .encoded()
        // Processes the I/O thread's news that the connection is open.
        _ = socket.isReadable
        let deadline = Self.deadline(.seconds(2))
        while bytes.withUnsafeBytes({ socket.send($0) }) != .done {
            guard !hasEnded, let left = Self.remainingMilliseconds(until: deadline) else {
                throw .groupEnded(runDirectory: runDirectory)
            }
            _ = Socket.wait(monitor, socket, milliseconds: min(left, 5))
        }
    }

    /// Returns the next message and waits for it at most `timeout`.
    ///
    /// - Returns: Nil if no message arrived in time.
    /// - Throws: `HostError.groupEnded` if the supervisor is gone and all its messages are read.
    public func receive(timeout: Duration) throws(HostError) -> Message? {
        let deadline = Self.deadline(timeout)
        while true {
            if !messages.isEmpty { return messages.removeFirst() }
            if readPacket() { continue }
            guard !hasEnded else {
                // The last messages may have arrived together with the end.
                if readPacket() { continue }
                throw .groupEnded(runDirectory: runDirectory)
            }
            guard let left = Self.remainingMilliseconds(until: deadline) else { return nil }
            _ = Socket.wait(socket, monitor, milliseconds: left)
        }
    }

    private func readPacket() -> Bool {
        guard socket.receive(into: packet) else { return false }
        // Only the supervisor of this user is trusted.
        guard let sender = packet.sender, sender.uid == geteuid() else { return true }
        var arrivals: [Input] = []
        decoder.decode(packet.bytes, from: .supervisor, into: &arrivals)
        for case .frame(let frame, _) in arrivals {
            received = frame.sequence
            messages.append(frame.message)
        }
        return true
    }

    private var hasEnded: Bool {
        while let event = ConnectionEvent.next(from: monitor, into: packet) {
            switch event {
            case .ended: isOver = true
            case .connected, .accepted, .retried, .handshakeFailed, .keyRefused: break
            }
        }
        return isOver
    }
    private var isOver = false

    private static func deadline(_ timeout: Duration) -> Instant {
        Instant(nanoseconds: system_clock()).advanced(by: timeout)
    }

    /// The milliseconds until a deadline, at least one; nil after it.
    private static func remainingMilliseconds(until deadline: Instant) -> Int? {
        let left = Instant(nanoseconds: system_clock()).duration(to: deadline).nanoseconds
        return left > 0 ? Int(clamping: left / 1_000_000 + 1) : nil
    }

    private static func milliseconds(_ timeout: Duration) -> Int { Int(clamping: timeout.nanoseconds / 1_000_000) }
}
