// ToldFact.swift: a fact away from whoever noted it: its literal and its words with it, still in parts.
//
//    Fact + NameTable ─told─▶ ToldFact ─▶ folds over facts (Explain)
//                                └─text─▶ what a trace line says
//
// Fed by    worlds and hosts that hand facts on
// Sources   invented

public import Basics

/// One fact with everything it mentions. Two of different processes can be compared.
public struct ToldFact: Hashable, Sendable {
    /// What is in a place of the template.
    public enum Value: Hashable, Sendable {
        case number(Int64)
        case word(String)
    }

    public var at: Instant
    /// Which process noted it: `input-kit`, `system-server`, `app1`, …
    public var process: String
    public var station: Station
    public var isProbe: Bool
    public var template: String
    /// For `{a}`, `{b}`, `{c}`, `{d}`: always four.
    public var values: [Value]

    public init(
        at: Instant, process: String, station: Station, isProbe: Bool = false, template: String, values: [Value]
    ) {
        (self.at, self.process, self.station, self.isProbe) = (at, process, station, isProbe)
        (self.template, self.values) = (template, Array(values.prefix(4)))
        while self.values.count < 4 { self.values.append(.number(0)) }
    }

    /// The number in a place, from 0 for `{a}`; 0 where there is a word.
    public func number(_ place: Int) -> Int64 {
        if case .number(let number) = values[place] { number } else { 0 }
    }

    /// The word in a place; a number's digits where there is one.
    public func word(_ place: Int) -> String {
        switch values[place] {
        case .number(let number): "\(number)"
        case .word(let word): word
        }
    }

    /// As a trace line has it.
    public var text: String {
        filled(template) { place, format in
            guard let index = ToldFact.index(of: place) else { return nil }
            switch values[index] {
            case .word(let word): return word
            case .number(let number): return Fact.text(of: number, as: format)
            }
        }
    }

    /// From 0; nil for a letter that is no place.
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
    /// The same, for those who do not have this process's names.
    public func told(by process: String, names: NameTable) -> ToldFact {
        let numbers = [a, b, c, d]
        var values = numbers.map(ToldFact.Value.number)
        for index in Self.wordPlaces(of: template.description) { values[index] = .word(names[numbers[index]]) }
        return ToldFact(
            at: at, process: process, station: station, isProbe: isProbe, template: template.description,
            values: values)
    }

    /// The places of a template that stand for words, from 0.
    public static func wordPlaces(of template: String) -> [Int] {
        var places: [Int] = []
        _ = filled(template) { place, format in
            if format == ":n", let index = ToldFact.index(of: place), !places.contains(index) { places.append(index) }
            return ""
        }
        return places
    }
}
