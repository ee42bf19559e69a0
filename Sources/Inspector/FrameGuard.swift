// FrameGuard.swift: the frames of a browser's WebSocket, checked byte by byte before the server reads them.
//
//     header ─▶ grammar 1002 ─▶ kind 1003 ─▶ length 1009 ─▶ payload ─▶ text 1007 ─▶ header …
//
// Input     the gate: bytes of a browser after the upgrade
// Output    whether they may be forwarded, or the code with which the connection ends
// Knows     RFC 6455, sections 5 and 7.4. No socket. The text of a message is not parsed here.
//
// Sources   documented  RFC 6455

/// The state of one direction of a WebSocket.
public struct FrameGuard: Sendable {
    /// A violation of the protocol. At fault: the browser.
    public struct Violation: Error, Hashable, Sendable {
        /// The code of the close frame.
        public var code: UInt16
        public var reason: String

        init(_ code: UInt16, _ reason: String) { (self.code, self.reason) = (code, reason) }
    }

    private enum State: Sendable {
        case header([UInt8])
        case payload(Frame)
    }

    private struct Frame: Sendable {
        var opcode: UInt8
        var isFinal: Bool
        var mask: [UInt8]
        var length: Int
        var read = 0
    }

    private var state = State.header([])
    /// The payload of the message so far; nil between messages.
    private var message: [UInt8]?
    private var hasClosed = false

    public init() {}

    private enum Opcode {
        static let continuation: UInt8 = 0
        static let text: UInt8 = 1
        static let binary: UInt8 = 2
        static let close: UInt8 = 8
        static let ping: UInt8 = 9
        static let pong: UInt8 = 10
    }

    /// Checks the next bytes.
    ///
    /// - Throws: `Violation`; the connection ends, and further bytes are not checked.
    public mutating func check(_ bytes: ArraySlice<UInt8>) throws(Violation) {
        var rest = bytes
        while let byte = rest.first {
            switch state {
            case .header(var head):
                rest.removeFirst()
                head.append(byte)
                state =
                    try Self.frame(head, isInMessage: message != nil, hasClosed, messageLength: message?.count ?? 0)
                    .map { .payload($0) } ?? .header(head)
                if case .payload(let frame) = state, frame.length == 0 { try end(frame, []) }
            case .payload(var frame):
                let part = rest.prefix(frame.length - frame.read)
                rest = rest.dropFirst(part.count)
                var plain: [UInt8] = []
                plain.reserveCapacity(part.count)
                for (place, byte) in part.enumerated() { plain.append(byte ^ frame.mask[(frame.read + place) & 3]) }
                frame.read += part.count
                if frame.opcode < 8 {
                    if message == nil { message = [] }
                    message?.append(contentsOf: plain)
                }
                state = .payload(frame)
                if frame.read == frame.length { try end(frame, plain) }
            }
        }
    }

    /// - Returns: Nil if the header has not ended.
    private static func frame(
        _ head: [UInt8], isInMessage: Bool, _ hasClosed: Bool, messageLength: Int
    ) throws(Violation) -> Frame? {
        let first = head[0]
        let opcode = first & 15
        if head.count == 1 {
            guard !hasClosed else { throw Violation(1002, "a frame after the close frame") }
            guard first & 0x70 == 0 else { throw Violation(1002, "a reserved bit") }
            switch opcode {
            case Opcode.continuation: guard isInMessage else { throw Violation(1002, "a continuation of nothing") }
            case Opcode.text: guard !isInMessage else { throw Violation(1002, "a message inside a message") }
            case Opcode.binary: throw Violation(1003, "a binary message")
            case Opcode.close, Opcode.ping, Opcode.pong:
                guard first & 0x80 != 0 else { throw Violation(1002, "a control frame in parts") }
            default: throw Violation(1002, "an unknown opcode")
            }
            return nil
        }
        let short = Int(head[1] & 127)
        if head.count == 2 {
            guard head[1] & 0x80 != 0 else { throw Violation(1002, "a frame without a mask") }
            guard opcode < 8 || short <= 125 else { throw Violation(1002, "a control frame of more than 125 bytes") }
        }
        let extra = short == 126 ? 2 : short == 127 ? 8 : 0
        guard head.count == 2 + extra + 4 else { return nil }
        var length = short
        if extra > 0 {
            guard head[2..<(2 + extra)].dropLast(7).allSatisfy({ $0 < 0x80 }) else {
                throw Violation(1002, "a length beyond 63 bits")
            }
            length = head[2..<(2 + extra)].reduce(0) { $0 << 8 | Int($1) }
            guard length > (extra == 2 ? 125 : 65_535) else { throw Violation(1002, "a length in too many bytes") }
        }
        guard opcode >= 8 || length <= BrowserMessage.sizeLimit - messageLength else {
            throw Violation(1009, "a message of more than \(BrowserMessage.sizeLimit) bytes")
        }
        return Frame(opcode: opcode, isFinal: first & 0x80 != 0, mask: Array(head.suffix(4)), length: length)
    }

    private mutating func end(_ frame: Frame, _ last: [UInt8]) throws(Violation) {
        state = .header([])
        switch frame.opcode {
        case Opcode.close:
            hasClosed = true
            guard frame.length != 1 else { throw Violation(1002, "a close frame of one byte") }
        case Opcode.ping, Opcode.pong: return
        default:
            message = message ?? []
            guard frame.isFinal else { return }
            guard let text = message, String(validating: text, as: UTF8.self) != nil else {
                throw Violation(1007, "a text that is not UTF-8")
            }
            message = nil
        }
    }

    /// A close frame as a browser would send it, with a mask of zeros.
    public static func closeFrame(_ violation: Violation) -> [UInt8] {
        let reason = Array(violation.reason.utf8.prefix(120))
        let code = [UInt8(violation.code >> 8), UInt8(violation.code & 255)]
        return [0x88, 0x80 | UInt8(2 + reason.count), 0, 0, 0, 0] + code + reason
    }
}
