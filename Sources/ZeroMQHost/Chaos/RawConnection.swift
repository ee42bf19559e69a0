// RawConnection.swift: a hand-written ZMTP 3 connection, for attacks that libzmq's own client cannot make.
//
//    greeting, READY ◀─▶ greeting, READY        then messages, or anything else ─▶
//
// libzmq reads ahead of its user and sends only valid ZMTP. An attacker's client does neither.
//
// Output    `touchline monkey kills --hostile`, and tests of the listeners
// Knows     bytes. Its caller determines the content of messages.
//
// Sources   documented  ZeroMQ RFC 23 (ZMTP 3.0)

import Basics
import CSystem
import Glibc

/// A ZMTP 3 client that can break the protocol.
public final class RawConnection {
    public let descriptor: Int32

    /// Connects to a unix socket. While the listener has no room for another connection, it tries again.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - limit: How long it tries, and later waits for room to send and for bytes to read.
    /// - Throws: `HostError.system` if no process listens there, or if the listener had no room within the limit.
    public init(_ path: String, within limit: Duration = .seconds(20)) throws(HostError) {
        let deadline = Instant(nanoseconds: system_clock()).advanced(by: limit)
        while true {
            let call = path.withCString { system_unix_connect($0) }
            if call >= 0 {
                descriptor = call
                break
            }
            guard errno == EAGAIN, Instant(nanoseconds: system_clock()) < deadline else {
                throw .system(call: "connect", subject: path, errno: errno)
            }
            usleep(100)
        }
        // A `timeval` as its two words.
        let (seconds, rest) = limit.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        var timeout = [Int(seconds), Int(rest / 1000)]
        let size = socklen_t(2 * MemoryLayout<Int>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    deinit { close(descriptor) }

    // MARK: ZMTP

    /// The 64 bytes of ZMTP's greeting with the NULL mechanism.
    public static func greeting(version: UInt8 = 3) -> [UInt8] {
        let greeting: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, version, 0] + Array("NULL".utf8)
        return greeting + [UInt8](repeating: 0, count: 64 - greeting.count)
    }

    /// The command that ends a handshake, with these properties, each of at most 255 bytes.
    public static func ready(_ properties: [(name: String, value: [UInt8])]) -> [UInt8] {
        var body = [5] + Array("READY".utf8)
        for property in properties {
            body += [UInt8(property.name.utf8.count)] + Array(property.name.utf8)
            body += [0, 0, 0, UInt8(property.value.count)] + property.value
        }
        return body.count < 256 ? [4, UInt8(body.count)] + body : [6] + length(of: body) + body
    }

    public static let dealer = (name: "Socket-Type", value: Array("DEALER".utf8))

    /// The property by which a peer chooses its own routing id.
    public static func identity(_ id: [UInt8]) -> (name: String, value: [UInt8]) { ("Identity", id) }

    /// One part of a message, with its length in eight bytes.
    public static func part(_ bytes: [UInt8], more: Bool) -> [UInt8] {
        [more ? 3 : 2] + length(of: bytes) + bytes
    }

    private static func length(of bytes: [UInt8]) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
    }

    /// Performs the handshake of a DEALER.
    ///
    /// libzmq takes a message that arrives before it has sent its own READY for a second handshake command. So this
    /// waits for READY.
    ///
    /// - Returns: False if the other end closed first, or sent nothing within the connection's limit.
    public func performHandshake() -> Bool {
        guard send(Self.greeting() + Self.ready([Self.dealer])) else { return false }
        // A greeting, and the head of a short command, with its length as the last byte.
        guard let head = read(66) else { return false }
        return read(Int(head[65])) != nil
    }

    // MARK: Bytes

    /// Sends bytes and waits for room.
    ///
    /// - Returns: False if the other end has closed, or has taken nothing within the connection's limit.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads exactly `count` bytes.
    ///
    /// - Returns: Nil if the other end closed first, or sent nothing within the connection's limit.
    public func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: count)
        while bytes.count < count {
            let arrived = Glibc.read(descriptor, &chunk, count - bytes.count)
            guard arrived > 0 else { return nil }
            bytes += chunk[..<arrived]
        }
        return bytes
    }

    /// Reads until this text has arrived.
    ///
    /// - Returns: False if the other end closed first, or sent nothing within the connection's limit.
    public func waitForText(_ text: String) -> Bool {
        var received: [UInt8] = []
        while !received.suffix(text.utf8.count).elementsEqual(text.utf8) {
            guard let byte = read(1) else { return false }
            received += byte
        }
        return true
    }

    /// Reads until the other end closes.
    ///
    /// - Returns: False if it stays open without sending, within the connection's limit.
    public func waitForClose() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count == 0 { return true }
            if count < 0 { return errno == ECONNRESET || errno == EPIPE }
        }
    }
}
