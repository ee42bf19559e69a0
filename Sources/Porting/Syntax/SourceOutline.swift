// SourceOutline.swift: the types, functions and variables that a source file declares.
//
// Input     the tokens of a file
// Output    SourceFile, the rules
// Knows     declarations in files and in the bodies of types. Code inside of functions counts only where it declares types.
//
// Sources   documented  The Swift Programming Language, Declarations

/// A class, structure, enumeration, protocol, actor or extension.
struct TypeDeclaration: Equatable {
    /// `class`, `struct`, `enum`, `protocol`, `actor` or `extension`.
    var keyword: String
    /// The names from the outermost type inwards, without generic arguments: `["Card", "Style"]`.
    var path: [String]
    /// What the inheritance clause lists, as written.
    var inherits: [String]
    /// The token after which another inherited type can stand.
    var clauseEnd: Int
    var hasWhereClause: Bool
    /// The tokens from the first attribute or modifier to the brace that closes the body.
    var tokens: ClosedRange<Int>
    /// The tokens of the braces.
    var body: ClosedRange<Int>
    var modifiers: [String]
    /// The names of the attributes: `MainActor`.
    var attributes: [String]

    var name: String { path.joined(separator: ".") }
}

/// A function, an initializer, a subscript or a variable in the body of a type or in a file.
struct MemberDeclaration: Equatable {
    /// `func`, `init`, `subscript` or `var`.
    var keyword: String
    var name: String
    /// The labels of the arguments, `_` for none.
    var labels: [String] = []
    /// The tokens between the parentheses of the parameters; nil for a variable.
    var parameters: Range<Int>?
    /// The tokens of the result's type.
    var result: Range<Int>?
    /// The tokens from the first attribute or modifier to the last one.
    var tokens: ClosedRange<Int>
    /// The tokens of the braces; nil for a requirement of a protocol.
    var body: ClosedRange<Int>?
    var modifiers: [String]
    /// The names of the attributes: `objc`.
    var attributes: [String]
    /// The index of the type in `SourceOutline.types`; nil in a file.
    var owner: Int?

    /// The name with its labels: `move(_:by:)`.
    var fullName: String { parameters == nil ? name : "\(name)(\(labels.map { $0 + ":" }.joined()))" }
}

/// The access, with a space behind it, of what a rule adds for a declaration with these modifiers: `public ` also for one
/// that is `open`; empty for one that other modules do not see.
func addedAccess(_ modifiers: [String]) -> String {
    if modifiers.contains("package") { return "package " }
    return modifiers.contains("public") || modifiers.contains("open") ? "public " : ""
}

/// The declarations of one file.
struct SourceOutline {
    private(set) var types: [TypeDeclaration] = []
    private(set) var members: [MemberDeclaration] = []
    /// For each bracket the index of the one that matches it.
    let matches: [Int: Int]
    private let tokens: [SwiftToken]
    /// For each token the innermost `{` around it.
    private let braces: [Int?]
    /// Whether a token is inside of parentheses or brackets that are inside of the innermost `{`.
    private let isInParentheses: [Bool]

    init(_ tokens: [SwiftToken]) {
        self.tokens = tokens
        var (matches, braces, open) = ([Int: Int](), [Int?](), [Int]())
        var blocks: [Int] = []
        var isInParentheses: [Bool] = []
        for (index, token) in tokens.enumerated() {
            isInParentheses.append(open.last != blocks.last)
            guard token.kind == .sign else {
                braces.append(blocks.last)
                continue
            }
            switch token.text {
            case "(", "[", "{":
                braces.append(blocks.last)
                open.append(index)
                if token.text == "{" { blocks.append(index) }
                continue
            case "}":
                // A brace closes everything that is open inside of its block.
                if let block = blocks.popLast() {
                    open.removeSubrange(open.lastIndex(of: block)!...)
                    (matches[block], matches[index]) = (index, block)
                }
            case ")", "]":
                if let first = open.last, tokens[first].text == (token.text == ")" ? "(" : "[") {
                    open.removeLast()
                    (matches[first], matches[index]) = (index, first)
                }
            default: break
            }
            braces.append(blocks.last)
        }
        (self.matches, self.braces, self.isInParentheses) = (matches, braces, isInParentheses)
        for index in tokens.indices { addDeclaration(at: index) }
    }

    /// The innermost type around a token.
    func type(around token: Int) -> TypeDeclaration? {
        types.last { $0.body.contains(token) && $0.body.lowerBound != token }
    }

    // MARK: Declarations

    private mutating func addDeclaration(at index: Int) {
        let token = tokens[index]
        guard token.kind == .word, !isInParentheses[index], index == 0 || !tokens[index - 1].isSign(".") else { return }
        switch token.text {
        case "class", "struct", "enum", "protocol", "actor", "extension": addType(at: index)
        case "func", "init", "subscript", "var", "let": addMember(at: index)
        default: break
        }
    }

    private mutating func addType(at index: Int) {
        guard index + 1 < tokens.count, tokens[index + 1].kind == .word,
            !Self.modifiers.contains(tokens[index + 1].text),
            !["func", "var", "let", "subscript", "class", "init"].contains(tokens[index + 1].text)
        else { return }
        var next = index + 1
        var name: [String] = []
        while next < tokens.count, tokens[next].kind == .word {
            name.append(tokens[next].text)
            next = end(ofGenericsAt: next + 1)
            guard next < tokens.count, tokens[next].isSign(".") else { break }
            next += 1
        }
        var inherits: [String] = []
        var clauseEnd = next - 1
        if next < tokens.count, tokens[next].isSign(":") {
            let start = next + 1
            next = start
            var item = start
            while next < tokens.count, !tokens[next].isSign("{"), !tokens[next].isWord("where") {
                if tokens[next].isSign(",") {
                    inherits.append(text(item..<next))
                    item = next + 1
                }
                next = end(ofGenericsAt: next) == next ? following(next) : end(ofGenericsAt: next)
            }
            if item < next { inherits.append(text(item..<next)) }
            clauseEnd = next - 1
        }
        let hasWhereClause = next < tokens.count && tokens[next].isWord("where")
        while next < tokens.count, !tokens[next].isSign("{") { next += 1 }
        guard next < tokens.count, let close = matches[next], close > next else { return }
        let start = start(ofDeclarationAt: index)
        let outer = tokens[index].isWord("extension") ? [] : type(around: index)?.path ?? []
        types.append(
            TypeDeclaration(
                keyword: tokens[index].text, path: outer + name, inherits: inherits, clauseEnd: clauseEnd,
                hasWhereClause: hasWhereClause, tokens: start...close, body: next...close,
                modifiers: words(start..<index), attributes: attributes(start..<index)))
    }

    private mutating func addMember(at index: Int) {
        let owner = types.lastIndex { $0.body.lowerBound == braces[index] }
        guard owner != nil || braces[index] == nil, index + 1 < tokens.count else { return }
        let keyword = tokens[index].text
        let start = start(ofDeclarationAt: index)
        var member = MemberDeclaration(
            keyword: keyword == "let" ? "var" : keyword, name: keyword, tokens: start...index,
            modifiers: words(start..<index), attributes: attributes(start..<index), owner: owner)
        var next = index + 1
        if keyword == "func" || keyword == "var" || keyword == "let" {
            member.name = tokens[next].text
            next += 1
            while keyword == "func", next < tokens.count, tokens[next].kind == .sign, !tokens[next].isSign("("),
                !tokens[next].isSign("<")
            {
                member.name += tokens[next].text
                next += 1
            }
        } else if next < tokens.count, tokens[next].isSign("?") || tokens[next].isSign("!") {
            next += 1
        }
        next = end(ofGenericsAt: next)
        if member.keyword != "var" {
            guard next < tokens.count, tokens[next].isSign("("), let close = matches[next], close > next else { return }
            member.parameters = next + 1..<close
            member.labels = parameters(next + 1..<close).map { tokens[$0.label].text }
            next = close + 1
        }
        finish(&member, from: next)
        members.append(member)
    }

    /// Finds the result and the body of a member, whose signature goes on at the token `next`.
    private func finish(_ member: inout MemberDeclaration, from next: Int) {
        var next = next
        var result: Int?
        while next < tokens.count {
            let token = tokens[next]
            if token.isSign("{"), let close = matches[next], close > next {
                member.body = next...close
                break
            }
            if token.isSign("}") || token.isSign(";") || token.isSign("=") { break }
            if token.beginsLine, result != next, !token.isSign("."), token.kind != .arrow,
                !["where", "throws", "rethrows", "async"].contains(token.text)
            {
                break
            }
            if token.kind == .arrow || token.isSign(":"), member.keyword != "var" || result == nil { result = next + 1 }
            next = following(next)
        }
        let end = member.body?.upperBound ?? max(next - 1, member.tokens.lowerBound)
        if let result {
            let last =
                (result..<min(next, tokens.count)).first { tokens[$0].isWord("where") } ?? min(next, tokens.count)
            if result < last { member.result = result..<last }
        }
        member.tokens = member.tokens.lowerBound...end
    }

    // MARK: Pieces

    /// The parameters of a list: the tokens of each label, and of the name by which the body knows the argument.
    func parameters(_ range: Range<Int>) -> [(label: Int, name: Int)] {
        var (parameters, next, isFirst) = ([(label: Int, name: Int)](), range.lowerBound, true)
        while next < range.upperBound {
            if isFirst, tokens[next].kind == .word {
                let hasName = next + 1 < range.upperBound && tokens[next + 1].kind == .word
                parameters.append((next, hasName ? next + 1 : next))
                isFirst = false
            }
            if tokens[next].isSign(",") { isFirst = true }
            let generics = end(ofGenericsAt: next)
            next = generics > next && !isFirst ? generics : following(next)
        }
        return parameters
    }

    /// The token after this one, or after the bracket that matches it.
    private func following(_ index: Int) -> Int { max(matches[index] ?? index, index) + 1 }

    /// The token after the generic clause `<…>` at `index`; `index` itself without one.
    func end(ofGenericsAt index: Int) -> Int {
        guard index < tokens.count, tokens[index].isSign("<"), !tokens[index].followsSpace else { return index }
        var (depth, next) = (0, index)
        while next < tokens.count {
            if tokens[next].isSign("<") { depth += 1 }
            if tokens[next].isSign(">") { depth -= 1 }
            if depth == 0 { return next + 1 }
            if tokens[next].isSign("{") || tokens[next].isSign("}") { return index }
            next += 1
        }
        return index
    }

    /// The first token of a declaration's attributes and modifiers.
    private func start(ofDeclarationAt index: Int) -> Int {
        var start = index
        while start > 0 {
            let before = tokens[start - 1]
            if before.isSign(")"), let open = matches[start - 1], open >= 1 {
                if let attribute = attribute(endingAt: open - 1) {
                    start = attribute
                } else if Self.modifiers.contains(tokens[open - 1].text) {
                    start = open - 1
                } else {
                    break
                }
            } else if let attribute = attribute(endingAt: start - 1) {
                start = attribute
            } else if before.kind == .word, Self.modifiers.contains(before.text), isDeclarative(start - 1) {
                start -= 1
            } else {
                break
            }
        }
        return start
    }

    /// Whether a word that can be a modifier is one, and not the name of a case or of a member: `case dynamic`, `.open`.
    private func isDeclarative(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        let before = tokens[index - 1]
        return !before.isWord("case") && ![",", ".", "=", ":"].contains { before.isSign($0) }
    }

    /// The `@` of the attribute whose name ends with the token `index`.
    private func attribute(endingAt index: Int) -> Int? {
        var index = index
        while index > 0, tokens[index].kind == .word {
            if tokens[index - 1].isSign("@") { return index - 1 }
            guard index > 1, tokens[index - 1].isSign(".") else { return nil }
            index -= 2
        }
        return nil
    }

    private func words(_ range: Range<Int>) -> [String] {
        range.filter { tokens[$0].kind == .word && ($0 == 0 || !tokens[$0 - 1].isSign("@")) }.map { tokens[$0].text }
    }

    private func attributes(_ range: Range<Int>) -> [String] {
        range.filter { $0 > 0 && tokens[$0].kind == .word && tokens[$0 - 1].isSign("@") }.map { tokens[$0].text }
    }

    private func text(_ range: Range<Int>) -> String {
        var text = ""
        for index in range {
            if tokens[index].followsSpace, !text.isEmpty { text += " " }
            text += tokens[index].text
        }
        return text
    }

    static let modifiers: Set<String> = [
        "public", "open", "internal", "fileprivate", "private", "package", "static", "class", "final", "override",
        "required", "convenience", "mutating", "nonmutating", "lazy", "weak", "unowned", "optional", "dynamic",
        "indirect",
        "prefix", "postfix", "infix", "nonisolated", "isolated", "distributed", "async", "consuming", "borrowing",
    ]
}
