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
    var target: Module.TypePlace
}

enum HoistingRule {
    static func moves(in module: Module) -> [Move] {
        var moves: [Move] = []
        for (number, file) in module.files.enumerated() {
            for member in file.outline.members {
                guard let owner = member.owner else { continue }
                let type = file.outline.types[owner]
                guard type.keyword == "extension", !type.hasWhereClause, let target = module.place(ofClass: type.name),
                    member.modifiers.contains("override") || isOverridden(member, of: type, in: module)
                else { continue }
                let (first, last) = (file.tokens[member.tokens.lowerBound], file.tokens[member.tokens.upperBound])
                moves.append(
                    Move(
                        file: number, range: first.range.lowerBound..<last.range.upperBound, line: first.line,
                        access: access(of: member, in: type), target: target))
            }
        }
        return moves
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
