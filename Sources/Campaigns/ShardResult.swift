// ShardResult.swift: the result of one shard, as a worker writes it into a file.
//
// The result has two parts. What the seeds determine is the same whoever runs the shard, and `identity` is its digest.
// Two results of one shard with different identities show that a run is not deterministic. What the run cost is not.
//
// Input     the worker of a shard
// Output    CampaignStore, CampaignSum
//
// Sources   invented

/// The result of one shard.
public struct ShardResult: Hashable, Codable, Sendable {
    /// The identity of the plan.
    public var plan: String
    public var shard: Shard
    public var sums = Sums()
    /// In the order of seeds.
    public var failures: [SeedFailure] = []
    /// In the order of features.
    public var coverage: [FeatureCount] = []
    /// The result of a reduction; nil for a shard of seeds.
    public var reduction: Reduction?
    public var cost = Cost()

    /// Sums over the seeds.
    public struct Sums: Hashable, Codable, Sendable {
        public var seeds: UInt64 = 0
        /// Inputs that cores received, states that were visited, inputs of a fuzzer.
        public var events: UInt64 = 0
        public var simulatedNanoseconds: Int64 = 0
        /// The sum of the digests of all seeds, modulo 2^64; the order of the seeds does not change it.
        public var digest: UInt64 = 0

        public init() {}
    }

    /// What the run of the shard cost; another run of it costs something else.
    public struct Cost: Hashable, Codable, Sendable {
        public var host = ""
        /// The version of the program.
        public var program = ""
        /// Seconds since 1970.
        public var began = 0.0
        public var seconds = 0.0

        public init() {}
    }

    public init(plan: String, shard: Shard) { (self.plan, self.shard) = (plan, shard) }

    /// The digest of all that the plan and the shard determine.
    public var identity: String {
        var digest = TextDigest()
        digest.add(plan)
        digest.add(shard.id)
        digest.add("\(sums.seeds) \(sums.events) \(sums.simulatedNanoseconds) \(sums.digest)")
        for failure in failures {
            digest.add("\(failure.seed) \(failure.law)")
            digest.add(failure.text)
        }
        for feature in coverage {
            digest.add(feature.name)
            digest.add("\(feature.seeds)")
        }
        if let reduction {
            digest.add(reduction.law)
            digest.add(reduction.text)
            for line in reduction.lines { digest.add(line) }
        }
        return digest.text
    }
}

/// A seed that failed.
public struct SeedFailure: Hashable, Codable, Sendable {
    public var seed: UInt64
    /// The law, or `trap`, `hang`, `scenario`, `hidden`, `crash`.
    public var law: String
    /// One line: what was expected and found.
    public var text: String
    /// The command line that repeats it.
    public var again: String

    public init(seed: UInt64, law: String, text: String, again: String) {
        (self.seed, self.law, self.text, self.again) = (seed, law, text, again)
    }
}

/// Something that a seed can reach, and the number of seeds that reached it.
public struct FeatureCount: Hashable, Codable, Sendable {
    /// The first word is its kind: `message system-server>app touches`.
    public var name: String
    public var seeds: UInt64

    public init(name: String, seeds: UInt64) { (self.name, self.seeds) = (name, seeds) }
}

/// The smallest input that still fails in the same way.
public struct Reduction: Hashable, Codable, Sendable {
    public var law: String
    /// What the smallest run expected and found.
    public var text: String
    /// The lines of the smallest input; empty when the seed did not fail again.
    public var lines: [String]
    public var tries: Int
    /// The command line that repeats the smallest run.
    public var again: String
    /// Whether the seed failed again at all.
    public var isFound: Bool

    public init(law: String, text: String, lines: [String], tries: Int, again: String, isFound: Bool) {
        (self.law, self.text, self.lines) = (law, text, lines)
        (self.tries, self.again, self.isFound) = (tries, again, isFound)
    }
}
