// RawDealer.swift: a connection that sends arbitrary bytes and shows no pass, for `touchline chaos`.
//
// A group treats it as any unknown process of the same user.

import Basics
import CSystem
import Glibc
public import Wire

/// A connection to a group's socket that follows no protocol.
public final class RawDealer {
    private let socket: Socket
    private let packet = Packet()

    /// Connects.
    ///
    /// - Parameter path: The path of a group's socket.
    public init(_ path: String) throws(HostError) {
        let socket = try Socket(.tool, on: "ipc://\(path)", in: try Context())
        try socket.connect()
        self.socket = socket
    }

    /// Sends the bytes, and waits for room.
    ///
    /// - Returns: False if there was no room within the limit.
    public func send(_ bytes: [UInt8], within limit: Duration = .seconds(2)) -> Bool {
        let deadline = Instant(nanoseconds: system_clock()).advanced(by: limit)
        while bytes.withUnsafeBytes({ socket.send($0) }) != .done {
            guard Instant(nanoseconds: system_clock()) < deadline else { return false }
            usleep(200)
            _ = socket.isReadable
        }
        return true
    }

    /// The frames of the next packet.
    ///
    /// - Returns: Empty if no packet arrived in time, or if it does not decode.
    public func receive(within limit: Duration) -> [Frame] {
        guard socket.wait(milliseconds: Int(clamping: limit.nanoseconds / 1_000_000)), socket.receive(into: packet)
        else { return [] }
        return (try? Frame.decode(packet: packet.bytes)) ?? []
    }
}
