// RepetitionLimit.swift: the limit of facts about one kind of repeated event.
//
// Input     cores, at each refusal and at each URL
// Output    whether the event is noted
//
// Each noted event may have words of its own, and names are kept for good. Without a limit, a peer that is refused a
// million times would add a million names.
//
// Sources   invented

/// Counts an event and decides which occurrences are noted: the first 64, then each count that is a power of two.
public struct RepetitionLimit: Sendable {
    public private(set) var count: UInt64 = 0

    public init() {}

    /// Counts one occurrence.
    ///
    /// - Returns: Whether to note it. Of the first million occurrences, 77 are noted.
    public mutating func countOccurrence() -> Bool {
        count &+= 1
        return count <= 64 || count & (count &- 1) == 0
    }
}
