// RouteID.swift: the name that libzmq's router gives a connection.

/// The name a router gives a connection.
///
/// Ours never choose one, so libzmq does: a zero and four bytes. A peer that chooses a longer one is no peer of ours.
struct RouteID: Hashable {
    private let packed: UInt64

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard (1...7).contains(bytes.count) else { return nil }
        var packed = UInt64(bytes.count)
        for byte in bytes { packed = packed << 8 | UInt64(byte) }
        self.packed = packed << (8 * (7 - UInt64(bytes.count)))
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: packed.bigEndian) { bytes in
            body(UnsafeRawBufferPointer(rebasing: bytes[1..<(1 + Int(bytes[0]))]))
        }
    }
}
