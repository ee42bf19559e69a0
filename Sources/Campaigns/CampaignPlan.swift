// CampaignPlan.swift: what a campaign searches: its searches, each a kind, a range of seeds and the options of a command.
//
//     FILE.yaml ─▶ CampaignPlan ─▶ Shard (the cut) ─▶ workers ─▶ ShardResult ─▶ CampaignSum
//
// Input     Configuration, which reads the file
// Output    Shard, Slurm and Kubernetes jobs, reports
// Knows     names, numbers and words of command lines. No files, no processes, no clock.
//
// Sources   invented

/// What a campaign searches, and how.
public struct CampaignPlan: Hashable, Codable, Sendable {
    public var name: String
    /// In the order of the file.
    public var searches: [CampaignSearch]
    /// How often a shard is started before it is given up.
    public var attempts = 3
    public var shrinking = Shrinking()
    /// Whether simulated seeds collect what they reached.
    public var collectsCoverage = true

    /// The limits of the reduction of failing seeds.
    public struct Shrinking: Hashable, Codable, Sendable {
        /// The number of failing seeds of one search, law and text that are reduced; the lowest seeds are.
        public var seeds = 20
        /// The number of runs for one seed.
        public var tries = 2000

        public init() {}
    }

    public init(name: String, searches: [CampaignSearch]) { (self.name, self.searches) = (name, searches) }

    /// The number that tells this plan from any other. A result belongs to a plan by it.
    public var identity: String {
        var digest = TextDigest()
        digest.add(name)
        for search in searches {
            digest.add(search.name)
            digest.add(search.kind.rawValue)
            digest.add(
                "\(search.seeds.lowerBound) \(search.seeds.upperBound) \(search.shardSize) \(search.timeout ?? 0)")
            for word in search.words + ["", search.program ?? ""] { digest.add(word) }
        }
        digest.add("\(shrinking.seeds) \(shrinking.tries) \(collectsCoverage)")
        return digest.text
    }

    /// The search with this name.
    public subscript(name: String) -> CampaignSearch? { searches.first { $0.name == name } }
}

/// One search of a campaign.
public struct CampaignSearch: Hashable, Codable, Sendable {
    /// The kinds of searches, by the word of the file.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        case simulate, monkey, conform, exhaust, fuzz, mutants

        /// Whether a failing seed can be reduced.
        public var canShrink: Bool {
            switch self {
            case .simulate, .monkey: true
            case .conform, .exhaust, .fuzz, .mutants: false
            }
        }

        /// The seeds of a shard when the file gives none: some ten seconds of work.
        public var shardSize: UInt64 {
            switch self {
            case .simulate: 200
            case .monkey: 2000
            case .conform: 10
            case .exhaust, .fuzz, .mutants: 1
            }
        }
    }

    /// Unique in its plan: lower-case letters, digits and hyphens.
    public var name: String
    public var kind: Kind
    /// The seeds of `simulate`, `monkey` and `conform`; the numbers of libFuzzer's seeds; the numbers of mutants.
    public var seeds: ClosedRange<UInt64>
    public var shardSize: UInt64
    /// The options and arguments of the command of this kind.
    public var words: [String] = []
    /// The program of `fuzz` and `mutants`, which have builds of their own; nil for `touchline` itself.
    public var program: String?
    /// The limit of one seed in seconds; nil for the limit of the command.
    public var timeout: Double?

    public init(name: String, kind: Kind, seeds: ClosedRange<UInt64>, shardSize: UInt64? = nil) {
        (self.name, self.kind, self.seeds) = (name, kind, seeds)
        self.shardSize = shardSize ?? kind.shardSize
    }

    /// The number of seeds.
    public var count: UInt64 { seeds.upperBound - seeds.lowerBound + 1 }
}

/// FNV-1a over texts, each with an end of its own. It tells results apart; it protects from no forger.
public struct TextDigest: Sendable {
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325

    public init() {}

    public mutating func add(_ text: String) {
        for byte in text.utf8 { combine(byte) }
        // No UTF-8 text contains this byte.
        combine(0xFF)
    }

    private mutating func combine(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

    /// Sixteen hexadecimal digits.
    public var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
