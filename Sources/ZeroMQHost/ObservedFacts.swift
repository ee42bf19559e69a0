// ObservedFacts.swift: the facts of a process while a command observes it, bounded, and returned in pages.
//
//    begin ─▶ noting: each step's facts are kept, the oldest removed beyond the limit ─end, of the last─▶ none
//
// Input     a host: the outbox's trace after each step, and observations as they arrive
// Output    the host: pages, which replace the empty pages of its core
// Knows     facts and their observers. Not the meaning of facts.
//
// Sources   invented, Docs/Decisions/InteractionReceipts.md

public import Trace
public import Wire

/// The latest facts of a process, kept while a command observes it.
public struct ObservedFacts: Sendable {
    /// Facts kept at once. One tap makes fifty.
    public static let capacity = 16_384
    /// The longest word in bytes, such as a failure, a target or a path.
    private static let wordLimit = 1024

    private var observers: [UInt32] = []
    private var kept: [Fact] = []
    /// The number of removed facts at the front of `kept`; the array is compacted when they are many.
    private var head = 0
    /// The number of the first kept fact.
    private var first: UInt64 = 0
    private var missing: UInt64 = 0

    public init() {}

    /// Whether any command observes this process.
    public var isObserved: Bool { !observers.isEmpty }

    /// Adds or removes an observer. A request for a page changes nothing.
    public mutating func handle(_ observation: Observation) {
        switch observation.kind {
        case .begin: if !observers.contains(observation.id) { observers.append(observation.id) }
        case .page, .tree, .touchTargets, .report: return
        case .end: forget(observation.id)
        }
    }

    /// Removes all observers, because the link that carries their requests has ended.
    public mutating func forgetAll() {
        for observer in observers { forget(observer) }
    }

    /// Removes an observer that has ended, with or without a message.
    public mutating func forget(_ id: UInt32) {
        observers.removeAll { $0 == id }
        guard observers.isEmpty else { return }
        // The numbers continue, so that a later request for earlier facts learns that they are gone.
        first &+= UInt64(kept.count - head)
        (kept, head, missing) = ([], 0, 0)
    }

    /// Adds the facts of a step that are not kept yet.
    public mutating func append(_ facts: ArraySlice<Fact>) {
        guard isObserved else { return }
        kept += facts
        let surplus = kept.count - head - Self.capacity
        guard surplus > 0 else { return }
        head += surplus
        first &+= UInt64(surplus)
        missing &+= UInt64(surplus)
        if head >= Self.capacity {
            kept.removeFirst(head)
            head = 0
        }
    }

    /// Fills a page of a core's answer with as many facts as fit, from the requested one on.
    public func fill(_ page: inout FactPage, names: NameTable) {
        // Lines of a view tree are a whole answer.
        guard page.words.isEmpty else { return }
        page.missing = missing
        guard isObserved else { return }
        let skipped = page.first > first ? page.first - first : 0
        guard skipped <= UInt64(kept.count - head) else { return }
        page.first = first + skipped
        // Words are looked up by their text; templates are literals, of which there are few.
        var numbers: [String: Int] = [:]
        for fact in kept[(head + Int(skipped))...] {
            guard Self.append(fact, to: &page, &numbers, names) else {
                page.hasMore = true
                return
            }
        }
    }

    private static func append(
        _ fact: Fact, to page: inout FactPage, _ numbers: inout [String: Int], _ names: NameTable
    ) -> Bool {
        var new: [String] = []
        func number(_ word: String) -> Int {
            let word = word.utf8.count <= wordLimit ? word : String(word.prefix(wordLimit / 4))
            if let known = numbers[word] { return known }
            if let index = new.firstIndex(of: word) { return page.words.count + index }
            new.append(word)
            return page.words.count + new.count - 1
        }
        let template = fact.template.description
        let templateIndex = number(template)
        var values = [fact.a, fact.b, fact.c, fact.d]
        for index in Fact.wordIndices(of: template) { values[index] = Int64(number(names[values[index]])) }
        let station = Station.allCases.firstIndex(of: fact.station) ?? 0
        let pageFact = FactPage.Fact(
            at: fact.at, station: UInt8(station), isProbe: fact.isProbe, template: UInt16(clamping: templateIndex),
            values: (values[0], values[1], values[2], values[3]))
        let count = page.words.count
        guard page.append(pageFact, words: new) else { return false }
        for (index, word) in new.enumerated() { numbers[word] = count + index }
        return true
    }
}

extension FactPage {
    /// The page's facts for folds. Facts with an unknown station or word are omitted.
    public var resolvedFacts: [ResolvedFact] {
        facts.compactMap { fact -> ResolvedFact? in
            guard Station.allCases.indices.contains(Int(fact.station)), words.indices.contains(Int(fact.template))
            else { return nil }
            let template = words[Int(fact.template)]
            let numbers = [fact.values.0, fact.values.1, fact.values.2, fact.values.3]
            var values = numbers.map(ResolvedFact.Value.number)
            for place in Trace.Fact.wordIndices(of: template) {
                guard let index = Int(exactly: numbers[place]), words.indices.contains(index) else { return nil }
                values[place] = .word(words[index])
            }
            return ResolvedFact(
                at: fact.at, process: "\(peer)", station: Station.allCases[Int(fact.station)], isProbe: fact.isProbe,
                template: template, values: values)
        }
    }
}
