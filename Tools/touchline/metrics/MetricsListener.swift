// MetricsListener.swift: an HTTP listener on 127.0.0.1 that answers one request at a time.
//
//    accept ─▶ read, at most 8 KiB within 1 s ─▶ MetricsRequest ─▶ answer within 1 s ─▶ close
//
// Input     MetricsCommand
// Output    answers
// Knows     sockets. MetricsRequest decides the status.
//
// One connection at a time is enough for a scraper. A client that sends nothing delays the next one by a second.

import Basics
import Exports
import Glibc

/// A bound listener.
struct MetricsListener: ~Copyable {
    let port: UInt16
    private let socket: Int32

    /// The time for a whole request, and for a whole answer.
    private static let deadline = Duration.seconds(1)

    /// - Throws: `Failure` with exit code 2 for a port that cannot be used.
    init(port wanted: UInt16) throws {
        (socket, port) = try loopbackListener(port: wanted, backlog: 16)
    }

    deinit { close(socket) }

    /// Waits for one connection and answers it.
    ///
    /// - Parameter text: Makes the metrics; called for a correct request only.
    func serve(_ text: () throws(Failure) -> String) {
        let client = accept(socket, nil, nil)
        guard client >= 0 else {
            // A client that is gone already, or a signal. Without free files, waiting is all that helps.
            if errno != ECONNABORTED && errno != EINTR { usleep(100_000) }
            return
        }
        defer { close(client) }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        let status = Self.readRequest(from: client)
        var (answer, body) = (status, "\(status.reason)\n")
        if status == .ok {
            do throws(Failure) { body = try text() } catch { (answer, body) = (.unavailable, "\(error.line)\n") }
        }
        let type = answer == .ok ? OpenMetrics.mediaType : "text/plain; charset=utf-8"
        let allow = answer == .methodNotAllowed ? "Allow: GET\r\n" : ""
        let head =
            "HTTP/1.1 \(answer.rawValue) \(answer.reason)\r\nContent-Type: \(type)\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\(allow)Cache-Control: no-store\r\nConnection: close\r\n\r\n"
        Self.write(Array((head + body).utf8), to: client)
        // Unread bytes of the request would make the close a reset, and the client would lose the answer.
        shutdown(client, Int32(SHUT_WR))
        Self.discard(from: client)
    }

    private static func readRequest(from client: Int32) -> MetricsRequest.Status {
        let end = monotonicNow().advanced(by: deadline)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 2048)
        while true {
            if case .ended(let status) = MetricsRequest.parse(bytes) { return status }
            guard wait(for: POLLIN, on: client, until: end) else { return .timeout }
            let count = read(client, &piece, piece.count)
            if count == 0 { return .badRequest }
            if count < 0, errno != EAGAIN, errno != EINTR { return .badRequest }
            bytes += piece.prefix(max(0, count))
        }
    }

    private static func write(_ bytes: [UInt8], to client: Int32) {
        let end = monotonicNow().advanced(by: deadline)
        var done = 0
        while done < bytes.count, wait(for: POLLOUT, on: client, until: end) {
            let count = bytes.withUnsafeBytes {
                send(client, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { done += count } else if errno != EAGAIN && errno != EINTR { return }
        }
    }

    /// Reads what the client still sends, for at most 100 ms and 64 KiB.
    private static func discard(from client: Int32) {
        let end = monotonicNow().advanced(by: .milliseconds(100))
        var piece = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<16 {
            guard wait(for: POLLIN, on: client, until: end), read(client, &piece, piece.count) > 0 else { return }
        }
    }

    private static func wait(for event: Int32, on client: Int32, until end: Instant) -> Bool {
        let left = monotonicNow().duration(to: end).nanoseconds
        guard left > 0 else { return false }
        var item = pollfd(fd: client, events: Int16(event), revents: 0)
        return poll(&item, 1, Int32(left / 1_000_000 + 1)) > 0
    }
}
