// PlatformRule.swift: names Linux and UIKit where a source names an Apple platform.
//
// Input     import QuartzCore, #if os(iOS), #colorLiteral(…)
// Output    import UIKit, #if os(Linux), UIColor(…)
// Knows     which of Apple's modules are part of UIKit here.
//
// Sources   documented  The Swift Programming Language, Import Declaration, Conditional Compilation Block

enum PlatformRule {
    /// Apple's modules whose names UIKit has here.
    static let modules: Set<String> = [
        "UIKit", "CoreGraphics", "QuartzCore", "CoreAnimation", "ObjectiveC", "CoreFoundation", "Darwin", "UIKitCore",
    ]

    static func edits(for file: SourceFile) -> [Edit] {
        imports(in: file) + conditions(in: file) + literals(in: file)
    }

    private static func imports(in file: SourceFile) -> [Edit] {
        file.tokens.indices.flatMap { index -> [Edit] in
            guard file.isWord("import", at: index), index + 1 < file.tokens.count, file.tokens[index + 1].kind == .word,
                index == 0 || !file.isSign(".", at: index - 1)
            else { return [] }
            var start = index + 1
            if ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"].contains(
                file.tokens[start].text),
                start + 1 < file.tokens.count, file.tokens[start + 1].kind == .word, !file.tokens[start + 1].beginsLine
            {
                start += 1
            }
            var end = start
            while file.isSign(".", at: end + 1), end + 2 < file.tokens.count { end += 2 }
            let name = file.tokens[start].text
            guard modules.contains(name), end > index + 1 || name != "UIKit" else { return [] }
            return [file.replacement(index + 1...end, "UIKit")]
        }
    }

    /// A condition of `#if` as it is on Linux.
    static func onLinux(_ condition: String) -> String {
        let file = SourceFile(path: "", bytes: Array("#if \(condition)".utf8))
        var text = condition
        for edit in conditions(in: file).reversed() {
            let range = edit.range.lowerBound - 4..<edit.range.upperBound - 4
            var bytes = Array(text.utf8)
            bytes.replaceSubrange(range, with: Array(edit.text.utf8))
            text = String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    /// The conditions of `#if` and `#elseif`.
    private static func conditions(in file: SourceFile) -> [Edit] {
        var (edits, isCondition) = ([Edit](), false)
        for (index, token) in file.tokens.enumerated() {
            if token.beginsLine { isCondition = token.text == "#if" || token.text == "#elseif" }
            guard isCondition, file.isSign("(", at: index + 1), let close = file.match(index + 1) else { continue }
            if token.isWord("os"), file.isWord("iOS", at: index + 2) {
                edits.append(file.replacement(index + 2...index + 2, "Linux"))
            }
            if token.isWord("canImport"), modules.contains(file.tokens[index + 2].text), index + 2 < close {
                edits.append(file.replacement(index + 2...close - 1, "UIKit"))
            }
        }
        return edits
    }

    private static func literals(in file: SourceFile) -> [Edit] {
        file.tokens.indices.compactMap { index in
            file.tokens[index].text == "#colorLiteral" ? file.replacement(index...index, "UIColor") : nil
        }
    }
}
