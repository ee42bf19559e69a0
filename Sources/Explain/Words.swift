// Words.swift: one sentence or reason in English, Japanese and Chinese.
//
//     "{0} is hit, in {1}" ◀─values─ ["UIButton \"plus\"", "UIWindow"]
//
// Input     Sentence, Reason: the table of every message
// Output    Phrase
//
// Sources   invented

public import Basics

/// A language of explanations.
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case japanese = "ja"
    case chinese = "zh"
}

/// One message in every language, with placeholders `{0}`, `{1}`, … for values.
package struct Words: Sendable {
    package let english, japanese, chinese: String

    package init(_ english: String, _ japanese: String, _ chinese: String) {
        (self.english, self.japanese, self.chinese) = (english, japanese, chinese)
    }

    package subscript(language: Language) -> String {
        switch language {
        case .english: english
        case .japanese: japanese
        case .chinese: chinese
        }
    }

    /// The parts of a template between its placeholders, and the placeholders' numbers.
    static func parts(of template: String) -> (texts: [String], places: [Int]) {
        var texts = [""]
        var places: [Int] = []
        var rest = Substring(template)
        while let character = rest.first {
            let tail = rest.dropFirst()
            if character == "{", let digit = tail.first?.wholeNumberValue, tail.dropFirst().first == "}" {
                places.append(digit)
                texts.append("")
                rest = tail.dropFirst(2)
            } else {
                texts[texts.count - 1].append(character)
                rest = tail
            }
        }
        return (texts, places)
    }

    /// Returns a template with its placeholders replaced. A placeholder without a value stays.
    static func fill(_ template: String, with values: [String]) -> String {
        let (texts, places) = parts(of: template)
        var result = texts[0]
        for (place, text) in zip(places, texts.dropFirst()) {
            result += values.indices.contains(place) ? values[place] : "{\(place)}"
            result += text
        }
        return result
    }

    /// The message in a language with its values.
    package func filled(_ values: [String], _ language: Language) -> String { Self.fill(self[language], with: values) }

    /// Returns the values of a text that was made of the English template; nil for another text.
    func values(of text: String) -> [String]? {
        let (texts, places) = Self.parts(of: english)
        guard text.hasPrefix(texts[0]), text.hasSuffix(texts[texts.count - 1]) else { return nil }
        var values = Array(repeating: "", count: (places.max() ?? -1) + 1)
        var rest = text.dropFirst(texts[0].count)
        for (index, place) in places.enumerated() {
            let next = texts[index + 1]
            // The last part is at the end, whatever the value contains.
            let isLast = index == places.count - 1
            let end: Substring.Index
            if isLast {
                guard rest.count >= next.count else { return nil }
                end = rest.index(rest.endIndex, offsetBy: -next.count)
            } else {
                guard let found = Self.position(of: next, in: rest) else { return nil }
                end = found
            }
            values[place] = String(rest[..<end])
            rest = rest[end...].dropFirst(next.count)
        }
        return rest.isEmpty ? values : nil
    }

    private static func position(of part: String, in text: Substring) -> Substring.Index? {
        guard !part.isEmpty else { return nil }
        return text.indices.first { text[$0...].hasPrefix(part) }
    }
}

/// A message with its values.
public struct Phrase: Hashable, Sendable {
    /// A value of a message.
    package enum Value: Hashable, Sendable {
        /// A name, or a text of the app: the same in every language.
        case name(String)
        /// A reason in English, as a fact contains it.
        case reason(String)
        case duration(Duration)
        /// Points.
        case length(Double)
        case count(Int64)
        /// A moment, printed since the beginning of the text.
        case moment(Instant)
    }

    let sentence: Sentence
    let values: [Value]

    package init(_ sentence: Sentence, _ values: Value...) { self.init(sentence, values) }

    package init(_ sentence: Sentence, _ values: [Value]) { (self.sentence, self.values) = (sentence, values) }

    /// Returns the message in a language.
    ///
    /// - Parameters:
    ///   - language: The language of the text.
    ///   - zero: The moment from which moments in the text count.
    public func text(in language: Language, since zero: Instant = .boot) -> String {
        let texts = values.map { value in
            switch value {
            case .name(let name): name
            case .reason(let reason): Reason.text(of: reason, in: language)
            case .duration(let duration): duration.milliseconds
            case .length(let points): "\(fixedText(points, digits: 1)) pt"
            case .count(let count): "\(count)"
            case .moment(let moment): zero.duration(to: moment).milliseconds
            }
        }
        return Words.fill(sentence.words[language], with: texts)
    }
}
