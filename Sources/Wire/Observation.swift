// Observation.swift: messages that show the decisions of a running group, and the whole state of its server.
//
//    controller ─observe─▶ supervisor ─observe─▶ every child          begin: note facts from now on
//              ◀──facts──            ◀──facts──                       page:  the facts from this number on
//                                                                     end:   note no more
//                                                                     tree:  an app's view tree from this line on
//
// Input     `touchline status`, `dump`, `tree`, `screenshot`, `lint` and `input`, through the supervisor
// Output    pages of facts or of a view tree; pages of the server's state
// Knows     facts as numbers and words. No process.
//
// The server forwards these messages to an app on another machine. A process that is not observed notes nothing. Its
// host keeps the facts: a core answers with a page without facts, so that observation does not change its answers
// (Docs/Decisions/InteractionReceipts.md).
//
// Sources   invented

public import Basics

/// A request of an observer.
public struct Observation: Hashable, Sendable {
    /// The kind of a request.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case begin, page, end
        /// The view tree of an app, with the positions at which touches reach views or without them. The app needs no
        /// observer: it makes the tree when it is asked.
        case tree, touchTargets
        /// The report of an app of another machine, as lines. The supervisor asks its children for theirs with
        /// `reportRequest`.
        case report
    }

    /// The number of the controller, chosen by the supervisor; each page returns it.
    public var id: UInt32
    public var kind: Kind
    /// For `page`: the process that noted the facts. For a tree or a report: the app. `begin` and `end` concern every process, and
    /// name the supervisor.
    public var peer: Peer
    /// For `page`: the number of the first fact that the observer has not seen, from 0 since the process was first
    /// observed. For a tree: 0, which makes the tree, then the number of the first line that the observer has not seen.
    public var from: UInt64

    public init(id: UInt32, kind: Kind, of peer: Peer = .supervisor, from: UInt64 = 0) {
        (self.id, self.kind, self.peer, self.from) = (id, kind, peer, from)
    }
}

/// Facts of one process, in the order in which it noted them; or lines of an app's view tree, which are the page's words.
public struct FactPage: Sendable {
    /// One fact that refers to each word by its number in the page.
    public struct Fact: Sendable {
        public var at: Instant
        /// The index in `Station.allCases`.
        public var station: UInt8
        public var isProbe: Bool
        /// The number of the template's text in the page's words.
        public var template: UInt16
        /// The four numbers of the fact. Where the template has a word (`{a:n}`), the number of that word.
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
    /// The number of the first fact of this page, or of the next fact if the page has none.
    public var first: UInt64
    /// The number of facts that the process had no room to keep, since it was first observed.
    public var missing: UInt64 = 0
    /// Whether there are further facts to ask for.
    public var hasMore = false
    public private(set) var words: [String] = []
    public private(set) var facts: [Fact] = []
    private var bytes = 0

    /// Makes a page without facts, which is a core's answer.
    public init(answering observation: Observation, from peer: Peer) {
        (id, self.peer, first) = (observation.id, peer, observation.from)
    }

    /// The greatest number of bytes of facts and words in one page. A packet has room for its header besides.
    public static let limit = 56 << 10
    static let wordLimit = 4096
    static let factLimit = limit / Fact.size

    /// Appends a fact and its new words.
    ///
    /// - Parameters:
    ///   - fact: The fact, whose numbers stand for words of the page and the new ones.
    ///   - new: The words of the fact that are not in the page yet, in the order of their numbers, which continue those
    ///     of the page.
    /// - Returns: False when there is no room; nothing is then appended.
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

    /// Appends a line of a view tree.
    ///
    /// - Returns: False when there is no room; nothing is then appended.
    public mutating func append(line: String) -> Bool {
        let size = 4 + line.utf8.count
        guard bytes + size <= Self.limit, words.count < Self.wordLimit else { return false }
        bytes += size
        words.append(line)
        return true
    }

    /// Moves all moments by `offset`, into the time of another clock: the moment of each fact, and each value that its
    /// template marks as a moment (`{c:m}`).
    public mutating func shift(byNanoseconds offset: Int64) {
        for index in facts.indices {
            facts[index].at = Instant(nanoseconds: facts[index].at.nanoseconds &+ offset)
            guard words.indices.contains(Int(facts[index].template)) else { continue }
            let template = words[Int(facts[index].template)]
            if firstRange(of: "{a:m}", in: template) != nil { facts[index].values.0 &+= offset }
            if firstRange(of: "{b:m}", in: template) != nil { facts[index].values.1 &+= offset }
            if firstRange(of: "{c:m}", in: template) != nil { facts[index].values.2 &+= offset }
            if firstRange(of: "{d:m}", in: template) != nil { facts[index].values.3 &+= offset }
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

/// A request for one page of the server's whole state.
public struct DetailRequest: Hashable, Sendable {
    /// The number of the controller, as in an observation.
    public var id: UInt32
    /// The first row: 0, and then `next` of the previous page.
    public var from: UInt32

    public init(id: UInt32, from: UInt32 = 0) { (self.id, self.from) = (id, from) }
}

/// A part of the server's whole state: rows in the order in which a person reads them.
public struct DetailPage: Hashable, Sendable {
    public var id: UInt32
    public var rows: [Report.Row]
    /// The `from` of the next request; 0 at the end.
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
            kind: try coder.field(
                value?.kind, "word: 0 begin, 1 page, 2 end, 3 tree, 4 touchTargets, 5 report",
                as: "observation"),
            of: try coder.field(value?.peer), from: try coder.field(value?.from, "from the fact or line of this number")
        )
    }
}

extension FactPage: FieldCodable {
    package init<Coder: FieldCoder>(coding value: FactPage?, with coder: inout Coder) throws(Coder.Failure) {
        let id = try coder.field(value?.id, "id")
        self.init(answering: Observation(id: id, kind: .page), from: try coder.field(value?.peer))
        first = try coder.field(value?.first, "number of the first fact or line")
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
