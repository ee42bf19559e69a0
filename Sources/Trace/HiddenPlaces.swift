// HiddenPlaces.swift: a fact that does not say where.
//
//     touch {a} began at ({b:p}, {c:p})   7, 187.5, 333.5   ─▶   7, hidden, hidden
//
// A template's letters say which of its numbers are places or measures: points, and what a panel counts in. So a fact that is
// written tomorrow is covered without being listed here.
//
// Knows     letters and punctuation. Nothing of windows: who must not say where decides that.
//
// Sources   invented, after threat T5

extension Fact {
    /// Instead of a place. No panel's number, which has 32 bits; of doubles not a number.
    static let hidden: Int64 = 0x7FF8_0000_4849_444E

    /// Whether a number of a fact is none.
    public static func isHidden(_ value: Int64) -> Bool { value == hidden }

    /// The same without any place or measure.
    var withoutPlaces: Fact {
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

/// A word or a line without what is a place in it: numbers with commas between in parentheses, `(187.50,333.50)`, and those
/// that count points or points a second, `50.0 pt`.
func withoutPlaces(_ text: String) -> String {
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
