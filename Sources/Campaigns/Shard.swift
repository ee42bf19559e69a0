// Shard.swift: a part of a campaign that one worker runs, and the cut of a plan into shards.
//
// A shard is determined by the plan alone, so any worker can run it again, and a number means the same shard on every
// machine. Seeds of a shard are consecutive. The reduction of a failing seed is a shard of its own.
//
// Sources   invented

/// A part of a campaign that one worker runs.
public struct Shard: Hashable, Codable, Sendable {
    /// The work of a shard.
    public enum Work: Hashable, Codable, Sendable {
        case seeds(ClosedRange<UInt64>)
        /// The reduction of one failing seed.
        case reduction(seed: UInt64, law: String)
    }

    /// The name of its search.
    public var search: String
    public var work: Work

    public init(search: String, work: Work) { (self.search, self.work) = (search, work) }

    /// The name of the shard, which is unique in its plan and can be a file's name: `standard.401-600`.
    public var id: String {
        switch work {
        case .seeds(let seeds): "\(search).\(seeds.lowerBound)-\(seeds.upperBound)"
        case .reduction(let seed, let law): "\(search).shrink-\(seed)-\(Self.fileWord(law))"
        }
    }

    /// The seeds that it counts: none for a reduction, whose seed another shard has counted.
    public var seedCount: UInt64 {
        switch work {
        case .seeds(let seeds): seeds.upperBound - seeds.lowerBound + 1
        case .reduction: 0
        }
    }

    private static func fileWord(_ law: String) -> String {
        String(law.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}

extension CampaignPlan {
    /// The shards of all seeds, in the order of the file and of the seeds. The position is the shard's number.
    public var shards: [Shard] {
        searches.flatMap { search in
            let size = max(1, search.shardSize)
            return (0..<(search.count + size - 1) / size).map { index in
                let first = search.seeds.lowerBound + index * size
                let last = min(search.seeds.upperBound, first + size - 1)
                return Shard(search: search.name, work: .seeds(first...last))
            }
        }
    }
}
