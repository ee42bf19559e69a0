// Module.swift: all files of one target, and what they declare together.
//
// Input     the files of a target
// Output    the rules, which ask for classes, protocols and methods by their names
// Knows     names as written. Two types with one name in different types are told apart by their paths only.
//
// Sources   invented

/// The files of one target.
struct Module {
    let files: [SourceFile]
    /// The declarations of classes by name: file, index of the type.
    private let classes: [String: TypePlace]
    /// The inheritance clauses of each type and of its extensions by name.
    private let inherited: [String: [String]]
    /// The optional requirements of this module's protocols by the protocol's name.
    let optionalRequirements: [String: [OptionalRequirement]]
    /// The methods of each class that a selector finds by name alone.
    let methodsByName: [String: [MemberDeclaration]]
    /// The methods of all types by their name without labels.
    private let methods: [String: [MemberDeclaration]]

    struct TypePlace: Equatable {
        var file: Int
        var type: Int
    }

    init(files: [SourceFile]) {
        self.files = files
        var (classes, inherited) = ([String: TypePlace](), [String: [String]]())
        var (optional, methods) = ([String: [OptionalRequirement]](), [String: [MemberDeclaration]]())
        for (number, file) in files.enumerated() {
            for (index, type) in file.outline.types.enumerated() {
                inherited[type.name, default: []] += type.inherits
                if type.keyword == "class" { classes[type.name] = TypePlace(file: number, type: index) }
            }
            for member in file.outline.members {
                if member.keyword == "func" { methods[member.name, default: []].append(member) }
                guard let owner = member.owner, member.modifiers.contains("optional") else { continue }
                let type = file.outline.types[owner]
                guard type.keyword == "protocol" else { continue }
                optional[type.name, default: []].append(OptionalRequirement(member, in: file))
            }
        }
        (self.classes, self.inherited) = (classes, inherited)
        (optionalRequirements, self.methods) = (optional, methods)
        methodsByName = Self.methodsByName(in: files).filter { classes[$0.key] != nil }
    }

    /// The superclasses of a class that this module declares, the nearest first.
    func ancestors(ofClass name: String) -> [String] {
        var (found, next) = ([String](), name)
        while let place = classes[next], let superclass = files[place.file].outline.types[place.type].inherits.first,
            classes[superclass] != nil, !found.contains(superclass), superclass != name
        {
            found.append(superclass)
            next = superclass
        }
        return found
    }

    /// Where this module declares a class.
    func place(ofClass name: String) -> TypePlace? { classes[name] }

    /// The optional requirements that a type of this module may implement, through its superclasses and protocols too.
    func optionalRequirements(ofType name: String) -> [OptionalRequirement] {
        var (found, seen, open) = ([OptionalRequirement](), Set<String>(), [name])
        while let next = open.popLast() {
            guard seen.insert(next).inserted else { continue }
            found += optionalRequirements[next] ?? []
            open += inherited[next] ?? []
        }
        return found
    }

    /// Whether a type, or an extension of it, declares the method of a requirement.
    func declares(_ requirement: OptionalRequirement, inType name: String) -> Bool {
        files.contains { file in
            file.outline.members.contains { member in
                member.name == requirement.name && member.labels == requirement.labels && member.keyword == "func"
                    && member.owner.map { file.outline.types[$0].name == name } == true
            }
        }
    }

    /// Whether a subclass of this class overrides a member of this name, labels included.
    func isOverridden(_ fullName: String, ofClass name: String) -> Bool {
        files.contains { file in
            file.outline.members.contains { member in
                guard let owner = member.owner, member.modifiers.contains("override"), member.fullName == fullName
                else {
                    return false
                }
                return ancestors(ofClass: file.outline.types[owner].name).contains(name)
            }
        }
    }

    /// The labels of the methods with this name; nil if the module has no such method, or several with other labels.
    func labels(ofMethod name: String) -> [String]? {
        guard let all = methods[name], let first = all.first, all.allSatisfy({ $0.labels == first.labels }) else {
            return nil
        }
        return first.labels
    }
}

/// A requirement that a conforming type may leave out.
struct OptionalRequirement: Equatable {
    var name: String
    var labels: [String]
    /// The names by which the body refers to the arguments.
    var arguments: [String]
    /// The parameters and the result as written.
    var parameters: String
    var result: String?
    var isProperty: Bool

    init(_ member: MemberDeclaration, in file: SourceFile) {
        (name, labels, isProperty) = (member.name, member.labels, member.parameters == nil)
        parameters = member.parameters.map { file.text($0) } ?? ""
        let result = member.result.map { file.text($0) }
        self.result = result == "Void" || result == "()" ? nil : result
        arguments = []
        var isStart = true
        var depth = 0
        for index in member.parameters ?? 0..<0 {
            let token = file.tokens[index]
            if token.isSign("(") || token.isSign("[") || token.isSign("<") { depth += 1 }
            if token.isSign(")") || token.isSign("]") || token.isSign(">") { depth -= 1 }
            if token.isSign(","), depth == 0 { isStart = true }
            guard isStart, depth == 0, token.isSign(":"), index > 0 else { continue }
            arguments.append(file.tokens[index - 1].text)
            isStart = false
        }
    }

    /// The arguments of a call that passes its own on: `card, by: distance`.
    var forwarded: String {
        zip(labels, arguments).map { $0 == "_" ? $1 : "\($0): \($1)" }.joined(separator: ", ")
    }

    /// The name of the method that answers nil where the requirement is left out.
    var twin: String { "_optional_\(name)" }
}
