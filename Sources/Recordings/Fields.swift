import Basics

/// The blank-separated fields of one line of a text format, taken from the front.
struct Fields {
    private let line: ArraySlice<UInt8>
    private var next: Int

    init(_ line: ArraySlice<UInt8>) {
        self.line = line
        next = line.startIndex
        skipBlanks()
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    private mutating func skipBlanks() {
        while next < line.endIndex, Self.isBlank(line[next]) { next += 1 }
    }

    /// The first byte of what is left; nil at the end.
    var first: UInt8? { next < line.endIndex ? line[next] : nil }

    /// `E:`
    ///
    /// - Returns: False when the letter is not followed by a colon: no line of ours.
    mutating func takeKey(_ letter: UInt8) -> Bool {
        guard next + 1 < line.endIndex, line[next] == letter, line[next + 1] == UInt8(ascii: ":") else { return false }
        next += 2
        skipBlanks()
        return true
    }

    /// What is left without blanks at its end, whatever bytes it is made of.
    var restOfLine: String {
        var rest = line[next...]
        while let byte = rest.last, Self.isBlank(byte) { rest.removeLast() }
        return String(decoding: rest, as: UTF8.self)
    }

    /// `1.3` of `# EVEMU 1.3`; nil for any other comment.
    var evemuVersion: String? {
        var fields = self
        guard fields.takeWord() == "#", fields.takeWord() == "EVEMU" else { return nil }
        return fields.takeWord()
    }

    mutating func takeWord() -> String {
        let word = takeBytes()
        return String(decoding: word, as: UTF8.self)
    }

    /// The bytes up to the next blank.
    private mutating func takeBytes() -> ArraySlice<UInt8> {
        let start = next
        while next < line.endIndex, !Self.isBlank(line[next]) { next += 1 }
        let bytes = line[start..<next]
        skipBlanks()
        return bytes
    }

    private func complaint(_ expected: String, _ found: ArraySlice<UInt8>) -> Complaint {
        Complaint(expected: expected, found: found.isEmpty ? "the line's end" : quoted(found))
    }

    /// Hexadecimal, at most 16 bit.
    mutating func takeHex(_ what: String) throws(Complaint) -> UInt16 {
        let bytes = takeBytes()
        var value: UInt32 = 0
        for byte in bytes {
            guard let digit = Self.hexDigit(byte) else { throw complaint("\(what) in hexadecimal", bytes) }
            value = value << 4 | digit
            guard value <= 0xFFFF else { throw complaint("\(what) of at most four digits", bytes) }
        }
        guard !bytes.isEmpty else { throw complaint("\(what) in hexadecimal", bytes) }
        return UInt16(value)
    }

    /// One byte in hexadecimal; nil at the end of the line or at a comment.
    mutating func takeByte(_ what: String) throws(Complaint) -> UInt8? {
        guard let first, first != UInt8(ascii: "#") else { return nil }
        let value = try takeHex(what)
        guard value <= 0xFF else { throw Complaint(expected: "\(what) byte by byte", found: String(value, radix: 16)) }
        return UInt8(value)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46: UInt32(byte - 0x37)
        case 0x61...0x66: UInt32(byte - 0x57)
        default: nil
        }
    }

    /// Decimal, 32 bit, with any number of leading zeros: `0082`, `-001`.
    mutating func takeDecimal(_ what: String) throws(Complaint) -> Int32 {
        let bytes = takeBytes()
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = isNegative ? bytes.dropFirst() : bytes
        var value: Int64 = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { throw complaint("\(what) in decimal", bytes) }
            value = value * 10 + Int64(byte - 0x30)
            guard value <= 1 << 31 else { throw complaint("\(what) of at most 32 bits", bytes) }
        }
        guard !digits.isEmpty else { throw complaint("\(what) in decimal", bytes) }
        guard let short = Int32(exactly: isNegative ? -value : value) else {
            throw complaint("\(what) of at most 32 bits", bytes)
        }
        return short
    }

    /// `1357751027.090934`, in nanoseconds. A fraction of fewer digits lacks the last ones: `.5` is half a second.
    mutating func takeStamp(limit: Int64) throws(Complaint) -> Int64 {
        let bytes = takeBytes()
        var seconds: Int64 = 0
        var fraction: Int64 = 0
        var scale: Int64 = 1_000_000_000
        var hasPoint = false
        var digits = 0
        for byte in bytes {
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                continue
            }
            guard (0x30...0x39).contains(byte) else { throw complaint("a time as seconds.microseconds", bytes) }
            digits += 1
            if hasPoint {
                scale /= 10
                fraction += Int64(byte - 0x30) * scale
            } else {
                seconds = seconds * 10 + Int64(byte - 0x30)
                guard seconds <= limit else { throw complaint("a time of at most \(limit) seconds", bytes) }
            }
        }
        guard hasPoint, digits > 0 else { throw complaint("a time as seconds.microseconds", bytes) }
        return seconds * 1_000_000_000 + fraction
    }

    /// Nothing more, or a comment.
    mutating func takeEnd() throws(Complaint) {
        guard let first, first != UInt8(ascii: "#") else { return }
        throw complaint("the line's end", takeBytes())
    }
}
