// CampaignReport.swift: the figures of a campaign, computed from its sum.
//
// Input     CampaignSum
// Output    `touchline campaign report`: text, JSON, a page
//
// Sources   invented; the bound of a failure rate without a failure is the rule of three (3 / n at 95 %)

/// The features of one kind that seeds could reach, and those that none has reached.
public struct UnreachedFeatures: Hashable, Codable, Sendable {
    /// The first word of their names.
    public var kind: String
    /// How many features of this kind there are.
    public var possible: Int
    /// Without the kind, in the order of their tables.
    public var names: [String]

    public init(kind: String, possible: Int, names: [String]) {
        (self.kind, self.possible, self.names) = (kind, possible, names)
    }
}

/// The figures of a campaign.
public struct CampaignReport: Hashable, Codable, Sendable {
    /// The figures of one search.
    public struct Search: Hashable, Codable, Sendable {
        public var name: String
        public var kind: CampaignSearch.Kind
        public var shards: Int
        public var shardsDone: Int
        public var seeds: UInt64
        public var seedsDone: UInt64
        public var failed: Int
        public var events: UInt64
        public var simulatedSeconds: Double
        /// Seconds that workers spent.
        public var workerSeconds: Double
        /// The sum of the digests of all seeds, as hexadecimal digits.
        public var digest: String
        /// Nil for a search without coverage.
        public var saturation: Saturation?
        /// What no seed has reached, by kind; nil if that is unknown.
        public var unreached: [UnreachedFeatures]?

        public var seedsPerWorkerSecond: Double { workerSeconds > 0 ? Double(seedsDone) / workerSeconds : 0 }

        /// The share of seeds that fail is below this with 95 % confidence; nil if a seed failed or fewer than 30 ran, for
        /// which the rule is no approximation, and for a search that draws nothing from its seeds.
        public var failureBound: Double? {
            switch kind {
            case .simulate, .monkey, .conform: failed == 0 && seedsDone >= 30 ? 3 / Double(seedsDone) : nil
            case .exhaust, .fuzz, .mutants: nil
            }
        }
    }

    /// Seeds that were done after a time.
    public struct Progress: Hashable, Codable, Sendable {
        /// Since the first shard began.
        public var seconds: Double
        public var seeds: UInt64
        public var failed: Int
    }

    public var name: String
    public var plan: String
    public var searches: [Search]
    public var groups: [FailureGroup]
    public var reductionsWanted: Int
    public var reductionsDone: Int
    public var duplicates: Int
    public var conflicts: [String]
    public var foreign: Int
    /// The machines, in order, with their counted shards.
    public var hosts: [Host]
    /// The versions of programs that counted results have.
    public var programs: [String]
    public var progress: [Progress]

    /// A machine and the number of its counted shards.
    public struct Host: Hashable, Codable, Sendable {
        public var name: String
        public var shards: Int
    }

    public var seedsDone: UInt64 { searches.reduce(0) { $0 + $1.seedsDone } }
    public var failed: Int { searches.reduce(0) { $0 + $1.failed } }
    public var isComplete: Bool {
        searches.allSatisfy { $0.shardsDone == $0.shards } && reductionsDone == reductionsWanted
    }

    /// - Parameters:
    ///   - sum: The results so far.
    ///   - unreached: What is missing in the features that a search has reached; nil if that is unknown.
    public init(
        _ sum: CampaignSum, unreached: (CampaignSearch, [String]) -> [UnreachedFeatures]? = { _, _ in nil }
    ) {
        let (plan, results) = (sum.plan, sum.results)
        (name, self.plan) = (plan.name, plan.identity)
        searches = plan.searches.map { search in
            let own = results.filter { $0.shard.search == search.name }
            let size = max(1, search.shardSize)
            let saturation = own.contains { !$0.coverage.isEmpty } ? Saturation(own) : nil
            let digest = own.reduce(UInt64(0)) { $0 &+ $1.sums.digest }
            return Search(
                name: search.name, kind: search.kind, shards: Int((search.count + size - 1) / size),
                shardsDone: own.count, seeds: search.count, seedsDone: own.reduce(0) { $0 + $1.sums.seeds },
                failed: own.reduce(0) { $0 + $1.failures.count }, events: own.reduce(0) { $0 + $1.sums.events },
                // Nanoseconds of very many seeds exceed 64 bits.
                simulatedSeconds: own.reduce(0) { $0 + Double($1.sums.simulatedNanoseconds) / 1e9 },
                workerSeconds: own.reduce(0) { $0 + $1.cost.seconds }, digest: String(digest, radix: 16),
                saturation: saturation, unreached: saturation.flatMap { _ in unreached(search, Self.reached(own)) })
        }
        groups = FailureGroup.groups(of: sum.failures, sum.reductions)
        (reductionsWanted, reductionsDone) = (sum.wantedReductions.count, 0)
        let wanted = Set(sum.wantedReductions.map(\.id))
        reductionsDone = sum.reductions.count { wanted.contains($0.shard.id) }
        (duplicates, conflicts, foreign) = (sum.duplicates, sum.conflicts, sum.foreign)

        let counted = results + sum.reductions
        var found: [Host] = []
        for result in counted {
            if let index = found.firstIndex(where: { $0.name == result.cost.host }) {
                found[index].shards += 1
            } else {
                found.append(Host(name: result.cost.host, shards: 1))
            }
        }
        hosts = found.sorted { $0.name < $1.name }
        programs = counted.reduce(into: [String]()) { programs, result in
            if !programs.contains(result.cost.program) { programs.append(result.cost.program) }
        }.sorted()

        let start = results.map(\.cost.began).min() ?? 0
        var (seeds, failed) = (UInt64(0), 0)
        progress = results.sorted { Self.end(of: $0) < Self.end(of: $1) }.map { result in
            seeds += result.sums.seeds
            failed += result.failures.count
            return Progress(seconds: result.cost.began + result.cost.seconds - start, seeds: seeds, failed: failed)
        }
    }

    /// The names of all features of these results, sorted.
    private static func reached(_ results: [ShardResult]) -> [String] {
        var known = Set<String>()
        return results.flatMap { $0.coverage.map(\.name).filter { known.insert($0).inserted } }.sorted()
    }

    private static func end(of result: ShardResult) -> (Double, String) {
        (result.cost.began + result.cost.seconds, result.shard.id)
    }
}
