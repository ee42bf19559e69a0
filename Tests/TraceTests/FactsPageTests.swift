import Foundation
import Testbed
import Testing
import Trace

/// Docs/Reference/Facts.md is generated from the templates in Sources. A template is a literal where the fact is noted;
/// a table of them would cost every fact a look-up.
@Suite("Docs/Reference/Facts.md")
struct FactsPageTests {
    @Test("Docs/Reference/Facts.md matches the templates in Sources")
    func page() throws {
        let facts = try NotedFact.all()
        var text = Self.head
        for station in Station.allCases {
            let noted = facts.filter { $0.station == station }.sorted { $0.template < $1.template }
            guard !noted.isEmpty else { continue }
            let rows = noted.map { fact in
                [
                    "`\(fact.template.replacing("|", with: "\\|"))`", fact.values,
                    fact.files.map { "`\($0)`" }.joined(separator: ", "),
                ]
            }
            text += "\n## \(station.rawValue)\n\n\(markdownTable(["fact", "values", "noted in"], rows))\n"
        }
        expectDocument("Docs/Reference/Facts.md", equals: text)
    }

    @Test("each call that notes a fact has its template on the facts page")
    func complete() throws {
        let facts = try NotedFact.all()
        #expect(facts.count > 150)
        for file in try NotedFact.sources() {
            for call in file.text.matches(of: NotedFact.anyCall) where !call.2.hasPrefix("\"") {
                #expect(
                    NotedFact.forwards[file.path] != nil,
                    "\(file.path) notes a fact without a literal template: add the file to NotedFact.forwards")
            }
            for literal in file.text.matches(of: /"[^"\n\\]*\{[abcd](?::[a-z])?\}[^"\n\\]*"/) {
                let template = String(literal.0.dropFirst().dropLast())
                #expect(
                    facts.contains { $0.template == template && $0.files.contains(file.path) },
                    "\(file.path): Docs/Reference/Facts.md lacks \(template)")
            }
        }
    }

    private static let head = """
        # Facts

        Written by a test, from the literals in `Sources`. A fact is one typed observation of a process: a time, a
        [station](../Architecture.md#the-stations-of-an-event), a template and at most four values. `touchline trace --facts`, `touchline up
        --trace` and `touchline demo` print facts as lines:

        ```
           500.000 ms  gesture    long press on pad began
        ```

        A template is one fact's text and its only name. Its placeholders stand for the values:

        | placeholder | value |
        | --- | --- |
        | `{a}` | a whole number |
        | `{a:n}` | a name: a word of the process's name table |
        | `{a:t}` | a duration, printed in milliseconds |
        | `{a:m}` | a moment on the process's clock, printed in milliseconds since the beginning of the trace |
        | `{a:p}` | points |
        | `{a:f}` | a 16.16 fixed point number in the panel's units, 0 to 1 |
        | `{a:k}` | the number of a key |
        | `{a:x}` | hexadecimal |

        Positions and keys are printed as `hidden` where the settings [`trace`](Settings.md#trace) or a secure window hide them.

        ## Time of a fact

        All facts of one run-loop turn have the same time: the moment at which the turn began. A core reads no clock. The host passes one
        time with each input, and everything that the core does for this input happens at that time. So a run can be repeated with the
        same times from a script, from a journal or from a seed. Facts of one time are listed in the order in which they happened. How
        long a step of one turn takes is therefore not visible in facts: `touchline bench dispatch` measures it.

        """
}

/// A template in a source file.
private struct NotedFact {
    var station: Station
    var template: String
    var files: [String]

    /// Files with a function that notes a fact with the template of its caller, and the station of these facts.
    static let forwards: [String: Station] = [
        "Sources/AppCore/AppCore.swift": .inbox,
        "Sources/UIKit/Engine/Observation/UIKitFacts.swift": .gesture,
        "Sources/UIKit/Engine/Observation/UIKitFacts+Gestures.swift": .gesture,
    ]

    /// A call of `note` with a station, which is followed by a template or by a variable.
    static var anyCall: Regex<(Substring, Substring, Substring)> {
        /\bnote\(\s*(?:[\w.]+,\s*)?\.(device|hid|frame|router|inbox|source1|source0|queue|event|hitTest|gesture|responder|action|process|loop|app),\s*("(?:[^"\\]|\\.)*"|\w+)/
            .wordBoundaryKind(.simple)
    }

    /// A template without a station: `note(view, "…"`, `orNote: "…"`, `case .refused: "…"`.
    private static var forwardedCall: Regex<(Substring, Substring)> {
        /(?:\bnote\(\s*(?:\w+,\s*){0,2}|\borNote:\s*|\bcase \.\w+: )"([^"\\\n]+)"/
            .wordBoundaryKind(.simple)
    }

    /// Modules that note facts. Explain and Wire only read templates.
    private static let modules = [
        "InputKitCore", "SystemServerCore", "AppCore", "UIKit", "SupervisorCore", "ZeroMQHost",
    ]

    /// What the placeholders stand for, in the order of the text.
    var values: String {
        let kinds = [
            "": "number", ":n": "name", ":t": "duration", ":m": "moment", ":p": "points", ":f": "position",
            ":k": "key", ":x": "bits",
        ]
        return template.matches(of: /\{([abcd])(:[a-z])?\}/)
            .map { "`\($0.1)` \(kinds[String($0.2 ?? "")] ?? "?")" }.joined(separator: ", ")
    }

    static func sources() throws -> [(path: String, text: String)] {
        try modules.flatMap { module in
            let folder = Repository.root.appending(path: "Sources/\(module)")
            return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
                .sorted()
                .map {
                    ("Sources/\(module)/\($0)", try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
                }
        }
    }

    static func all() throws -> [NotedFact] {
        var facts: [NotedFact] = []
        func add(_ station: Station, _ template: Substring, in file: String) {
            let known = facts.firstIndex { $0.station == station && $0.template == template }
            guard let known else {
                facts.append(NotedFact(station: station, template: String(template), files: [file]))
                return
            }
            if !facts[known].files.contains(file) { facts[known].files.append(file) }
        }
        for file in try sources() {
            for call in file.text.matches(of: anyCall) where call.2.hasPrefix("\"") {
                add(Station(rawValue: String(call.1))!, call.2.dropFirst().dropLast(), in: file.path)
            }
            guard let station = forwards[file.path] else { continue }
            for call in file.text.matches(of: forwardedCall) {
                let isCase = call.0.hasPrefix("case ")
                if !isCase || call.1.contains("{") { add(station, call.1, in: file.path) }
            }
        }
        return facts
    }
}
