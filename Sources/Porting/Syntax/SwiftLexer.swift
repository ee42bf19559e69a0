// SwiftLexer.swift: a Swift source file as tokens.
//
// Input     the bytes of a file
// Output    SwiftToken, without comments and white space
// Knows     comments that nest, strings of all forms with their interpolations, regular expressions: one without number signs
//           begins where an expression begins. What is in an interpolation is no token.
//
// Sources   documented  The Swift Programming Language, Lexical Structure

/// Cuts a source file into tokens.
struct SwiftLexer {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var tokens: [SwiftToken] = []
    private var sawLineBreak = true
    private var sawSpace = true

    /// Returns the tokens of a file in their order. A file that ends inside a comment or a string ends its last token.
    static func tokens(of bytes: [UInt8]) -> [SwiftToken] {
        var lexer = SwiftLexer(bytes: bytes)
        while lexer.readToken() {}
        return lexer.tokens
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func byte(_ ahead: Int = 0) -> UInt8? {
        position + ahead < bytes.count ? bytes[position + ahead] : nil
    }

    private mutating func advance() {
        if bytes[position] == UInt8(ascii: "\n") {
            line += 1
            sawLineBreak = true
        }
        position += 1
    }

    private mutating func advance(by count: Int) {
        for _ in 0..<count where position < bytes.count { advance() }
    }

    /// Reads one token or one piece of white space; false at the end of the file.
    private mutating func readToken() -> Bool {
        guard let first = byte() else { return false }
        switch first {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0x0B, 0x0C:
            sawSpace = true
            advance()
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"): skipLineComment()
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipBlockComment()
        case UInt8(ascii: "#") where position == 0 && byte(1) == UInt8(ascii: "!"): skipLineComment()
        case UInt8(ascii: "/") where beginsRegularExpression: add(.string) { $0.readRegularExpression() }
        case UInt8(ascii: "\""): add(.string) { $0.readString(pounds: 0) }
        case UInt8(ascii: "#"): readPound()
        case UInt8(ascii: "`"):
            add(.word) { lexer in
                lexer.advance()
                while let next = lexer.byte(), next != UInt8(ascii: "`"), next != UInt8(ascii: "\n") { lexer.advance() }
                lexer.advance(by: 1)
            }
        case UInt8(ascii: "0")...UInt8(ascii: "9"): add(.number) { $0.readNumber() }
        case UInt8(ascii: "-") where byte(1) == UInt8(ascii: ">"): add(.arrow) { $0.advance(by: 2) }
        default: if Self.isWord(first) { add(.word) { $0.readWord() } } else { add(.sign) { $0.advance() } }
        }
        return true
    }

    private mutating func add(_ kind: SwiftToken.Kind, _ read: (inout SwiftLexer) -> Void) {
        let (start, line, beginsLine, followsSpace) = (position, line, sawLineBreak, sawSpace)
        read(&self)
        var text = String(decoding: bytes[start..<position], as: UTF8.self)
        if kind == .word, text.hasPrefix("`") { text = String(text.dropFirst().dropLast()) }
        tokens.append(
            SwiftToken(
                kind: kind, text: text, range: start..<position, line: line, beginsLine: beginsLine,
                followsSpace: followsSpace))
        (sawLineBreak, sawSpace) = (false, false)
    }

    private mutating func skipLineComment() {
        sawSpace = true
        while let next = byte(), next != UInt8(ascii: "\n") { advance() }
    }

    private mutating func skipBlockComment() {
        sawSpace = true
        var depth = 0
        while byte() != nil {
            if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
                depth += 1
                advance(by: 2)
            } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                depth -= 1
                advance(by: 2)
                if depth == 0 { return }
            } else {
                advance()
            }
        }
    }

    private mutating func readPound() {
        var pounds = 0
        while byte(pounds) == UInt8(ascii: "#") { pounds += 1 }
        if byte(pounds) == UInt8(ascii: "\"") {
            add(.string) { lexer in
                lexer.advance(by: pounds)
                lexer.readString(pounds: pounds)
            }
        } else if byte(pounds) == UInt8(ascii: "/") {
            add(.string) { lexer in
                lexer.advance(by: pounds + 1)
                while let next = lexer.byte() {
                    if next == UInt8(ascii: "/"), lexer.isRun(of: "#", count: pounds, at: 1) {
                        return lexer.advance(by: 1 + pounds)
                    }
                    lexer.advance()
                }
            }
        } else if let next = byte(1), Self.isWord(next) {
            add(.pound) { lexer in
                lexer.advance()
                lexer.readWord()
            }
        } else {
            add(.sign) { $0.advance() }
        }
    }

    /// Whether the slash here begins a regular expression, and not an operator.
    private var beginsRegularExpression: Bool {
        guard let next = byte(1), next != UInt8(ascii: " "), next != UInt8(ascii: "\t"), next != UInt8(ascii: "=")
        else {
            return false
        }
        guard let last = tokens.last else { return false }
        let signs = ["(", ",", "=", ":", "[", "{"]
        guard signs.contains(where: { last.isSign($0) }) || last.isWord("return") || last.isWord("in") else {
            return false
        }
        // It ends in its line.
        var ahead = 1
        while let byte = byte(ahead), byte != UInt8(ascii: "\n") {
            if byte == UInt8(ascii: "/"), self.byte(ahead - 1) != UInt8(ascii: "\\") { return true }
            ahead += 1
        }
        return false
    }

    private mutating func readRegularExpression() {
        advance()
        while let next = byte(), next != UInt8(ascii: "\n") {
            if next == UInt8(ascii: "\\") { advance() }
            guard byte() != nil else { return }
            advance()
            if next == UInt8(ascii: "/") { return }
        }
    }

    private mutating func readWord() {
        while let next = byte(), Self.isWord(next) || Self.isDigit(next) { advance() }
    }

    private mutating func readNumber() {
        while let next = byte() {
            if Self.isWord(next) || Self.isDigit(next) {
                advance()
            } else if next == UInt8(ascii: "."), let after = byte(1), Self.isDigit(after) {
                advance()
            } else {
                return
            }
        }
    }

    /// Reads a string from its opening quote on, with `pounds` number signs at its end.
    private mutating func readString(pounds: Int) {
        let isLong = byte(1) == UInt8(ascii: "\"") && byte(2) == UInt8(ascii: "\"")
        let quotes = isLong ? 3 : 1
        advance(by: quotes)
        while let next = byte() {
            if next == UInt8(ascii: "\\"), isRun(of: "#", count: pounds, at: 1) {
                advance(by: 1 + pounds)
                if byte() == UInt8(ascii: "(") { readInterpolation() } else { advance(by: 1) }
            } else if isRun(of: "\"", count: quotes, at: 0), isRun(of: "#", count: pounds, at: quotes) {
                return advance(by: quotes + pounds)
            } else if next == UInt8(ascii: "\n"), !isLong {
                return
            } else {
                advance()
            }
        }
    }

    private mutating func readInterpolation() {
        var depth = 0
        while let next = byte() {
            switch next {
            case UInt8(ascii: "("):
                depth += 1
                advance()
            case UInt8(ascii: ")"):
                depth -= 1
                advance()
                if depth == 0 { return }
            case UInt8(ascii: "\""): readString(pounds: 0)
            default: advance()
            }
        }
    }

    private func isRun(of sign: Unicode.Scalar, count: Int, at ahead: Int) -> Bool {
        (0..<count).allSatisfy { byte(ahead + $0) == UInt8(ascii: sign) }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        // `$0`, and letters outside of ASCII.
        case UInt8(ascii: "$"), 0x80...: true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
