// RawController.swift: a controller that sends frames over a connection made by hand, and reads no answer.
//
// Used by   `touchline monkey --hostile`, and tests of what a controller may cost a group
//
// Sources   invented

import Basics
import Glibc
public import Wire

public final class RawController {
    public let connection: RawConnection
    private var sequence = SequenceNumber.zero

    /// Connects to the control socket of a run directory and shakes hands.
    ///
    /// - Parameter limit: How long a packet waits for room, at most.
    /// - Throws: `HostError.system` when nothing listens there, or it hung up instead of shaking hands.
    public init(_ runDirectory: String, within limit: Duration = .seconds(20)) throws(HostError) {
        let path = RunPaths(runDirectory).control
        connection = try RawConnection(path, within: limit)
        guard connection.shakeHands() else { throw .system(call: "shake hands with", subject: path, errno: errno) }
    }

    /// Sends all of these in one packet.
    ///
    /// - Returns: False when the other end has hung up, or has taken nothing for as long as the connection waits.
    @discardableResult
    public func ask(_ messages: [Message]) -> Bool {
        let packet = messages.flatMap { message -> [UInt8] in
            sequence = sequence.next
            return Frame(epoch: 0, generation: 0, sequence: sequence, credit: 256, message: message).encoded()
        }
        return connection.send(RawConnection.part(packet, more: false))
    }
}
