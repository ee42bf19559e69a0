// Stranger.swift: a connection without manners or papers, for those who show what becomes of one (`touchline chaos`).
//
// It says what bytes it is given and shows no pass. What a group lets it do is what it lets anybody of this user do.

import Basics
import CSystem
import Glibc
public import Wire

public final class Stranger {
    private let socket: Socket
    private let packet = Packet()

    /// - Parameter path: Of a group's socket.
    public init(_ path: String) throws(HostError) {
        let socket = try Socket(.caller, on: "ipc://\(path)", in: try Context())
        try socket.connect()
        self.socket = socket
    }

    /// Hands it over, waiting for room.
    ///
    /// - Returns: False when there was none for so long.
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
    /// - Returns: None when nothing came in time, or nothing that is a frame.
    public func receive(within limit: Duration) -> [Frame] {
        guard socket.wait(milliseconds: Int(clamping: limit.nanoseconds / 1_000_000)), socket.receive(into: packet)
        else { return [] }
        return (try? Frame.decode(packet: packet.bytes)) ?? []
    }
}
