// Comparison.swift: one scenario run both ways, live and simulated: what only one of them did.
//
// Fed by    `touchline compare`
// Knows     multisets. What is in them, RunRecord says.
//
// Sources   invented

public import Simulator

public struct Comparison: Sendable {
    public enum Subject: String, Sendable { case fact, effect }

    /// What happened more often in one of them.
    public struct Difference: Hashable, Sendable {
        public var subject: Subject
        public var text: String
        public var live, simulated: Int
    }

    /// In the order of their texts, facts first.
    public private(set) var differences: [Difference] = []
    /// Of the live run.
    public private(set) var facts = 0
    public private(set) var effects = 0

    /// - Throws: `IncomparableRun`.
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
