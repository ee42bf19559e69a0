// JSONNode.swift: a JSON text as a tree. Every node has its position, for precise errors.
//
// The parser is strict: RFC 8259 only. The last of equal keys counts. Half a surrogate pair becomes the replacement
// character.
//
// Station   device
// Input     WebDriverReader; messages of a browser and requests of a page (Inspector)
// Knows     JSON. Not its meaning.
//
// Sources   documented  RFC 8259

import Basics

/// One value of a JSON text.
package struct JSONNode: Sendable {
    package enum Value: Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([JSONNode])
        case object([(key: String, node: JSONNode)])
    }

    /// A position in the text, from 1; the column counts bytes.
    package struct Location: Hashable, Sendable {
        package var line: Int32
        package var column: Int32
    }

    package var value: Value
    package var location: Location

    static let depthLimit = 64
    static let nodeLimit = 2_000_000

    /// Parses a text.
    ///
    /// - Throws: `Complaint` with the line.
    package init(parsing text: [UInt8]) throws(Complaint) {
        var parser = JSONParser(text: text)
        self = try parser.parse()
    }

    private init(value: Value, location: Location) { (self.value, self.location) = (value, location) }

    fileprivate static func make(_ value: Value, at place: Location) -> JSONNode {
        JSONNode(value: value, location: place)
    }

    /// A member of an object; nil for another value or a missing member.
    package subscript(key: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.last { $0.key == key }?.node
    }

    /// The value for an error text: `"x"`, `an array`.
    package var text: String {
        switch value {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .string(let text): Basics.quoted(Array(text.utf8))
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// An error such as `expected X, found "y" in column 12`, with this node's line.
    package func complaint(_ expected: String, found: String? = nil) -> Complaint {
        Complaint(expected: expected, found: "\(found ?? text) in column \(location.column)", line: Int(location.line))
    }
}

private struct JSONParser {
    private let text: [UInt8]
    private var next = 0
    private var line: Int32 = 1
    private var lineStart = 0
    private var nodes = 0

    init(text: [UInt8]) { self.text = text }

    mutating func parse() throws(Complaint) -> JSONNode {
        skipBlanks()
        let node = try parseNode(depth: 0)
        skipBlanks()
        guard next == text.count else { throw complaint("the end of the JSON text") }
        return node
    }

    private var location: JSONNode.Location {
        JSONNode.Location(line: line, column: Int32(clamping: next - lineStart + 1))
    }

    private func complaint(_ expected: String) -> Complaint {
        let end = text[min(next, text.count)...].prefix(24).prefix { $0 >= 0x20 }
        let found = next >= text.count ? "the end" : end.isEmpty ? "the line's end" : quoted(end)
        return Complaint(expected: expected, found: "\(found) in column \(location.column)", line: Int(line))
    }

    private mutating func skipBlanks() {
        while next < text.count {
            switch text[next] {
            case 0x0A:
                line = line == .max ? line : line + 1
                lineStart = next + 1
            case 0x20, 0x09, 0x0D: break
            default: return
            }
            next += 1
        }
    }

    private mutating func skipIfNext(_ byte: UInt8) -> Bool {
        guard next < text.count, text[next] == byte else { return false }
        next += 1
        return true
    }

    private mutating func skipIfNext(keyword: StaticString) -> Bool {
        let count = keyword.utf8CodeUnitCount
        guard text.count - next >= count else { return false }
        let matches = keyword.withUTF8Buffer { word in
            for index in 0..<count where text[next + index] != word[index] { return false }
            return true
        }
        if matches { next += count }
        return matches
    }

    private mutating func parseNode(depth: Int) throws(Complaint) -> JSONNode {
        guard depth < JSONNode.depthLimit else {
            throw complaint("at most \(JSONNode.depthLimit) arrays and objects within each other")
        }
        nodes += 1
        guard nodes <= JSONNode.nodeLimit else { throw complaint("at most \(JSONNode.nodeLimit) values") }
        let location = location
        guard next < text.count else { throw complaint("a value") }
        let value: JSONNode.Value
        switch text[next] {
        case UInt8(ascii: "{"): value = try parseObject(depth: depth)
        case UInt8(ascii: "["): value = try parseArray(depth: depth)
        case UInt8(ascii: "\""): value = .string(try parseString())
        case UInt8(ascii: "-"), 0x30...0x39: value = .number(try parseNumber())
        default:
            if skipIfNext(keyword: "true") {
                value = .bool(true)
            } else if skipIfNext(keyword: "false") {
                value = .bool(false)
            } else if skipIfNext(keyword: "null") {
                value = .null
            } else {
                throw complaint("a value")
            }
        }
        return .make(value, at: location)
    }

    private mutating func parseArray(depth: Int) throws(Complaint) -> JSONNode.Value {
        next += 1
        skipBlanks()
        var nodes: [JSONNode] = []
        if skipIfNext(UInt8(ascii: "]")) { return .array(nodes) }
        while true {
            skipBlanks()
            nodes.append(try parseNode(depth: depth + 1))
            skipBlanks()
            if skipIfNext(UInt8(ascii: "]")) { return .array(nodes) }
            guard skipIfNext(UInt8(ascii: ",")) else { throw complaint("a comma or a closing ]") }
        }
    }

    private mutating func parseObject(depth: Int) throws(Complaint) -> JSONNode.Value {
        next += 1
        skipBlanks()
        var members: [(key: String, node: JSONNode)] = []
        if skipIfNext(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipBlanks()
            guard next < text.count, text[next] == UInt8(ascii: "\"") else { throw complaint("a member's name") }
            let key = try parseString()
            skipBlanks()
            guard skipIfNext(UInt8(ascii: ":")) else { throw complaint("a colon") }
            skipBlanks()
            members.append((key, try parseNode(depth: depth + 1)))
            skipBlanks()
            if skipIfNext(UInt8(ascii: "}")) { return .object(members) }
            guard skipIfNext(UInt8(ascii: ",")) else { throw complaint("a comma or a closing }") }
        }
    }

    private mutating func parseNumber() throws(Complaint) -> Double {
        let start = next
        func digits(_ parser: inout JSONParser) -> Int {
            let start = parser.next
            while parser.next < parser.text.count, (0x30...0x39).contains(parser.text[parser.next]) {
                parser.next += 1
            }
            return parser.next - start
        }
        _ = skipIfNext(UInt8(ascii: "-"))
        let hasZero = next < text.count && text[next] == 0x30
        let whole = digits(&self)
        guard whole > 0, !hasZero || whole == 1 else {
            next = start
            throw complaint("a number")
        }
        if skipIfNext(UInt8(ascii: ".")), digits(&self) == 0 { throw complaint("a digit") }
        if skipIfNext(UInt8(ascii: "e")) || skipIfNext(UInt8(ascii: "E")) {
            if !skipIfNext(UInt8(ascii: "+")) { _ = skipIfNext(UInt8(ascii: "-")) }
            if digits(&self) == 0 { throw complaint("an exponent") }
        }
        guard next - start <= 1024, let number = Double(String(decoding: text[start..<next], as: UTF8.self)),
            number.isFinite
        else {
            next = start
            throw complaint("a number that a double can hold")
        }
        return number
    }

    private mutating func parseString() throws(Complaint) -> String {
        next += 1
        let start = next
        while next < text.count, text[next] >= 0x20, text[next] != UInt8(ascii: "\""), text[next] != UInt8(ascii: "\\")
        { next += 1 }
        // Most strings have no escapes.
        if next < text.count, text[next] == UInt8(ascii: "\"") {
            defer { next += 1 }
            return String(decoding: text[start..<next], as: UTF8.self)
        }
        var bytes = Array(text[start..<next])
        while next < text.count {
            let byte = text[next]
            switch byte {
            case UInt8(ascii: "\""):
                next += 1
                return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                next += 1
                try parseEscape(into: &bytes)
            case 0..<0x20: throw complaint("a character, or its escape")
            default:
                bytes.append(byte)
                next += 1
            }
        }
        throw complaint("a closing quotation mark")
    }

    private mutating func parseEscape(into bytes: inout [UInt8]) throws(Complaint) {
        guard next < text.count else { throw complaint("an escape") }
        let letter = text[next]
        next += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(letter)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            var code = try parseHex()
            if (0xD800..<0xDC00).contains(code), skipIfNext(keyword: "\\u") {
                let low = try parseHex()
                if (0xDC00..<0xE000).contains(low) {
                    code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
                } else {
                    // The first was half a pair; the second is a separate escape, or half of another pair.
                    next -= 6
                }
            }
            bytes.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
        default:
            next -= 1
            throw complaint("an escape: one of \" \\ / b f n r t u")
        }
    }

    private mutating func parseHex() throws(Complaint) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard next < text.count, let digit = Fields.hexDigit(text[next]) else {
                throw complaint("four hexadecimal digits")
            }
            code = code << 4 | UInt32(digit)
            next += 1
        }
        return code
    }
}
