// RawController.swift: a controller that sends frames over a raw connection and reads no answer.
//
// Output    `touchline monkey kills --hostile`, and tests of the load that a controller may cause
//
// Sources   invented

import Basics
import Glibc
public import Wire

/// A controller that floods a group.
public final class RawController {
    public let connection: RawConnection
    private var sequence = SequenceNumber.zero

    /// Connects to the control socket of a run directory and performs the handshake.
    ///
    /// - Parameters:
    ///   - runDirectory: The directory of the group.
    ///   - limit: The longest time that a packet waits for room.
    /// - Throws: `HostError.system` if no process listens there, or if it closed during the handshake.
    public init(_ runDirectory: String, within limit: Duration = .seconds(20)) throws(HostError) {
        let path = RunPaths(runDirectory).control
        connection = try RawConnection(path, within: limit)
        guard connection.performHandshake() else {
            throw .system(call: "shake hands with", subject: path, errno: errno)
        }
    }

    /// Sends all messages in one packet.
    ///
    /// - Returns: False if the other end has closed, or has taken nothing within the connection's limit.
    @discardableResult
    public func send(_ messages: [Message]) -> Bool {
        let packet = messages.flatMap { message -> [UInt8] in
            sequence = sequence.next
            return Frame(epoch: 0, generation: 0, sequence: sequence, credit: 256, message: message).encoded()
        }
        return connection.send(RawConnection.part(packet, more: false))
    }
}
