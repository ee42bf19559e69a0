// Gate.swift: every connection of the inspector, read with limits before the HTTP server sees a byte of it.
//
//     browser ──127.0.0.1──▶ head ─RequestGuard─▶ body ─▶ answer ──────────────▶ closed        one request a connection
//                             │ refused: 4xx        └▶ WebSocket ─FrameGuard─▶ … ─▶ closed
//                             └──────────────────────▶ ── unix socket ──▶ FlyingFox
//
// FlyingFox bounds neither a head nor a frame nor the time of either (Docs/Decisions/Inspector.md). The gate does: bytes,
// connections, and moments at which each must have gone on. What it forwards was understood.
//
// Input     InspectCommand
// Output    bytes of correct requests to the server, and its answers back
// Knows     sockets and times. RequestGuard and FrameGuard decide.
//
// One thread polls all connections. It waits for nothing else, so a browser that stalls delays no other. At the end of the
// inspector the listener takes no more connections, a request without a whole head is refused, and the others are answered.

import Basics
import Dispatch
import Glibc
import Inspector

/// The listener of the inspector.
final class Gate {
    private enum State {
        case head
        case body(left: Int)
        case answer
        case socket(FrameGuard)
        /// The answer is a refusal, or the server has closed: the rest is written.
        case ending
    }

    private final class Connection {
        let client: Int32
        var server: Int32 = -1
        var state = State.head
        var head: [UInt8] = []
        var toServer: [UInt8] = []
        var toClient: [UInt8] = []
        var isWebSocket = false
        /// The moment at which the connection ends unless it has gone on.
        var deadline: Instant
        /// The moment at which bytes began to wait for the browser.
        var stalledSince: Instant?

        init(_ client: Int32, deadline: Instant) { (self.client, self.deadline) = (client, deadline) }

        /// Whether the browser waits for an answer, or for the rest of one.
        var isUnderWay: Bool {
            switch state {
            case .head, .body, .answer: !isWebSocket
            case .socket: false
            case .ending: !toClient.isEmpty
            }
        }

        deinit {
            close(client)
            if server >= 0 { close(server) }
        }
    }

    private static let connectionLimit = 64
    /// The most browsers.
    static let browserLimit = 8
    private static let headTime = Duration.seconds(5)
    private static let bodyTime = Duration.seconds(10)
    /// The time for an answer: the longest job looks for the smallest change of a run.
    private static let answerTime = Duration.seconds(300)
    private static let closeTime = Duration.seconds(1)
    /// A browser that takes no byte for this long is gone.
    private static let stallTime = Duration.seconds(5)
    /// The time for the answers under way when the inspector ends.
    private static let endTime = Duration.seconds(2)
    /// Bytes that wait in one direction before the other side is no longer read.
    private static let bufferLimit = 256 << 10
    private static let readSize = 16 << 10

    let port: UInt16
    private let listener: Int32
    private let serverPath: String
    private var rules: RequestGuard?
    private var connections: [Connection] = []
    private var isEnding = false
    private let answered = DispatchSemaphore(value: 0)
    private var piece = [UInt8](repeating: 0, count: Gate.readSize)

    /// - Throws: `Failure` with exit code 2 for a port that cannot be used.
    init(port wanted: UInt16, serverPath: String) throws {
        self.serverPath = serverPath
        (listener, port) = try loopbackListener(port: wanted, backlog: 64)
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
    }

    deinit { close(listener) }

    // MARK: The loop

    /// Serves connections, and never returns.
    func run(_ rules: RequestGuard) -> Never {
        self.rules = rules
        while true {
            var items = [pollfd(fd: isEnding ? -1 : listener, events: Int16(POLLIN), revents: 0)]
            for connection in connections {
                items.append(pollfd(fd: connection.client, events: clientEvents(connection), revents: 0))
                items.append(pollfd(fd: connection.server, events: serverEvents(connection), revents: 0))
            }
            _ = poll(&items, UInt(items.count), timeout())
            let now = monotonicNow()
            var survivors: [Connection] = []
            for (index, connection) in connections.enumerated() {
                let (client, server) = (items[1 + 2 * index].revents, items[2 + 2 * index].revents)
                if serve(connection, client: Int32(client), server: Int32(server), at: now) {
                    survivors.append(connection)
                }
            }
            connections = survivors
            let arrived = Int32(items[0].revents)
            if arrived & POLLHUP != 0 { beginEnd(at: now) } else if arrived != 0 { accept(at: now) }
            if isEnding, !connections.contains(where: \.isUnderWay) { answered.signal() }
        }
    }

    /// Takes no more connections, and returns when each request under way is answered, or after `endTime`.
    ///
    /// A thread other than that of `run` calls it, once.
    func end() {
        // The thread that polls sees it as the listener's POLLHUP.
        shutdown(listener, Int32(SHUT_RD))
        _ = answered.wait(timeout: .now() + Self.endTime.seconds)
    }

    private func beginEnd(at now: Instant) {
        isEnding = true
        for connection in connections {
            if case .head = connection.state { refuse(connection, 503, "the server ends", at: now) }
        }
    }

    private func timeout() -> Int32 {
        var next = Instant.never
        for connection in connections {
            next = min(next, connection.deadline)
            if let since = connection.stalledSince { next = min(next, since.advanced(by: Self.stallTime)) }
        }
        guard next != .never else { return -1 }
        let left = monotonicNow().duration(to: next).nanoseconds
        return Int32(clamping: max(0, left / 1_000_000 + 1))
    }

    private func clientEvents(_ connection: Connection) -> Int16 {
        var events: Int32 = connection.toClient.isEmpty ? 0 : POLLOUT
        if connection.toServer.count < Self.bufferLimit { events |= POLLIN }
        return Int16(events)
    }

    private func serverEvents(_ connection: Connection) -> Int16 {
        var events: Int32 = connection.toServer.isEmpty ? 0 : POLLOUT
        if connection.toClient.count < Self.bufferLimit { events |= POLLIN }
        return Int16(events)
    }

    private func accept(at now: Instant) {
        while case let client = Glibc.accept(listener, nil, nil), client >= 0 {
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            var yes: Int32 = 1
            setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
            let connection = Connection(client, deadline: now.advanced(by: Self.headTime))
            if connections.count >= Self.connectionLimit {
                refuse(connection, 503, "at most \(Self.connectionLimit) connections at once", at: now)
            }
            connections.append(connection)
            // A connection beyond twice the limit gets no answer.
            if connections.count > 2 * Self.connectionLimit { connections.removeLast() }
        }
        // Without free files the listener stays readable, and waiting is all that helps.
        if errno == EMFILE || errno == ENFILE { usleep(10_000) }
    }

    /// - Returns: Whether the connection goes on.
    private func serve(_ connection: Connection, client: Int32, server: Int32, at now: Instant) -> Bool {
        if client & (POLLIN | POLLHUP | POLLERR) != 0, !readClient(connection, at: now) { return false }
        if server & (POLLIN | POLLHUP | POLLERR) != 0 { readServer(connection, at: now) }
        if !write(&connection.toServer, to: connection.server) {
            // The server has ended the connection. Its last bytes, such as a close frame, are still to be read.
            connection.toServer = []
            connection.state = .answer
            connection.deadline = now.advanced(by: Self.closeTime)
        }
        let waiting = connection.toClient.count
        guard write(&connection.toClient, to: connection.client) else { return false }
        if connection.toClient.isEmpty {
            connection.stalledSince = nil
        } else if connection.toClient.count < waiting || connection.stalledSince == nil {
            connection.stalledSince = now
        }
        if let since = connection.stalledSince, since.advanced(by: Self.stallTime) <= now { return false }
        if case .ending = connection.state, connection.toClient.isEmpty {
            // Unread bytes would make the close a reset, and the browser would lose the answer.
            shutdown(connection.client, Int32(SHUT_WR))
        }
        guard connection.deadline <= now else { return true }
        if case .head = connection.state, connection.toClient.isEmpty {
            refuse(connection, 408, "expected a request within \(Self.headTime.seconds) s", at: now)
            return true
        }
        return false
    }

    // MARK: From the browser

    /// - Returns: False at the end of the connection.
    private func readClient(_ connection: Connection, at now: Instant) -> Bool {
        let count = read(connection.client, &piece, piece.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        guard count > 0 else { return false }
        take(piece[..<count], from: connection, at: now)
        return true
    }

    private func take(_ bytes: ArraySlice<UInt8>, from connection: Connection, at now: Instant) {
        switch connection.state {
        case .head:
            connection.head += bytes
            guard let rules else { return }
            switch rules.judge(connection.head) {
            case .incomplete: return
            case .refuse(let refusal):
                refuse(connection, refusal.status, refusal.reason, allowed: refusal.allowed, at: now)
            case .forward(let request): forward(request, of: connection, at: now)
            }
        case .body(let left):
            let part = bytes.prefix(left)
            connection.toServer += part
            expect(left - part.count, of: connection, at: now)
        case .socket(var frames):
            do throws(FrameGuard.Violation) {
                try frames.check(bytes)
                connection.state = .socket(frames)
                connection.toServer += bytes
            } catch {
                // The server answers a close frame with the same code, and ends the connection.
                connection.toServer += FrameGuard.closeFrame(error)
                connection.state = .answer
                connection.deadline = now.advanced(by: Self.closeTime)
            }
        // One request a connection: the rest is not read.
        case .answer, .ending: return
        }
    }

    private func forward(_ request: RequestGuard.Request, of connection: Connection, at now: Instant) {
        if request.isWebSocket, connections.count(where: { $0.isWebSocket }) >= Self.browserLimit {
            return refuse(connection, 503, "at most \(Self.browserLimit) browsers at once", at: now)
        }
        guard let server = connectToServer() else { return refuse(connection, 503, "the server has ended", at: now) }
        connection.server = server
        connection.toServer = request.head
        connection.isWebSocket = request.isWebSocket
        let rest = connection.head[request.headLength...]
        connection.head = []
        if request.isWebSocket {
            (connection.state, connection.deadline) = (.socket(FrameGuard()), .never)
            if !rest.isEmpty { take(rest, from: connection, at: now) }
        } else {
            connection.deadline = now.advanced(by: Self.bodyTime)
            connection.toServer += rest.prefix(request.bodyLength)
            expect(request.bodyLength - min(rest.count, request.bodyLength), of: connection, at: now)
        }
    }

    private func expect(_ left: Int, of connection: Connection, at now: Instant) {
        connection.state = left > 0 ? .body(left: left) : .answer
        if left == 0 { connection.deadline = now.advanced(by: Self.answerTime) }
    }

    private func refuse(
        _ connection: Connection, _ status: Int, _ reason: String, allowed: [String] = [], at now: Instant
    ) {
        connection.toClient += InspectAnswer.refusal(status, reason, allowed: allowed)
        connection.state = .ending
        connection.deadline = now.advanced(by: Self.closeTime)
    }

    // MARK: To and from the server

    private func connectToServer() -> Int32? {
        let server = unixConnection(to: serverPath)
        guard server >= 0 else { return nil }
        _ = fcntl(server, F_SETFL, O_NONBLOCK)
        return server
    }

    private func readServer(_ connection: Connection, at now: Instant) {
        guard connection.server >= 0 else { return }
        let count = read(connection.server, &piece, piece.count)
        if count > 0 {
            connection.toClient += piece[..<count]
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            close(connection.server)
            (connection.server, connection.toServer, connection.state) = (-1, [], .ending)
            connection.deadline = now.advanced(by: Self.closeTime)
        }
    }

    /// - Returns: False if the other side is gone.
    private func write(_ bytes: inout [UInt8], to socket: Int32) -> Bool {
        guard socket >= 0, !bytes.isEmpty else { return true }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(socket, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                done += count
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                return false
            }
        }
        bytes.removeFirst(done)
        return true
    }
}

/// Connects to a socket of this process.
///
/// - Returns: A negative number on failure.
private func unixConnection(to path: String) -> Int32 {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { return number }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
        close(number)
        return -1
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    guard result == 0 else {
        close(number)
        return -1
    }
    return number
}
