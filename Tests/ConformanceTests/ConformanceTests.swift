import Foundation
import Scenarios
import Testbed
import Testing

/// Reads a scenario from `topic/name.yaml`.
func read(_ file: String) throws -> Scenario {
    try Scenario(contentsOf: Repository.scenarios.appending(path: file).path)
}

@Suite("Conformance scenarios on a virtual clock")
struct ConformanceTests {
    @Test("a scenario passes with the app core alone", arguments: Repository.scenarioFiles)
    func direct(file: String) throws { try expectConformance(file, in: .direct) }

    @Test("a scenario passes with all cores", arguments: Repository.scenarioFiles)
    func simulated(file: String) throws { try expectConformance(file, in: .simulated) }

    /// Does what `touchline conform --order ios --seed 1...100` does, with fewer seeds.
    @Test("a scenario passes with the app core alone in shuffled orders", arguments: Repository.scenarioFiles)
    func shuffledDirect(file: String) throws {
        for seed in 1...8 { try expectConformance(file, in: .direct, order: .ios(seed: UInt64(seed))) }
    }

    @Test("a scenario passes with all cores in shuffled orders", arguments: Repository.scenarioFiles)
    func shuffledSimulated(file: String) throws {
        for seed in 9...10 { try expectConformance(file, in: .simulated, order: .ios(seed: UInt64(seed))) }
    }

    private func expectConformance(
        _ file: String, in mode: Scenario.Mode, order: DeliveryOrder = .deterministic
    ) throws {
        var scenario = try read(file)
        scenario.order = order
        guard scenario.reasonToSkip(in: mode) == nil else { return }
        let outcome = scenario.judge(try scenario.play(in: mode), in: mode)
        guard case .failed(let difference) = outcome else { return }
        Issue.record("\(scenario.id) in \(mode.rawValue), \(order):\n\(difference.joined(separator: "\n"))")
    }

    @Test("every scenario number of the catalogue has a file")
    func complete() {
        // The catalogue does not use these numbers.
        let without = [78, 79]
        let entries = ScenarioLibrary(folder: Repository.scenarios.path).entries
        for number in 1...99 {
            let id = "S" + String(100 + number).dropFirst()
            let files = entries.filter { $0.id?.wholeMatch(of: /(S[0-9]+).*/)?.1 == id[...] }.map(\.path)
            #expect(files.isEmpty == without.contains(number), "files for \(id): \(files)")
        }
    }

    @Test("a scenario can be played in each of its modes", arguments: Repository.scenarioFiles)
    func skipped(file: String) throws {
        let scenario = try read(file)
        for mode in scenario.modes { #expect(scenario.reasonToSkip(in: mode) == nil) }
    }

    @Test("shuffled orders notify the recognizers of S37 in different orders")
    func shuffles() throws {
        var scenario = try Scenario(contentsOf: Repository.scenario("S37").path)
        var orders: [[String]] = []
        for seed in 1...8 {
            scenario.order = .ios(seed: UInt64(seed))
            let lines = try scenario.play(in: .direct).lines.map(\.text)
            if !orders.contains(lines) { orders.append(lines) }
        }
        #expect(orders.count > 1)
    }

    @Test("every scenario has an id, and no two have the same")
    func identity() throws {
        let library = ScenarioLibrary(folder: Repository.scenarios.path)
        #expect(library.entries.count == Repository.scenarioFiles.count)
        #expect(library.duplicates == [])
        for entry in library.entries {
            let id = try #require(entry.id, "\(entry.path) has no id")
            #expect(Repository.scenario(id).path == entry.path)
        }
    }

    @Test("a scenario file has a lower-case path of topic and words", arguments: Repository.scenarioFiles)
    func names(file: String) {
        let isNamed = file.wholeMatch(of: /[a-z]+(-[a-z]+)*\/[a-z0-9]+(-[a-z0-9]+)*\.yaml/) != nil
        #expect(isNamed, "\(file)")
        #expect(file.wholeMatch(of: /.*\/s[0-9]+[a-z]?[0-9]?\.yaml/) == nil, "\(file) is named by its number")
    }
}
