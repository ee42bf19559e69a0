// ResolvedFact+Hiding.swift: a fact without positions, for pages about runs with secure windows.
//
// Input     pages of runs
// Output    the same fact with every position and measure hidden
// Knows     placeholders. No window.
//
// Sources   invented, after threat T5

extension ResolvedFact {
    /// Whether a position of the fact was hidden when the fact was noted.
    public var hasHiddenPosition: Bool {
        values.contains { if case .number(let number) = $0 { Fact.isHidden(number) } else { false } }
    }

    /// The same fact with every position and measure hidden, in its values and in its words.
    public var withoutPositions: ResolvedFact {
        var fact = self
        _ = fillPlaceholders(of: template) { place, format in
            if format == ":p" || format == ":f", let index = Self.index(of: place) {
                fact.values[index] = .number(Fact.hidden)
            }
            return ""
        }
        for (index, value) in fact.values.enumerated() {
            if case .word(let word) = value { fact.values[index] = .word(Trace.withoutPositions(word)) }
        }
        return fact
    }
}
