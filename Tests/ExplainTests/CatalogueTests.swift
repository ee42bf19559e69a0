import Basics
@testable import Explain
import Foundation
import Runs
import Scenarios
import Testbed
import Testing

/// The root cause of each interaction of the catalogue is written to Docs/Reference/RootCauses.md.
@Suite("Explanations of the catalogue")
struct CatalogueTests {
    private struct Played {
        let id: String
        let title: String
        let interactions: [Interaction]
        let zero: Instant
    }

    private static func played() throws -> [Played] {
        let library = ScenarioLibrary(folder: Repository.root.appending(path: "Tests/Conformance").path)
        return try library.entries.compactMap { entry in
            let scenario = try Scenario(contentsOf: entry.path)
            guard scenario.reasonToSkip(in: .simulated) == nil else { return nil }
            let run = try ObservedRun(of: scenario)
            return Played(
                id: scenario.id, title: scenario.title, interactions: Array(run.explained.interactions), zero: run.zero)
        }
    }

    @Test("Docs/Reference/RootCauses.md gives the root cause of each interaction of the catalogue")
    func page() throws {
        var rows: [[String]] = []
        for play in try Self.played() {
            for (index, interaction) in play.interactions.enumerated() {
                let cause = interaction.cause.phrase.text(in: .english, since: play.zero)
                rows.append([
                    index == 0 ? play.id : "", index == 0 ? play.title : "", interaction.subject.shortName,
                    "`\(interaction.cause.code)`", cause,
                ])
            }
        }
        // Two scenarios have no input.
        let numbers = Set(rows.map { $0[0].dropFirst().prefix(while: \.isNumber) })
        let without = (1...99).map { $0 < 10 ? "0\($0)" : "\($0)" }.filter { !numbers.contains($0[...]) }
        #expect(without == ["78", "79"])
        expectDocument(
            "Docs/Reference/RootCauses.md",
            equals: Self.head
                + markdownTable(
                    ["scenario", "what it shows", "input", "code", "root cause"],
                    rows.map { $0.map { $0.replacing("|", with: "\\|") } }) + "\n")
    }

    @Test("every sentence and reason of the catalogue has a Japanese and a Chinese text")
    func languages() throws {
        var untranslated: [String] = []
        for play in try Self.played() {
            for interaction in play.interactions {
                for phrase in interaction.steps.map(\.phrase) + [interaction.cause.phrase] {
                    for language in [Language.japanese, .chinese] {
                        for case .reason(let reason) in phrase.values
                        where Reason.text(of: reason, in: language) == reason && !untranslated.contains(reason) {
                            untranslated.append(reason)
                        }
                        let text = phrase.text(in: language)
                        if text == phrase.text(in: .english), !untranslated.contains(text) { untranslated.append(text) }
                    }
                }
            }
        }
        #expect(untranslated == [])
    }

    private static let head = """
        # Root causes

        Written by a test: what `touchline explain` says of each input of the conformance scenarios, in the simulator. The code is
        the field `cause` of `touchline explain --json`.


        """
}

extension Interaction.Subject {
    fileprivate var shortName: String {
        switch self {
        case .finger(let contact, _): "finger \(contact)"
        case .input(let name): name
        }
    }
}
