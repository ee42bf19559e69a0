// Fact.swift: one thing that happened, small enough to note always.
//
// A fact is flat: a station, a template that is a literal, and four numbers. Appending one costs a few
// nanoseconds; making text of it is the reader's business (`FactText.swift`). Words that are not literals
// (a view's name, a file) are interned once in a `NameTable` and travel as numbers.

public import Basics

public struct Fact: Sendable {
    public var at: Instant
    public var station: Station
    /// A line of the conformance language, not a note for the reader: `touchline conform` compares these.
    public var isProbe: Bool
    /// Literal text with places for the numbers: see `FactText`.
    public var template: StaticString
    public var a, b, c, d: Int64

    public init(
        at: Instant, station: Station, isProbe: Bool = false, _ template: StaticString,
        _ a: Int64 = 0, _ b: Int64 = 0, _ c: Int64 = 0, _ d: Int64 = 0
    ) {
        (self.at, self.station, self.isProbe, self.template) = (at, station, isProbe, template)
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }
}

/// A word that facts mention, as a number.
public struct Name: Hashable, Sendable {
    public let index: Int64
}

/// Words and their numbers, in order of first mention.
public struct NameTable: Sendable {
    public private(set) var words: [String] = []
    private var numbers: [String: Int64] = [:]

    public init() {}

    public mutating func name(_ word: String) -> Name {
        if let known = numbers[word] { return Name(index: known) }
        let index = Int64(words.count)
        numbers[word] = index
        words.append(word)
        return Name(index: index)
    }

    public subscript(index: Int64) -> String {
        words.indices.contains(Int(index)) ? words[Int(index)] : "?\(index)"
    }
}

/// What a process noted, in order. Cores append; hosts and tests read and clear.
///
/// Names outlive `removeFacts`, so a number means the same word for the life of the process.
public struct TraceLog: Sendable {
    public private(set) var names = NameTable()
    public private(set) var facts: [Fact] = []
    /// Off, nothing is kept: what a benchmark of the transport alone wants.
    public var isEnabled = true
    /// Whether nothing kept may say where anything is: places and measures are left out of every fact and every word as
    /// they are noted, so that whatever is made of facts later has none either (threat T5).
    public var hidesPlaces = false
    /// Whether facts may say which keys of a keyboard are pressed, unless places are hidden.
    public var saysKeys = false

    public init() {}

    @inlinable
    public mutating func note(
        _ at: Instant, _ station: Station, _ template: StaticString,
        _ a: Int64 = 0, _ b: Int64 = 0, _ c: Int64 = 0, _ d: Int64 = 0
    ) {
        guard isEnabled else { return }
        append(Fact(at: at, station: station, template, a, b, c, d))
    }

    /// Notes a line of the conformance language. It is not even made when nothing is kept.
    @inlinable
    public mutating func probe(_ at: Instant, _ station: Station, _ line: @autoclosure () -> String) {
        guard isEnabled else { return }
        append(Fact(at: at, station: station, isProbe: true, "{a:n}", number(of: line())))
    }

    @usableFromInline
    mutating func append(_ fact: Fact) { facts.append(hidesPlaces ? fact.withoutPlaces : fact) }

    /// The number of a word, for a `{a:n}` place of a note.
    ///
    /// - Returns: 0, and the word is not even made, when nothing is kept: no note will ask for it.
    @inlinable
    public mutating func name(_ word: @autoclosure () -> String) -> Int64 {
        guard isEnabled else { return 0 }
        return number(of: word())
    }

    /// The number of a keyboard's key, for a `{a:k}` place of a note; hidden where it is not to be said.
    public func key(_ number: Int) -> Int64 { saysKeys && !hidesPlaces ? Int64(number) : Fact.hidden }

    @usableFromInline
    mutating func number(of word: String) -> Int64 { names.name(hidesPlaces ? withoutPlaces(word) : word).index }

    public mutating func removeFacts() { facts.removeAll(keepingCapacity: true) }
}
