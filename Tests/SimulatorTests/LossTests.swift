import Audit
import Basics
import Faults
import Simulator
import Testbed
import Testing
import Wire

/// Fault F6 on the links of every peer. `touchline simulate` runs more seeds than a test has time for.
@Suite("Links that lose, duplicate and reorder")
struct LossTests {

    @Test(
        "links with 5 % loss, duplicates and reordering break no law",
        arguments: [[FaultKind.loss], [.duplicate], [.reorder], [.loss, .duplicate, .reorder]])
    func laws(words: [FaultKind]) {
        for seed in 1...Sanitizer.seeds(25) {
            var options = SimulationOptions()
            options.length = .seconds(5)
            let peers = [Peer.inputKit, .systemServer, .app(1), .app(2)]
            options.faults = .plan(
                FaultPlan(
                    words.flatMap { word in
                        peers.map { Fault(at: .zero, word, $0, amount: 0.05, for: options.length) }
                    }))
            var run = SimulatedRun(seed: seed, options: options)
            // The run also checks I2, from 700 ms after the last fault on: a lost frame is requested after 100 ms at
            // the earliest.
            let violations = run.run().violations
            #expect(violations.isEmpty, "seed \(seed): \(violations.prefix(4))")
        }
    }

    @Test("a stopped process leaves no touch, and a tap works afterwards")
    func stops() {
        for seed in 1...Sanitizer.seeds(25) {
            var options = SimulationOptions()
            options.length = .seconds(15)
            let peers = [Peer.inputKit, .systemServer, .app(1)]
            let lengths: [Duration] = [.milliseconds(100), .seconds(1), .seconds(3)]
            options.faults = .plan(
                FaultPlan(
                    [
                        Fault(
                            at: .milliseconds(200 + 37 * Int(seed)), .stop, peers[Int(seed) % 3],
                            for: lengths[Int(seed / 3) % 3])
                    ]))
            var run = SimulatedRun(seed: seed, options: options)
            let violations = run.run().violations
            #expect(violations.isEmpty, "seed \(seed): \(violations.prefix(4))")
        }
    }
}
