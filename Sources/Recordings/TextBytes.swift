// TextBytes.swift: text and numbers appended to the bytes of a file.

import Basics

/// Text for writers, appended directly to the bytes of the file without a String per line.
extension [UInt8] {
    mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(text: String) { append(contentsOf: text.utf8) }

    /// Appends a number as `%d`, `%06d` or, with blanks, `%6d` prints it.
    mutating func append(decimal value: some BinaryInteger, width: Int = 1, fill: UInt8 = 0x30) {
        let number = UInt64(clamping: value.magnitude)
        // Most numbers have one digit.
        if number < 10, width <= 1, value >= 0 { return append(0x30 + UInt8(truncatingIfNeeded: number)) }
        var (digits, rest) = (1, number / 10)
        while rest > 0 {
            digits += 1
            rest /= 10
        }
        // A sign precedes zeros and follows blanks.
        let hasSignWithin = value < 0 && fill != 0x30
        if value < 0, !hasSignWithin { append(0x2D) }
        for _ in 0..<Swift.max(width, digits + (hasSignWithin ? 1 : 0)) { append(fill) }
        var index = count
        rest = number
        for _ in 0..<digits {
            index -= 1
            self[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        if hasSignWithin { self[index - 1] = 0x2D }
    }

    /// - Parameter width: The number of digits, at least one; further digits are cut off.
    mutating func append(hex value: UInt32, width: Int) {
        for index in 0..<width {
            let digit = UInt8(truncatingIfNeeded: value >> UInt32(4 * (width - 1 - index))) & 0xF
            append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }

    /// Appends `12.000345`: seconds and a fraction of six digits.
    mutating func append(microseconds value: Int64, width: Int = 1, fill: UInt8 = 0x30) {
        append(decimal: value / 1_000_000, width: width, fill: fill)
        append(0x2E)
        append(decimal: value % 1_000_000, width: 6)
    }

    /// Appends a name that fits in one line: control characters become question marks.
    mutating func append(name: String) {
        for byte in name.utf8 { append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: "?") : byte) }
    }
}
