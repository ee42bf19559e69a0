/// A coder that appends little-endian bytes.
package struct ByteWriter {
    /// What is written, and behind it zeros that are room: a field is stored at once, where `append` would look at the
    /// array again for each.
    private var storage: [UInt8]
    /// Bytes written, with those it began behind.
    private(set) var count: Int

    package init(into bytes: consuming [UInt8] = []) {
        count = bytes.count
        storage = bytes
    }

    /// All that is written, in the array it began with where that had the room.
    package consuming func finish() -> [UInt8] {
        if storage.count > count { storage.removeLast(storage.count - count) }
        return storage
    }

    mutating func overwrite(_ value: UInt32, at offset: Int) {
        precondition(offset >= 0 && offset + 4 <= count, "overwrites what is not written")
        storage.withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self) }
    }

    @inline(__always)
    private mutating func store<Value: FixedWidthInteger>(_ value: Value) {
        let (place, size) = (count, MemoryLayout<Value>.size)
        if storage.count - place < size { makeRoom(for: size) }
        storage.withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: place, as: Value.self) }
        count = place + size
    }

    private mutating func store(_ bytes: UnsafeRawBufferPointer) {
        let place = count
        if storage.count - place < bytes.count { makeRoom(for: bytes.count) }
        storage.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[place...]).copyMemory(from: bytes) }
        count = place + bytes.count
    }

    /// Always more than is asked for, so that it is seldom asked for.
    private static let room = [UInt8](repeating: 0, count: 256)

    private mutating func makeRoom(for size: Int) {
        while storage.count - count < size { storage += Self.room }
    }
}

extension ByteWriter: FieldCoder {
    @inline(__always)
    package mutating func field<Value: FixedWidthInteger>(_ value: Value?, _ name: StaticString) -> Value {
        let value = value.unsafelyUnwrapped
        store(value)
        return value
    }

    package mutating func field(_ text: String?, _ name: StaticString, as what: StaticString, limit: Int) -> String {
        var text = text.unsafelyUnwrapped
        text.withUTF8 { bytes in
            store(UInt32(bytes.count))
            store(UnsafeRawBufferPointer(bytes))
        }
        return text
    }

    package mutating func field(_ bytes: [UInt8]?, _ name: StaticString, as what: StaticString, limit: Int) -> [UInt8] {
        let bytes = bytes.unsafelyUnwrapped
        store(UInt32(bytes.count))
        bytes.withUnsafeBytes { store($0) }
        return bytes
    }

    package mutating func count(_ count: Int?, _ name: StaticString, of what: StaticString, size: Int, limit: Int)
        -> Int
    {
        let count = count.unsafelyUnwrapped
        _ = field(UInt32(count), name)
        return count
    }

    /// Writes a value.
    package mutating func write<Value: FieldCodable>(_ value: Value) { _ = field(value) }
}

/// A coder that takes little-endian bytes from the front. No bytes make it read past the end or trap.
package struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    package private(set) var offset = 0

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package var remaining: Int { bytes.count - offset }

    package mutating func take<Value: FixedWidthInteger>(_: Value.Type = Value.self) throws(WireError) -> Value {
        let size = MemoryLayout<Value>.size
        guard remaining >= size else { throw .truncated(expected: offset + size, actual: bytes.count) }
        defer { offset += size }
        return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    /// The next `count` bytes, as they are.
    package mutating func take(raw count: Int) throws(WireError) -> UnsafeRawBufferPointer {
        guard remaining >= count else { throw .truncated(expected: offset + count, actual: bytes.count) }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    }

    /// The next `count` bytes as a reader of their own.
    package mutating func takeSlice(_ count: Int) throws(WireError) -> ByteReader {
        ByteReader(try take(raw: count))
    }
}

extension ByteReader: FieldCoder {
    @inline(__always)
    package mutating func field<Value: FixedWidthInteger>(_ value: Value?, _ name: StaticString) throws(WireError)
        -> Value
    {
        try take()
    }

    package mutating func field(_ text: String?, _ name: StaticString, as what: StaticString, limit: Int)
        throws(WireError) -> String
    {
        let count = try count(nil, name, of: what, size: 1, limit: limit)
        guard let text = String(validating: try take(raw: count), as: UTF8.self) else { throw .notText("\(what)") }
        return text
    }

    package mutating func field(_ bytes: [UInt8]?, _ name: StaticString, as what: StaticString, limit: Int)
        throws(WireError) -> [UInt8]
    {
        let count = try count(nil, name, of: what, size: 1, limit: limit)
        return [UInt8](try take(raw: count))
    }

    package mutating func count(_ count: Int?, _ name: StaticString, of what: StaticString, size: Int, limit: Int)
        throws(WireError) -> Int
    {
        let count = Int(try take(UInt32.self))
        guard count <= limit else { throw .tooLong("\(what)", count: count, limit: limit) }
        guard count * size <= remaining else { throw .truncated(expected: offset + count * size, actual: bytes.count) }
        return count
    }

    package func failure(_ error: WireError) -> WireError { error }

    @inline(__always)
    package func require(_ isAllowed: Bool, else error: @autoclosure () -> WireError) throws(WireError) {
        guard isAllowed else { throw error() }
    }

    /// Reads a value.
    package mutating func read<Value: FieldCodable>(_: Value.Type = Value.self) throws(WireError) -> Value {
        try field(nil)
    }
}
