import Faults
import Foundation
import Simulator
import Testing
import Wire

/// Law I9, and a gate: code that depends on the order of a hash or on a clock differs from process to process.
@Suite("Determinism")
struct DeterminismTests {

    @Test("a seed gives the same digests in two processes with different hashes")
    func twoProcesses() async throws {
        let first = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            tellSeeds()
        }
        let second = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            tellSeeds()
        }
        let (one, two) = (try told(first), try told(second))
        #expect(one.digests.count == tellingSeeds.count && one.digests == two.digests)
        guard ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] == nil else {
            return print("SWIFT_DETERMINISTIC_HASHING is set: nothing was shown of hashes")
        }
        // With equal hashes this test could not fail.
        #expect(one.hash != two.hash)
    }

    private func told(_ result: ExitTest.Result?) throws -> (hash: Substring, digests: [Substring]) {
        let text = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
        let lines = text.split(separator: "\n")
        return (
            try #require(lines.first { $0.hasPrefix("hash ") }), lines.filter { $0.hasPrefix("seed ") }
        )
    }
}

private let tellingSeeds: ClosedRange<UInt64> = 1...12

/// Prints a line for this process's hashing, and one for each seed.
private func tellSeeds() {
    var options = SimulationOptions()
    options.length = .seconds(2)
    options.faults = .profile(
        FaultProfile([
            FaultRule(.kill, chance: 0.5, targets: [.apps, .peer(.systemServer), .peer(.inputKit)], every: 0.5...2),
            FaultRule(.loss, chance: 0.5, targets: [.apps, .peer(.inputKit)], amount: 0.01...0.1),
            FaultRule(.duplicate, chance: 0.5, targets: [.apps, .peer(.inputKit)], amount: 0.01...0.1),
        ]))
    print("hash \("touchline".hashValue)")
    for seed in tellingSeeds {
        var run = SimulatedRun(seed: seed, options: options)
        let result = run.run()
        print("seed \(seed): \(result.digest) after \(result.coreEvents) core events")
    }
}
