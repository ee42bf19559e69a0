// Interactions.swift: the interactions of a run, with those that the last fact changed.
//
// Input     Explain
// Output    receipts, reports; Exports, whose flows join the facts of one interaction
// Knows     interactions by their index. No fact.
//
// Sources   invented

/// Interactions in the order of their beginning.
public struct Interactions: RandomAccessCollection, Sendable {
    private var all: [Interaction] = []
    /// The indices of the interactions that the last fact opened or changed, each once, in the order of the changes.
    public private(set) var changed: [Int] = []

    init() {}

    public var startIndex: Int { all.startIndex }
    public var endIndex: Int { all.endIndex }

    public internal(set) subscript(index: Int) -> Interaction {
        get { all[index] }
        _modify {
            note(index)
            yield &all[index]
        }
    }

    mutating func append(_ interaction: Interaction) {
        note(all.endIndex)
        all.append(interaction)
    }

    /// Forgets the changes of the fact before.
    mutating func beginFact() { changed.removeAll(keepingCapacity: true) }

    private mutating func note(_ index: Int) { if !changed.contains(index) { changed.append(index) } }
}
