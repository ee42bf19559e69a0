import Foundation
import Testbed
import Testing

/// Docs/Gestures.md names a file, its declarations and scenarios for each rule. This suite looks each of them up.
@Suite("Docs/Gestures.md")
struct PrecedencePageTests {
    private struct Rule {
        var files: [String]
        var declarations: [String]
        var scenarios: [String]
    }

    private func rules() throws -> [Rule] {
        let page = try String(contentsOf: Repository.root.appending(path: "Docs/Gestures.md"), encoding: .utf8)
        return page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map(String.init)
            guard cells.count == 4, Int(cells[0].trimmingCharacters(in: .whitespaces)) != nil else { return nil }
            return Rule(
                files: cells[2].matches(of: /\]\(\.\.\/([^)]+)\)/).map { String($0.1) },
                declarations: cells[2].matches(of: /`(\w+)`/).map { String($0.1) },
                scenarios: cells[3].matches(of: /S\w+/).map { String($0.0) })
        }
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

    @Test("each rule of Docs/Gestures.md names existing declarations and scenarios")
    func citations() throws {
        let rules = try rules()
        #expect(rules.count > 15)
        let scenarios = try texts(below: "Tests/Conformance", of: "yaml").flatMap {
            $0.matches(of: /(?m)^id: (\w+)/).map { String($0.1) }
        }
        for rule in rules {
            let sources = try rule.files.flatMap { try texts(below: $0, of: "swift") }
            #expect(!rule.files.isEmpty && !rule.declarations.isEmpty && !rule.scenarios.isEmpty)
            for name in rule.declarations {
                let declaration = try Regex("(func|var|case|struct) \(name)\\b")
                #expect(sources.contains { $0.contains(declaration) }, "\(rule.files): no \(name)")
            }
            for id in rule.scenarios { #expect(scenarios.contains(id), "no scenario \(id)") }
        }
    }
}
