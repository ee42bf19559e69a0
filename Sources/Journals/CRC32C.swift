// CRC32C.swift: the checksum of records, with Castagnoli's polynomial.
//
// Processors of x86-64 have an instruction for it (CChecksum). Others use tables, eight bytes at a time.
//
// Input     RecordCodec; the bytes of an app's scene file, in a journal's header
// Output    a 32-bit checksum
//
// Sources   documented  RFC 3720 B.4: polynomial 0x1EDC6F41, reflected; the CRC of "123456789" is 0xE3069283

import CChecksum

/// A CRC-32C that bytes are added to.
public struct CRC32C: Sendable {
    private var state: UInt32 = .max

    public init() {}

    public var value: UInt32 { ~state }

    /// Returns the checksum of all bytes.
    public static func of(_ bytes: [UInt8]) -> UInt32 {
        var crc = CRC32C()
        bytes.withUnsafeBytes { crc.update($0) }
        return crc.value
    }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !checksum_add(&state, bytes.baseAddress, bytes.count) { updateByTables(bytes) }
    }

    /// Adds bytes without the processor's instruction.
    mutating func updateByTables(_ bytes: UnsafeRawBufferPointer) {
        var crc = state
        var index = 0
        Self.tables.withUnsafeBufferPointer { tables in
            while bytes.count - index >= 8 {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let mixed = word ^ UInt64(crc)
                var next: UInt32 = 0
                for byte in 0..<8 {
                    next ^= tables[(7 - byte) << 8 | Int(truncatingIfNeeded: mixed >> UInt64(8 * byte) & 0xFF)]
                }
                crc = next
                index += 8
            }
            while index < bytes.count {
                crc = crc >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: crc) ^ bytes[index])]
                index += 1
            }
        }
        state = crc
    }

    /// Eight tables of 256 entries, end to end. Table k has the effect of a byte on the checksum k bytes later.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0) }
            tables[byte] = crc
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: before))]
        }
        return tables
    }()
}
