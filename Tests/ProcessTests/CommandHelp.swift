import Foundation
import Testing

/// The help of `touchline`, as the built program prints it for programs (`--experimental-dump-help`).
struct CommandHelp: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var shouldDisplay: Bool
        var names: [Name]?
        var valueName: String?
        var defaultValue: String?
        var abstract: String?
        var discussion: String?
        var allValues: [String]?
        var isOptional: Bool
        var isRepeating: Bool

        var texts: [String] { [abstract, discussion].compactMap { $0 } }
    }

    var commandName: String
    var superCommands: [String]?
    var abstract: String?
    var discussion: String?
    var shouldDisplay: Bool
    var subcommands: [CommandHelp]?
    var arguments: [Argument]?

    /// The command as typed: `input tap`.
    var path: String { ((superCommands ?? []) + [commandName]).dropFirst().joined(separator: " ") }

    /// The visible subcommands of this command. ArgumentParser adds `help`.
    var visibleSubcommands: [CommandHelp] {
        (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
    }

    /// The visible commands below this one, at every level.
    var visible: [CommandHelp] { visibleSubcommands.flatMap { [$0] + $0.visible } }

    /// The visible options and flags, each with its names.
    var options: [(name: String, argument: Argument)] {
        (arguments ?? []).filter { $0.shouldDisplay && $0.kind != "positional" }.flatMap { argument in
            (argument.names ?? []).map { ($0.name, argument) }
        }
    }

    static func read() throws -> CommandHelp {
        struct Tool: Decodable { var command: CommandHelp }
        let result = try Program.run(["--experimental-dump-help"])
        #expect(result.status == 0, "\(result.err)")
        return try JSONDecoder().decode(Tool.self, from: Data(result.out.utf8)).command
    }
}
