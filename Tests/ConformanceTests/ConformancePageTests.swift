import Foundation
import Scenarios
import Testbed
import Testing

/// Docs/Reference/Conformance.md is generated: the index of the scenario files.
@Suite("The index of Tests/Conformance")
struct ConformancePageTests {
    @Test("Docs/Reference/Conformance.md lists every scenario by topic")
    func page() throws {
        let topics = try Topic.all()
        var text = """
            # Conformance

            The scenarios of iOS behavior, by topic. A test writes this page from [Tests/Conformance](../../Tests/Conformance), which has a
            folder for each topic and a file for each scenario. `touchline conform` plays each scenario in every mode and compares the lines
            with those of its file; `touchline conform S14a` plays one by its id. [Scenarios](Scenarios.md) explains the language,
            [Fidelity](Fidelity.md) the words of *how it is known* and the tags of sources.

            | topic | scenarios |
            | --- | ---: |
            \(topics.map { "| [\($0.folder)](#\($0.folder)) | \($0.scenarios.count) |" }.joined(separator: "\n"))

            """
        for topic in topics {
            text += """

                ## \(topic.folder)

                | scenario | what it shows | how it is known | rule from |
                | --- | --- | --- | --- |
                \(topic.scenarios.map(row).joined(separator: "\n"))

                """
        }
        expectDocument("Docs/Reference/Conformance.md", equals: text)
    }

    private func row(_ file: String, _ scenario: Scenario) -> String {
        "| [\(scenario.id)](../../Tests/Conformance/\(file)) | \(scenario.title) | \(scenario.kind.howKnown) "
            + "| \(scenario.source.joined(separator: ", ")) |"
    }
}

/// One folder of Tests/Conformance.
struct Topic {
    var folder: String
    /// The scenarios in the order of their ids.
    var scenarios: [(file: String, scenario: Scenario)]

    /// All topics in the order of their names.
    static func all() throws -> [Topic] {
        var topics: [Topic] = []
        for entry in ScenarioLibrary(folder: Repository.scenarios.path).entries {
            let file = String(entry.path.dropFirst(Repository.scenarios.path.count + 1))
            let folder = String(file.prefix { $0 != "/" })
            let scenario = (file, try read(file))
            if let index = topics.firstIndex(where: { $0.folder == folder }) {
                topics[index].scenarios.append(scenario)
            } else {
                topics.append(Topic(folder: folder, scenarios: [scenario]))
            }
        }
        return topics.sorted { $0.folder < $1.folder }
    }
}

extension Scenario.Kind {
    /// The kind in the words of Docs/Reference/Fidelity.md.
    var howKnown: String {
        switch self {
        case .golden: "observed: the log is printed"
        case .reconstructed: "observed: the log is printed; its position was restored"
        case .prose: "observed: described, without a log"
        case .derived: "inferred from rules"
        }
    }
}
