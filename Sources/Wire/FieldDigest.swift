// FieldDigest.swift: the fields of values, mixed into one number.
//
// Input     descriptions of fields (FieldCoder.swift)
// Output    EffectDigest, which keeps the number in journals
//
// Equal fields in the same order give the same number in every process and on every machine. The number protects
// nothing, and it is independent of Swift's seeded `Hasher`.
//
// Sources   invented

import Basics

/// A coder that mixes each field into a 64-bit number.
public struct FieldDigest: Hashable, Sendable {
    public private(set) var value: UInt64

    public init(_ value: UInt64) { self.value = value }

    /// Mixes in one 64-bit number. The multiplication by an odd number and the shift can both be undone, so no
    /// information is lost.
    public mutating func mix(_ word: UInt64) {
        let product = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        value = product ^ product >> 29
    }

    public mutating func mix(_ text: String) {
        // Nearly every text is read where it is. The other ones are copied into memory of their own first.
        guard text.utf8.withContiguousStorageIfAvailable({ mix(UnsafeRawBufferPointer($0)) }) == nil else { return }
        var text = text
        text.withUTF8 { mix(UnsafeRawBufferPointer($0)) }
    }

    /// Mixes in the fields of a frame, each as one 64-bit number. The length of the payload counts as 0.
    public mutating func mix(_ frame: Frame) { frame.encode(with: &self) }

    package mutating func mix<Value: FieldCodable>(_ value: Value) { _ = field(value) }

    private mutating func mix(_ bytes: UnsafeRawBufferPointer) {
        mix(UInt64(bytes.count))
        var index = 0
        while bytes.count - index >= 8 {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        var last: UInt64 = 0
        while index < bytes.count {
            last = last << 8 | UInt64(bytes[index])
            index += 1
        }
        mix(last)
    }
}

extension FieldDigest: FieldCoder {
    @inline(__always)
    package mutating func field<Value: FixedWidthInteger>(_ value: Value?, _ name: StaticString) -> Value {
        let value = value.unsafelyUnwrapped
        mix(UInt64(truncatingIfNeeded: value))
        return value
    }

    package mutating func field(_ text: String?, _ name: StaticString, as what: StaticString, limit: Int) -> String {
        mix(text.unsafelyUnwrapped)
        return text.unsafelyUnwrapped
    }

    package mutating func field(_ bytes: [UInt8]?, _ name: StaticString, as what: StaticString, limit: Int) -> [UInt8] {
        bytes.unsafelyUnwrapped.withUnsafeBytes { mix($0) }
        return bytes.unsafelyUnwrapped
    }

    package mutating func count(_ count: Int?, _ name: StaticString, of what: StaticString, size: Int, limit: Int)
        -> Int
    {
        mix(UInt64(count.unsafelyUnwrapped))
        return count.unsafelyUnwrapped
    }
}
