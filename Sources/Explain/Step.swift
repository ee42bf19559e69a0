// Step.swift: one step on the way of an interaction, as a sentence with its time and its station.
//
// Input     Explain+Steps.swift
// Output    explanations: text, JSON, pages
//
// Sources   invented

public import Basics
public import Trace

/// One step on the way of an interaction.
public struct Step: Hashable, Sendable {
    public let at: Instant
    /// The process that noted it: `app1`.
    public let process: String
    public let station: Station
    public internal(set) var phrase: Phrase
    /// The number of times that the step happened in a row, and the last of them.
    public internal(set) var count = 1
    public internal(set) var last: Instant

    init(_ fact: ResolvedFact, _ phrase: Phrase) {
        (at, last, process, station, self.phrase) = (fact.at, fact.at, fact.process, fact.station, phrase)
    }
}

extension Step {
    /// The sentence, with the number of times.
    ///
    /// - Parameters:
    ///   - language: The language of the sentence.
    ///   - zero: The moment from which moments count.
    public func text(in language: Language, since zero: Instant) -> String {
        let text = phrase.text(in: language, since: zero)
        guard count > 1 else { return text }
        let words = Sentence.repeatedUntil.words
        return Words.fill(words[language], with: [text, "\(count)", zero.duration(to: last).milliseconds])
    }
}
