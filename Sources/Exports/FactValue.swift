// FactValue.swift: the values of a fact as numbers and words of a file format.
//
// Input     ResolvedFact
// Output    ChromeTrace, PerfettoTrace, FactTable
// Knows     the formats of placeholders (Sources/Trace/FactText.swift). No file format.
//
// Sources   invented, after threat T5 for hidden values

package import Basics
package import Trace

/// The value of one placeholder.
package enum FactValue: Hashable, Sendable {
    case integer(Int64)
    case real(Double)
    case text(String)
    /// A position, a measure or a key that the process hid. No export has a number for it.
    case hidden
}

/// A placeholder of a template: its letter and the format after the letter, `:p`.
package struct Placeholder: Hashable, Sendable {
    package var letter: Character
    package var format: String

    var index: Int {
        switch letter {
        case "a": 0
        case "b": 1
        case "c": 2
        default: 3
        }
    }
}

/// Reads the values of facts. It parses each template once.
package struct FactReader: Sendable {
    private var known: [String: [Placeholder]] = [:]
    /// The moment from which moments in values count.
    private let origin: Instant

    package init(origin: Instant) { self.origin = origin }

    /// Returns the placeholders of a template in the order of their letters, each once.
    private mutating func placeholders(of template: String) -> [Placeholder] {
        if let found = known[template] { return found }
        var found: [Placeholder] = []
        _ = fillPlaceholders(of: template) { letter, format in
            if "abcd".contains(letter), !found.contains(where: { $0.letter == letter }) {
                found.append(Placeholder(letter: letter, format: String(format)))
            }
            return ""
        }
        found.sort { $0.letter < $1.letter }
        known[template] = found
        return found
    }

    /// Returns the values that the template of a fact names: durations and moments in nanoseconds, positions in points or
    /// as a share of the panel.
    package mutating func values(of fact: ResolvedFact) -> [(letter: Character, value: FactValue)] {
        placeholders(of: fact.template).map { place in
            switch fact.values[place.index] {
            case .word(let word): (place.letter, .text(word))
            case .number(let number): (place.letter, value(number, place.format))
            }
        }
    }

    private func value(_ number: Int64, _ format: String) -> FactValue {
        if Fact.isHidden(number) { return .hidden }
        switch format {
        case ":f": return .real(Double(number) / 65536)
        case ":p":
            let measure = Double(bitPattern: UInt64(bitPattern: number))
            return measure.isFinite ? .real(measure) : .text("\(measure)")
        case ":m": return .integer(number &- origin.nanoseconds)
        default: return .integer(number)
        }
    }
}
