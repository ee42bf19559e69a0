/// Little-endian bytes, appended. Asked to, it also keeps what it wrote where: Docs/Wire.md is that.
package struct ByteWriter {
    package private(set) var bytes: [UInt8]
    /// Nil unless somebody wants to draw what is written.
    private(set) var fields: [WireField]?

    package init(into bytes: consuming [UInt8] = [], drawing: Bool = false) {
        self.bytes = bytes
        fields = drawing ? [] : nil
    }

    package mutating func put<Value: FixedWidthInteger>(_ value: Value, _ name: StaticString) {
        if fields != nil { draw(MemoryLayout<Value>.size, "\(Value.isSigned ? "i" : "u")\(Value.bitWidth)", name) }
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Length (u32) and UTF-8.
    package mutating func put(_ text: String, _ name: StaticString) {
        if fields != nil { draw(4 + text.utf8.count, "text", name) }
        let count = UInt32(text.utf8.count)
        withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
        // At once: by its view it is appended byte by byte.
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Bytes as they are; whoever reads them knows how many from elsewhere.
    package mutating func put(raw content: [UInt8], _ name: StaticString) {
        if fields != nil { draw(content.count, "bytes", name) }
        bytes += content
    }

    mutating func overwrite(_ value: UInt32, at offset: Int) {
        withUnsafeBytes(of: value.littleEndian) { source in
            for (i, byte) in source.enumerated() { bytes[offset + i] = byte }
        }
    }

    private mutating func draw(_ size: Int, _ type: String, _ name: StaticString) {
        fields?.append(WireField(offset: bytes.count, size: size, type: type, name: "\(name)"))
    }
}

/// One field as it was written: where, how long, what it is.
public struct WireField: Equatable, Sendable {
    public let offset: Int
    public let size: Int
    /// `u8`…`u64`, `i32`, `i64`, `text` (u32 length, then UTF-8).
    public let type: String
    public let name: String
}

/// Little-endian bytes, taken from the front; never reads past the end and never traps, whatever they are.
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

    /// A count that promises at least `size` bytes each: a lie is found before anything is allocated for it.
    package mutating func takeCount(of what: String, size: Int, limit: Int) throws(WireError) -> Int {
        let count = Int(try take(UInt32.self))
        guard count <= limit else { throw .tooLong(what, count: count, limit: limit) }
        guard count * size <= remaining else { throw .truncated(expected: offset + count * size, actual: bytes.count) }
        return count
    }

    package mutating func takeText(_ what: String, limit: Int = Frame.packetLimit) throws(WireError) -> String {
        let count = try takeCount(of: what, size: 1, limit: limit)
        let slice = try take(raw: count)
        guard let text = String(validating: slice, as: UTF8.self) else { throw .notText(what) }
        return text
    }

    package mutating func takeBool(_ what: String) throws(WireError) -> Bool {
        switch try take(UInt8.self) {
        case 0: false
        case 1: true
        case let other: throw .badValue(what, UInt64(other))
        }
    }

    package mutating func takeCase<Value: RawRepresentable>(_ what: String, as _: Value.Type = Value.self)
        throws(WireError)
        -> Value where Value.RawValue == UInt8
    {
        let raw = try take(UInt8.self)
        guard let value = Value(rawValue: raw) else { throw .badValue(what, UInt64(raw)) }
        return value
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
