// FieldLayout.swift: the position, size, type and name of each field of a value, as Docs/Reference/Wire.md lists them.
//
// Sources   invented

/// One field of a frame's bytes.
public struct WireField: Equatable, Sendable {
    public let offset: Int
    public let size: Int
    /// `u8`…`u64`, `i32`, `i64`, `text` (u32 length, then UTF-8), `bytes` (u32 length, then the bytes).
    public let type: String
    public let name: String
}

/// A coder that lists the fields that `ByteWriter` writes. It is a coder of its own, so that the code that writes bytes
/// contains nothing else.
struct FieldLayout {
    private(set) var fields: [WireField] = []
    private var offset = 0

    private mutating func list(_ size: Int, _ type: String, _ name: StaticString) {
        fields.append(WireField(offset: offset, size: size, type: type, name: "\(name)"))
        offset += size
    }
}

extension FieldLayout: FieldCoder {
    mutating func field<Value: FixedWidthInteger>(_ value: Value?, _ name: StaticString) -> Value {
        list(MemoryLayout<Value>.size, "\(Value.isSigned ? "i" : "u")\(Value.bitWidth)", name)
        return value.unsafelyUnwrapped
    }

    mutating func field(_ text: String?, _ name: StaticString, as what: StaticString, limit: Int) -> String {
        let text = text.unsafelyUnwrapped
        list(4 + text.utf8.count, "text", name)
        return text
    }

    mutating func field(_ bytes: [UInt8]?, _ name: StaticString, as what: StaticString, limit: Int) -> [UInt8] {
        let bytes = bytes.unsafelyUnwrapped
        list(4 + bytes.count, "bytes", name)
        return bytes
    }
}
