// SourceFile.swift: a source file with its declarations, and the changes to its text.
//
// Input     a path and bytes
// Output    the rules, then Rewriter
// Sources   invented

/// A source file that the rules read.
struct SourceFile {
    let path: String
    let bytes: [UInt8]
    let tokens: [SwiftToken]
    let outline: SourceOutline

    init(path: String, bytes: [UInt8]) {
        (self.path, self.bytes) = (path, bytes)
        tokens = SwiftLexer.tokens(of: bytes)
        outline = SourceOutline(tokens)
    }

    /// The text of these tokens as written.
    func text(_ range: Range<Int>) -> String {
        range.isEmpty
            ? ""
            : String(
                decoding: bytes[
                    tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound],
                as: UTF8.self)
    }

    /// The token that matches a bracket.
    func match(_ index: Int) -> Int? { outline.matches[index] }

    func isSign(_ text: String, at index: Int) -> Bool { tokens.indices.contains(index) && tokens[index].isSign(text) }
    func isWord(_ text: String, at index: Int) -> Bool { tokens.indices.contains(index) && tokens[index].isWord(text) }
}

/// A change to the text of one file: other text instead of some bytes.
struct Edit: Equatable {
    var range: Range<Int>
    var text: String
}

extension SourceFile {
    /// Removes tokens. The lines stay where they are.
    func removal(_ tokens: ClosedRange<Int>) -> Edit {
        let range = self.tokens[tokens.lowerBound].range.lowerBound..<self.tokens[tokens.upperBound].range.upperBound
        return Edit(range: range, text: String(repeating: "\n", count: bytes[range].count { $0 == UInt8(ascii: "\n") }))
    }

    /// Writes text after a token.
    func insertion(after token: Int, _ text: String) -> Edit {
        let place = tokens[token].range.upperBound
        return Edit(range: place..<place, text: text)
    }

    /// Writes text before a token.
    func insertion(before token: Int, _ text: String) -> Edit {
        let place = tokens[token].range.lowerBound
        return Edit(range: place..<place, text: text)
    }

    /// Writes text instead of tokens on one line.
    func replacement(_ tokens: ClosedRange<Int>, _ text: String) -> Edit {
        var edit = removal(tokens)
        edit.text = text + edit.text
        return edit
    }
}
