// Frame.swift: one message with its header, and the errors of its bytes.
//
//    header (88 bytes: epoch, generation, numbers, credit, ledger) | payload (Message)
//
// Output    FrameCodec. Docs/Reference/Wire.md draws every field, and a test keeps the drawing equal to the code.
//
// Every integer is little-endian. A packet (one ZeroMQ message) is one or more frames, end to end.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2

import Basics

/// One message on a link, with its header.
public struct Frame: Hashable, Sendable {
    public static let magic: UInt16 = 0x4C54
    /// The version of all layouts. It rises once for all changes that are published together.
    ///
    /// A peer of another version is refused, and the refusal names both numbers. The processes of a group are built
    /// together, and a guessed layout would put touches in wrong positions. Every version has the same layout of the
    /// header and of `refused`, and reads both from any version, so that a refused peer learns the reason.
    ///
    /// Version 9 has longer histories of touches. Version 8 codes them as moves. Version 7 added frames of several scans, and
    /// merged moves to receipts. Version 6 added the touches that monitors and system gestures take to receipts. Version 5
    /// added the orientation to scenes, the display to scans, a URL to the launch order, and the messages of touch monitors
    /// and of URLs. Version 4 added seals to the roster, passes, coalesced scans, windows and scenes, stalled apps, facts
    /// and details on request.
    public static let version: UInt8 = 9
    public static let headerSize = 88
    /// The greatest length of a packet in bytes: ZMQ_MAXMSGSIZE of every socket.
    public static let packetLimit = 65_536

    public var epoch: UInt32
    public var generation: UInt32
    public var sequence: SequenceNumber
    public var ack: SequenceNumber
    public var credit: UInt32
    public var ledger: Ledger
    public var message: Message

    public init(
        epoch: UInt32, generation: UInt32, sequence: SequenceNumber, ack: SequenceNumber = .zero, credit: UInt32 = 0,
        ledger: Ledger = Ledger(), message: Message
    ) {
        (self.epoch, self.generation, self.sequence, self.ack) = (epoch, generation, sequence, ack)
        (self.credit, self.ledger, self.message) = (credit, ledger, message)
    }
}

/// Bytes that no conforming peer sends. At fault: the peer.
public enum WireError: Error, Hashable, Sendable {
    case truncated(expected: Int, actual: Int)  // bytes
    case notAFrame(magic: UInt16)
    case version(UInt8, known: UInt8)
    case unknownKind(UInt8)
    case tooLong(String, count: Int, limit: Int)
    case badValue(String, UInt64)
    case trailingBytes(Int)
    case notText(String)
}

extension WireError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated(let expected, let actual): "frame cut short: \(actual) of \(expected) bytes"
        case .notAFrame(let magic): "not a frame: magic 0x\(String(magic, radix: 16))"
        case .version(let version, let known): "protocol version \(version), this process speaks \(known)"
        case .unknownKind(let kind): "message kind \(kind) is not one"
        case .tooLong(let what, let count, let limit): "\(what): \(count), limit \(limit)"
        case .badValue(let what, let value): "\(what) cannot be \(value)"
        case .trailingBytes(let count): "\(count) bytes after the payload's end"
        case .notText(let what): "\(what) is not UTF-8"
        }
    }
}
