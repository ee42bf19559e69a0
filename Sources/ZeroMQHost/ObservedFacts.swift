// ObservedFacts.swift: what a process has noted while somebody looks on, bounded, and handed out in pages.
//
//    begin ─▶ noting: each step's facts are kept, the oldest let go of when there are too many ─end, of the last─▶ none
//
// Fed by    a host: the outbox's trace after each step, observations as they come
// Feeds     the host: pages, in place of the empty ones its core answers with
// Knows     facts and who asks for them. Nothing of what they are about.
//
// Sources   invented, Docs/Decisions/InteractionReceipts.md

public import Trace
public import Wire

public struct ObservedFacts: Sendable {
    /// Facts kept at once: of one tap there are fifty.
    public static let capacity = 16_384
    /// Of one word: of a failure, a target, a path.
    private static let wordLimit = 1024

    private var observers: [UInt32] = []
    private var kept: [Fact] = []
    /// Let go of, of those kept: taken out when they are many.
    private var head = 0
    /// The number of the first that is kept.
    private var first: UInt64 = 0
    private var missing: UInt64 = 0

    public init() {}

    /// Whether there is anybody to note facts for.
    public var isObserved: Bool { !observers.isEmpty }

    public mutating func take(_ observation: Observation) {
        switch observation.word {
        case .begin: if !observers.contains(observation.id) { observers.append(observation.id) }
        case .page: return
        case .end: forget(observation.id)
        }
    }

    /// The link that passed on the observers' words is gone.
    public mutating func forgetAll() {
        for observer in observers { forget(observer) }
    }

    /// An observer is gone, with or without a word.
    public mutating func forget(_ id: UInt32) {
        observers.removeAll { $0 == id }
        guard observers.isEmpty else { return }
        // Numbers go on: whoever asks later for what was noted before is told that it is gone.
        first &+= UInt64(kept.count - head)
        (kept, head, missing) = ([], 0, 0)
    }

    /// Facts of a step that are not kept yet.
    public mutating func take(_ facts: ArraySlice<Fact>) {
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

    /// Fills a page that a core has answered with: facts from the one that was asked for on, as many as fit.
    public func fill(_ page: inout FactPage, names: NameTable) {
        page.missing = missing
        guard isObserved else { return }
        let skipped = page.first > first ? page.first - first : 0
        guard skipped <= UInt64(kept.count - head) else { return }
        page.first = first + skipped
        // By text: a template is a literal, and there are few of them.
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
        let place = number(template)
        var values = [fact.a, fact.b, fact.c, fact.d]
        for index in Fact.wordPlaces(of: template) { values[index] = Int64(number(names[values[index]])) }
        let station = Station.allCases.firstIndex(of: fact.station) ?? 0
        let told = FactPage.Fact(
            at: fact.at, station: UInt8(station), isProbe: fact.isProbe, template: UInt16(clamping: place),
            values: (values[0], values[1], values[2], values[3]))
        let count = page.words.count
        guard page.append(told, words: new) else { return false }
        for (index, word) in new.enumerated() { numbers[word] = count + index }
        return true
    }
}

extension FactPage {
    /// Its facts as folds take them; those of a station or with words that there are not are left out.
    public var told: [ToldFact] {
        facts.compactMap { fact -> ToldFact? in
            guard Station.allCases.indices.contains(Int(fact.station)), words.indices.contains(Int(fact.template))
            else { return nil }
            let template = words[Int(fact.template)]
            let numbers = [fact.values.0, fact.values.1, fact.values.2, fact.values.3]
            var values = numbers.map(ToldFact.Value.number)
            for place in Trace.Fact.wordPlaces(of: template) {
                guard let index = Int(exactly: numbers[place]), words.indices.contains(index) else { return nil }
                values[place] = .word(words[index])
            }
            return ToldFact(
                at: fact.at, process: "\(peer)", station: Station.allCases[Int(fact.station)], isProbe: fact.isProbe,
                template: template, values: values)
        }
    }
}
