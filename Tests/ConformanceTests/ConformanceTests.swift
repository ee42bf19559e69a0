import Foundation
import Scenarios
import Testbed
import Testing

func read(_ name: String) throws -> Scenario {
    try Scenario(contentsOf: Repository.scenarios.appending(path: name).path)
}

@Suite("What SEMANTICS says is observed, on a virtual clock")
struct ConformanceTests {
    @Test("in front of the app core alone", arguments: Repository.scenarioNames)
    func direct(file: String) throws { try expectConformance(file, in: .direct) }

    @Test("in front of all cores", arguments: Repository.scenarioNames)
    func simulated(file: String) throws { try expectConformance(file, in: .simulated) }

    private func expectConformance(_ file: String, in mode: Scenario.Mode) throws {
        let scenario = try read(file)
        guard scenario.reasonToSkip(in: mode) == nil else { return }
        let outcome = scenario.judge(try scenario.play(in: mode), in: mode)
        guard case .failed(let difference) = outcome else { return }
        Issue.record("\(scenario.id) in \(mode.rawValue):\n\(difference.joined(separator: "\n"))")
    }

    @Test("the catalogue's scenarios of this stage are all there")
    func complete() {
        let expected = (1...18).map { $0 < 10 ? "S0\($0)" : "S\($0)" } + ["S84", "S84b", "S85", "S88", "S90", "S92"]
        for id in expected {
            #expect(Repository.scenarioNames.contains { $0.hasPrefix(id) }, "no file for \(id)")
        }
    }

    @Test("a file's id is its name", arguments: Repository.scenarioNames)
    func identity(file: String) throws {
        #expect(try read(file).id + ".yaml" == file)
    }
}
