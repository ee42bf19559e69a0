// Cut.swift: the limits of a page, and what they left out.
//
// Input     RunRecord
// Output    the notice of the page: what was cut, its number and its limit
//
// Sources   invented

/// The most of each kind that a page contains. A page beyond them would open slowly or not at all.
public struct PageLimits: Sendable {
    public var facts = 50_000
    public var interactions = 500
    public var samples = 50_000
    public var spans = 20_000
    public var turns = 40_000
    public var ways = 20_000

    public init() {}
}

/// A part of a run that the page does not contain.
public struct Cut: Hashable, Sendable {
    public enum Part: String, Sendable { case facts, interactions, samples, spans, turns, ways, screens }

    public var part: Part
    /// The number of all, and of those in the page.
    public var count: Int
    public var limit: Int

    public init(part: Part, count: Int, limit: Int) { (self.part, self.count, self.limit) = (part, count, limit) }
}
