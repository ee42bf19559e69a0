// SampleCampaign.swift: a plan with results of every kind, drawn from a seed.

import Basics

@testable import Campaigns

/// A plan with results.
struct SampleCampaign {
    let plan: CampaignPlan
    /// A result for each shard of seeds, then the reductions.
    let results: [ShardResult]

    init(seed: UInt64) {
        var plan = CampaignPlan(
            name: "sample",
            searches: [
                CampaignSearch(name: "standard", kind: .simulate, seeds: 1...40, shardSize: 7),
                CampaignSearch(name: "worlds", kind: .monkey, seeds: 100...129, shardSize: 10),
            ])
        plan.shrinking.seeds = 2
        self.plan = plan
        var chance = SeededGenerator(seed: seed)
        var sum = CampaignSum(plan: plan)
        var results: [ShardResult] = []
        for shard in plan.shards {
            let result = Self.result(of: shard, plan, &chance)
            results.append(result)
            sum.add(result)
        }
        for shard in sum.wantedReductions { results.append(Self.result(of: shard, plan, &chance)) }
        self.results = results
    }

    static func result(of shard: Shard, _ plan: CampaignPlan, _ chance: inout SeededGenerator) -> ShardResult {
        var result = ShardResult(plan: plan.identity, shard: shard)
        result.cost.host = "node\(chance.next() % 3)"
        result.cost.program = "touchline 1"
        result.cost.began = Double(chance.next() % 1000)
        result.cost.seconds = Double(chance.next() % 100) / 4
        switch shard.work {
        case .seeds(let seeds):
            result.sums.seeds = shard.seedCount
            result.sums.events = chance.next() % 1000
            result.sums.simulatedNanoseconds = Int64(chance.next() % 1_000_000)
            result.sums.digest = chance.next()
            for seed in seeds where chance.next() % 5 == 0 {
                let law = chance.next() % 2 == 0 ? "I4" : "I7"
                result.failures.append(
                    SeedFailure(
                        seed: seed, law: law, text: "expected \(seed), found \(chance.next() % 9)",
                        again: "touchline simulate --seed \(seed)"))
            }
            for feature in 0..<20 where chance.next() % 3 == 0 {
                result.coverage.append(
                    FeatureCount(name: "fact app \(feature + 10)", seeds: 1 + chance.next() % shard.seedCount))
            }
        case .reduction(let seed, let law):
            result.reduction = Reduction(
                law: law, text: "expected 1, found 2",
                lines: seed % 2 == 0 ? ["\(seed)ms kill app1"] : ["down f1 (1,\(seed)) @0", "up f1 @1"],
                tries: Int(chance.next() % 100), again: "again \(seed)", isFound: true)
        }
        return result
    }

    /// The results in another order, some of them two or three times with other costs.
    func shuffled(_ chance: inout SeededGenerator) -> [ShardResult] {
        var copies = results
        for result in results where chance.next() % 3 == 0 {
            var copy = result
            copy.cost.began += 1 + Double(chance.next() % 50)
            copy.cost.host = "node9"
            copies.append(copy)
            if chance.next() % 2 == 0 { copies.append(copy) }
        }
        copies.shuffle(using: &chance)
        return copies
    }
}
