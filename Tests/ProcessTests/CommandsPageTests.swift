import ArgumentParser
import Foundation
import Testbed
import Testing

@testable import touchline

/// Docs/Reference/Commands.md is generated from what `touchline --experimental-dump-help` prints, in the groups of
/// `touchline --help`.
@Suite("Docs/Reference/Commands.md")
struct CommandsPageTests {
    @Test("Docs/Reference/Commands.md matches the program's own help")
    func page() throws {
        let commands = try CommandHelp.read().visibleSubcommands
        var groups = Touchline.configuration.groupedSubcommands.map { group in
            let names = group.subcommands.map { $0._commandName }
            return (name: group.name, commands: names.compactMap { name in commands.first { $0.commandName == name } })
        }
        let grouped = Set(groups.flatMap { $0.commands.map(\.commandName) })
        let rest = commands.filter { !grouped.contains($0.commandName) }
        if !rest.isEmpty { groups.append(("Other commands", rest)) }
        var text = Self.head + "\n## Exit codes\n\n" + Self.exitCodes() + "\n"
        text += "\n## Tasks\n\n| task | commands |\n| --- | --- |\n"
        for group in groups where !group.commands.isEmpty {
            let links = group.commands.map { "[\($0.commandName)](#touchline-\($0.commandName.lowercased()))" }
            text += "| \(group.name) | \(links.joined(separator: ", ")) |\n"
        }
        for group in groups where !group.commands.isEmpty {
            text += "\n## \(group.name)\n"
            for command in group.commands { text += command.text(below: "touchline", level: 3) }
        }
        expectDocument("Docs/Reference/Commands.md", equals: text)
    }

    private static let head = """
        # Commands

        Written by a test, from the help of the program. `touchline help COMMAND` prints the same text. [Command
        examples](CommandExamples.md) shows the commands by task with one line each, and [Before the first
        command](../HowTo/README.md#before-the-first-command) says how to build the program.

        Every command has the options `--help` and `--version`; the tables leave them out. `<name>` stands for a value, `[…]` for a part
        that may be absent, `...` for a part that may be repeated. Errors are one line on stderr: the position, what was expected, what
        was found.

        """

    /// The exit codes of every command, from the discussion of `touchline --help`.
    private static func exitCodes() -> String {
        let rows = Touchline.configuration.discussion.matches(of: /(?m)^ +(\d) +(.+)$/).map {
            [String($0.1), String($0.2)]
        }
        #expect(rows.map { $0[0] } == ["0", "1", "2", "3"], "`touchline --help` lists the exit codes")
        return markdownTable(["code", "meaning"], rows)
    }
}

extension CommandHelp {
    private var shownArguments: [Argument] {
        (arguments ?? []).filter { $0.shouldDisplay && !["help", "version"].contains($0.valueName) }
    }

    /// The sections of the command and its subcommands.
    fileprivate func text(below parent: String, level: Int) -> String {
        let name = "\(parent) \(commandName)"
        let inner = visibleSubcommands
        let positional = shownArguments.filter { $0.kind == "positional" }
        let options = shownArguments.filter { $0.kind != "positional" }
        let usage =
            [name] + positional.map(\.usage) + (inner.isEmpty ? [] : ["<subcommand>"])
            + (options.isEmpty ? [] : ["[options]"])
        var text = "\n\(String(repeating: "#", count: level)) \(name)\n"
        if let abstract, !abstract.isEmpty { text += "\n\(Markdown.prose(abstract))\n" }
        text += "\nUsage: `\(usage.joined(separator: " "))`\n"
        if !shownArguments.isEmpty {
            let rows = (positional + options).map(\.row)
            text += "\n\(markdownTable(["argument or option", "default", "values", "meaning"], rows))\n"
        }
        if let discussion, !discussion.isEmpty { text += "\n\(Markdown.blocks(discussion))\n" }
        for command in inner { text += command.text(below: name, level: level + 1) }
        return text
    }
}

extension CommandHelp.Argument {
    /// `<file>`, `[<file> ...]`
    fileprivate var usage: String {
        let value = "<\(valueName ?? "value")>" + (isRepeating ? " ..." : "")
        return isOptional ? "[\(value)]" : value
    }

    fileprivate var row: [String] {
        let spelled = (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }.joined(separator: ", ")
        let value = kind == "option" ? " <\(valueName ?? "value")>" : ""
        let what = kind == "positional" ? usage : spelled + value + (isRepeating ? " ..." : "")
        let meaning = [abstract, discussion].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
        let values = (allValues ?? []).map { "`\($0)`" }.joined(separator: ", ")
        let standard = defaultValue.map { "`\($0)`" } ?? (isOptional ? "" : "required")
        return [
            "`\(what.replacing("|", with: "\\|"))`", standard, values,
            Markdown.prose(meaning).replacing("|", with: "\\|").replacing("\n", with: " "),
        ]
    }
}

/// Help text as Markdown.
private enum Markdown {
    /// Escapes the characters that Markdown would interpret, outside of code.
    static func prose(_ text: String) -> String {
        let parts = text.components(separatedBy: "`")
        return parts.enumerated().map { index, part in
            index % 2 == 1 ? part : part.replacing("<", with: "\\<").replacing("*", with: "\\*")
        }.joined(separator: "`")
    }

    /// Paragraphs, and indented lines as blocks of code. A line of capitals is a title.
    static func blocks(_ text: String) -> String {
        var out: [String] = []
        var code: [Substring] = []
        func endCode() {
            while code.last?.isEmpty == true { code.removeLast() }
            guard !code.isEmpty else { return }
            let indent = code.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
            out.append("```\n\(code.map { $0.dropFirst(indent) }.joined(separator: "\n"))\n```")
            code = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(" ") || (line.isEmpty && !code.isEmpty) {
                code.append(line)
                continue
            }
            endCode()
            guard !line.isEmpty else { continue }
            let isTitle = line.allSatisfy { $0.isUppercase || $0 == " " }
            out.append(isTitle ? "**\(line.capitalized)**" : prose(String(line)))
        }
        endCode()
        return out.joined(separator: "\n\n")
    }
}
