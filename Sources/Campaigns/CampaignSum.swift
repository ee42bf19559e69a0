// CampaignSum.swift: the sum of a campaign as a fold over results, in any order and with any duplicates.
//
//     ShardResult ─▶ add ─▶ one result for each shard ─▶ CampaignReport
//
// Of several results of one shard, one counts: that with the least identity and then the least cost. The choice does not
// depend on the order in which results arrive, so every merge of the same files gives the same report.
//
// Input     CampaignStore, tests
// Output    CampaignReport
//
// Sources   invented

/// The results of a campaign, one for each shard.
public struct CampaignSum: Sendable {
    /// What a result added to the sum.
    public enum Outcome: String, Sendable {
        /// The first result of its shard.
        case counted
        /// The same result again: it adds nothing.
        case duplicate
        /// Another result of a shard that has one: the run is not deterministic. It adds nothing.
        case conflict
        /// The result of another plan, or of no shard of this plan: it adds nothing.
        case foreign
    }

    public let plan: CampaignPlan
    private let identity: String
    /// The results by the shard's place in `order`; nil without a result.
    private var kept: [ShardResult?]
    private var places: [String: Int] = [:]
    /// Reductions, in the order of their ids.
    public private(set) var reductions: [ShardResult] = []
    public private(set) var duplicates = 0
    /// The ids of shards with different results, in order.
    public private(set) var conflicts: [String] = []
    public private(set) var foreign = 0

    public init(plan: CampaignPlan) {
        self.plan = plan
        identity = plan.identity
        let shards = plan.shards
        kept = Array(repeating: nil, count: shards.count)
        for (place, shard) in shards.enumerated() { places[shard.id] = place }
    }

    /// The results of seeds, in the order of the plan.
    public var results: [ShardResult] { kept.compactMap { $0 } }

    /// Adds a result.
    @discardableResult
    public mutating func add(_ result: ShardResult) -> Outcome {
        guard result.plan == identity, plan[result.shard.search] != nil else { return refuse() }
        switch result.shard.work {
        case .seeds:
            guard let place = places[result.shard.id] else { return refuse() }
            guard let known = kept[place] else {
                kept[place] = result
                return .counted
            }
            kept[place] = Self.least(known, result)
            return outcome(of: result, beside: known)
        case .reduction:
            let id = result.shard.id
            let index = reductions.firstIndex { $0.shard.id >= id } ?? reductions.count
            guard index < reductions.count, reductions[index].shard.id == id else {
                reductions.insert(result, at: index)
                return .counted
            }
            let known = reductions[index]
            reductions[index] = Self.least(known, result)
            return outcome(of: result, beside: known)
        }
    }

    private mutating func refuse() -> Outcome {
        foreign += 1
        return .foreign
    }

    private mutating func outcome(of result: ShardResult, beside known: ShardResult) -> Outcome {
        guard result.identity != known.identity else {
            duplicates += 1
            return .duplicate
        }
        // Which of the two arrived first must not show.
        duplicates += 1
        let id = result.shard.id
        if !conflicts.contains(id) {
            conflicts.insert(id, at: conflicts.firstIndex { $0 > id } ?? conflicts.count)
        }
        return .conflict
    }

    private static func least(_ one: ShardResult, _ other: ShardResult) -> ShardResult {
        key(of: one) <= key(of: other) ? one : other
    }

    private static func key(of result: ShardResult) -> (String, Double, String, Double) {
        (result.identity, result.cost.began, result.cost.host, result.cost.seconds)
    }

    // MARK: Failures

    /// A failure and its search.
    public struct Failed: Hashable, Sendable {
        public var search: String
        public var failure: SeedFailure
    }

    /// All failures, in the order of the plan and of the seeds.
    public var failures: [Failed] {
        results.flatMap { result in result.failures.map { Failed(search: result.shard.search, failure: $0) } }
    }

    /// A law that fails with very many texts has at most this many times `shrinking.seeds` reductions.
    private static let textLimit = 10

    /// The reductions that the results so far demand: of each search, law and text without numbers the lowest seeds.
    /// They are final once all shards of seeds are merged.
    public var wantedReductions: [Shard] {
        var wanted: [Shard] = []
        for search in plan.searches where search.kind.canShrink {
            var counts: [String: Int] = [:]
            for failed in failures where failed.search == search.name {
                let law = failed.failure.law
                let text = "\(law)\n\(FailureGroup.masked(failed.failure.text))"
                // A reduction of a hang waits for the limit of a seed at every try.
                guard law != "hang", counts[text, default: 0] < plan.shrinking.seeds,
                    counts[law, default: 0] < Self.textLimit * plan.shrinking.seeds
                else { continue }
                counts[text, default: 0] += 1
                counts[law, default: 0] += 1
                wanted.append(Shard(search: search.name, work: .reduction(seed: failed.failure.seed, law: law)))
            }
        }
        return wanted
    }
}
