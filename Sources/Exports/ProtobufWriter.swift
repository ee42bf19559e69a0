// ProtobufWriter.swift: messages in the wire format of protocol buffers, written field by field.
//
//     field     tag: number × 8 + type     value
//     type 0    varint: seven bits a byte, least significant first
//     type 1    eight bytes, little endian
//     type 2    varint of the length, then the bytes of a text or of a message
//
// Input     PerfettoTrace
// Output    bytes
// Knows     numbers and lengths. No schema.
//
// Sources   documented  protobuf.dev, Encoding

/// One message.
package struct ProtobufWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ field: Int, varint value: UInt64) {
        append(UInt64(field) << 3)
        append(value)
    }

    /// A negative number has ten bytes.
    package mutating func add(_ field: Int, int64 value: Int64) { add(field, varint: UInt64(bitPattern: value)) }

    package mutating func add(_ field: Int, fixed64 value: UInt64) {
        append(UInt64(field) << 3 | 1)
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    package mutating func add(_ field: Int, double value: Double) { add(field, fixed64: value.bitPattern) }

    package mutating func add(_ field: Int, text: String) {
        append(UInt64(field) << 3 | 2)
        append(UInt64(text.utf8.count))
        bytes += text.utf8
    }

    package mutating func add(_ field: Int, _ message: ProtobufWriter) {
        append(UInt64(field) << 3 | 2)
        append(UInt64(message.bytes.count))
        bytes += message.bytes
    }

    /// Adds a message that the closure writes.
    package mutating func add(_ field: Int, _ write: (inout ProtobufWriter) -> Void) {
        var message = ProtobufWriter()
        write(&message)
        add(field, message)
    }

    private mutating func append(_ varint: UInt64) {
        var rest = varint
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
