// ConcurrencyRule.swift: lets code cross closures and tasks that on iOS stays on the main actor.
//
// Input     class Card: UIView, static var count, Task { }
// Output    class Card: UIView, @unchecked Sendable, nonisolated(unsafe) static var count, Task.capturing { }
// Knows     no actor owns views here (Docs/Decisions/MainActor.md).
//
// Sources   inferred    views are sendable on iOS because they belong to the main actor

enum ConcurrencyRule {
    static func edits(for file: SourceFile, in module: Module) -> [Edit] {
        classes(in: file, module) + statics(in: file) + tasks(in: file, module)
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
}
