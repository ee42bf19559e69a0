// Fields.swift: the blank-separated fields of one line of a text format, parsed from the front.
//
// A cursor over the bytes of the line: nothing is copied, and only the text of an error is allocated.
//
// Station   device
// Input     the readers, a line at a time
// Knows     bytes. No format.

import Basics

/// A cursor over one line.
struct Fields: ~Escapable {
    let line: Span<UInt8>
    /// 0...line.count. It only increases, and only past existing bytes.
    private(set) var next = 0

    @_lifetime(copy line)
    init(_ line: Span<UInt8>) {
        self.line = line
        skipBlanks()
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    @inline(__always)
    mutating func skipBlanks() {
        while next < line.count, Self.isBlank(line[unchecked: next]) { next &+= 1 }
    }

    /// The first remaining byte; nil at the end.
    var first: UInt8? { next < line.count ? line[next] : nil }

    /// Whether the rest is empty or a comment.
    var isAtEnd: Bool { next >= line.count || line[next] == UInt8(ascii: "#") }

    /// Skips one byte and the blanks after it, if it is the next byte.
    mutating func skipIfNext(_ byte: UInt8) -> Bool {
        guard next < line.count, line[next] == byte else { return false }
        next += 1
        skipBlanks()
        return true
    }

    /// Skips a text and the blanks after it, if it comes next; it may be the beginning of a longer word.
    mutating func skipIfNext(_ text: StaticString) -> Bool {
        guard starts(with: text) else { return false }
        next += text.utf8CodeUnitCount
        skipBlanks()
        return true
    }

    func starts(with text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard line.count - next >= count else { return false }
        return text.withUTF8Buffer { text in
            for index in 0..<count where line[unchecked: next &+ index] != text[index] { return false }
            return true
        }
    }

    /// Whether a field equals this text.
    func equals(_ field: Range<Int>, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard field.count == count else { return false }
        return text.withUTF8Buffer { text in
            for index in 0..<count where line[field.lowerBound + index] != text[index] { return false }
            return true
        }
    }

    /// Skips a key such as `E:`.
    ///
    /// - Returns: False if the letter is not followed by a colon.
    mutating func skipKey(_ letter: UInt8) -> Bool {
        guard next + 1 < line.count, line[next] == letter, line[next + 1] == UInt8(ascii: ":") else { return false }
        next += 2
        skipBlanks()
        return true
    }

    /// The rest of the line without trailing blanks; it may contain any bytes.
    var restOfLine: String {
        var end = line.count
        while end > next, Self.isBlank(line[end - 1]) { end -= 1 }
        return text(next..<end)
    }

    /// `1.3` from `# EVEMU 1.3`; nil for any other comment.
    mutating func readEvemuVersion() -> String? {
        guard skipIfNext(UInt8(ascii: "#")), skipIfNext("EVEMU"), next < line.count else { return nil }
        return readWord()
    }

    mutating func readWord() -> String { text(readField()) }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes(range), as: UTF8.self) }

    private func bytes(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in range { bytes.append(line[index]) }
        return bytes
    }

    /// The range of the bytes up to the next blank.
    mutating func readField() -> Range<Int> {
        let start = next
        while next < line.count, !Self.isBlank(line[unchecked: next]) { next &+= 1 }
        defer { skipBlanks() }
        return start..<next
    }

    /// Skips at least one byte, up to the next blank, comma or bracket, and the blanks after it.
    mutating func skipWord() {
        guard next < line.count else { return }
        next += 1
        while next < line.count, !Self.isBlank(line[next]), !"[]{},".utf8.contains(line[next]) { next += 1 }
        skipBlanks()
    }

    /// Skips past the next such byte and the blanks after it; to the end of the line without one.
    mutating func skip(past byte: UInt8) {
        while next < line.count, line[next] != byte { next += 1 }
        if next < line.count { next += 1 }
        skipBlanks()
    }

    /// The error about the field that begins at an index.
    func complaint(_ expected: String, at start: Int) -> Complaint {
        var end = start
        while end < line.count, !Self.isBlank(line[end]) { end += 1 }
        return Complaint(expected: expected, found: end == start ? "the line's end" : quoted(bytes(start..<end)))
    }

    // MARK: Numbers

    /// Whether a number's field ends here.
    private func endsField(_ index: Int) -> Bool { index >= line.count || Self.isBlank(line[index]) }

    /// Parses a hexadecimal number of at most 16 bits.
    mutating func readHex(_ what: StaticString) throws(Complaint) -> UInt16 {
        // The usual form has four digits.
        if let value = readFourDigits() { return value }
        let start = next
        var value: UInt32 = 0
        while next < line.count, let digit = Self.hexDigit(line[unchecked: next]) {
            value = value << 4 | digit
            guard value <= 0xFFFF else { throw complaint("\(what) of at most four digits", at: start) }
            next += 1
        }
        guard next > start, endsField(next) else { throw complaint("\(what) in hexadecimal", at: start) }
        skipBlanks()
        return UInt16(truncatingIfNeeded: value)
    }

    /// Parses a field of exactly four hexadecimal digits, if it comes next.
    mutating func readFourDigits() -> UInt16? {
        guard line.count - next >= 4, endsField(next + 4) else { return nil }
        var value: UInt32 = 0
        for index in next..<(next + 4) {
            guard let digit = Self.hexDigit(line[unchecked: index]) else { return nil }
            value = value << 4 | digit
        }
        next &+= 4
        skipBlanks()
        return UInt16(truncatingIfNeeded: value)
    }

    /// Parses one byte in hexadecimal; nil at the end of the line or at a comment.
    mutating func readByte(_ what: StaticString) throws(Complaint) -> UInt8? {
        guard !isAtEnd else { return nil }
        let value = try readHex(what)
        guard value <= 0xFF else { throw Complaint(expected: "\(what) byte by byte", found: String(value, radix: 16)) }
        return UInt8(value)
    }

    /// Parses hexadecimal bytes of one or two digits each, up to `limit` bytes, the end of the line or a comment.
    mutating func readBytes(_ what: StaticString, upTo limit: Int, into bytes: inout [UInt8]) throws(Complaint) {
        var index = next
        for _ in 0..<limit {
            guard index < line.count, line[index] != UInt8(ascii: "#") else { break }
            guard let high = Self.hexDigit(line[index]) else { throw complaint("\(what) in hexadecimal", at: index) }
            var value = high
            var end = index + 1
            if end < line.count, let low = Self.hexDigit(line[end]) {
                value = high << 4 | low
                end += 1
            }
            guard endsField(end) else { throw complaint("\(what) in hexadecimal", at: index) }
            bytes.append(UInt8(truncatingIfNeeded: value))
            // Two bytes are usually separated by one blank.
            index = end + 1
            while index < line.count, Self.isBlank(line[index]) { index += 1 }
        }
        next = min(index, line.count)
    }

    @inline(__always)
    static func hexDigit(_ byte: UInt8) -> UInt32? {
        let digit = byte &- 0x30
        if digit < 10 { return UInt32(digit) }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? UInt32(letter) + 10 : nil
    }

    /// Parses at most eight hexadecimal digits as any 32 bits: `ffffffff` is −1.
    mutating func readHex32(_ what: StaticString) throws(Complaint) -> Int32 {
        let start = next
        var value: UInt64 = 0
        while next < line.count, let digit = Self.hexDigit(line[unchecked: next]) {
            value = value << 4 | UInt64(digit)
            guard value <= 0xFFFF_FFFF else { throw complaint("\(what) of at most eight digits", at: start) }
            next += 1
        }
        guard next > start, endsField(next) else { throw complaint("\(what) in hexadecimal", at: start) }
        skipBlanks()
        return Int32(truncatingIfNeeded: value)
    }

    /// Parses a decimal number of 32 bits, with any number of leading zeros: `0082`, `-001`.
    mutating func readDecimal(_ what: StaticString) throws(Complaint) -> Int32 {
        let start = next
        let value = try readDigits(what)
        guard endsField(next) else { throw complaint("\(what) in decimal", at: start) }
        skipBlanks()
        return value
    }

    /// Parses the same without a check for the field's end.
    mutating func readDigits(_ what: StaticString) throws(Complaint) -> Int32 {
        let start = next
        let isNegative = next < line.count && line[next] == UInt8(ascii: "-")
        if isNegative { next += 1 }
        let digits = next
        var value: Int64 = 0
        while next < line.count {
            let digit = line[unchecked: next] &- 0x30
            guard digit < 10 else { break }
            value = value &* 10 &+ Int64(digit)
            guard value <= 1 << 31 else { throw complaint("\(what) of at most 32 bits", at: start) }
            next += 1
        }
        guard next > digits else { throw complaint("\(what) in decimal", at: start) }
        guard let short = Int32(exactly: isNegative ? -value : value) else {
            throw complaint("\(what) of at most 32 bits", at: start)
        }
        return short
    }

    /// Parses a decimal number of at most eighteen digits, without a check for the field's end.
    mutating func readLong(_ what: StaticString) throws(Complaint) -> Int64 {
        let start = next
        let isNegative = next < line.count && line[next] == UInt8(ascii: "-")
        if isNegative { next += 1 }
        let digits = next
        var value: Int64 = 0
        while next < line.count {
            let digit = line[unchecked: next] &- 0x30
            guard digit < 10 else { break }
            guard next - digits < 18 else { throw complaint("\(what) of at most 18 digits", at: start) }
            value = value &* 10 &+ Int64(digit)
            next += 1
        }
        guard next > digits else { throw complaint("\(what) in decimal", at: start) }
        return isNegative ? -value : value
    }

    /// Parses `1357751027.090934` as nanoseconds. Missing digits of the fraction are zeros: `.5` is half a second.
    mutating func readStamp() throws(Complaint) -> Int64 {
        let start = next
        let value = try readSeconds()
        guard endsField(next) else { throw complaint("a time as seconds.microseconds", at: start) }
        skipBlanks()
        return value
    }

    /// Parses the same without a check for the field's end.
    mutating func readSeconds() throws(Complaint) -> Int64 {
        let start = next
        var seconds: Int64 = 0
        while next < line.count {
            let digit = line[unchecked: next] &- 0x30
            guard digit < 10 else { break }
            seconds = seconds &* 10 &+ Int64(digit)
            guard seconds <= EvdevClock.secondLimit else {
                throw complaint("a time of at most \(EvdevClock.secondLimit) seconds", at: start)
            }
            next += 1
        }
        guard next < line.count, line[next] == UInt8(ascii: ".") else {
            throw complaint("a time as seconds.microseconds", at: start)
        }
        next += 1
        var fraction: Int64 = 0
        let point = next
        while next < line.count {
            let digit = line[unchecked: next] &- 0x30
            guard digit < 10 else { break }
            // Digits beyond a nanosecond are cut off.
            if next &- point < 9 { fraction = fraction &* 10 &+ Int64(digit) }
            next &+= 1
        }
        guard next - start > 1 else { throw complaint("a time as seconds.microseconds", at: start) }
        if next &- point == 6 { return seconds &* 1_000_000_000 &+ fraction &* 1000 }
        for _ in min(next &- point, 9)..<9 { fraction = fraction &* 10 }
        return seconds &* 1_000_000_000 &+ fraction
    }

    /// Throws if the rest is neither empty nor a comment.
    func expectEnd() throws(Complaint) {
        guard isAtEnd else { throw complaint("the line's end", at: next) }
    }
}
