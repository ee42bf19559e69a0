// ProgramOptions.swift: the command line of input-kit, system-server or app.
//
//     arguments ─▶ parse ─▶ the values of the options
//                      └──▶ CommandLineEnd: the text of --help, or an error with the usage
//
// A supervisor starts these programs without arguments; a person has some. `touchline` reads its command lines with
// swift-argument-parser. Here that library would cost each process a fifth of its start and 3 MB
// (Docs/Decisions/StartAndMemory.md). The errors are in its words.
//
// Sources   invented

import Basics

/// An option with a value: `--name <value>` or `--name=<value>`.
public struct ProgramOption: Sendable {
    let name: String
    let valueName: String
    let help: String
    let isRepeating: Bool

    /// - Parameters:
    ///   - name: The name without dashes.
    ///   - valueName: The word for the value in the help.
    ///   - help: The sentence of the help.
    ///   - isRepeating: Whether the option may be given several times. Otherwise the last value holds.
    public init(_ name: String, _ valueName: String, _ help: String, isRepeating: Bool = false) {
        (self.name, self.valueName, self.help, self.isRepeating) = (name, valueName, help, isRepeating)
    }

    /// The folder of a process without a supervisor.
    public static let runDirectory = Self("run-dir", "folder", "Run without a supervisor, in this folder.")
    /// A setting of a process without a supervisor.
    public static let setting = Self(
        "set", "key=value", "Change one key of the configuration; may be repeated.", isRepeating: true)

    var usage: String { "--\(name) <\(valueName)>" }
}

/// A command line after which the program ends.
public enum CommandLineEnd: Error, Equatable {
    /// The text of --help, for stdout.
    case help(String)
    /// The error and the usage, for stderr.
    case error(String)
}

/// The options of a program.
public struct ProgramOptions: Sendable {
    /// The values of a command line.
    public struct Values {
        fileprivate var given: [(name: String, value: String)] = []

        /// The last value of the option; nil without one.
        public subscript(name: String) -> String? { given.last { $0.name == name }?.value }

        /// The last value of the option; nil without one.
        public subscript(option: ProgramOption) -> String? { self[option.name] }

        /// All values of the option, in the order given.
        public func all(_ name: String) -> [String] { given.filter { $0.name == name }.map(\.value) }
    }

    private let program: String
    private let abstract: String
    private let discussion: String
    private let options: [ProgramOption]

    /// - Parameters:
    ///   - program: The name of the program.
    ///   - abstract: The first sentence of the help.
    ///   - discussion: Paragraphs, with an empty line between two of them.
    ///   - options: In the order of the help.
    public init(_ program: String, abstract: String, discussion: String, _ options: [ProgramOption]) {
        (self.program, self.abstract, self.discussion, self.options) = (program, abstract, discussion, options)
    }

    /// Reads the command line of this process. On --help or an error it prints and ends the process.
    public func parseCommandLine() -> Values {
        do throws(CommandLineEnd) { return try parse(Array(CommandLine.arguments.dropFirst())) } catch { end(error) }
    }

    /// Ends the process because of a value.
    public func refuse(_ line: String) -> Never { end(refusal(line)) }

    private func end(_ end: CommandLineEnd) -> Never {
        switch end {
        case .help(let text): ProcessSetup.endProcess(printing: text, status: 0)
        case .error(let text): ProcessSetup.endProcess(printing: text, status: 2)
        }
    }

    /// Reads arguments.
    ///
    /// - Throws: `.help` for --help, `.error` for the first argument that cannot be used.
    func parse(_ arguments: [String]) throws(CommandLineEnd) -> Values {
        var values = Values()
        var rest = arguments[...]
        if arguments.contains(where: { $0 == "--help" || $0 == "-h" }) { throw .help(help) }
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument.utf8.count > 1 else {
                throw refusal("Unexpected argument '\(argument)'")
            }
            let equals = argument.firstIndex(of: "=")
            let word = String(argument[..<(equals ?? argument.endIndex)])
            guard let option = options.first(where: { "--\($0.name)" == word }) else {
                let near = nearestName(to: word, among: options.map { "--\($0.name)" })
                throw refusal("Unknown option '\(word)'" + (near.map { ". Did you mean '\($0)'?" } ?? ""))
            }
            if let equals {
                values.given.append((option.name, String(argument[argument.index(after: equals)...])))
            } else if let value = rest.first, !value.hasPrefix("-") || value.utf8.count == 1 {
                values.given.append((option.name, rest.removeFirst()))
            } else {
                throw refusal("Missing value for '\(option.usage)'", helpOf: option)
            }
        }
        return values
    }

    private func refusal(_ line: String, helpOf option: ProgramOption? = nil) -> CommandLineEnd {
        let help = option.map { "Help:  \($0.usage)  \($0.help)\n" } ?? ""
        return .error("Error: \(line)\n\(help)Usage: \(usage)\n  See '\(program) --help' for more information.")
    }

    // MARK: Help

    private var usage: String {
        ([program] + options.map { "[\($0.usage)\($0.isRepeating ? " ..." : "")]" }).joined(separator: " ")
    }

    private static let width = 80
    private static let helpColumn = 26

    private var help: String {
        let rows = (options.map { ($0.usage, $0.help) } + [("-h, --help", "Show help information.")]).map {
            label, text in
            let space = String(repeating: " ", count: max(1, Self.helpColumn - 2 - label.utf8.count))
            let lines = Self.wrapped(text, width: Self.width - Self.helpColumn)
            return "  " + label + space
                + lines.joined(separator: "\n" + String(repeating: " ", count: Self.helpColumn)) + "\n"
        }
        let paragraphs = discussion.split(separator: "\n", omittingEmptySubsequences: true)
            .map { Self.wrapped(String($0), width: Self.width).joined(separator: "\n") + "\n" }
        return Self.wrapped("OVERVIEW: \(abstract)", width: Self.width).joined(separator: "\n")
            + "\n\n\(paragraphs.joined(separator: "\n"))\nUSAGE: \(usage)\n\nOPTIONS:\n\(rows.joined())"
    }

    /// Breaks a text between words into lines of at most `width` bytes.
    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.utf8.count + 1 + word.utf8.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
