import ArgumentParser
import Foundation
import Testbed
import Testing

@testable import touchline

/// A document that shows a command line which `touchline` refuses misleads its reader. Process tests run the commands;
/// this suite finds every line that a reader can copy, and has the program's own parser read it.
@Suite("Documented command lines")
struct DocumentedCommandTests {
    @Test("touchline accepts every command line of README and Docs")
    func parsed() throws {
        let lines = try DocumentedCommand.all()
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
        let shown = Set(
            try DocumentedCommand.all().filter { $0.page != "Docs/Reference/Commands.md" }.compactMap(\.arguments.first)
        )
        for command in Touchline.configuration.subcommands where command.configuration.shouldDisplay {
            let name = command._commandName
            #expect(shown.contains(name), "no document shows a command line of 'touchline \(name)'")
        }
    }
}
