// SourceRules.swift: rules about modules, platforms and what may cross threads.
//
// Input     import QuartzCore, #if os(iOS), class Card: UIView, Task { }
// Output    import UIKit, #if os(Linux), class Card: UIView, @unchecked Sendable, Task.capturing { }
// Knows     which of Apple's modules are part of UIKit here.
//
// Sources   inferred    views are sendable on iOS because they belong to the main actor; here no actor owns them

enum SourceRules {
    /// Apple's modules whose names UIKit has here.
    static let modules: Set<String> = [
        "UIKit", "CoreGraphics", "QuartzCore", "CoreAnimation", "ObjectiveC", "CoreFoundation", "Darwin", "UIKitCore",
    ]
    static func edits(for file: SourceFile, in module: Module) -> [Edit] {
        imports(in: file) + conditions(in: file) + classes(in: file, module) + statics(in: file)
            + tasks(in: file) + literals(in: file)
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

    /// Marks classes as sendable, so that tasks and closures of Swift 6 may capture them as on iOS.
    private static func classes(in file: SourceFile, _ module: Module) -> [Edit] {
        file.outline.types.compactMap { type in
            guard type.keyword == "class" else { return nil }
            var added: [String] = SelectorTableRule.adopts(type, in: module) ? ["SelectorMethods"] : []
            if !type.inherits.contains(where: { $0.contains("Sendable") }) { added.append("@unchecked Sendable") }
            guard !added.isEmpty else { return nil }
            return file.insertion(
                after: type.clauseEnd, (type.inherits.isEmpty ? ": " : ", ") + added.joined(separator: ", "))
        }
    }

    /// Static variables of classes: on iOS the main actor guards them, here no actor does.
    private static func statics(in file: SourceFile) -> [Edit] {
        file.outline.members.compactMap { member in
            guard member.keyword == "var", member.body == nil, let owner = member.owner,
                ["class", "extension"].contains(file.outline.types[owner].keyword),
                member.modifiers.contains("static"), !member.modifiers.contains("nonisolated"),
                let word = member.tokens.first(where: { file.isWord("static", at: $0) }),
                member.tokens.contains(where: { file.isWord("var", at: $0) })
            else { return nil }
            return file.insertion(before: word, "nonisolated(unsafe) ")
        }
    }

    /// Tasks, whose closures may capture anything on iOS because they stay on the main actor.
    private static func tasks(in file: SourceFile) -> [Edit] {
        file.tokens.indices.compactMap { index in
            guard file.isWord("Task", at: index), index == 0 || !file.isSign(".", at: index - 1),
                file.outline.type(around: index)?.keyword != "actor"
            else { return nil }
            var last = index
            if file.isSign("<", at: last + 1),
                let end = (last + 1..<file.tokens.count).first(where: { file.isSign(">", at: $0) })
            {
                last = end
            }
            var next = last + 1
            if file.isSign("(", at: next), let close = file.match(next), close > next + 1 { next = close + 1 }
            guard file.isSign("{", at: next), !file.tokens[next].beginsLine else { return nil }
            return file.insertion(after: last, ".capturing")
        }
    }

    private static func literals(in file: SourceFile) -> [Edit] {
        file.tokens.indices.compactMap { index in
            file.tokens[index].text == "#colorLiteral" ? file.replacement(index...index, "UIColor") : nil
        }
    }
}
