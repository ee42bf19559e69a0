// SelectorTableRule.swift: gives classes lists of the methods that a selector finds by name.
//
// Input     Selector("reset"), #selector(Actions.reset), @objc methods of one name in several classes
// Output    class var selectorMethods in each class that has such a method
// Knows     a method is found by its name alone where a string names it, or where the receiver may be of another class.
//           Only such methods are listed.
//
// Sources   invented; Docs/Decisions/Selectors.md

enum SelectorTableRule {
    static func edits(for file: SourceFile, in module: Module) -> [Edit] {
        file.outline.types.flatMap { type -> [Edit] in
            guard type.keyword == "class", let methods = module.methodsByName[type.name] else { return [] }
            let list = methods.map { selector($0, of: type.name) }.joined(separator: ", ")
            let inheriting = module.ancestors(ofClass: type.name).contains { module.methodsByName[$0] != nil }
            let text =
                inheriting
                ? "override class var selectorMethods: [Selector] { [\(list)] + super.selectorMethods }"
                : "class var selectorMethods: [Selector] { [\(list)] }"
            return [file.insertion(after: type.body.lowerBound, " \(addedAccess(type.modifiers))\(text);")]
        }
    }

    /// Whether a class gets a list that no superclass has.
    static func adopts(_ type: TypeDeclaration, in module: Module) -> Bool {
        type.keyword == "class" && module.methodsByName[type.name] != nil
            && !module.ancestors(ofClass: type.name).contains { module.methodsByName[$0] != nil }
    }

    private static func selector(_ method: MemberDeclaration, of type: String) -> String {
        let name = "\"\(SelectorRule.objectiveC(method.name, method.labels))\""
        guard !method.labels.isEmpty else {
            return "Selector(\(name), { (target: \(type)) in { _ = target.\(method.name)() } })"
        }
        return "Selector(\(name), \(type).\(method.name)(\(method.labels.map { $0 + ":" }.joined())))"
    }
}

extension Module {
    /// The methods of each class that a selector may find by name alone: those that a string names, and those that
    /// several types declare for Objective-C.
    static func methodsByName(in files: [SourceFile]) -> [String: [MemberDeclaration]] {
        var named = Set<String>()
        var declared: [String: Set<String>] = [:]
        var methods: [(owner: String, name: String, method: MemberDeclaration)] = []
        for file in files {
            for index in file.tokens.indices {
                if ["Selector", "NSSelectorFromString"].contains(file.tokens[index].text),
                    let text = string(after: index, in: file)
                {
                    named.insert(text)
                }
            }
            for member in file.outline.members where member.keyword == "func" {
                guard let owner = member.owner else { continue }
                let type = file.outline.types[owner]
                let isObjectiveC =
                    member.attributes.contains { $0 == "objc" || $0 == "IBAction" } || type.keyword == "protocol"
                    || (type.tokens.lowerBound..<type.body.lowerBound).contains { file.isWord("objcMembers", at: $0) }
                // What a selector cannot call, or what another file cannot see.
                let words = member.tokens.prefix { !file.tokens[$0].isSign("{") }.map { file.tokens[$0].text }
                let isPlain =
                    Set(member.modifiers).isDisjoint(with: ["static", "class", "override"])
                    && !words.contains("throws") && !words.contains("async") && !words.contains("<")
                let isHidden =
                    type.keyword == "extension" && !Set(member.modifiers).isDisjoint(with: ["private", "fileprivate"])
                guard isObjectiveC, isPlain, !isHidden, member.labels.count < 3 else { continue }
                let name = SelectorRule.objectiveC(member.name, member.labels)
                declared[name, default: []].insert(type.name)
                if type.keyword == "class" || type.keyword == "extension" { methods.append((type.name, name, member)) }
            }
        }
        // A reference to one of several methods of a name and labels is ambiguous.
        var counts: [String: Int] = [:]
        for method in methods { counts["\(method.owner).\(method.method.fullName)", default: 0] += 1 }
        methods.removeAll { counts["\($0.owner).\($0.method.fullName)"]! > 1 }
        var found: [String: [MemberDeclaration]] = [:]
        for method in methods where named.contains(method.name) || declared[method.name]!.count > 1 {
            found[method.owner, default: []].append(method.method)
        }
        return found
    }

    /// The string in the parentheses after a token: `Selector(("reset"))`.
    private static func string(after index: Int, in file: SourceFile) -> String? {
        var next = index + 1
        while file.isSign("(", at: next) { next += 1 }
        guard next > index + 1, next < file.tokens.count, file.tokens[next].kind == .string else { return nil }
        return String(file.tokens[next].text.dropFirst().dropLast())
    }
}
