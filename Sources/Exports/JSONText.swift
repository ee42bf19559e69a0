// JSONText.swift: JSON as text, written from front to back.
//
// Input     ChromeTrace, FactTable, tables of samples
// Output    bytes
// Knows     commas and escapes. Keys are literals and are not escaped.
//
// Sources   documented  RFC 8259

/// A JSON text that grows. The caller opens and closes objects and arrays; the text has the commas.
package struct JSONText: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    /// Begins an object or an array as the next element.
    package mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    package mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    package mutating func key(_ name: StaticString) { key(name.description) }

    /// - Parameter name: A name without characters that JSON escapes.
    package mutating func key(_ name: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes += name.utf8
        bytes += "\":".utf8
        needsComma = false
    }

    package mutating func add(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20, 0x7F:
                bytes += "\\u00".utf8
                bytes += [Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    package mutating func add(_ number: some BinaryInteger) { add(literal: "\(number)") }

    /// - Parameter number: A finite number.
    package mutating func add(_ number: Double) { add(literal: number.isFinite ? "\(number)" : "null") }

    package mutating func add(_ value: FactValue) {
        switch value {
        case .integer(let number): add(number)
        case .real(let number): add(number)
        case .text(let text): add(text)
        case .hidden: add(literal: "null")
        }
    }

    /// Adds a number or a word of JSON as it is written.
    package mutating func add(literal: String) {
        separate()
        bytes += literal.utf8
        needsComma = true
    }

    /// Begins a line for the next element of an array.
    package mutating func beginLine() {
        separate()
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Ends a line after a whole text.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
