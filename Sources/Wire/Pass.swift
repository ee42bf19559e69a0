// Pass.swift: what a child shows before it is listened to, and what its server knows it by.
//
//    supervisor ──launch order, pass──▶ child ──pass, then frames──▶ server
//         └───────────── roster: a seal for every child ─────────────▶┘   does the pass open the seal?
//
// A pass is made for one start of one process and handed over on the inherited link: it is never an argument, never in
// the environment, never in a frame, and so in no journal and no trace. What travels in the roster is its digest, which
// opens nothing. Only hosts know of passes; a core never meets one.
//
// Sources   invented, after threat T2

/// Thirty-two random bytes that nobody is shown: whoever prints one sees that it is one.
public struct Pass: Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    public static let secretSize = 32
    /// Of the packet: no frame's magic, so that neither is ever taken for the other.
    static let magic: UInt16 = 0x5054
    private static let headerSize = 4
    public static let packetSize = headerSize + secretSize

    /// - Parameter secret: `secretSize` bytes of chance, from outside: a host has asked its system.
    public init(secret: [UInt8]) {
        precondition(secret.count == Self.secretSize, "a pass of \(secret.count) bytes")
        bytes = secret
    }

    public var description: String { "a pass" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Magic, version, zero, secret: the first packet of a connection.
    public var packet: [UInt8] {
        [UInt8(truncatingIfNeeded: Self.magic), UInt8(Self.magic >> 8), Frame.version, 0] + bytes
    }

    /// What a packet is, to whoever waits for a pass.
    public enum Reading: Sendable {
        case pass(Pass)
        /// One of another version of the protocol.
        case version(UInt8)
        /// No pass.
        case none
    }

    /// Whether this packet means to be a pass; told from any frame by its first bytes.
    public static func isMeant(by packet: UnsafeRawBufferPointer) -> Bool {
        packet.count >= headerSize && packet.loadUnaligned(as: UInt16.self).littleEndian == magic
    }

    public static func read(_ packet: UnsafeRawBufferPointer) -> Reading {
        guard isMeant(by: packet) else { return .none }
        guard packet[2] == Frame.version else { return .version(packet[2]) }
        guard packet.count == packetSize, packet[3] == 0 else { return .none }
        return .pass(Pass(secret: Array(packet[headerSize...])))
    }

    public var seal: Seal {
        let words = SHA256.digest(of: bytes)
        func pair(_ index: Int) -> UInt64 { UInt64(words[index]) << 32 | UInt64(words[index + 1]) }
        return Seal(pair(0), pair(2), pair(4), pair(6))
    }

    /// Takes as long for a pass that is nearly right as for one that is not.
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

    /// Of one that has no pass: nothing opens it.
    public static let none = Seal(0, 0, 0, 0)
}
