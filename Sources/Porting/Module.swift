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
    private let classes: [String: TypeIndex]
    /// The inheritance clauses of each type and of its extensions by name.
    private let inherited: [String: [String]]
    /// The optional requirements of this module's protocols by the protocol's name.
    let optionalRequirements: [String: [OptionalRequirement]]
    /// The methods of each class that a selector finds by name alone.
    let methodsByName: [String: [MemberDeclaration]]
    /// The classes with an override of a member, by the member's name with labels.
    private var overriding: [String: [String]] = [:]
    /// The empty methods that classes need, because a subclass implements them. (InheritedDelegateRule.swift)
    private(set) var stubs: [String: [String]] = [:]
    /// The methods of all types by their name without labels, each with the name of its type.
    private let methods: [String: [(type: String?, method: MemberDeclaration)]]
    /// The names of all types and type aliases.
    let declaredNames: Set<String>
    /// The names of stored and computed properties.
    let propertyNames: Set<String>

    struct TypeIndex: Equatable {
        var file: Int
        var type: Int
    }

    init(files: [SourceFile]) {
        self.files = files
        var (classes, inherited) = ([String: TypeIndex](), [String: [String]]())
        var optional: [String: [OptionalRequirement]] = [:]
        var methods: [String: [(type: String?, method: MemberDeclaration)]] = [:]
        var (names, properties) = (Set<String>(), Set<String>())
        for (number, file) in files.enumerated() {
            for (index, type) in file.outline.types.enumerated() {
                inherited[type.name, default: []] += type.inherits.flatMap(Self.names)
                names.insert(type.path[0])
                // Of two classes of one name, in `#if` and `#else`, the first is the one for iOS.
                if type.keyword == "class", classes[type.name] == nil {
                    classes[type.name] = TypeIndex(file: number, type: index)
                }
            }
            for member in file.outline.members {
                if member.keyword == "func" {
                    methods[member.name, default: []].append((member.owner.map { file.outline.types[$0].name }, member))
                } else if member.keyword == "var" {
                    properties.insert(member.name)
                }
                guard let owner = member.owner, member.modifiers.contains("optional") else { continue }
                let type = file.outline.types[owner]
                guard type.keyword == "protocol" else { continue }
                optional[type.name, default: []].append(OptionalRequirement(member, in: file))
            }
        }
        for file in files {
            for (alias, list) in Self.aliases(in: file) {
                names.insert(alias)
                inherited[alias, default: []] += list.flatMap(Self.names)
            }
        }
        (self.classes, self.inherited) = (classes, inherited)
        (declaredNames, propertyNames) = (names, properties)
        (optionalRequirements, self.methods) = (optional, methods)
        methodsByName = Self.methodsByName(in: files).filter { classes[$0.key] != nil }
        for file in files {
            for member in file.outline.members where member.modifiers.contains("override") {
                guard let owner = member.owner else { continue }
                overriding[member.fullName, default: []].append(file.outline.types[owner].name)
            }
        }
        stubs = delegateStubs()
    }

    /// The superclasses of a class that this module declares, the nearest first.
    func ancestors(ofClass name: String) -> [String] {
        var (found, next) = ([String](), name)
        while let index = classes[next], let superclass = files[index.file].outline.types[index.type].inherits.first,
            classes[superclass] != nil, !found.contains(superclass), superclass != name
        {
            found.append(superclass)
            next = superclass
        }
        return found
    }

    /// Where this module declares a class.
    func index(ofClass name: String) -> TypeIndex? { classes[name] }

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

    /// What a type inherits from and adopts, in its declaration and its extensions.
    func protocols(ofType name: String) -> [String] { inherited[name] ?? [] }

    /// Whether a type, or an extension of it, declares the method of a requirement.
    func declares(_ requirement: OptionalRequirement, inType name: String) -> Bool {
        declares(name: requirement.name, labels: requirement.labels, inType: name)
    }

    func declares(name method: String, labels: [String], inType name: String) -> Bool {
        files.contains { file in
            file.outline.members.contains { member in
                member.name == method && member.labels == labels && member.keyword == "func"
                    && member.owner.map { file.outline.types[$0].name == name } == true
            }
        }
    }

    /// Whether a subclass of this class overrides a member of this name, labels included.
    func isOverridden(_ fullName: String, ofClass name: String) -> Bool {
        overriding[fullName]?.contains { ancestors(ofClass: $0).contains(name) } == true
    }

    /// The labels of a type's method of this name, or of the module's only one; nil if there are several with other labels.
    func labels(ofMethod name: String, inType type: String?) -> [String]? {
        guard let all = methods[name] else { return nil }
        let types = type.map { [$0] + ancestors(ofClass: $0) } ?? []
        let own = all.filter { method in method.type.map(types.contains) == true }
        let found = own.isEmpty ? all : own
        guard let first = found.first, found.allSatisfy({ $0.method.labels == first.method.labels }) else { return nil }
        return first.method.labels
    }

    /// The names in one entry of an inheritance clause: `@MainActor Kit.A & B` has A and B.
    private static func names(_ entry: String) -> [String] {
        entry.split(separator: "&").compactMap { part in
            part.split(separator: " ").last { !$0.hasPrefix("@") }.flatMap { $0.split(separator: ".").last }.map(
                String.init)
        }
    }

    /// The type aliases of a file, each with what it stands for.
    private static func aliases(in file: SourceFile) -> [(String, [String])] {
        file.tokens.indices.compactMap { index in
            guard file.isWord("typealias", at: index), file.isSign("=", at: index + 2) else { return nil }
            let end = file.tokens.indices.first { $0 > index + 3 && file.tokens[$0].beginsLine } ?? file.tokens.count
            return (file.tokens[index + 1].text, [file.flatText(index + 3..<end)])
        }
    }
}

/// A requirement that a conforming type may leave out.
struct OptionalRequirement: Equatable {
    var name: String
    var labels: [String]
    /// The names by which the body refers to the arguments.
    var arguments: [String]
    /// The parameters, the effects and the result as written, on one line. Without a result `Void`.
    var parameters: String
    var effects: String
    var result: String
    var isProperty: Bool

    init(_ member: MemberDeclaration, in file: SourceFile) {
        (name, labels, isProperty) = (member.name, member.labels, member.parameters == nil)
        parameters = member.parameters.map { file.flatText($0) } ?? ""
        let result = member.result.map { file.flatText($0) }
        self.result = result == "()" ? "Void" : result ?? "Void"
        // The body has words of its own.
        let signature = (member.parameters?.upperBound ?? 0)..<(member.body?.lowerBound ?? member.tokens.upperBound + 1)
        effects = member.tokens.filter { signature.contains($0) && ["async", "throws"].contains(file.tokens[$0].text) }
            .map { file.tokens[$0].text + " " }.joined()
        // The raw text has the backticks of a name.
        arguments = member.parameters.map { file.outline.parameters($0).map { file.text($0.name..<$0.name + 1) } } ?? []
    }

    /// A call that passes its own arguments on: `limit(of: card, at: place)`.
    var call: String {
        let list = zip(labels, arguments).map { $0 == "_" ? $1 : "\($0): \($1)" }.joined(separator: ", ")
        return (effects.contains("throws") ? "try " : "") + (effects.contains("async") ? "await " : "")
            + "\(name)(\(list))"
    }
    /// The optional result of the twin. A result that is optional already stays one.
    var optionalResult: String {
        result.hasSuffix("?") ? result : result.hasSuffix("!") ? result.dropLast() + "?" : "(\(result))?"
    }

    /// The name of the method that answers nil where the requirement is left out.
    var twin: String { "_optional_\(name)" }
}
