// CitationTests.swift: the rules that comments and pages cite, looked up in Docs/Spec.
//
// A citation is a code (`B7.1`, `F6`, `S14a`) in a comment, in a setting's source, in a test's title or on a page, or the path
// of a page of Docs/Spec with a section. An anchor is `<a id="B7.1"></a>` on a page of Docs/Spec.

import Foundation
import Testbed
import Testing

@Suite("Citations of the specification")
struct CitationTests {
    private let citation = Citation()

    @Test("each cited rule, scenario, fault, law and threat has an anchor")
    func codes() throws {
        let anchors = try Set(SpecificationPage.all().flatMap(\.anchors))
        var cited: Set<String> = []
        for file in try CitingFile.all() {
            for line in file.lines {
                for code in citation.codes(in: line.prose) {
                    cited.insert(code)
                    let isAnchored = anchors.contains(code)
                    #expect(isAnchored, "\(file.path):\(line.number) cites \(code), which Docs/Spec lacks")
                }
            }
        }
        #expect(cited.count > 300)
    }

    @Test("each cited section of a specification page exists")
    func sections() throws {
        let pages = try Dictionary(uniqueKeysWithValues: SpecificationPage.all().map { ($0.name, Set($0.anchors)) })
        var count = 0
        for file in try CitingFile.all() where file.text.contains("Docs/Spec/") {
            for line in file.lines {
                for (page, section) in citation.sections(in: line.text) {
                    count += 1
                    let exists = pages[page]?.contains(section) == true
                    #expect(exists, "\(file.path):\(line.number) cites section \(section) of Docs/Spec/\(page).md")
                }
            }
        }
        #expect(count > 50)
    }

    @Test("no page of the specification has an anchor twice")
    func unique() throws {
        for page in try SpecificationPage.all() {
            let repeated = Dictionary(grouping: page.anchors, by: \.self).filter { $0.value.count > 1 }.keys
            #expect(repeated.isEmpty, "Docs/Spec/\(page.name).md: \(repeated.sorted())")
        }
    }

    @Test("each scenario file has an anchor in the scenario catalogue")
    func scenarios() throws {
        let semantics = try #require(try SpecificationPage.all().first { $0.name == "Semantics" })
        #expect(Repository.scenarioFiles.count > 100)
        for file in Repository.scenarioFiles {
            let text = try String(contentsOf: Repository.scenarios.appending(path: file), encoding: .utf8)
            let id = try #require(text.firstMatch(of: /(?m)^id: (\S+)$/)?.1)
            #expect(semantics.anchors.contains(String(id)), "\(file) has the id \(id)")
        }
    }

    @Test("no file cites a document outside the repository")
    func outside() throws {
        for file in try CitingFile.all() where file.path != CitingFile.own {
            guard citation.outside(in: file.text, of: file.path) != nil else { continue }
            for line in file.lines {
                if let name = citation.outside(in: line.text, of: file.path) {
                    Issue.record("\(file.path):\(line.number) names \(name)")
                }
            }
        }
    }

    @Test(
        "a citation code is found in prose, not in paths or names",
        arguments: [
            ("(B7.1, C3) and B6.3a, B9v.4, E6a", ["B7.1", "C3", "B6.3a", "B9v.4", "E6a"]),
            ("D10's deadline; S14a–S16, S35d2, S100c", ["D10", "S14a", "S16", "S35d2", "S100c"]),
            ("law I4, fault F15, threat T10, question Q3, E2.10", ["I4", "F15", "T10", "Q3", "E2.10"]),
            ("[S0][S0o][S3], B6.5′", ["S0", "S0o", "S3", "B6.5′"]),
            ("0xB4 U+202A UTF8 C0 /F1/x.B7 aB7 B7x #F2", []),
        ])
    func grammar(text: String, expected: [String]) {
        #expect(citation.codes(in: text) == expected)
    }

    @Test("CitingFile.prose separates comments, sources and titles from code")
    func comments() {
        let line = CitingFile.prose(of: #"let x = f("B99") // see B7.1"#, in: "Sources/A/A.swift")
        #expect(citation.codes(in: line) == ["B7.1"])
        let setting = CitingFile.prose(
            of: #"    .flag("x", false, "F99", source: "fault F6")"#, in: "Sources/A/A.swift")
        #expect(citation.codes(in: setting) == ["F6"])
        let test = CitingFile.prose(of: #"    @Test("S29: a tap")"#, in: "Tests/A/A.swift")
        #expect(citation.codes(in: test) == ["S29"])
        #expect(CitingFile.prose(of: "id: S29", in: "Tests/Conformance/a/b.yaml") == "id: S29")
    }

    @Test(
        "a document outside the repository is recognized",
        arguments: [
            "after PIPELINE.md 2", "SEMANTICS C6", "as SCENARIO.md says", "INPUT.md", "TOOLCHAIN", "HOUSE 7",
            "STYLE.md",
            "INPUT 3.9", "../shared/spec/x", "shared/seeds",
        ])
    func recognized(text: String) {
        #expect(citation.outside(in: text, of: "Docs/Internals/Model.md") != nil)
    }

    @Test("only tests may name the recordings beside the repository")
    func recordings() {
        #expect(citation.outside(in: "../shared/data", of: "Tests/HIDTests/A.swift") == nil)
        #expect(citation.outside(in: "../shared/data", of: "Sources/HID/A.swift") != nil)
        #expect(citation.outside(in: "Docs/Spec/Pipeline.md section 2", of: "Docs/Internals/Model.md") == nil)
    }
}

/// The forms of a citation in a text.
private struct Citation {
    /// The codes that a text cites, in order.
    func codes(in text: String) -> [String] {
        guard mayCite(text) else { return [] }
        return text.matches(of: code).filter { match in
            // A match is skipped inside a word, a number, a path or a character's number.
            guard match.range.lowerBound > text.startIndex else { return true }
            let before = text[text.index(before: match.range.lowerBound)]
            return !before.isLetter && !before.isNumber && !"_./#+&-".contains(before)
        }.map { String($0.1) }
    }

    /// Whether a code's letter stands before a digit. Most lines cite nothing, and a regular expression is slow.
    private func mayCite(_ text: String) -> Bool {
        zip(text.utf8, text.utf8.dropFirst()).contains { first, second in
            (UInt8(ascii: "B")...UInt8(ascii: "T")).contains(first)
                && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second)
        }
    }

    /// The sections that a text cites by the path of a page: page and number.
    func sections(in text: String) -> [(page: String, section: String)] {
        text.matches(of: citedSections).flatMap { match in
            match.2.matches(of: /\d(?:\.\d+)*b?/).map { (String(match.1), String($0.output)) }
        }
    }

    /// The first name of a document that a reader of the repository does not have.
    func outside(in text: String, of path: String) -> String? {
        guard words.contains(where: { text.contains($0) }) else { return nil }
        if let match = text.firstMatch(of: documents) { return String(match.output) }
        let isTest = path.hasPrefix("Tests/") && path.hasSuffix(".swift")
        return isTest ? nil : text.firstMatch(of: /shared\/data/).map { String($0.output) }
    }

    /// Rules B to E, faults, laws, open questions, scenarios and articles (S), threats and scenes (T).
    private let code =
        /(B[1-9]\d?v?(?:\.\d{1,2}[a-d]?)?′?|[CD][1-9]\d?(?:\.\d{1,2})?|E[1-9]\d?a?(?:\.\d{1,2})?|S\d{1,3}[a-z]?\d?|[FTQ]\d{1,2}|I\d{1,2})(?!\w)/
    private let citedSections =
        /Docs\/Spec\/(\w+)\.md sections? (\d(?:\.\d+)*b?(?:(?:, | to | and )\d(?:\.\d+)*b?(?!\w))*)/
    /// Each text that `documents` or `shared/data` matches contains one of these words; this search is fast.
    private let words = [
        "SEMANTICS", "PIPELINE", "TOOLCHAIN", "HOUSE", "SCENARIO", "INPUT", "STYLE", "shared/",
    ]
    private let documents =
        /\b(?:SEMANTICS|PIPELINE|TOOLCHAIN|HOUSE)\b|\b(?:SCENARIO|INPUT|STYLE)(?:\.md\b| \d)|shared\/(?:spec|seeds|design|hooks)\b/
        .wordBoundaryKind(.simple)  // By default a word continues behind the dot of "x.md".
}

/// A page of Docs/Spec.
private struct SpecificationPage {
    let name: String
    let anchors: [String]

    static func all() throws -> [SpecificationPage] {
        let folder = Repository.root.appending(path: "Docs/Spec")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        #expect(names.count >= 5)
        return try names.sorted().map { name in
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let anchors = text.matches(of: /<a id="([^"]+)"><\/a>/).map { String($0.1) }
            return SpecificationPage(name: String(name.dropLast(".md".count)), anchors: anchors)
        }
    }
}

/// A text file of the repository, and the prose of each line.
private struct CitingFile {
    let path: String
    let text: String

    var lines: [(number: Int, text: String, prose: String)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
            (index + 1, String(line), Self.prose(of: String(line), in: path))
        }
    }

    static let own = "Tests/PurityTests/CitationTests.swift"

    static func all() throws -> [CitingFile] {
        var paths = ["README.md", "Package.swift"]
        for folder in ["Sources", "Tests", "Tools", "Docs", "Config"] {
            let below = try FileManager.default.subpathsOfDirectory(
                atPath: Repository.root.appending(path: folder).path)
            paths += below.map { "\(folder)/\($0)" }.filter(isText).sorted()
        }
        return try paths.map { path in
            CitingFile(
                path: path, text: try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8))
        }
    }

    /// Whether the file is a source, a page, settings or a script. A tool's script has no extension; fuzzers' inputs
    /// have none either.
    private static func isText(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        guard !path.contains("/.build/") else { return false }
        if let dot = name.lastIndex(of: "."), dot > name.startIndex {
            return ["swift", "md", "yaml", "c", "h", "pml", "patch", "sh"].contains(
                String(name[name.index(after: dot)...]))
        }
        var isFolder: ObjCBool = false
        let whole = Repository.root.appending(path: path).path
        return path.hasPrefix("Tools/") && FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    /// The prose of a line: a comment, a setting's source or a test's title in code, and the whole line elsewhere.
    static func prose(of line: String, in path: String) -> String {
        guard path != own else { return "" }
        guard path.hasSuffix(".swift") || path.hasSuffix(".c") || path.hasSuffix(".h") else { return line }
        if line.contains("@Test(") || line.contains("@Suite(") { return line }
        var prose = ""
        if line.hasPrefix("//") {
            prose = line
        } else if let slashes = line.firstRange(of: " //") {
            prose = String(line[slashes.upperBound...])
        }
        if let source = line.firstRange(of: "source: \"") {
            prose += " " + line[source.upperBound...].prefix { $0 != "\"" }
        }
        return prose
    }
}
