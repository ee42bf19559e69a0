// Fact.swift: one typed observation of a process, and the log that collects it.
//
// Input     cores and UIKit
// Output    FactText (lines), ResolvedFact (folds over facts), pages of observed facts
// Knows     stations and numbers. No text except literals and names.
//
// A fact is flat: a station, a template that is a literal, and four numbers. Appending one costs a few nanoseconds;
// readers make text of it. Words that are not literals (a view's name, a file) are stored once in a `NameTable`, and
// facts refer to them by number.
//
// Sources   invented

public import Basics

/// One observation: its time, its station, a template and the four values of the template.
public struct Fact: Sendable {
    public var at: Instant
    public var station: Station
    /// Whether the fact is a conformance line, which `touchline conform` compares, rather than a note for a reader.
    public var isProbe: Bool
    /// Literal text with placeholders for the values: see FactText.swift.
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

/// A word that facts mention, as its number in a `NameTable`.
public struct Name: Hashable, Sendable {
    public let index: Int64
}

/// Words and their numbers, in the order of their first mention.
public struct NameTable: Sendable {
    public private(set) var words: [String] = []
    private var numbers: [String: Int64] = [:]

    public init() {}

    /// Returns the name of a word, and adds the word if it is new.
    public mutating func intern(_ word: String) -> Name {
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

/// The facts of one process in order. Cores append to it; hosts and tests read and clear it.
///
/// `removeFacts` keeps the names, so a number means the same word as long as the process runs.
public struct TraceLog: Sendable {
    public private(set) var names = NameTable()
    public private(set) var facts: [Fact] = []
    /// Whether facts are kept. Benchmarks of the transport turn it off.
    public var isEnabled = true
    /// Whether positions and measures are removed from every fact and every word as they are noted. Nothing that is
    /// made of the facts later contains them (threat T5).
    public var hidesPositions = false
    /// Whether facts may name the pressed keys of a keyboard. They never do while `hidesPositions` is set.
    public var namesKeys = false

    public init() {}

    /// Notes a fact.
    @inlinable
    public mutating func note(
        _ at: Instant, _ station: Station, _ template: StaticString,
        _ a: Int64 = 0, _ b: Int64 = 0, _ c: Int64 = 0, _ d: Int64 = 0
    ) {
        guard isEnabled else { return }
        append(Fact(at: at, station: station, template, a, b, c, d))
    }

    /// Notes a conformance line. The line is not made when no facts are kept.
    @inlinable
    public mutating func probe(_ at: Instant, _ station: Station, _ line: @autoclosure () -> String) {
        guard isEnabled else { return }
        append(Fact(at: at, station: station, isProbe: true, "{a:n}", number(of: line())))
    }

    @usableFromInline
    mutating func append(_ fact: Fact) { facts.append(hidesPositions ? fact.withoutPositions : fact) }

    /// Returns the number of a word, for a `{a:n}` placeholder.
    ///
    /// - Returns: 0 when no facts are kept; the word is then not made.
    @inlinable
    public mutating func intern(_ word: @autoclosure () -> String) -> Int64 {
        guard isEnabled else { return 0 }
        return number(of: word())
    }

    /// Returns the number of a keyboard's key for a `{a:k}` placeholder, or the hidden value where keys must not be
    /// named.
    public func keyValue(_ number: Int) -> Int64 { namesKeys && !hidesPositions ? Int64(number) : Fact.hidden }

    @usableFromInline
    mutating func number(of word: String) -> Int64 {
        names.intern(hidesPositions ? withoutPositions(word) : word).index
    }

    /// Removes all facts and keeps the names.
    public mutating func removeFacts() { facts.removeAll(keepingCapacity: true) }
}
