// HiddenPositions.swift: facts and words without positions.
//
//     touch {a} began at ({b:p}, {c:p})   7, 187.5, 333.5   ─▶   7, hidden, hidden
//
// The format of a placeholder marks a value as a position or a measure: points, or a panel's units. New facts are
// therefore covered without being listed here.
//
// Input     TraceLog, while `hidesPositions` is set
// Output    the fact or the word that is kept
// Knows     letters and punctuation. No window: the core decides when positions are hidden.
//
// Sources   invented, after threat T5

extension Fact {
    /// The value that replaces a position. No panel has it, because their values have 32 bits; as a double it is not a
    /// number.
    static let hidden: Int64 = 0x7FF8_0000_4849_444E

    /// Whether a value of a fact is the hidden value.
    public static func isHidden(_ value: Int64) -> Bool { value == hidden }

    /// The same fact with every position and measure hidden.
    var withoutPositions: Fact {
        var fact = self
        template.withUTF8Buffer { text in
            var index = 0
            while index + 4 < text.count {
                defer { index += 1 }
                guard text[index] == UInt8(ascii: "{"), text[index + 2] == UInt8(ascii: ":"),
                    text[index + 3] == UInt8(ascii: "p") || text[index + 3] == UInt8(ascii: "f"),
                    text[index + 4] == UInt8(ascii: "}")
                else { continue }
                switch text[index + 1] {
                case UInt8(ascii: "a"): fact.a = Self.hidden
                case UInt8(ascii: "b"): fact.b = Self.hidden
                case UInt8(ascii: "c"): fact.c = Self.hidden
                case UInt8(ascii: "d"): fact.d = Self.hidden
                default: break
                }
            }
        }
        return fact
    }
}

/// Returns a text in which positions and measures are hidden: numbers with commas in parentheses, `(187.50,333.50)`;
/// numbers before `pt`, `50.0 pt`, also per second; numbers before `°`.
func withoutPositions(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var index = 0
    func isOfNumber(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }
    while index < bytes.count {
        if bytes[index] == UInt8(ascii: "("), let end = bytes[index...].firstIndex(of: UInt8(ascii: ")")) {
            let inside = bytes[(index + 1)..<end]
            let isPlace =
                inside.contains(UInt8(ascii: ",")) && inside.contains { (48...57).contains($0) }
                && inside.allSatisfy { isOfNumber($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }
            if isPlace {
                out += Array("(hidden)".utf8)
                index = end + 1
                continue
            }
        }
        guard isOfNumber(bytes[index]) else {
            out.append(bytes[index])
            index += 1
            continue
        }
        let end = bytes[index...].firstIndex { !isOfNumber($0) } ?? bytes.count
        let isMeasure = bytes[end...].starts(with: Array(" pt".utf8)) || bytes[end...].starts(with: Array("°".utf8))
        out += isMeasure ? Array("hidden".utf8) : Array(bytes[index..<end])
        index = end
    }
    return String(decoding: out, as: UTF8.self)
}
