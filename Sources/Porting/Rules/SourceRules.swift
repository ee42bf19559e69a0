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
            + tasks(in: file, module) + literals(in: file)
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

    /// Variables of classes and of what belongs to the main actor: on iOS that actor guards them, here no actor does.
    private static func statics(in file: SourceFile) -> [Edit] {
        file.outline.members.compactMap { member in
            guard member.keyword == "var", isStored(member, in: file), !member.modifiers.contains("nonisolated") else {
                return nil
            }
            let owner = member.owner.map { file.outline.types[$0] }
            let isGuarded = member.attributes.contains("MainActor") || owner?.attributes.contains("MainActor") == true
            let isVariable = member.tokens.contains { file.isWord("var", at: $0) }
            if let owner {
                guard member.modifiers.contains("static") || member.modifiers.contains("class") else { return nil }
                guard isGuarded || isVariable && ["class", "extension"].contains(owner.keyword) else { return nil }
            } else if !isGuarded {
                return nil
            }
            // A constant is guarded if it can be an object: `static let empty = UIView()`.
            guard isVariable || makesObject(member, in: file) else { return nil }
            let words = ["static", "class", "var", "let"]
            guard let word = member.tokens.first(where: { words.contains(file.tokens[$0].text) }) else { return nil }
            return file.insertion(before: word, "nonisolated(unsafe) ")
        }
    }

    /// Whether a constant begins with what an initializer or a function makes, and not with a literal.
    private static func makesObject(_ member: MemberDeclaration, in file: SourceFile) -> Bool {
        let equals = member.tokens.upperBound + 1
        return file.isSign("=", at: equals) && file.tokens.indices.contains(equals + 1)
            && file.tokens[equals + 1].text.first?.isUppercase == true
    }

    /// Whether a variable keeps a value: it has no body, or one that observes.
    private static func isStored(_ member: MemberDeclaration, in file: SourceFile) -> Bool {
        guard let body = member.body else { return true }
        return ["didSet", "willSet"].contains { file.isWord($0, at: body.lowerBound + 1) }
    }

    /// Tasks, whose closures may capture anything on iOS because they stay on the main actor.
    private static func tasks(in file: SourceFile, _ module: Module) -> [Edit] {
        guard !module.declaredNames.contains("Task") else { return [] }
        return file.tokens.indices.compactMap { index in
            guard file.isWord("Task", at: index), index == 0 || isExpression(after: index - 1, in: file) else {
                return nil
            }
            let last = file.outline.end(ofGenericsAt: index + 1) - 1
            var next = last + 1
            if file.isSign("(", at: next), let close = file.match(next), close > next + 1 { next = close + 1 }
            guard file.isSign("{", at: next), !file.tokens[next].beginsLine else { return nil }
            return file.insertion(after: last, ".capturing")
        }
    }

    /// Whether a name after this token is an expression, and not a type or a member.
    private static func isExpression(after index: Int, in file: SourceFile) -> Bool {
        let token = file.tokens[index]
        let words = ["as", "is", "extension", "struct", "class", "enum", "actor", "protocol", "typealias", "import"]
        if token.kind == .word { return !words.contains(token.text) }
        // `as?` and `as!`.
        if token.isSign("?") || token.isSign("!") { return index == 0 || !file.isWord("as", at: index - 1) }
        return token.kind != .arrow && !token.isSign(".") && !(token.isSign(":") && isAnnotation(index, in: file))
    }

    /// Whether a colon gives a declaration its type.
    private static func isAnnotation(_ index: Int, in file: SourceFile) -> Bool {
        index > 1 && ["var", "let"].contains(file.tokens[index - 2].text)
    }

    private static func literals(in file: SourceFile) -> [Edit] {
        file.tokens.indices.compactMap { index in
            file.tokens[index].text == "#colorLiteral" ? file.replacement(index...index, "UIColor") : nil
        }
    }
}
