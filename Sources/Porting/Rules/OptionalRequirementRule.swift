// OptionalRequirementRule.swift: gives optional requirements of protocols bodies, and calls what replaces them.
//
// Input     @objc optional func moved(_ card: Card) -> Bool, delegate?.moved?(card)
// Output    a requirement with a body in an extension, delegate?._optional_moved(card)
// Knows     a call with `?` has the result nil where the requirement is left out. For that a second method, the twin, returns
//           an optional, and each class of the target that adopts the protocol has the twin too. A class of another target,
//           without the plugin, is called, and stops the program if it has left the requirement out.
//
// Sources   documented  optional protocol requirements (The Swift Programming Language, Protocols)

enum OptionalRequirementRule {
    static func edits(for file: SourceFile, in module: Module) -> [Edit] {
        var edits: [Edit] = []
        for member in file.outline.members {
            guard let owner = member.owner else { continue }
            let type = file.outline.types[owner]
            if type.keyword == "protocol" {
                if member.modifiers.contains("optional") { edits += requirement(member, in: file) }
            } else if member.keyword == "func", let body = member.body {
                let requirement = module.optionalRequirements(ofType: type.name).first {
                    $0.name == member.name && $0.labels == member.labels
                }
                guard let requirement else { continue }
                let inherits = module.ancestors(ofClass: type.name).contains {
                    module.optionalRequirements(ofType: $0).contains(requirement)
                }
                edits.append(
                    file.insertion(
                        after: body.upperBound,
                        "; " + twin(of: requirement, access: addedAccess(member.modifiers), overrides: inherits)))
            }
        }
        for type in file.outline.types where type.keyword == "class" {
            edits += missing(in: type, of: file, module)
        }
        for type in file.outline.types where type.keyword == "protocol" {
            let requirements = module.optionalRequirements[type.name] ?? []
            if !requirements.isEmpty { edits.append(defaults(requirements, of: type, in: file)) }
        }
        return edits + calls(in: file, module)
    }

    private static func requirement(_ member: MemberDeclaration, in file: SourceFile) -> [Edit] {
        var edits: [Edit] = []
        if let word = (member.tokens).first(where: { file.isWord("optional", at: $0) }) {
            edits.append(file.removal(word...word))
        }
        let requirement = OptionalRequirement(member, in: file)
        if !requirement.isProperty {
            edits.append(file.insertion(after: member.tokens.upperBound, "; \(signature(of: requirement))"))
        }
        return edits
    }

    /// The declaration of a twin, without its body.
    private static func signature(
        of requirement: OptionalRequirement, access: String = "", overrides: Bool = false
    ) -> String {
        "@discardableResult \(access)\(overrides ? "override " : "")func \(requirement.twin)(\(requirement.parameters)) "
            + "\(requirement.effects)-> \(requirement.optionalResult)"
    }

    /// The twin of a requirement that a type implements, or leaves out.
    private static func twin(
        of requirement: OptionalRequirement, access: String, overrides: Bool, isMissing: Bool = false
    ) -> String {
        "\(signature(of: requirement, access: access, overrides: overrides)) { \(isMissing ? "nil" : requirement.call) }"
    }

    /// The twins of requirements that a class adopts and does not implement itself.
    private static func missing(in type: TypeDeclaration, of file: SourceFile, _ module: Module) -> [Edit] {
        let ancestors = module.ancestors(ofClass: type.name)
        let inherited = ancestors.flatMap { module.optionalRequirements(ofType: $0) }
        let left = module.optionalRequirements(ofType: type.name).filter { requirement in
            !requirement.isProperty && !inherited.contains(requirement)
                && !module.declares(requirement, inType: type.name)
        }
        guard !left.isEmpty else { return [] }
        let twins = left.map { requirement in
            twin(
                of: requirement, access: addedAccess(type.modifiers), overrides: false,
                isMissing: !ancestors.contains { module.declares(requirement, inType: $0) })
        }
        return [file.insertion(after: type.body.lowerBound, " \(twins.joined(separator: "; "));")]
    }

    /// The bodies of requirements that a type leaves out.
    private static func defaults(
        _ requirements: [OptionalRequirement], of type: TypeDeclaration, in file: SourceFile
    ) -> Edit {
        let access = addedAccess(type.modifiers)
        let bodies = requirements.map { requirement -> String in
            let missing =
                "{ preconditionFailure(\"\(type.name).\(requirement.name) is optional, and \\(type(of: self)) has none: "
                + "its class needs the plugin UIKitOnLinux\") }"
            if requirement.isProperty { return "\(access)var \(requirement.name): \(requirement.result) \(missing)" }
            let result = requirement.result == "Void" ? "{}" : "-> \(requirement.result) \(missing)"
            return "\(access)func \(requirement.name)(\(requirement.parameters)) \(requirement.effects)\(result); "
                + "\(signature(of: requirement, access: access)) { \(requirement.call) }"
        }
        return file.insertion(
            after: type.body.upperBound, "; extension \(type.name) { \(bodies.joined(separator: "; ")) }")
    }

    /// Calls with `?` or `!` between the name and the arguments.
    private static func calls(in file: SourceFile, _ module: Module) -> [Edit] {
        let all = module.optionalRequirements.sorted { $0.key < $1.key }.flatMap(\.value)
        return file.tokens.indices.flatMap { index -> [Edit] in
            guard file.tokens[index].kind == .word, index > 0, file.isSign(".", at: index - 1),
                file.isSign("?", at: index + 1) || file.isSign("!", at: index + 1),
                !file.tokens[index + 1].followsSpace,
                file.isSign("(", at: index + 2), let close = file.match(index + 2)
            else { return [] }
            let name = file.tokens[index].text
            // A property with a closure is called in the same way.
            guard !module.propertyNames.contains(name) else { return [] }
            let own = all.filter { $0.name == name && !$0.isProperty }
            let labels = argumentLabels(at: index + 2, in: file)
            if let requirement = own.first(where: { $0.labels == labels }) ?? own.first {
                let isForced = file.isSign("!", at: index + 1)
                let called = isForced && requirement.result == "Void" ? name : requirement.twin
                let force = isForced && requirement.result != "Void" ? [file.insertion(after: close, "!")] : []
                return [file.replacement(index...index + 1, called)] + force
            }
            return UIKitNames.optionalMethods.contains(name) ? [file.removal(index + 1...index + 1)] : []
        }
    }

    private static func argumentLabels(at open: Int, in file: SourceFile) -> [String] {
        guard let close = file.match(open), close > open + 1 else { return [] }
        var (labels, next, isStart) = ([String](), open + 1, true)
        while next < close {
            if isStart {
                labels.append(
                    file.isSign(":", at: next + 1) && file.tokens[next].kind == .word ? file.tokens[next].text : "_")
                isStart = false
            }
            if file.isSign(",", at: next) { isStart = true }
            next = max(file.match(next) ?? next, next) + 1
        }
        return labels
    }
}
