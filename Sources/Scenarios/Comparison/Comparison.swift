// Comparison.swift: the differences between a live run and its simulation: facts and effects of only one of them.
//
// Input     `touchline compare`: a live run
// Output    differences, as counts in both runs
// Knows     multisets. RunRecord decides what is in them.
//
// Sources   invented

public import Simulator

/// The comparison of one live run with the simulation of the same orders.
public struct Comparison: Sendable {
    /// The kind of a difference.
    public enum Subject: String, Sendable { case fact, effect }

    /// A fact or an effect that occurred a different number of times in the two runs.
    public struct Difference: Hashable, Sendable {
        public var subject: Subject
        public var text: String
        public var live, simulated: Int
    }

    /// The differences in the order of their texts, facts first.
    public private(set) var differences: [Difference] = []
    /// The numbers of facts and effects of the live run.
    public private(set) var facts = 0
    public private(set) var effects = 0

    /// - Throws: `IncomparableRun` if the live run cannot be repeated.
    public init(_ live: LiveRun, links: LinkModel = .measured, seed: UInt64 = 0) throws {
        var run = try OrderedRun(live, links: links, seed: seed)
        let simulated = try run.run()
        compare(.fact, live.record.facts, simulated.facts)
        compare(.effect, live.record.effects, simulated.effects)
        facts = live.record.facts.values.reduce(0, +)
        effects = live.record.effects.values.reduce(0, +)
    }

    private mutating func compare(_ subject: Subject, _ live: [String: Int], _ simulated: [String: Int]) {
        for text in Set(live.keys).union(simulated.keys).sorted() {
            let (here, there) = (live[text] ?? 0, simulated[text] ?? 0)
            guard here != there else { continue }
            differences.append(Difference(subject: subject, text: text, live: here, simulated: there))
        }
    }
}
