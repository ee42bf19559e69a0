import Foundation
import Testbed
import Testing

/// Docs/Reference/UIKit.md is generated from the public declarations in Sources/UIKit/API.
@Suite("Docs/Reference/UIKit.md")
struct UIKitPageTests {
    @Test("Docs/Reference/UIKit.md matches the public declarations")
    func page() throws {
        let types = try PublicType.all()
        #expect(types.count > 50)
        #expect(types.first { $0.name == "UIView" }?.members.contains("hitTest(_:with:)") == true)
        #expect(types.first { $0.name == "UIScrollViewDelegate" }?.members.contains("scrollViewDidScroll(_:)") == true)
        var text = Self.head
        var folders: [String] = []
        for type in types where !folders.contains(type.folder) { folders.append(type.folder) }
        for folder in folders {
            let rows = types.filter { $0.folder == folder }.map { type in
                ["`\(type.name)`", type.kind, type.members.map { "`\($0)`" }.joined(separator: ", ")]
            }
            text += "\n## \(folder)\n\n\(markdownTable(["type", "kind", "members"], rows))\n"
        }
        expectDocument("Docs/Reference/UIKit.md", equals: text)
    }

    private static let head = """
        # UIKit coverage

        The types and members of UIKit that Touchline has, under Apple's names. A test writes this page from the public declarations in
        `Sources/UIKit/API`. A top-level type, and a member of one, that the page does not list does not exist here. Cases of enums and members of nested types are not listed. Overrides of a listed superclass member are
        left out.

        A listed member behaves as far as touches, gestures, controls, scrolling and the responder chain need it. [Conformance](Conformance.md)
        lists the scenarios that test it, and [Fidelity](Fidelity.md) how each behavior is known.

        """
}

/// A type with its public members, from all files of its folder.
private struct PublicType {
    var folder: String
    var name: String
    /// `class of UIView`, `protocol`; `extension` for a type of another module.
    var kind: String
    var members: [String] = []

    static func all() throws -> [PublicType] {
        let root = Repository.root.appending(path: "Sources/UIKit/API")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        var types: [PublicType] = []
        var extended: [(name: String, member: String, folder: String)] = []
        for path in paths.sorted() {
            let folder = path.contains("/") ? String(path.prefix { $0 != "/" }) : "Foundation"
            let lines = try String(contentsOf: root.appending(path: path), encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false)
            var current = ""
            var isProtocol = false
            var isPublicExtension = false
            for (index, line) in lines.enumerated() {
                if let match = line.firstMatch(of: declaredType) {
                    let superclass = match.3.map { " of `\($0)`" } ?? ""
                    (current, isProtocol, isPublicExtension) = (String(match.2), match.1 == "protocol", false)
                    let kind = match.1 == "class" ? "class\(superclass)" : String(match.1)
                    types.append(PublicType(folder: folder, name: current, kind: kind))
                } else if let match = line.firstMatch(of: /^(public )?extension ([\w.]+)/) {
                    (current, isProtocol) = (String(match.2), false)
                    isPublicExtension = match.1 != nil
                } else if line.hasPrefix("}") || line.firstMatch(of: /^\w/) != nil {
                    if !line.hasPrefix("}") { current = "" }
                } else if !current.isEmpty, line.hasPrefix("    "), !line.hasPrefix("     ") {
                    let declaration = line.dropFirst(4)
                    let isPublic = declaration.firstMatch(of: /^(?:@[\w().,: ]+ )*(?:open|public)\b/) != nil
                    guard isPublic || isProtocol || isPublicExtension, !declaration.contains(" override ") else {
                        continue
                    }
                    for member in members(declaration, lines[index...]) {
                        extended.append((current, member, folder))
                    }
                }
            }
        }
        for (name, member, folder) in extended {
            let index = types.firstIndex { $0.name == name }
            let known = index ?? types.count
            if index == nil { types.append(PublicType(folder: folder, name: name, kind: "extension")) }
            if !types[known].members.contains(member) { types[known].members.append(member) }
        }
        return types.sorted { ($0.folder, $0.name) < ($1.folder, $1.name) }
    }

    private static var declaredType: Regex<(Substring, Substring, Substring, Substring?)> {
        /^(?:@[\w()., ]+ )*(?:open|public) (?:final )?(class|struct|enum|protocol) (\w+)(?:: ((?:UI|CA|NS)\w+))?/
    }

    /// Returns the names of the members that a line declares, as Apple's documentation writes them.
    private static func members(_ line: Substring, _ rest: ArraySlice<Substring>) -> [String] {
        if let match = line.firstMatch(of: /\b(?:var|let) (`?\w+`?(?:, `?\w+`?)*)/), !line.contains("func ") {
            return match.1.split(separator: ", ").map { String($0.replacing("`", with: "")) }
        }
        return function(line, rest).map { [$0] } ?? []
    }

    /// Returns the name of the type or function that a line declares; nil for another line.
    private static func function(_ line: Substring, _ rest: ArraySlice<Substring>) -> String? {
        if let match = line.firstMatch(of: /\b(?:class|struct|enum|protocol|typealias) (\w+)/), !line.contains("func "),
            !line.contains("class var")
        {
            return String(match.1)
        }
        guard let match = line.firstMatch(of: /\b(func )?(init|\w+|==|[<>=]+)[?]?(?:<[^(]*>)?\(/),
            match.1 != nil || match.2 == "init"
        else { return nil }
        var depth = 0
        var parameters = ""
        scan: for character in rest.prefix(12).joined(separator: " ").drop(while: { $0 != "(" }) {
            if "([".contains(character) { depth += 1 }
            if ")]".contains(character) { depth -= 1 }
            if depth == 0 { break scan }
            if !(depth == 1 && character == "(") || depth > 1 { parameters.append(character) }
        }
        return "\(match.2)(\(labels(in: parameters.replacing("->", with: ""))))"
    }

    /// `point: CGPoint, with event: UIEvent?` as `point:with:`.
    private static func labels(in parameters: String) -> String {
        var depth = 0
        var parts = [""]
        for character in parameters {
            if "([<".contains(character) { depth += 1 }
            if ")]>".contains(character) { depth -= 1 }
            if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts.compactMap { $0.split(separator: " ").first { !$0.hasPrefix("@") } }
            .map { $0.hasSuffix(":") ? String($0) : "\($0):" }.joined()
    }
}
