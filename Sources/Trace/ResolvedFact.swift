// ResolvedFact.swift: a fact that does not need its process's name table.
//
//    Fact + NameTable ─▶ ResolvedFact ─▶ folds over facts (Explain)
//                            └─text─▶ the text of a trace line
//
// Input     simulated worlds, hosts, pages of observed facts
// Output    Explain
// Knows     templates. No process's names.
//
// Sources   invented

public import Basics

/// One fact with its words and its process, so that facts of different processes can be compared.
public struct ResolvedFact: Hashable, Sendable {
    /// The value of a placeholder.
    public enum Value: Hashable, Sendable {
        case number(Int64)
        case word(String)
    }

    public var at: Instant
    /// The process that noted the fact: `input-kit`, `system-server`, `app1`, …
    public var process: String
    public var station: Station
    public var isProbe: Bool
    public var template: String
    /// The values of `{a}`, `{b}`, `{c}` and `{d}`: always four.
    public var values: [Value]

    public init(
        at: Instant, process: String, station: Station, isProbe: Bool = false, template: String, values: [Value]
    ) {
        (self.at, self.process, self.station, self.isProbe) = (at, process, station, isProbe)
        (self.template, self.values) = (template, Array(values.prefix(4)))
        while self.values.count < 4 { self.values.append(.number(0)) }
    }

    /// Returns the number at an index, 0 for `{a}`; 0 if the value is a word.
    public func number(at place: Int) -> Int64 {
        if case .number(let number) = values[place] { number } else { 0 }
    }

    /// Returns the word at an index, or the digits of a number.
    public func word(at place: Int) -> String {
        switch values[place] {
        case .number(let number): "\(number)"
        case .word(let word): word
        }
    }

    /// The text of the trace line. Moments in it count from the boot.
    public var text: String { text(since: .boot) }

    /// Returns the template with its placeholders filled.
    ///
    /// - Parameter origin: The moment from which moments in the text count.
    public func text(since origin: Instant) -> String {
        fillPlaceholders(of: template) { place, format in
            guard let index = ResolvedFact.index(of: place) else { return nil }
            switch values[index] {
            case .word(let word): return word
            case .number(let number):
                return Fact.text(of: format == ":m" ? number &- origin.nanoseconds : number, as: format)
            }
        }
    }

    /// Returns the fact as a line of its process.
    ///
    /// - Parameter origin: The moment from which moments in the text count.
    public func line(since origin: Instant = .boot) -> TraceLine {
        TraceLine(at: at, process: process, station: station, isProbe: isProbe, text: text(since: origin))
    }

    /// Returns the index of a placeholder's letter, from 0; nil for another letter.
    static func index(of place: Character) -> Int? {
        switch place {
        case "a": 0
        case "b": 1
        case "c": 2
        case "d": 3
        default: nil
        }
    }
}

extension Fact {
    /// Returns the same fact with its words, for readers without this process's names.
    public func resolved(by process: String, names: NameTable) -> ResolvedFact {
        let numbers = [a, b, c, d]
        var values = numbers.map(ResolvedFact.Value.number)
        for index in Self.wordIndices(of: template.description) { values[index] = .word(names[numbers[index]]) }
        return ResolvedFact(
            at: at, process: process, station: station, isProbe: isProbe, template: template.description,
            values: values)
    }

    /// Returns the indices of the values that stand for words in a template, from 0.
    public static func wordIndices(of template: String) -> [Int] {
        var places: [Int] = []
        _ = fillPlaceholders(of: template) { place, format in
            if format == ":n", let index = ResolvedFact.index(of: place), !places.contains(index) {
                places.append(index)
            }
            return ""
        }
        return places
    }
}
