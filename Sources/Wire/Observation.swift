// Observation.swift: what is said to see a group decide while it does, and all that its server knows of everybody.
//
//    controller ─observe─▶ supervisor ─observe─▶ every child          begin: from now on, note what you decide
//              ◀──facts──            ◀──facts──                       page:  what you have noted since, from this on
//                                                                     end:   no more
//
// An app of another machine is asked by the server, on the supervisor's behalf.
//
// A process that nobody observes notes nothing. What is noted is its host's to keep and to hand out: a core answers
// with a page without facts, and so answers the same whoever looks on (Docs/Decisions/InteractionReceipts.md).
//
// Sources   invented

public import Basics

/// What an observer wants.
public struct Observation: Hashable, Sendable {
    public enum Word: UInt8, Sendable, CaseIterable { case begin, page, end }

    /// Whose: chosen by the supervisor, a number for each controller; comes back with each page.
    public var id: UInt32
    public var word: Word
    /// Of `page`: whose facts. Beginnings and ends are everybody's, and name the supervisor.
    public var peer: Peer
    /// Of `page`: the first fact that has not been seen, counted from 0 since the process was first observed.
    public var from: UInt64

    public init(id: UInt32, word: Word, of peer: Peer = .supervisor, from: UInt64 = 0) {
        (self.id, self.word, self.peer, self.from) = (id, word, peer, from)
    }
}

/// Facts of one process, in the order it noted them.
public struct FactPage: Sendable {
    /// One fact, its words by their number in the page.
    public struct Fact: Sendable {
        public var at: Instant
        /// Where in `Station.allCases`.
        public var station: UInt8
        public var isProbe: Bool
        /// The number of the template's text.
        public var template: UInt16
        /// For a place that is a word (`{a:n}`): its number.
        public var values: (Int64, Int64, Int64, Int64)

        public init(
            at: Instant, station: UInt8, isProbe: Bool, template: UInt16, values: (Int64, Int64, Int64, Int64)
        ) {
            (self.at, self.station, self.isProbe) = (at, station, isProbe)
            (self.template, self.values) = (template, values)
        }

        static let size = 44
    }

    public var id: UInt32
    public var peer: Peer
    /// The number of the first fact here, or of the next there will be.
    public var first: UInt64
    /// Facts since the process was first observed that it had no room to keep.
    public var missing: UInt64 = 0
    /// There is more to ask for.
    public var hasMore = false
    public private(set) var words: [String] = []
    public private(set) var facts: [Fact] = []
    private var bytes = 0

    /// Without facts, as a core says it.
    public init(answering observation: Observation, from peer: Peer) {
        (id, self.peer, first) = (observation.id, peer, observation.from)
    }

    /// Bytes of facts and words in one page: a packet has room for its header besides.
    public static let limit = 56 << 10
    static let wordLimit = 4096
    static let factLimit = limit / Fact.size

    /// - Parameter words: Those not in the page yet, as the fact counts on: their numbers go on where the page's end.
    /// - Returns: False when there is no room; nothing is then taken.
    public mutating func append(_ fact: Fact, words new: [String]) -> Bool {
        let size = new.reduce(Fact.size) { $0 + 4 + $1.utf8.count }
        guard bytes + size <= Self.limit, words.count + new.count <= Self.wordLimit, facts.count < Self.factLimit else {
            return false
        }
        bytes += size
        words += new
        facts.append(fact)
        return true
    }

    /// Puts the facts' moments into the time of another clock: when each was noted, and what its template calls a
    /// moment (`{c:m}`).
    public mutating func shift(byNanoseconds offset: Int64) {
        for index in facts.indices {
            facts[index].at = Instant(nanoseconds: facts[index].at.nanoseconds &+ offset)
            guard words.indices.contains(Int(facts[index].template)) else { continue }
            let template = words[Int(facts[index].template)]
            if template.contains("{a:m}") { facts[index].values.0 &+= offset }
            if template.contains("{b:m}") { facts[index].values.1 &+= offset }
            if template.contains("{c:m}") { facts[index].values.2 &+= offset }
            if template.contains("{d:m}") { facts[index].values.3 &+= offset }
        }
    }
}

extension FactPage.Fact: Hashable {
    public static func == (a: Self, b: Self) -> Bool {
        a.at == b.at && a.station == b.station && a.isProbe == b.isProbe && a.template == b.template
            && a.values == b.values
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(at)
        hasher.combine(template)
        hasher.combine(values.0)
    }
}

extension FactPage: Hashable {
    public static func == (a: Self, b: Self) -> Bool {
        a.id == b.id && a.peer == b.peer && a.first == b.first && a.missing == b.missing && a.hasMore == b.hasMore
            && a.words == b.words && a.facts == b.facts
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(peer)
        hasher.combine(first)
        hasher.combine(facts.count)
    }
}

/// What a server is asked for all it knows.
public struct DetailRequest: Hashable, Sendable {
    /// Whose: as an observation's.
    public var id: UInt32
    /// 0, and then what the last page says is next.
    public var from: UInt32

    public init(id: UInt32, from: UInt32 = 0) { (self.id, self.from) = (id, from) }
}

/// A part of all that a server knows: rows in the order it wants them read.
public struct DetailPage: Hashable, Sendable {
    public var id: UInt32
    public var rows: [Report.Row]
    /// What to ask for next; 0 when this is the end.
    public var next: UInt32

    public init(id: UInt32, rows: [Report.Row] = [], next: UInt32 = 0) {
        (self.id, self.rows, self.next) = (id, rows, next)
    }
}

// MARK: Fields

extension Observation: FieldCodable {
    package init<Coder: FieldCoder>(coding value: Observation?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            id: try coder.field(value?.id, "id"),
            word: try coder.field(value?.word, "word: 0 begin, 1 page, 2 end", as: "observation"),
            of: try coder.field(value?.peer), from: try coder.field(value?.from, "from the fact of this number"))
    }
}

extension FactPage: FieldCodable {
    package init<Coder: FieldCoder>(coding value: FactPage?, with coder: inout Coder) throws(Coder.Failure) {
        let id = try coder.field(value?.id, "id")
        self.init(answering: Observation(id: id, word: .page), from: try coder.field(value?.peer))
        first = try coder.field(value?.first, "number of the first fact")
        missing = try coder.field(value?.missing, "facts not kept")
        hasMore = try coder.field(value?.hasMore, "1: there is more", as: "more")
        words = try coder.list(value?.words, "words", of: "words", size: 4, limit: Self.wordLimit) {
            (word, coder) throws(Coder.Failure) in try coder.field(word, "each: word", as: "word")
        }
        let count = words.count
        facts = try coder.list(value?.facts, "facts", of: "facts", size: Fact.size, limit: Self.factLimit) {
            (fact, coder) throws(Coder.Failure) in
            let fact = try Fact(coding: fact, with: &coder)
            try coder.require(
                Int(fact.template) < count, else: .badValue("a fact's template", UInt64(fact.template)))
            return fact
        }
    }
}

extension FactPage.Fact: FieldCodable {
    package init<Coder: FieldCoder>(coding value: Self?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            at: try coder.field(value?.at, "each: moment, ns"),
            station: try coder.field(value?.station, "each: station, in the order of the way"),
            isProbe: try coder.field(value?.isProbe, "each: 1 a conformance line", as: "conformance line"),
            template: try coder.field(value?.template, "each: template, a word's number"),
            values: (
                try coder.field(value?.values.0, "each: a, for a word its number"),
                try coder.field(value?.values.1, "each: b"), try coder.field(value?.values.2, "each: c"),
                try coder.field(value?.values.3, "each: d")
            ))
    }
}

extension DetailRequest: FieldCodable {
    package init<Coder: FieldCoder>(coding value: DetailRequest?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            id: try coder.field(value?.id, "id"), from: try coder.field(value?.from, "from: 0, or the last page's next")
        )
    }
}

extension DetailPage: FieldCodable {
    package init<Coder: FieldCoder>(coding value: DetailPage?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(id: try coder.field(value?.id, "id"))
        next = try coder.field(value?.next, "next; 0 for the end")
        rows = try coder.rows(value?.rows)
    }
}
