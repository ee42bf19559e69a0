// Pass.swift: the secret that a child sends first, and the seal by which the server recognizes it.
//
//    supervisor ──launch order, pass──▶ child ──pass, then frames──▶ server
//         └───────────── roster: a seal for every child ─────────────▶┘   does the pass open the seal?
//
// Input     hosts: random bytes of their system, the first packet of a connection
// Output    PeerAdmission
// Knows     bytes. No core receives a pass.
//
// A pass belongs to one start of one process and travels on the inherited link. It is never in an argument, in the
// environment or in a frame, and so in no journal and no trace. The roster carries its digest, which opens nothing.
//
// Sources   invented, after threat T2

/// Thirty-two secret random bytes. Printing and reflection show only that the value is a pass.
public struct Pass: Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    public static let secretSize = 32
    /// The magic number of the packet. It differs from a frame's, so that neither is mistaken for the other.
    static let magic: UInt16 = 0x5054
    private static let headerSize = 4
    public static let packetSize = headerSize + secretSize

    /// - Parameter secret: `secretSize` random bytes, which a host gets from its system.
    public init(secret: [UInt8]) {
        precondition(secret.count == Self.secretSize, "a pass of \(secret.count) bytes")
        bytes = secret
    }

    public var description: String { "a pass" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The first packet of a connection: magic number, version, zero, secret.
    public var packet: [UInt8] {
        [UInt8(truncatingIfNeeded: Self.magic), UInt8(Self.magic >> 8), Frame.version, 0] + bytes
    }

    /// The result of reading a packet where a pass is expected.
    public enum ReadResult: Sendable {
        case pass(Pass)
        /// A pass of another version of the protocol.
        case version(UInt8)
        /// The packet is no pass.
        case none
    }

    /// Whether a packet begins as a pass does. The first bytes distinguish it from any frame.
    public static func matches(_ packet: UnsafeRawBufferPointer) -> Bool {
        packet.count >= headerSize && packet.loadUnaligned(as: UInt16.self).littleEndian == magic
    }

    /// Reads a packet as a pass.
    public static func read(_ packet: UnsafeRawBufferPointer) -> ReadResult {
        guard matches(packet) else { return .none }
        guard packet[2] == Frame.version else { return .version(packet[2]) }
        guard packet.count == packetSize, packet[3] == 0 else { return .none }
        return .pass(Pass(secret: Array(packet[headerSize...])))
    }

    /// The digest of this pass, which the roster carries.
    public var seal: Seal {
        let words = SHA256.digest(of: bytes)
        func pair(_ index: Int) -> UInt64 { UInt64(words[index]) << 32 | UInt64(words[index + 1]) }
        return Seal(pair(0), pair(2), pair(4), pair(6))
    }

    /// Whether this pass has the given seal. The comparison takes the same time for any seal.
    public func opens(_ seal: Seal) -> Bool {
        let mine = self.seal
        let difference =
            (mine.first ^ seal.first) | (mine.second ^ seal.second) | (mine.third ^ seal.third)
            | (mine.fourth ^ seal.fourth)
        return difference == 0 && seal != .none
    }
}

/// SHA-256 of a pass.
public struct Seal: Hashable, Sendable {
    var first, second, third, fourth: UInt64

    init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
    }

    /// The seal of a process without a pass. No pass opens it.
    public static let none = Seal(0, 0, 0, 0)
}
