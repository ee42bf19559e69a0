// SequenceWindow.swift: which of the latest frames of a stream are still waited for.
//
// Bits in a ring, by sequence number: a mark and a question cost the same however many wait. What is further behind the
// newest than the ring is long has been forgotten.
//
// Sources   invented

public struct SequenceWindow: Hashable, Sendable {
    /// More than any credit or limit of the settings table lets anybody leave unanswered.
    public static let length: UInt64 = 8192

    private var words: [UInt64]
    private var newest: UInt64 = 0
    public private(set) var count = 0

    public init() { words = [] }

    public mutating func removeAll() {
        guard newest > 0 || count > 0 else { return }
        for index in words.indices { words[index] = 0 }
        (newest, count) = (0, 0)
    }

    /// Marks a sequence number. One that is too old to be remembered is not taken.
    public mutating func insert(_ sequence: UInt64) {
        if words.isEmpty { words = [UInt64](repeating: 0, count: Int(Self.length / 64)) }
        if sequence > newest {
            if sequence - newest >= Self.length {
                for index in words.indices { words[index] = 0 }
                count = 0
            } else {
                var passed = newest
                while passed < sequence {
                    passed += 1
                    clear(passed)
                }
            }
            newest = sequence
        } else if newest - sequence >= Self.length {
            return
        }
        let (word, bit) = Self.place(of: sequence)
        if words[word] & bit == 0 { count += 1 }
        words[word] |= bit
    }

    public func contains(_ sequence: UInt64) -> Bool {
        guard sequence <= newest, newest - sequence < Self.length, !words.isEmpty else { return false }
        let (word, bit) = Self.place(of: sequence)
        return words[word] & bit != 0
    }

    /// - Returns: Whether it was marked.
    @discardableResult
    public mutating func remove(_ sequence: UInt64) -> Bool {
        guard contains(sequence) else { return false }
        clear(sequence)
        return true
    }

    /// None up to this one is waited for any more.
    public mutating func removeAll(through last: UInt64) {
        guard count > 0 else { return }
        // Of the oldest that could be marked on.
        var left = min(newest, Self.length - 1) + 1
        while left > 0, newest - (left - 1) <= last, count > 0 {
            clear(newest - (left - 1))
            left -= 1
        }
    }

    private mutating func clear(_ sequence: UInt64) {
        let (word, bit) = Self.place(of: sequence)
        if words[word] & bit != 0 {
            words[word] &= ~bit
            count -= 1
        }
    }

    private static func place(of sequence: UInt64) -> (word: Int, bit: UInt64) {
        let place = sequence & (length - 1)
        return (Int(truncatingIfNeeded: place >> 6), 1 << (place & 63))
    }
}
