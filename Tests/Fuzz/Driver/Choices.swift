// Choices.swift: an input's bytes as a sequence of decisions, for targets that are driven rather than given text.

public struct Choices {
    private let bytes: [UInt8]
    private var next: Int

    public init(_ bytes: [UInt8]) { (self.bytes, next) = (bytes, 0) }

    public var isAtEnd: Bool { next >= bytes.count }

    /// The next byte; zero behind the last.
    public mutating func byte() -> UInt8 {
        guard next < bytes.count else { return 0 }
        defer { next += 1 }
        return bytes[next]
    }

    public mutating func number(below limit: Int) -> Int { Int(byte()) % limit }

    public mutating func flag() -> Bool { byte() & 1 == 1 }

    public mutating func wide() -> UInt64 {
        var value: UInt64 = 0
        for _ in 0..<8 { value = value << 8 | UInt64(byte()) }
        return value
    }

    public mutating func word() -> UInt32 {
        UInt32(byte()) << 24 | UInt32(byte()) << 16 | UInt32(byte()) << 8 | UInt32(byte())
    }

    /// The next bytes: their number is in the first two bytes, limited to the bytes that are left.
    public mutating func slice() -> [UInt8] {
        let count = min(Int(byte()) | Int(byte()) << 8, bytes.count - next)
        defer { next += count }
        return Array(bytes[next..<next + count])
    }
}
