import ArgumentParser
import Foundation
import Testbed
import Testing

@testable import touchline

/// A document that shows a command line which `touchline` refuses misleads its reader. Process tests run the commands;
/// this suite finds every line that a reader can copy, and has the program's own parser read it.
@Suite("Documented command lines")
struct DocumentedCommandTests {
    private struct Line: CustomStringConvertible {
        var page: String
        var number: Int
        var arguments: [String]
        var description: String { "\(page):\(number): touchline \(arguments.joined(separator: " "))" }
    }

    @Test("touchline accepts every command line of README and Docs")
    func parsed() throws {
        let lines = try lines()
        #expect(lines.count > 50)
        for line in lines {
            do {
                _ = try Touchline.parseAsRoot(joiningRange(line.arguments))
            } catch {
                Issue.record("\(line): \(Touchline.fullMessage(for: error))")
            }
        }
    }

    @Test("every subcommand is shown in a document besides the generated page")
    func shown() throws {
        let shown = Set(try lines().filter { $0.page != "Docs/Reference/Commands.md" }.compactMap(\.arguments.first))
        for command in Touchline.configuration.subcommands where command.configuration.shouldDisplay {
            let name = command._commandName
            #expect(shown.contains(name), "no document shows a command line of 'touchline \(name)'")
        }
    }

    /// The lines in code blocks that begin with `touchline`, alone or behind a prompt or a pipe.
    private func lines() throws -> [Line] {
        let docs = Repository.root.appending(path: "Docs")
        let pages = try FileManager.default.subpathsOfDirectory(atPath: docs.path)
            .filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }.sorted()
        return try (["README.md"] + pages).flatMap { page in
            let text = try String(contentsOf: Repository.root.appending(path: page), encoding: .utf8)
            var isCode = false
            var found: [Line] = []
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if line.hasPrefix("```") { isCode.toggle() }
                guard isCode else { continue }
                for command in commands(in: line) {
                    found.append(Line(page: page, number: index + 1, arguments: command))
                }
            }
            return found
        }
    }

    /// The arguments of each `touchline` command of a shell line; a line with a placeholder or grammar has none.
    private func commands(in line: Substring) -> [[String]] {
        var text = line.hasPrefix("$ ") ? line.dropFirst(2) : line
        if let comment = text.range(of: #"\s+#( .*)?$"#, options: .regularExpression) {
            text = text[..<comment.lowerBound]
        }
        guard text.first != " ", !text.contains("…"), !text.contains("["), !text.contains("─") else { return [] }
        return text.split(whereSeparator: { "|;&".contains($0) }).compactMap { command in
            let words = command.split(separator: " ").map(String.init)
            guard words.first == "touchline", words.count > 1 else { return nil }
            return Array(words.dropFirst())
        }
    }
}
