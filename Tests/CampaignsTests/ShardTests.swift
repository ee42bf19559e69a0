import Testbed
import Testing

@testable import Campaigns

@Suite("Shards of a campaign")
struct ShardTests {

    @Test("shards cover each seed of a search once, in order")
    func cut() {
        for (first, last, size) in [(1, 10, 3), (5, 5, 1), (7, 20, 100), (1, 1000, 250), (3, 12, 10)]
            as [(UInt64, UInt64, UInt64)]
        {
            let plan = CampaignPlan(
                name: "x", searches: [CampaignSearch(name: "a", kind: .simulate, seeds: first...last, shardSize: size)])
            var next = first
            for shard in plan.shards {
                guard case .seeds(let seeds) = shard.work else {
                    Issue.record("\(shard)")
                    continue
                }
                #expect(seeds.lowerBound == next && shard.seedCount <= size && shard.seedCount > 0)
                next = seeds.upperBound + 1
            }
            #expect(next == last + 1)
        }
    }

    @Test("the number of a shard follows the order of the file and of the seeds")
    func numbers() {
        let plan = CampaignPlan(
            name: "x",
            searches: [
                CampaignSearch(name: "b", kind: .monkey, seeds: 1...4, shardSize: 2),
                CampaignSearch(name: "a", kind: .simulate, seeds: 9...11, shardSize: 2),
            ])
        #expect(plan.shards.map(\.id) == ["b.1-2", "b.3-4", "a.9-10", "a.11-11"])
        #expect(plan.shards == plan.shards)
    }

    @Test("the identity of a plan changes with everything that changes a result")
    func identity() {
        let plan = CampaignPlan(
            name: "x", searches: [CampaignSearch(name: "a", kind: .simulate, seeds: 1...4, shardSize: 2)])
        var others: [CampaignPlan] = []
        func other(_ change: (inout CampaignPlan) -> Void) {
            var copy = plan
            change(&copy)
            others.append(copy)
        }
        other { $0.searches[0].words = ["--minutes", "2"] }
        other { $0.searches[0].seeds = 1...5 }
        other { $0.searches[0].shardSize = 3 }
        other { $0.searches[0].kind = .monkey }
        other { $0.searches[0].timeout = 2 }
        other { $0.searches[0].program = "p" }
        other { $0.shrinking.tries = 1 }
        other { $0.collectsCoverage = false }
        #expect(Set((others + [plan]).map(\.identity)).count == others.count + 1)
        // More attempts give the same results.
        var patient = plan
        patient.attempts = 9
        #expect(patient.identity == plan.identity)
    }

    @Test("the id of a reduction can be a file's name")
    func reduction() {
        let shard = Shard(search: "a", work: .reduction(seed: 7, law: "scenario S1/2"))
        #expect(shard.id == "a.shrink-7-scenario_S1_2" && shard.seedCount == 0)
    }
}

@Suite("The state machine of a shard")
struct ShardMachineTests {

    @Test("Docs/Reference/Machines/CampaignShard.md has every state and input")
    func table() {
        let states: [ShardMachine.State] = [
            .waiting(attempts: 0), .waiting(attempts: 2), .running(attempts: 0), .running(attempts: 2), .written,
            .merged,
            .abandoned,
        ]
        expectMachineTable("CampaignShard", states: states, inputs: ShardMachine.Input.allCases) { state, input in
            ShardMachine.transition(from: state, on: input, limit: 3)
        }
    }

    @Test("a shard is given up after as many starts as the limit, and a late result still counts")
    func attempts() {
        var machine = ShardMachine(limit: 2)
        #expect(machine.handle(.resumed) == .submit)
        #expect(machine.handle(.submitted) == .nothing)
        #expect(machine.handle(.vanished) == .submit)
        #expect(machine.handle(.submitted) == .nothing)
        #expect(machine.handle(.vanished) == .reportAbandoned && machine.state == .abandoned)
        #expect(machine.handle(.resultFound) == .merge)
        #expect(machine.handle(.merged) == .nothing && machine.state == .merged)
    }

    @Test("no sequence of events loses a result or merges a shard without one")
    func sequences() {
        // All sequences of six events, over all states that they reach.
        var reached: Set<Path> = [Path(state: .waiting(attempts: 0), hasResult: false, isMerged: false)]
        for _ in 0..<6 {
            var next = reached
            for path in reached {
                for input in ShardMachine.Input.allCases where input != .merged || path.hasResult {
                    let (state, effect) = ShardMachine.transition(from: path.state, on: input, limit: 2)
                    var following = path
                    following.state = state
                    following.hasResult = path.hasResult || input == .resultFound
                    following.isMerged = path.isMerged || input == .merged
                    if input == .resultFound { #expect(effect == .merge) }
                    if following.isMerged { #expect(state == .merged) }
                    if case .merged = state { #expect(following.hasResult) }
                    if following.hasResult { #expect(effect != .submit && effect != .reportAbandoned) }
                    next.insert(following)
                }
            }
            reached = next
        }
        // Waiting and running, each with up to one attempt, abandoned, written, merged.
        #expect(reached.count == 7)
    }

    private struct Path: Hashable {
        var state: ShardMachine.State
        var hasResult: Bool
        var isMerged: Bool
    }
}
