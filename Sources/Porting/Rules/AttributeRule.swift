// AttributeRule.swift: removes the attributes that need Objective-C's runtime or Apple's main actor.
//
// Input     @objc, @IBOutlet, dynamic, @MainActor …
// Output    the same declarations without them
// Knows     a protocol for Objective-C has only classes, so it inherits from AnyObject.
//           UIKit here belongs to no actor (Docs/Decisions/MainActor.md).
//
// Sources   documented  The Swift Programming Language, Attributes

enum AttributeRule {
    static let removed: Set<String> = [
        "objc", "objcMembers", "nonobjc", "IBOutlet", "IBAction", "IBSegueAction", "IBInspectable", "IBDesignable",
        "NSManaged", "NSCopying", "GKInspectable", "MainActor",
    ]

    static func edits(for file: SourceFile) -> [Edit] {
        var edits: [Edit] = []
        for index in file.tokens.indices {
            let token = file.tokens[index]
            if token.isSign("@"), index + 1 < file.tokens.count, file.tokens[index + 1].kind == .word {
                edits += attribute(at: index, in: file)
            }
        }
        for member in file.outline.members where member.modifiers.contains("dynamic") {
            if let word = member.tokens.first(where: { file.isWord("dynamic", at: $0) }) {
                edits.append(file.removal(word...word))
            }
        }
        for member in file.outline.members where member.attributes.contains("NSManaged") {
            // Core Animation keeps such a property of a layer by its name, and begins with zero.
            guard let result = member.result, member.body == nil, !file.isSign("=", at: result.upperBound) else {
                continue
            }
            let isOptional = ["?", "!"].contains { file.isSign($0, at: result.upperBound - 1) }
            let bases = member.owner.map { file.outline.types[$0].inherits } ?? []
            if bases.contains(where: { $0.hasPrefix("CA") && $0.hasSuffix("Layer") }) {
                let type = (isOptional ? result.dropLast() : result).map { file.tokens[$0].text }.joined()
                let value = "value(forKey: \"\(member.name)\") as? \(type)\(isOptional ? "" : " ?? .init()")"
                edits.append(
                    file.insertion(
                        after: result.upperBound - 1,
                        " { get { \(value) } set { setValue(newValue, forKey: \"\(member.name)\") } }"))
            } else if !isOptional {
                edits.append(file.insertion(after: result.upperBound - 1, " = .init()"))
            }
        }
        for type in file.outline.types where type.keyword == "protocol" && isObjectiveC(type, in: file) {
            guard !type.inherits.contains("AnyObject"), !type.inherits.contains("class") else { continue }
            edits.append(file.insertion(after: type.clauseEnd, type.inherits.isEmpty ? ": AnyObject" : ", AnyObject"))
        }
        return edits
    }

    private static func attribute(at index: Int, in file: SourceFile) -> [Edit] {
        let name = file.tokens[index + 1].text
        if name == "UIApplicationMain" { return [file.replacement(index + 1...index + 1, "main")] }
        guard removed.contains(name) else { return [] }
        var end = index + 1
        if file.isSign("(", at: end + 1), !file.tokens[end + 1].followsSpace, let close = file.match(end + 1) {
            end = close
        }
        // `{ @MainActor in … }` has no parameters, so `in` goes too.
        if name == "MainActor", index > 0, file.isSign("{", at: index - 1), file.isWord("in", at: end + 1) { end += 1 }
        return [file.removal(index...end)]
    }

    private static func isObjectiveC(_ type: TypeDeclaration, in file: SourceFile) -> Bool {
        (type.tokens.lowerBound..<type.body.lowerBound).contains {
            file.isSign("@", at: $0) && file.isWord("objc", at: $0 + 1)
        }
    }
}
