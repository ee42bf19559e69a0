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

    /// What `touchline conform --order ios --seed 1...100` does, with fewer seeds.
    @Test("in front of the app core alone, with what iOS leaves open shuffled", arguments: Repository.scenarioNames)
    func shuffledDirect(file: String) throws {
        for seed in 1...8 { try expectConformance(file, in: .direct, order: .ios(seed: UInt64(seed))) }
    }

    @Test("in front of all cores, with what iOS leaves open shuffled", arguments: Repository.scenarioNames)
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

    @Test("every scenario of the catalogue has a file")
    func complete() {
        // These are no numbers of the catalogue.
        let without = [78, 79]
        for number in 1...99 {
            let id = "S" + String(100 + number).dropFirst()
            let files = Repository.scenarioNames.filter { $0.hasPrefix(id) }
            #expect(files.isEmpty == without.contains(number), "files for \(id): \(files)")
        }
    }

    @Test("a scenario is skipped nowhere but where its own modes say so", arguments: Repository.scenarioNames)
    func skipped(file: String) throws {
        let scenario = try read(file)
        for mode in scenario.modes { #expect(scenario.reasonToSkip(in: mode) == nil) }
    }

    @Test("shuffling changes something: the recognisers of one touch are told in more than one order")
    func shuffles() throws {
        var scenario = try read("S37.yaml")
        var orders: [[String]] = []
        for seed in 1...8 {
            scenario.order = .ios(seed: UInt64(seed))
            let lines = try scenario.play(in: .direct).lines.map(\.text)
            if !orders.contains(lines) { orders.append(lines) }
        }
        #expect(orders.count > 1)
    }

    @Test("a file's id is its name", arguments: Repository.scenarioNames)
    func identity(file: String) throws {
        #expect(try read(file).id + ".yaml" == file)
    }
}
