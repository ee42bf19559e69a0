// JSONText.swift: values as JSON that may stand inside a script element of a page.
//
//     "</script>" ─▶ "\u003c/script>"
//
// Input     RunRecord+JSON.swift
// Output    text
// Knows     JSON. No page.
//
// Sources   documented  RFC 8259, section 7; HTML, section "Restrictions for contents of script elements"

/// A JSON value. Members of an object keep their order.
package indirect enum JSONText {
    case null
    case bool(Bool)
    case number(Int64)
    case decimal(Double)
    case string(String)
    case array([JSONText])
    case object([(String, JSONText)])
    /// A text that is JSON already.
    case json([UInt8])

    package static func int(_ number: some BinaryInteger) -> JSONText { .number(Int64(clamping: number)) }
    package static func strings(_ words: some Sequence<String>) -> JSONText { .array(words.map { .string($0) }) }
    package static func numbers(_ numbers: some Sequence<Int64>) -> JSONText { .array(numbers.map { .number($0) }) }

    /// The text. Letters that could end or change a script element are escaped.
    package var text: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func write(to out: inout [UInt8]) {
        switch self {
        case .null: out += "null".utf8
        case .bool(let value): out += (value ? "true" : "false").utf8
        case .number(let number): out += "\(number)".utf8
        case .decimal(let number):
            guard number.isFinite else { return out += "null".utf8 }
            out +=
                (number == number.rounded() && number.magnitude < 1e15 ? "\(Int64(number))" : "\(number)").utf8
        case .string(let text): Self.write(text, to: &out)
        case .array(let values):
            out.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                value.write(to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .json(let text): out += text
        case .object(let members):
            out.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                Self.write(member.0, to: &out)
                out.append(UInt8(ascii: ":"))
                member.1.write(to: &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private static func write(_ text: String, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): out += Array("\\n".utf8)
            case UInt8(ascii: "\t"): out += Array("\\t".utf8)
            case 0..<0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
                out += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: out.append(byte)
            }
        }
        out.append(UInt8(ascii: "\""))
    }
}
