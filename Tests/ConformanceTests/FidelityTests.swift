import Foundation
@testable import Scenarios
import Settings
import Testbed
import Testing

/// Docs/Reference/Fidelity.md is generated: what iOS does, and how the project knows it.
@Suite("The page about fidelity")
struct FidelityTests {
    @Test("Docs/Reference/Fidelity.md matches the scenarios, settings and source files")
    func page() throws {
        let topics = try Topic.all()
        var text = Self.preface
        text += "## Scenarios\n\n" + Self.scenarioTable(topics)
        text += "\n## Open orders\n\n" + Self.openOrders(try Self.scenariosByID())
        text += "\n## Numbers\n\n" + Self.settingsTable()
        text += "\n## Source files\n\n" + Self.files(try SourceNotes.all())
        expectDocument("Docs/Reference/Fidelity.md", equals: text)
    }

    @Test("every scenario has a title and only known sources")
    func sources() throws {
        for file in Repository.scenarioFiles {
            let scenario = try read(file)
            #expect(!scenario.source.isEmpty, "\(file) has no source")
            #expect(!scenario.title.isEmpty, "\(file) has no title")
            for tag in scenario.source {
                #expect(Self.tags.contains { $0.tag == tag }, "\(file): unknown source \(tag)")
            }
        }
    }

    @Test("every note about sources has one of four words or a text")
    func words() throws {
        let notes = try SourceNotes.all()
        #expect(notes.contains { $0.kind == .observed } && notes.contains { $0.kind == .invented })
        for note in notes where note.kind == nil {
            #expect(!note.text.isEmpty, "\(note.file) has an empty note")
        }
    }

    private static let tags: [(tag: String, meaning: String)] = [
        ("S0", "the first article of the seed: hit testing, recognizers and views, controls"),
        ("S0o", "its untranslated original"),
        ("S1", "the second: three taps, and the system's part before an app receives a touch"),
        ("S2", "the third: events, the responder chain, windows"),
        ("S3", "the fourth: recognizers among each other and with controls"),
        ("H", "Apple's public headers"), ("D", "Apple's documentation"), ("BT", "back-traces and dumps of run loops"),
        ("NB", "Neuburg, Programming iOS"), ("BL", "other articles, questions and answers"),
        ("CF", "CFRunLoop's source"), ("3P", "constants of other implementations of gestures"),
        ("O", "published recordings and probes of a real iOS 26.1"),
        ("R", "no source says: a ruling of this project"),
    ]

    private static let preface = """
        # Fidelity

        What of iOS Touchline covers, and how each behavior, number and source file is known. A test writes this page from the scenarios,
        settings and source files. Four words say how something is known:

        | word | meaning |
        | --- | --- |
        | documented | Apple says so: headers, documentation, published source |
        | observed | a printed log, trace or dump shows it |
        | inferred | it follows from documented or observed behavior, and no log shows it |
        | invented | unknown, or this project's own; it can be changed in one place |

        Tags name the sources about iOS:

        | tag | source |
        | --- | --- |
        \(tags.map { "| \($0.tag) | \($0.meaning) |" }.joined(separator: "\n"))


        """

    private static func scenariosByID() throws -> [Scenario] {
        try ScenarioLibrary(folder: Repository.scenarios.path).entries.map { try Scenario(contentsOf: $0.path) }
    }

    private static func scenarioTable(_ topics: [Topic]) -> String {
        let kinds = Scenario.Kind.allCases
        let rows = topics.map { topic in
            let counts = kinds.map { kind in topic.scenarios.count { $0.scenario.kind == kind } }
            return "| [\(topic.folder)](Conformance.md#\(topic.folder)) | "
                + counts.map { $0 == 0 ? "" : "\($0)" }.joined(separator: " | ") + " |"
        }
        return """
            Each scenario is played as `touchline conform` does, and gives exactly the lines of its file. [Conformance](Conformance.md) lists the
            scenarios with their claims and sources. The table counts the scenarios of each topic by how they are known:

            | topic | \(kinds.map(\.howKnown).joined(separator: " | ")) |
            | --- |\(kinds.map { _ in " ---: |" }.joined())
            \(rows.joined(separator: "\n"))

            """
    }

    /// Lists scenarios whose lines may come in more than one order.
    private static func openOrders(_ scenarios: [Scenario]) -> String {
        func names(_ isOpen: (Scenarios.Expectation.Node) -> Bool) -> String {
            scenarios.filter { $0.expectation.nodes.contains(where: isOpen) }.map(\.id).joined(separator: ", ")
        }
        return """
            iOS promises no order among the lines of these scenarios, or the order is unknown.

            - Any order is accepted: \(names { if case .set = $0 { true } else { false } }).
            - The order is always the same, unless `--order ios` shuffles it: \(names {
                switch $0 {
                case .openSet, .byOrder: true
                default: false
                }
            }).
            - A line may be missing: \(names { if case .optional = $0 { true } else { false } }).

            """
    }

    private static func settingsTable() -> String {
        let rows = Settings.keys.filter { $0.source != "invented" }.map {
            "| `\($0.name)` | \($0.standard.isEmpty ? "–" : $0.standard) | \($0.meaning) | \($0.source) |"
        }
        return """
            Settings that imitate iOS. Each can be changed in a scenario's `config:`. [Settings](Settings.md) lists all; the others are
            invented.

            | key | default | meaning | source |
            | --- | --- | --- | --- |
            \(rows.joined(separator: "\n"))

            """
    }

    /// The modules that imitate parts of iOS. The other modules are Touchline's own.
    private static let modules = ["UIKit", "Gestures", "RunLoops", "AppCore", "SystemServerCore", "HID"]

    private static func files(_ all: [SourceNotes.Note]) -> String {
        let notes = modules.flatMap { module in all.filter { $0.file.hasPrefix("Sources/\(module)/") } }
        let words = SourceNotes.Kind.allCases
        var text = """
            Notes of the source files that imitate parts of iOS. The table counts the notes of each module:

            | module | \(words.map(\.rawValue).joined(separator: " | ")) |
            | --- |\(words.map { _ in " ---: |" }.joined())

            """
        for module in modules {
            let counts = words.map { word in
                notes.count { $0.kind == word && $0.file.hasPrefix("Sources/\(module)/") }
            }
            text += "| \(module) | \(counts.map(String.init).joined(separator: " | ")) |\n"
        }
        var file = ""
        var module = ""
        for note in notes {
            let folder = note.file.split(separator: "/")[1]
            if folder != module { text += "\n### \(folder)\n" }
            if note.file != file { text += "\n[\(note.file.dropFirst("Sources/".count))](../../\(note.file))\n\n" }
            (file, module) = (note.file, String(folder))
            text +=
                "- "
                + ([note.kind?.rawValue, note.text] as [String?]).compactMap { $0 }.filter { !$0.isEmpty }
                .joined(separator: ": ") + "\n"
        }
        return text
    }
}

/// What source files say of their sources: the `Sources` block of a header, and `Source:` in doc comments.
struct SourceNotes {
    enum Kind: String, CaseIterable { case documented, observed, inferred, invented }
    struct Note {
        var file: String
        /// Nil if the file names a source without one of the four words.
        var kind: Kind?
        var text: String
    }

    /// All notes by file, in the order of its lines.
    static func all() throws -> [Note] {
        let root = Repository.root.appending(path: "Sources")
        let paths = try #require(FileManager.default.subpaths(atPath: root.path)).filter { $0.hasSuffix(".swift") }
        return try paths.sorted().flatMap { path in
            try notes(in: String(contentsOf: root.appending(path: path), encoding: .utf8), file: "Sources/\(path)")
        }
    }

    static func notes(in text: String, file: String) -> [Note] {
        var notes: [Note] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var index = 0
        while index < lines.count {
            if lines[index].hasPrefix("// Sources ") {
                var entry = lines[index].dropFirst("// Sources".count)
                repeat {
                    add(entry, to: &notes, file)
                    index += 1
                    entry = index < lines.count ? lines[index].dropFirst(2) : ""
                } while index < lines.count && lines[index].hasPrefix("//  ")
                continue
            }
            if let found = lines[index].range(of: "Source: "), lines[index].contains("///") {
                var words = String(lines[index][found.upperBound...])
                var next = index + 1
                while !words.hasSuffix("."), next < lines.count, let comment = lines[next].range(of: "/// ") {
                    words += " " + lines[next][comment.upperBound...].trimmingCharacters(in: .whitespaces)
                    next += 1
                }
                let subject = declaration(after: index, in: lines).map { "`\($0)`: " } ?? ""
                let (kind, rest) = split(Substring(words))
                notes.append(Note(file: file, kind: kind, text: (subject + rest).trimmingCharacters(in: .whitespaces)))
            }
            index += 1
        }
        return notes
    }

    /// Adds a note if the line begins with one of the words, and otherwise extends the last note.
    private static func add(_ line: Substring, to notes: inout [Note], _ file: String) {
        let trimmed = line.trimmingCharacters(in: .whitespaces)
        let (kind, rest) = split(Substring(trimmed))
        if kind == nil, let last = notes.indices.last, notes[last].file == file {
            notes[last].text += (notes[last].text.isEmpty ? "" : " ") + trimmed
        } else {
            notes.append(Note(file: file, kind: kind, text: rest))
        }
    }

    private static func split(_ text: Substring) -> (Kind?, String) {
        for kind in Kind.allCases where text.hasPrefix(kind.rawValue) {
            let rest = text.dropFirst(kind.rawValue.count)
            guard rest.first?.isLetter != true else { continue }
            return (kind, String(rest.drop { " ,;:".contains($0) }))
        }
        return (nil, String(text))
    }

    /// Returns the declaration that a comment belongs to, with its nested type, such as `Tap.maxDuration`.
    private static func declaration(after index: Int, in lines: [Substring]) -> String? {
        guard let place = lines[(index + 1)...].firstIndex(where: { !$0.contains("///") }),
            let name = declaredName(in: lines[place])
        else { return nil }
        // A member of a nested type needs its type's name.
        let indentation = lines[place].prefix { $0 == " " }.count
        let types = ["struct", "enum", "class", "protocol"]
        guard indentation == 8,
            let owner = lines[..<place].last(where: {
                $0.hasPrefix("    ") && !$0.hasPrefix("     ") && !$0.hasPrefix("    }")
            }),
            types.contains(where: { owner.split(separator: " ").contains(Substring($0)) }),
            let type = declaredName(in: owner)
        else { return name }
        return "\(type).\(name)"
    }

    private static func declaredName(in line: Substring) -> String? {
        let words = line.split(separator: " ")
        let keywords = ["var", "let", "func", "init", "struct", "enum", "case", "class", "protocol", "extension"]
        guard
            let place = words.firstIndex(where: { word in keywords.contains { word == $0 || word.hasPrefix("init(") } })
        else { return nil }
        if words[place].hasPrefix("init") { return "init" }
        guard place + 1 < words.count else { return nil }
        return String(words[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
}
