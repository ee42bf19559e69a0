// ByteWriter.swift: the coders that write and read little-endian bytes.
//
// Input     descriptions of fields (FieldCoder.swift): FrameCodec, Journals, passes and handshakes of remote apps
// Output    bytes; a value or a WireError
// Knows     integers, lengths and limits. No message.
//
// Sources   invented

/// A coder that appends little-endian bytes. Each writer ends with `finish` or `free`, which frees its memory.
///
/// The fields are stored through a pointer. A store into an array checks its bounds and its owner for each field; that
/// made the code that encodes one scan in the server 238 cache lines long instead of 155 (callgrind). A process that
/// wakes up for a scan fetches each of these lines from memory.
package struct ByteWriter {
    /// The bytes that the writer began with.
    private var earlier: [UInt8]
    /// The memory for the written fields: they lie from `start` to `next`.
    private var start: UnsafeMutableRawPointer
    private var next: UnsafeMutableRawPointer
    private var end: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - bytes: The bytes to append to.
    ///   - capacity: How many bytes can be appended before more memory is allocated. A frame with one touch has fewer
    ///     than 512.
    package init(into bytes: consuming [UInt8] = [], capacity: Int = 512) {
        earlier = bytes
        start = .allocate(byteCount: capacity, alignment: 16)
        (next, end) = (start, start + capacity)
    }

    /// The number of bytes, with those that the writer began with.
    package var count: Int { earlier.count + (next - start) }

    /// Returns all bytes, in the array that the writer began with if that had the capacity.
    package consuming func finish() -> [UInt8] {
        earlier.append(contentsOf: UnsafeRawBufferPointer(start: start, count: next - start))
        start.deallocate()
        return earlier
    }

    /// The bytes that this writer has written, without those that it began with. They are valid until the next change.
    package var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: next - start) }

    /// Removes the written bytes and keeps the memory.
    package mutating func removeAll() { next = start }

    /// Removes the first bytes that this writer has written and keeps the memory.
    package mutating func removeFirst(_ count: Int) {
        precondition(count <= next - start, "removes what is not written")
        next -= count
        UnsafeMutableRawBufferPointer(start: start, count: next - start)
            .copyMemory(from: UnsafeRawBufferPointer(start: start + count, count: next - start))
    }

    /// Frees the memory of a writer whose bytes are not needed as an array.
    package consuming func free() { start.deallocate() }

    /// Replaces four bytes that this writer has written.
    package mutating func overwrite(_ value: UInt32, at offset: Int) {
        precondition(offset >= earlier.count && offset + 4 <= count, "overwrites what is not written")
        start.storeBytes(of: value.littleEndian, toByteOffset: offset - earlier.count, as: UInt32.self)
    }

    @inline(__always)
    private mutating func store<Value: FixedWidthInteger>(_ value: Value) {
        let size = MemoryLayout<Value>.size
        if end - next < size { reserveSpace(for: size) }
        next.storeBytes(of: value.littleEndian, as: Value.self)
        next += size
    }

    private mutating func store(_ bytes: UnsafeRawBufferPointer) {
        if end - next < bytes.count { reserveSpace(for: bytes.count) }
        UnsafeMutableRawBufferPointer(start: next, count: bytes.count).copyMemory(from: bytes)
        next += bytes.count
    }

    @inline(never)
    private mutating func reserveSpace(for size: Int) {
        let (written, capacity) = (next - start, 2 * (end - start) + size)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: start, byteCount: written)
        start.deallocate()
        (start, next, end) = (larger, larger + written, larger + capacity)
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

    /// Writes the fields of a value.
    package mutating func write<Value: FieldCodable>(_ value: Value) { _ = field(value) }

    // Other modules call these functions, because they have no specialized code of a generic one.
    package mutating func write(_ value: UInt8) { store(value) }
    package mutating func write(_ value: UInt32) { store(value) }
    package mutating func write(_ value: UInt64) { store(value) }
}

extension [UInt8] {
    /// Appends what a writer writes.
    package mutating func append(_ write: (inout ByteWriter) -> Void) {
        var writer = ByteWriter(into: self)
        self = []
        write(&writer)
        self = writer.finish()
    }
}

/// A coder that consumes little-endian bytes from the front. No input makes it read past the end or trap.
package struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    package private(set) var offset = 0
    package let memory: DecodingMemory?

    package init(_ bytes: UnsafeRawBufferPointer, memory: DecodingMemory? = nil) {
        (self.bytes, self.memory) = (bytes, memory)
    }

    package var remaining: Int { bytes.count - offset }

    /// Consumes an integer.
    ///
    /// - Throws: `truncated` if fewer bytes remain than the integer has.
    @inline(__always)
    package mutating func readInteger<Value: FixedWidthInteger>(_: Value.Type = Value.self) throws(WireError) -> Value {
        let size = MemoryLayout<Value>.size
        guard remaining >= size else { throw truncation(size) }
        defer { offset += size }
        return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    /// Consumes the next `count` bytes without interpreting them.
    package mutating func readBytes(count: Int) throws(WireError) -> UnsafeRawBufferPointer {
        guard remaining >= count else { throw truncation(count) }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    }

    /// The error of a read beyond the end. It is no part of the reads, which are inlined.
    @inline(never)
    private func truncation(_ size: Int) -> WireError { .truncated(expected: offset + size, actual: bytes.count) }

    /// Consumes the next `count` bytes and returns a reader for them.
    package mutating func readSlice(count: Int) throws(WireError) -> ByteReader {
        ByteReader(try readBytes(count: count), memory: memory)
    }
}

extension ByteReader: FieldCoder {
    @inline(__always)
    package mutating func field<Value: FixedWidthInteger>(_ value: Value?, _ name: StaticString) throws(WireError)
        -> Value
    {
        try readInteger()
    }

    package mutating func field(_ text: String?, _ name: StaticString, as what: StaticString, limit: Int)
        throws(WireError) -> String
    {
        let count = try count(nil, name, of: what, size: 1, limit: limit)
        guard let text = String(validating: try readBytes(count: count), as: UTF8.self) else {
            throw .notText("\(what)")
        }
        return text
    }

    package mutating func field(_ bytes: [UInt8]?, _ name: StaticString, as what: StaticString, limit: Int)
        throws(WireError) -> [UInt8]
    {
        let count = try count(nil, name, of: what, size: 1, limit: limit)
        return [UInt8](try readBytes(count: count))
    }

    package mutating func count(_ count: Int?, _ name: StaticString, of what: StaticString, size: Int, limit: Int)
        throws(WireError) -> Int
    {
        let count = Int(try readInteger(UInt32.self))
        guard count <= limit else { throw .tooLong("\(what)", count: count, limit: limit) }
        guard count * size <= remaining else { throw .truncated(expected: offset + count * size, actual: bytes.count) }
        return count
    }

    package func failure(_ error: WireError) -> WireError { error }

    @inline(__always)
    package func require(_ isAllowed: Bool, else error: @autoclosure () -> WireError) throws(WireError) {
        guard isAllowed else { throw error() }
    }

    /// Reads the fields of a value.
    package mutating func read<Value: FieldCodable>(_: Value.Type = Value.self) throws(WireError) -> Value {
        try field(nil)
    }
}
