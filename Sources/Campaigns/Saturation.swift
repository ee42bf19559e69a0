// Saturation.swift: how much of what seeds can reach a campaign has reached, and whether more seeds pay.
//
// A seed is one sampling unit, and each feature that it reaches is a species that was seen in it. Let `once` be the number of
// features that exactly one seed reached, and `twice` the number that exactly two reached.
//
//   - The next seed reaches once / seeds new features on average.
//   - At least once² / (2 · twice) features remain unseen; once · (once - 1) / 2 if `twice` is 0.
//
// Sources   documented  I. J. Good, The population frequencies of species and the estimation of population parameters,
//                       Biometrika 40 (1953), with A. M. Turing's idea: the first
//           documented  A. Chao, Estimating the population size for capture-recapture data with unequal catchability,
//                       Biometrics 43 (1987): the second, for counts of sampling units
//           documented  M. Böhme, STADS: Software Testing as Species Discovery, ACM TOSEM 27 (2018): both for fuzzing
//           invented    the verdict

/// The coverage of one search.
public struct Saturation: Hashable, Codable, Sendable {
    /// The features known after a number of seeds.
    public struct Step: Hashable, Codable, Sendable {
        public var seeds: UInt64
        public var features: Int
    }

    public var seeds: UInt64
    public var features: Int
    /// Features that exactly one seed reached.
    public var once: Int
    /// Features that exactly two seeds reached.
    public var twice: Int
    /// After each shard, in the order of the seeds.
    public var curve: [Step]

    /// The features of one kind that were reached, by the first word of their names.
    public struct KindCount: Hashable, Codable, Sendable {
        public var kind: String
        public var features: Int
        public var once: Int
    }

    public var kinds: [KindCount]

    /// - Parameter results: The results of one search, in the order of the seeds.
    init(_ results: [ShardResult]) {
        var counts: [String: UInt64] = [:]
        var order: [String] = []
        curve = []
        seeds = 0
        for result in results {
            seeds += result.sums.seeds
            for feature in result.coverage {
                if counts[feature.name] == nil { order.append(feature.name) }
                counts[feature.name, default: 0] += feature.seeds
            }
            curve.append(Step(seeds: seeds, features: order.count))
        }
        features = order.count
        once = order.count { counts[$0] == 1 }
        twice = order.count { counts[$0] == 2 }
        var found: [KindCount] = []
        for name in order {
            let kind = String(name.prefix { $0 != " " })
            let isOnce = counts[name] == 1
            if let index = found.firstIndex(where: { $0.kind == kind }) {
                found[index].features += 1
                found[index].once += isOnce ? 1 : 0
            } else {
                found.append(KindCount(kind: kind, features: 1, once: isOnce ? 1 : 0))
            }
        }
        kinds = found.sorted { $0.kind < $1.kind }
    }

    /// The number of new features that the next seed reaches on average.
    public var newPerSeed: Double { seeds == 0 ? 0 : Double(once) / Double(seeds) }

    /// A lower bound of the number of features that no seed has reached and more seeds would.
    public var unseen: Double {
        twice > 0 ? Double(once * once) / Double(2 * twice) : Double(once * (once - 1)) / 2
    }

    /// The features that the second half of the seeds added; nil if one shard has more than half of the seeds.
    public var lastDoubling: Int? {
        curve.last { $0.seeds * 2 <= seeds }.map { features - $0.features }
    }

    /// The features that as many seeds again would add, as far as the estimates go: at most `unseen`.
    public var nextDoubling: Double { min(unseen, newPerSeed * Double(seeds)) }

    /// Whether as many seeds again are expected to reach something new.
    public var paysMore: Bool { nextDoubling >= 1 }
}
