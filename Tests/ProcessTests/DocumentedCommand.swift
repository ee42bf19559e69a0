import Foundation
import Testbed

/// A command line that a reader can copy from README or Docs.
struct DocumentedCommand: CustomStringConvertible {
    var page: String
    var number: Int
    /// The command as it is shown: `touchline trace S01`.
    var text: String

    var arguments: [String] { text.split(separator: " ").dropFirst().map(String.init) }
    var description: String { "\(page):\(number): \(text)" }

    /// The lines in code blocks that begin with `touchline`, alone or behind a prompt or a pipe.
    static func all() throws -> [DocumentedCommand] {
        let docs = Repository.root.appending(path: "Docs")
        let pages = try FileManager.default.subpathsOfDirectory(atPath: docs.path)
            .filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }.sorted()
        return try (["README.md"] + pages).flatMap { page in
            let text = try String(contentsOf: Repository.root.appending(path: page), encoding: .utf8)
            var isCode = false
            var found: [DocumentedCommand] = []
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if line.hasPrefix("```") { isCode.toggle() }
                guard isCode else { continue }
                for command in commands(in: line) {
                    found.append(DocumentedCommand(page: page, number: index + 1, text: command))
                }
            }
            return found
        }
    }

    /// Each `touchline` command of a shell line; a line with a placeholder or grammar has none.
    private static func commands(in line: Substring) -> [String] {
        var text = line.hasPrefix("$ ") ? line.dropFirst(2) : line
        if let comment = text.range(of: #"\s+#( .*)?$"#, options: .regularExpression) {
            text = text[..<comment.lowerBound]
        }
        guard text.first != " ", !text.contains("…"), !text.contains("["), !text.contains("─") else { return [] }
        return text.split(whereSeparator: { "|;&".contains($0) }).compactMap { command in
            let words = command.split(separator: " ")
            return words.first == "touchline" && words.count > 1 ? words.joined(separator: " ") : nil
        }
    }
}
