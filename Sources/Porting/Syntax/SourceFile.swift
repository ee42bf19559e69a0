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
        self.path = path
        // A byte order mark may begin a file only, and other text comes first in the rewritten one.
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        tokens = SwiftLexer.tokens(of: self.bytes)
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

    /// The text of these tokens on one line, without comments.
    func flatText(_ range: Range<Int>) -> String {
        var text = ""
        for index in range {
            if tokens[index].followsSpace, !text.isEmpty { text += " " }
            text += self.text(index..<index + 1)
        }
        return text
    }

    /// The conditions of `#if` around a token, as one condition each.
    func conditions(around token: Int) -> [String] {
        var stack: [(past: [String], current: String)] = []
        for index in tokens.indices.prefix(token) where tokens[index].kind == .pound && tokens[index].beginsLine {
            let end = tokens.indices.first { $0 > index && tokens[$0].beginsLine } ?? tokens.count
            let condition = flatText(index + 1..<end)
            switch tokens[index].text {
            case "#if": stack.append(([], condition))
            case "#elseif", "#else":
                guard let last = stack.popLast() else { continue }
                let isElse = tokens[index].text == "#else"
                stack.append((last.past + [last.current], isElse ? "" : condition))
            case "#endif": _ = stack.popLast()
            default: break
            }
        }
        return stack.map { frame in
            (frame.past.map { "!(\($0))" } + (frame.current.isEmpty ? [] : ["(\(frame.current))"])).joined(
                separator: " && ")
        }
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
        let position = tokens[token].range.upperBound
        return Edit(range: position..<position, text: text)
    }

    /// Writes text before a token.
    func insertion(before token: Int, _ text: String) -> Edit {
        let position = tokens[token].range.lowerBound
        return Edit(range: position..<position, text: text)
    }

    /// Writes text instead of tokens on one line.
    func replacement(_ tokens: ClosedRange<Int>, _ text: String) -> Edit {
        var edit = removal(tokens)
        edit.text = text + edit.text
        return edit
    }
}
