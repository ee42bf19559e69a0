import Foundation
import Testbed
import Testing

/// Docs/Internals/Threats.md names tests for each threat. This suite looks each of them up.
@Suite("Threat page")
struct ThreatPageTests {
    /// A test file or folder, and the words that its test names or functions must contain.
    private struct Citation {
        var line: Int
        /// The folder of the files; nil for any.
        var folder: String?
        var places: [String]
        var words: [String]
    }

    @Test("Docs/Internals/Threats.md quotes only words from names of existing tests")
    func named() throws {
        let citations = try citations()
        #expect(citations.count > 30)
        let files = try testFiles()
        for citation in citations {
            let texts = citation.places.flatMap { place in
                files.filter {
                    $0.folder == place || $0.name == "\(place).swift" && (citation.folder ?? $0.folder) == $0.folder
                }.map(\.names)
            }
            #expect(!texts.isEmpty, "Docs/Internals/Threats.md:\(citation.line): no tests in \(citation.places)")
            for word in citation.words {
                #expect(
                    texts.contains { $0.contains(word) },
                    "Docs/Internals/Threats.md:\(citation.line): no test of \(citation.places) says '\(word)'")
            }
        }
    }

    private func citations() throws -> [Citation] {
        let page = try String(contentsOf: Repository.root.appending(path: "Docs/Internals/Threats.md"), encoding: .utf8)
        var citations: [Citation] = []
        for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let cells = line.split(separator: " | ", omittingEmptySubsequences: false)
            guard line.hasPrefix("| "), cells.count >= 3, cells[2] != "test" else { continue }
            for part in cells[2].split(separator: ";") {
                var places = part.matches(of: /\b[A-Z]\w*Tests\b/).map { String($0.output) }
                let folder =
                    part.contains(/\bZMQ\b/) ? "ZeroMQHostTests" : part.contains(/\bPROC\b/) ? "ProcessTests" : nil
                if places.isEmpty, let folder { places = [folder] }
                guard !places.isEmpty else { continue }
                let words = part.matches(of: /"([^"]+)"|`(\w+)`/).map { String($0.output.1 ?? $0.output.2 ?? "") }
                citations.append(Citation(line: index + 1, folder: folder, places: places, words: words))
            }
        }
        return citations
    }

    /// The lines of each test file that name a suite, a test or a function.
    private func testFiles() throws -> [(folder: String, name: String, names: String)] {
        let tests = Repository.root.appending(path: "Tests")
        let folders = try FileManager.default.contentsOfDirectory(atPath: tests.path)
        return try folders.filter { $0.hasSuffix("Tests") }.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: tests.appending(path: folder).path)
                .filter { $0.hasSuffix(".swift") }
                .map { name in
                    let text = try String(contentsOf: tests.appending(path: "\(folder)/\(name)"), encoding: .utf8)
                    let names = text.split(separator: "\n").filter { line in
                        line.contains("@Test") || line.contains("@Suite") || line.contains("func ")
                            || line.wholeMatch(of: /\s*".*/) != nil
                    }
                    return (folder, name, names.joined(separator: "\n"))
                }
        }
    }
}
