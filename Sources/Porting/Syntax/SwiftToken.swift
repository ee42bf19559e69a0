// SwiftToken.swift: one token of a Swift source file.
//
// Input     SwiftLexer
// Output    SourceOutline, the rules
// Sources   documented  The Swift Programming Language, Lexical Structure

/// One token, with its position in the bytes of its file.
struct SwiftToken: Equatable {
    enum Kind: Equatable {
        /// An identifier or a keyword. An identifier in backticks has a text without them.
        case word
        /// A word that begins with `#`: `#selector`.
        case pound
        /// A whole string literal, with its delimiters and interpolations.
        case string
        case number
        case arrow
        /// One byte of punctuation or of an operator.
        case sign
    }

    var kind: Kind
    var text: String
    /// The bytes of the token in its file.
    var range: Range<Int>
    /// From 1.
    var line: Int
    /// Whether a line break is between this token and the one before it.
    var beginsLine: Bool
    /// Whether white space or a comment is before this token.
    var followsSpace: Bool

    func isSign(_ text: String) -> Bool { kind == .sign && self.text == text }
    func isWord(_ text: String) -> Bool { kind == .word && self.text == text }
}
