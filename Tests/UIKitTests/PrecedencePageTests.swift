import Foundation
import Testbed
import Testing

/// Docs/Internals/Gestures.md names a file, its declarations and scenarios for each rule. This suite looks each of them up.
@Suite("Docs/Internals/Gestures.md")
struct PrecedencePageTests {
    private struct Rule {
        var files: [String]
        var declarations: [String]
        var anchors: [String]
        var scenarios: [String]
        /// Files of tests, for a rule that no scenario can show.
        var tests: [String]
    }

    private func rules() throws -> [Rule] {
        let file = Repository.root.appending(path: "Docs/Internals/Gestures.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        return page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map(String.init)
            guard cells.count == 5, Int(cells[0].trimmingCharacters(in: .whitespaces)) != nil else { return nil }
            return Rule(
                files: links(in: cells[3]),
                declarations: cells[3].matches(of: /`(\w+)`/).map { String($0.1) },
                anchors: cells[2].matches(of: /\]\(\.\.\/Spec\/Semantics\.md#([^)]+)\)/).map { String($0.1) },
                scenarios: cells[4].matches(of: /\bS\d\w*/).map { String($0.0) },
                tests: links(in: cells[4]))
        }
    }

    /// The paths, from the root, of the links to files outside Docs.
    private func links(in cell: String) -> [String] {
        cell.matches(of: /\]\(\.\.\/\.\.\/([^)]+)\)/).map { String($0.1) }
    }

    private func texts(below path: String, of kind: String) throws -> [String] {
        let url = Repository.root.appending(path: path)
        guard url.pathExtension != kind else { return [try String(contentsOf: url, encoding: .utf8)] }
        let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
        var texts: [String] = []
        while let file = files?.nextObject() as? URL {
            if file.pathExtension == kind { texts.append(try String(contentsOf: file, encoding: .utf8)) }
        }
        return texts
    }

    @Test("each rule of Docs/Internals/Gestures.md names existing declarations and scenarios")
    func citations() throws {
        let rules = try rules()
        #expect(rules.count > 25)
        let scenarios = try texts(below: "Tests/Conformance", of: "yaml").flatMap {
            $0.matches(of: /(?m)^id: (\w+)/).map { String($0.1) }
        }
        for rule in rules {
            let sources = try rule.files.flatMap { try texts(below: $0, of: "swift") }
            #expect(!rule.files.isEmpty && !rule.declarations.isEmpty && !rule.anchors.isEmpty)
            #expect(!rule.scenarios.isEmpty || !rule.tests.isEmpty)
            for name in rule.declarations {
                let declaration = try Regex("(func|var|let|case|struct|enum) \(name)\\b")
                #expect(sources.contains { $0.contains(declaration) }, "\(rule.files): no \(name)")
            }
            for id in rule.scenarios { #expect(scenarios.contains(id), "no scenario \(id)") }
            for file in rule.tests { #expect(try !texts(below: file, of: "swift").isEmpty, "no \(file)") }
        }
    }
}
