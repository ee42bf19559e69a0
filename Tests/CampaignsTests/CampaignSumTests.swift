import Basics
import Testing

@testable import Campaigns

@Suite("The sum of a campaign")
struct CampaignSumTests {

    @Test("any order of results and duplicates gives the same report", arguments: 1...20)
    func orders(seed: Int) {
        let sample = SampleCampaign(seed: UInt64(seed))
        var chance = SeededGenerator(seed: UInt64(seed) &* 977)
        let copies = sample.shuffled(&chance)
        func report(_ results: [ShardResult]) -> CampaignReport {
            var sum = CampaignSum(plan: sample.plan)
            for result in results { sum.add(result) }
            return CampaignReport(sum)
        }
        let first = report(copies)
        for _ in 0..<10 { #expect(report(copies.shuffled(using: &chance)) == first) }
        // Apart from their count, duplicates change nothing.
        var plain = report(sample.results)
        #expect(plain.isComplete && first.duplicates == copies.count - sample.results.count)
        plain.duplicates = first.duplicates
        #expect(plain == first)
    }

    @Test("the sums of a report are those of the seeds, each once")
    func totals() {
        let sample = SampleCampaign(seed: 4)
        var sum = CampaignSum(plan: sample.plan)
        for result in sample.results + sample.results { sum.add(result) }
        let report = CampaignReport(sum)
        #expect(report.seedsDone == 70 && report.searches.map(\.seedsDone) == [40, 30])
        #expect(report.failed == sample.results.reduce(0) { $0 + $1.failures.count })
        #expect(report.groups.reduce(0) { $0 + $1.members.count } == report.failed)
        #expect(report.searches.map(\.events).reduce(0, +) == sample.results.reduce(0) { $0 + $1.sums.events })
        #expect(report.hosts.reduce(0) { $0 + $1.shards } == sample.results.count)
    }

    @Test("the list of what was not reached is made from all that a search with coverage has reached")
    func unreached() {
        let sample = SampleCampaign(seed: 4)
        var sum = CampaignSum(plan: sample.plan)
        for result in sample.results { sum.add(result) }
        let reached = Set(sample.results.filter { $0.shard.search == "worlds" }.flatMap(\.coverage).map(\.name))
        let report = CampaignReport(sum) { search, names in
            guard search.name == "worlds" else { return nil }
            #expect(names == reached.sorted())
            return [UnreachedFeatures(kind: "fact", possible: 20, names: ["app x"])]
        }
        #expect(report.searches.map { $0.unreached?.first?.names } == [nil, ["app x"]])
        #expect(
            CampaignReport(CampaignSum(plan: sample.plan)) { _, _ in [] }.searches.allSatisfy { $0.unreached == nil })
    }

    @Test("two different results of a shard are a conflict, and the order does not choose one")
    func conflicts() {
        let sample = SampleCampaign(seed: 2)
        var other = sample.results[3]
        other.sums.digest &+= 1
        func report(_ results: [ShardResult]) -> CampaignReport {
            var sum = CampaignSum(plan: sample.plan)
            for result in results { sum.add(result) }
            return CampaignReport(sum)
        }
        let (one, two) = (report(sample.results + [other]), report([other] + sample.results))
        #expect(one == two && one.conflicts == [other.shard.id] && one.duplicates == 1)
        #expect(one.seedsDone == 70)
    }

    @Test("results of another plan and of no shard are refused")
    func foreign() {
        let sample = SampleCampaign(seed: 3)
        var sum = CampaignSum(plan: sample.plan)
        var other = sample.results[0]
        other.plan = "0"
        #expect(sum.add(other) == .foreign)
        other = sample.results[0]
        other.shard.work = .seeds(2...3)
        #expect(sum.add(other) == .foreign)
        other.shard.search = "none"
        #expect(sum.add(other) == .foreign)
        #expect(sum.results.isEmpty && CampaignReport(sum).foreign == 3)
        #expect(sum.add(sample.results[0]) == .counted && sum.add(sample.results[0]) == .duplicate)
    }

    @Test("the lowest failing seeds of each law and text are reduced, and no hang")
    func wanted() {
        let plan = SampleCampaign(seed: 1).plan
        var sum = CampaignSum(plan: plan)
        var result = ShardResult(plan: plan.identity, shard: plan.shards[0])
        for (seed, law) in [(1, "I4"), (2, "hang"), (3, "I4"), (4, "I4"), (5, "I7")] as [(UInt64, String)] {
            result.failures.append(SeedFailure(seed: seed, law: law, text: "", again: ""))
        }
        for seed in 6...7 {
            // A text of its own is reduced although the law has enough seeds.
            result.failures.append(SeedFailure(seed: UInt64(seed), law: "I4", text: "found \(seed)", again: ""))
        }
        sum.add(result)
        #expect(
            sum.wantedReductions.map(\.id) == [
                "standard.shrink-1-I4", "standard.shrink-3-I4", "standard.shrink-5-I7", "standard.shrink-6-I4",
                "standard.shrink-7-I4",
            ])
        #expect(!CampaignReport(sum).isComplete)
    }
}

@Suite("Groups of failures")
struct FailureGroupTests {

    @Test(
        "a cause has the words of its lines without times, positions and numbers",
        arguments: [
            (["1513ms kill app1", "down f1 (96.5,312) @1.42", "up f1 @1.61"], ["down", "kill app", "up"]),
            (["20ms stop system-server for 30ms", "40ms stop system-server for 1ms"], ["stop system-server"]),
            (["10ms slow app2 20 for 5ms", "5ms kill app1", "6ms kill app3"], ["kill app", "slow app"]),
            ([], []),
        ])
    func words(lines: [String], expected: [String]) {
        #expect(FailureGroup.words(of: lines) == expected)
    }

    @Test("texts that differ in numbers alone are one text")
    func masked() {
        #expect(FailureGroup.masked("expected 12.5 ms, found 3") == "expected # ms, found #")
        #expect(FailureGroup.masked("app1's v2.x. 4.") == "app#'s v#x. #")
    }

    @Test("failures with one law and one cause are a group, which failures of the same text join")
    func groups() {
        let failures = (1...5).map { seed in
            CampaignSum.Failed(
                search: "a",
                failure: SeedFailure(
                    seed: UInt64(seed), law: seed == 5 ? "I7" : "I4", text: "found \(seed)", again: "\(seed)"))
        }
        func reduced(_ seed: UInt64, _ law: String, _ lines: [String]) -> ShardResult {
            var result = ShardResult(plan: "", shard: Shard(search: "a", work: .reduction(seed: seed, law: law)))
            result.reduction = Reduction(
                law: law, text: "found \(seed * 7)", lines: lines, tries: 1, again: "again \(seed)", isFound: true)
            return result
        }
        let groups = FailureGroup.groups(
            of: failures,
            [
                reduced(1, "I4", ["3ms kill app1", "4ms kill app2"]), reduced(2, "I4", ["8ms kill app2"]),
                reduced(5, "I7", ["8ms kill app2"]),
            ])
        // Seeds 3 and 4 had the law and the text of the seeds 1 and 2 before these were reduced.
        #expect(groups.map { $0.members.map(\.seed) } == [[1, 2, 3, 4], [5]])
        #expect(groups.map(\.cause) == [["kill app"], ["kill app"]])
        #expect(groups[0].smallest?.seed == 2)

        // With two causes of one text it is not known which of them a failure has.
        let apart = FailureGroup.groups(
            of: failures,
            [reduced(1, "I4", ["3ms kill app1"]), reduced(2, "I4", []), reduced(5, "I7", ["1ms stop app1"])])
        #expect(apart.map { $0.members.map(\.seed) } == [[1], [2], [5], [3, 4]])
        #expect(apart.map(\.cause) == [["kill app"], [FailureGroup.emptyCause], ["stop app"], []])
        #expect(apart[3].smallest?.again == "3")
    }
}

@Suite("Saturation of coverage")
struct SaturationTests {
    private func result(_ seeds: UInt64, _ features: [(String, UInt64)]) -> ShardResult {
        var result = ShardResult(plan: "", shard: Shard(search: "a", work: .seeds(1...seeds)))
        result.sums.seeds = seeds
        result.coverage = features.map { FeatureCount(name: $0.0, seeds: $0.1) }
        return result
    }

    @Test("features are counted over shards, and the estimates follow their formulas")
    func counts() {
        let saturation = Saturation([
            result(10, [("fact a", 5), ("fact b", 1), ("fault c", 1)]), result(10, [("fact a", 1), ("fault c", 1)]),
            result(20, [("fact d", 1), ("fact e", 1), ("fact f", 1)]),
        ])
        #expect(saturation.seeds == 40 && saturation.features == 6 && saturation.once == 4 && saturation.twice == 1)
        #expect(saturation.curve.map(\.features) == [3, 3, 6] && saturation.curve.map(\.seeds) == [10, 20, 40])
        #expect(saturation.newPerSeed == 0.1)
        #expect(saturation.unseen == 8)
        #expect(saturation.lastDoubling == 3)
        // 0.1 a seed for 40 seeds, and no more than there are.
        #expect(saturation.nextDoubling == 4 && saturation.paysMore)
        #expect(
            saturation.kinds == [
                .init(kind: "fact", features: 5, once: 4), .init(kind: "fault", features: 1, once: 0),
            ])
    }

    @Test("without features of a single seed, more seeds do not pay")
    func saturated() {
        let saturation = Saturation([result(10, [("fact a", 5), ("fact b", 2)]), result(10, [("fact a", 5)])])
        #expect(saturation.unseen == 0 && saturation.nextDoubling == 0 && !saturation.paysMore)
    }

    @Test("one shard has no second half")
    func oneShard() {
        #expect(Saturation([result(10, [("fact a", 5)])]).lastDoubling == nil)
        #expect(Saturation([result(10, [("fact a", 5)]), result(9, [("fact b", 5)])]).lastDoubling == nil)
        #expect(Saturation([result(9, [("fact a", 5)]), result(10, [("fact b", 5)])]).lastDoubling == 1)
    }

    /// Seeds reach features by known chances. The estimate from half of the seeds is compared with what the other half
    /// really reached.
    @Test("the estimate for twice as many seeds is near what they reach")
    func prediction() {
        var errors: [Double] = []
        for seed in 1...20 {
            var chance = SeededGenerator(seed: UInt64(seed))
            var half: Saturation?
            var results: [ShardResult] = []
            for shard in 0..<40 {
                var counts = [UInt64](repeating: 0, count: 200)
                for _ in 0..<25 {
                    // Feature i is reached by one seed of 2 + i² / 4.
                    for feature in 0..<200 where chance.next() % UInt64(2 + feature * feature / 4) == 0 {
                        counts[feature] += 1
                    }
                }
                results.append(
                    result(25, counts.enumerated().filter { $0.element > 0 }.map { ("fact \($0.offset)", $0.element) }))
                if shard == 19 { half = Saturation(results) }
            }
            let reached = Saturation(results).features - (half?.features ?? 0)
            errors.append((half?.nextDoubling ?? 0) - Double(reached))
        }
        let mean = errors.reduce(0, +) / Double(errors.count)
        // The extrapolation is linear and the truth bends, so it is above, by less than a third of some 30 features.
        #expect(mean > -3 && mean < 15, "\(mean)")
    }
}
