// RouteID.swift: the name that libzmq's router gives a connection.

/// The routing id of a connection.
///
/// Project peers never choose one, so libzmq does: a zero and four bytes. An id of more than 7 bytes is refused.
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
