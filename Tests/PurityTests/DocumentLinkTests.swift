// DocumentLinkTests.swift: what pages of the repository point at exists: other pages, their headings, files.
//
// Input     README and the pages beside it, Docs, the catalogues of modules (Sources/UIKit/UIKit.docc), Tests/Fuzz/README.md
//
// `Tools/docs --check` checks the same of the site and the man pages that are built: Tools/pages/check_docs.py.

import Foundation
import Testbed
import Testing

@Suite("Links and paths of documents")
struct DocumentLinkTests {
    @Test("links of pages lead to existing files and headings")
    func links() throws {
        let pages = try DocumentPage.all()
        let anchors = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, $0.anchors) })
        var count = 0
        for page in pages {
            for match in page.prose.matches(of: /\]\(([^()\s#]*)(?:#([^()\s]+))?\)/) where !match.1.contains("://") {
                count += 1
                let target = match.1.isEmpty ? page.path : page.resolve(String(match.1))
                guard FileManager.default.fileExists(atPath: Repository.root.appending(path: target).path) else {
                    Issue.record("\(page.path) links to \(match.1), which does not exist")
                    continue
                }
                guard let anchor = match.2 else { continue }
                guard let known = anchors[target] else {
                    Issue.record("\(page.path) links to \(target)#\(anchor), which is no page")
                    continue
                }
                let exists = known.contains(String(anchor))
                #expect(exists, "\(page.path) links to \(target)#\(anchor), which does not exist")
            }
        }
        #expect(count > 500)
    }

    @Test("each page of Docs is linked from another page")
    func reachable() throws {
        let pages = try DocumentPage.all()
        var linked: Set<String> = []
        for page in pages {
            let targets = page.prose.matches(of: /\]\(([^()\s#]+)/).map { page.resolve(String($0.1)) }
            linked.formUnion(targets.filter { $0 != page.path })
        }
        for page in pages where page.path.hasPrefix("Docs/") {
            #expect(linked.contains(page.path), "no page links to \(page.path)")
        }
    }

    @Test(
        "each path in a guide, a tutorial, a catalogue or an index exists",
        arguments: [
            "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Docs/HowTo/", "Docs/Tutorial/",
            "Docs/Reference/", "Docs/Internals/README.md", "Sources/",
        ])
    func paths(folder: String) throws {
        var count = 0
        for page in try DocumentPage.all() where page.path.hasPrefix(folder) {
            for match in page.prose.matches(of: /`((?:Sources|Tests|Tools|Docs|Config)\/[\w.\/+\-]+)`/) {
                // NAME, TOPIC and Cards stand for a reader's own.
                let path = String(match.1)
                guard !path.contains("NAME"), !path.contains("TOPIC"), !path.contains("/Cards") else { continue }
                count += 1
                let exists = FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path)
                #expect(exists, "\(page.path) names \(path), which does not exist")
            }
        }
        #expect(count > 0, "\(folder) names no path")
    }

    @Test("each test that a guide names exists")
    func tests() throws {
        var functions: Set<String> = []
        let folder = Repository.root.appending(path: "Tests")
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            let types = Set(text.matches(of: /struct (\w+Tests)\b/).map { String($0.1) })
            for match in text.matches(of: /@Test\b(?:(?!\bfunc\b)[\s\S])*\bfunc (\w+)\(/) {
                functions.formUnion(types.map { "\($0).\(match.1)" })
            }
        }
        var count = 0
        for page in try DocumentPage.all() where page.path.hasPrefix("Docs/HowTo/") {
            for match in page.prose.matches(of: /`(\w+Tests\.\w+)`/) where !match.1.hasSuffix(".swift") {
                count += 1
                #expect(functions.contains(String(match.1)), "\(page.path): no test \(match.1)")
            }
        }
        #expect(count > 20)
    }
}

/// A page in Markdown.
private struct DocumentPage {
    let path: String
    /// The text without blocks of code.
    let prose: String
    /// The names that a link may have behind `#`.
    let anchors: Set<String>

    init(path: String) throws {
        self.path = path
        let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
        var isCode = false
        var prose: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isCode.toggle() } else if !isCode { prose.append(line) }
        }
        self.prose = prose.joined(separator: "\n")
        let named = text.matches(of: /<a id="([^"]+)">/).map { String($0.1) }
        anchors = Set(named + prose.filter { $0.hasPrefix("#") }.map(Self.anchor))
    }

    static func all() throws -> [DocumentPage] {
        var paths = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
        for folder in ["Docs", "Sources", "Tests/Fuzz"] {
            let names = try FileManager.default.subpathsOfDirectory(
                atPath: Repository.root.appending(path: folder).path)
            paths += names.filter { $0.hasSuffix(".md") && !$0.hasPrefix(".build") }.map { "\(folder)/\($0)" }.sorted()
        }
        return try paths.map(DocumentPage.init)
    }

    /// - Returns: The path from the root of the repository.
    func resolve(_ link: String) -> String {
        let folder = URL(filePath: "/" + path).deletingLastPathComponent()
        var target = String(folder.appending(path: link).standardizedFileURL.path.dropFirst())
        if target.hasSuffix("/") { target.removeLast() }
        return target
    }

    /// The anchor that a heading has: lower case, without punctuation, with hyphens for blanks.
    private static func anchor(of heading: Substring) -> String {
        let text = heading.drop { $0 == "#" }.replacing(/<[^>]*>/, with: "")
        let kept = text.drop { $0 == " " }.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
        return kept.replacingOccurrences(of: " ", with: "-")
    }
}
