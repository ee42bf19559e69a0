import Faults
import Hosting
import Testbed
import Testing
import Wire

@testable import Simulator

@Suite("What simulated runs can reach")
struct PossibleFeaturesTests {

    @Test("what seeds reach is in the list of what they can reach, with the same names")
    func names() throws {
        var options = SimulationOptions()
        (options.length, options.drawsSettings, options.drawsApps) = (.seconds(4), true, true)
        (options.faults, options.collectsCoverage) = (.profile(.standard), true)
        var reached: Set<String> = []
        for seed in 1...30 {
            var run = SimulatedRun(seed: UInt64(seed), options: options)
            reached.formUnion(run.run().features)
        }
        let possible = PossibleFeatures(options)
        let all = possible.unreached(by: [])
        let rest = possible.unreached(by: Array(reached))
        #expect(all.map(\.kind) == ["machine", "message", "fault", "faults"])
        #expect(all.allSatisfy { $0.names.count == $0.possible && Set($0.names).count == $0.possible })
        for (before, after) in zip(all, rest) {
            #expect(before.kind == after.kind && before.possible == after.possible)
            #expect(Set(after.names).isSubset(of: before.names))
            #expect(after.names.count < before.names.count, "\(before.kind): nothing was reached")
            let own = reached.filter { $0.hasPrefix("\(before.kind) ") }
            // Each name that a run gives is one of the list; a reader of machines also sees several steps as one.
            if before.kind == "machine" {
                #expect(own.allSatisfy { !after.names.contains(String($0.dropFirst("machine ".count))) })
            } else {
                #expect(before.names.count - after.names.count == own.count, "\(before.kind)")
            }
        }
    }

    @Test("a message that a role may send another one, whatever it contains, is in the list")
    func permissions() {
        let listed = PossibleFeatures(SimulationOptions()).unreached(by: []).first { $0.kind == "message" }?.names ?? []
        for message in sampleFrames.map(\.message) where message.kind != .refused {
            for sender in Role.allCases {
                for receiver in Role.allCases where receiver != .controller {
                    let name = FeatureName.message(message.kind, from: sender, to: receiver).dropFirst("message ".count)
                    #expect(
                        listed.contains(String(name)) == message.isAllowed(from: sender, to: receiver), "\(name)")
                }
            }
        }
    }

    @Test("a run without faults can reach none")
    func noFaults() {
        var options = SimulationOptions()
        options.faults = .profile(FaultProfile())
        #expect(PossibleFeatures(options).unreached(by: []).map(\.kind) == ["machine", "message"])
    }

    @Test("several steps that are seen as one count where no other way leads")
    func severalSteps() {
        enum State: Hashable { case a, b, c, d, e }
        let ways: [State: [State]] = [.a: [.b], .b: [.c, .d], .c: [.e], .d: [.e], .e: [.a]]
        let machine = MachineSteps(
            "M", states: [State.a, .b, .c, .d, .e], inputs: [0, 1], ends: [.a],
            name: { state in
                switch state {
                case .a: "a"
                case .b: "b"
                case .c: "c"
                case .d: "d"
                case .e: "e"
                }
            },
            transition: { (state: State, input: Int) -> (State, Int)? in
                let next = ways[state] ?? []
                return next.indices.contains(input) ? (next[input], 0) : nil
            })
        func step(_ text: String) -> MachineSteps.Step {
            MachineSteps.Step(from: String(text.prefix { $0 != ">" }), to: String(text.suffix(1)))
        }
        func taken(_ texts: String...) -> [String] { machine.taken(by: texts.map(step)).map { "\($0.from)>\($0.to)" } }
        #expect(machine.visible.map { "\($0.from)>\($0.to)" } == ["a>b", "b>c", "b>d", "c>e", "d>e"])
        #expect(taken("b>c") == ["b>c"])
        #expect(taken("a>c") == ["a>b", "b>c"])
        // By c or by d.
        #expect(taken("a>e") == ["a>b"])
        // The first state that a reader sees is not the state of a new machine.
        #expect(taken(">d") == ["a>b", "b>d"])
        #expect(taken(">a") == [] && taken("a>x") == [])
    }
}
