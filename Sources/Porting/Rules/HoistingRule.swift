// HoistingRule.swift: moves overrides from extensions into their classes.
//
// Input     extension Card { override func layoutSubviews() { … } }
// Output    class Card: UIView { … override func layoutSubviews() { … } }
// Knows     Swift without Objective-C has overrides in classes only, of what classes declare. A member of an extension that
//           a subclass overrides moves too.
//
// Sources   documented  The Swift Programming Language, Extensions

/// A declaration that moves from an extension into the class.
struct Move: Equatable {
    /// The file and the bytes from which the declaration comes.
    var file: Int
    var range: Range<Int>
    var line: Int
    /// Modifiers that the extension gave.
    var access: String
    /// The conditions of `#if` around the declaration.
    var conditions: [String]
    var target: Module.TypeIndex
}

enum HoistingRule {
    static func moves(in module: Module) -> [Move] {
        var moves: [Move] = []
        for (number, file) in module.files.enumerated() {
            for member in file.outline.members {
                guard let owner = member.owner else { continue }
                let type = file.outline.types[owner]
                guard type.keyword == "extension", !type.hasWhereClause, let target = module.index(ofClass: type.name),
                    member.modifiers.contains("override") || isOverridden(member, of: type, in: module)
                else { continue }
                let first = file.tokens[member.tokens.lowerBound]
                var end = member.tokens.upperBound
                if file.isSign(";", at: end + 1) { end += 1 }
                let last = file.tokens[end]
                moves.append(
                    Move(
                        file: number, range: first.range.lowerBound..<last.range.upperBound, line: first.line,
                        access: access(of: member, in: type),
                        conditions: file.conditions(around: member.tokens.lowerBound), target: target))
            }
        }
        return moves
    }

    /// Makes what moved declarations may name visible in the file of the class: what is private in the class, in its
    /// extensions, and in the file that a declaration leaves.
    static func openings(of file: Int, for moves: [Move], in module: Module) -> [Edit] {
        let source = module.files[file]
        var classes = Set<String>()
        var isLeft = false
        for move in moves where move.file != move.target.file && (move.file == file || move.target.file == file) {
            classes.insert(module.files[move.target.file].outline.types[move.target.type].name)
            if move.file == file { isLeft = true }
        }
        guard !classes.isEmpty else { return [] }
        let declarations =
            source.outline.members.filter { $0.owner.map { classes.contains(source.outline.types[$0].name) } ?? isLeft }
            .map(\.tokens) + source.outline.types.filter { classes.contains($0.name) || isLeft }.map(\.tokens)
        return declarations.flatMap { tokens in
            tokens.prefix {
                !["func", "var", "let", "init", "subscript", "class", "struct", "enum", "extension"].contains(
                    source.tokens[$0].text)
            }
            .filter { ["private", "fileprivate"].contains(source.tokens[$0].text) }
            .map { token in
                let end = source.isSign("(", at: token + 1) ? source.match(token + 1) ?? token : token
                return source.removal(token...end)
            }
        }
    }

    private static func isOverridden(_ member: MemberDeclaration, of type: TypeDeclaration, in module: Module) -> Bool {
        member.keyword != "init" && !member.modifiers.contains("static")
            && module.isOverridden(member.fullName, ofClass: type.name)
    }

    /// The access that an extension gives to its members.
    private static func access(of member: MemberDeclaration, in type: TypeDeclaration) -> String {
        let levels = ["public", "package", "internal", "fileprivate", "private", "open"]
        guard !member.modifiers.contains(where: levels.contains),
            let given = type.modifiers.first(where: levels.contains)
        else { return "" }
        return given == "private" ? "fileprivate " : "\(given) "
    }
}
