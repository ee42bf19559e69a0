// InheritedDelegateRule.swift: methods of UIKit's delegates that a subclass of the delegate's class implements.
//
// Input     class Base: UIViewController, UIScrollViewDelegate {}, class Feed: Base { func scrollViewDidScroll … }
// Output    an empty method in Base, and `override` in Feed
// Knows     which methods UIKit's delegate protocols have. Without Objective-C a class that adopts a protocol decides which
//           of its methods are called; a subclass can only override them.
//
// Sources   documented  The Swift Programming Language, Protocols

enum InheritedDelegateRule {
    static func edits(for file: SourceFile, in module: Module) -> [Edit] {
        var edits: [Edit] = []
        for member in file.outline.members {
            guard let owner = member.owner, module.adopter(of: member, inType: file.outline.types[owner]) != nil,
                let word = member.tokens.first(where: { file.isWord("func", at: $0) })
            else { continue }
            edits.append(file.insertion(before: word, "override "))
        }
        for type in file.outline.types where type.keyword == "class" {
            let stubs = module.stubs[type.name] ?? []
            if !stubs.isEmpty {
                let text = stubs.map { "\(addedAccess(type.modifiers))\($0)" }.joined(separator: "; ")
                edits.append(file.insertion(after: type.body.lowerBound, " \(text);"))
            }
        }
        return edits
    }

    /// An object of the target whose methods do what UIKit does without a delegate's method.
    static let defaults = """
        private final class DelegateDefaults: NSObject, \(protocols.joined(separator: ", ")), @unchecked Sendable {}
        nonisolated(unsafe) let _delegateDefaults: any \(protocols.joined(separator: " & ")) = DelegateDefaults()

        """

    private static let protocols = UIKitNames.delegateMethods.keys.sorted()
}

extension Module {
    /// The superclass that adopts the delegate protocol of a method, if the class of the method does not, and no class
    /// between them has the method.
    func adopter(of member: MemberDeclaration, inType type: TypeDeclaration) -> String? {
        guard member.keyword == "func", member.body != nil, UIKitNames.allDelegateMethods.contains(member.fullName),
            type.keyword == "class" || type.keyword == "extension",
            !member.modifiers.contains("override"), !member.modifiers.contains("static"),
            !adopts(type.name, protocolOf: member.fullName)
        else { return nil }
        for ancestor in ancestors(ofClass: type.name) {
            if declares(name: member.name, labels: member.labels, inType: ancestor) { return nil }
            if adopts(ancestor, protocolOf: member.fullName) { return ancestor }
        }
        return nil
    }

    /// The empty methods that classes need, because a subclass implements them.
    func delegateStubs() -> [String: [String]] {
        var (stubs, seen) = ([String: [String]](), Set<String>())
        for file in files {
            for member in file.outline.members {
                guard let owner = member.owner, let body = member.body,
                    let name = adopter(of: member, inType: file.outline.types[owner]),
                    seen.insert("\(name).\(member.fullName)").inserted,
                    let word = member.tokens.first(where: { file.isWord("func", at: $0) })
                else { continue }
                let call = OptionalRequirement(member, in: file).call
                stubs[name, default: []].append(
                    "\(file.flatText(word..<body.lowerBound)) { _delegateDefaults.\(call) }")
            }
        }
        return stubs
    }

    private func adopts(_ type: String, protocolOf fullName: String) -> Bool {
        protocols(ofType: type).contains { UIKitNames.delegateMethods[$0]?.contains(fullName) == true }
    }
}
