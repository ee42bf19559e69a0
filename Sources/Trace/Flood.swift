// Flood.swift: what can happen any number of times, in words of its own each time: how often it is noted.
//
// A name is kept for good, so a stranger who is refused a million times would be a million names.
//
// Sources   invented

/// Counts something, and says which times of it are worth a fact: the first 64, and then ever more rarely.
public struct Flood: Sendable {
    public private(set) var count: UInt64 = 0

    public init() {}

    /// It has happened once more.
    ///
    /// - Returns: Whether to note it; of a million times, 78 are.
    public mutating func rises() -> Bool {
        count &+= 1
        return count <= 64 || count & (count &- 1) == 0
    }
}
