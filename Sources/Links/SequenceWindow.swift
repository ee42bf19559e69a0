// SequenceWindow.swift: a set of recent sequence numbers.
//
// Knows     sequence numbers. Not what they wait for.
//
// The numbers are bits in a ring, so inserting and looking up cost the same for any count. A number that falls behind
// the ring moves to a list: an app that hangs may keep a few frames for hours while the numbers go on.
//
// Sources   invented

public import Wire

/// The sequence numbers of one stream that are still waited for.
public struct SequenceWindow: Hashable, Sendable {
    /// The length of the ring: more frames than any credit or limit in the settings lets be outstanding.
    public static let length: UInt64 = 8192
    /// The limit of numbers behind the ring. The oldest one is forgotten beyond it.
    private static let lateLimit = 4096

    private var words: [UInt64]
    private var newest = SequenceNumber.zero
    /// Numbers in the set that are behind the ring, in ascending order.
    private var late: [SequenceNumber] = []
    public private(set) var count = 0

    public init() { words = [] }

    public mutating func removeAll() {
        guard newest > .zero || count > 0 else { return }
        for index in words.indices { words[index] = 0 }
        (newest, count, late) = (.zero, 0, [])
    }

    /// Inserts a sequence number, unless it is already behind the ring.
    public mutating func insert(_ sequence: SequenceNumber) {
        if words.isEmpty { words = [UInt64](repeating: 0, count: Int(Self.length / 64)) }
        if sequence > newest {
            // Numbers whose bits the new numbers reuse move to the list.
            if sequence.rawValue >= Self.length {
                let last = min(newest, sequence.retreated(by: Self.length))
                var left = newest.rawValue >= Self.length ? newest.retreated(by: Self.length).next : .zero
                while left <= last {
                    moveToList(left)
                    left = left.next
                }
            }
            newest = sequence
        } else if newest.distance(from: sequence) >= Self.length {
            return
        }
        let (word, bit) = Self.bitIndex(of: sequence)
        if words[word] & bit == 0 { count += 1 }
        words[word] |= bit
    }

    public func contains(_ sequence: SequenceNumber) -> Bool {
        guard sequence <= newest, !words.isEmpty else { return false }
        guard newest.distance(from: sequence) < Self.length else { return late.contains(sequence) }
        let (word, bit) = Self.bitIndex(of: sequence)
        return words[word] & bit != 0
    }

    /// Removes a sequence number.
    ///
    /// - Returns: Whether the set contained it.
    @discardableResult
    public mutating func remove(_ sequence: SequenceNumber) -> Bool {
        guard contains(sequence) else { return false }
        if newest.distance(from: sequence) < Self.length {
            clear(sequence)
        } else {
            late.removeAll { $0 == sequence }
            count -= 1
        }
        return true
    }

    /// Removes every number up to this one.
    public mutating func removeAll(through last: SequenceNumber) {
        guard count > 0 else { return }
        let before = late.count
        late.removeAll { $0 <= last }
        count -= before - late.count
        // The loop starts at the oldest number that the ring can hold, and skips words without a number.
        var left = min(newest.rawValue, Self.length - 1) + 1
        while left > 0, newest.retreated(by: left - 1) <= last, count > 0 {
            let oldest = newest.retreated(by: left - 1)
            if words[Self.bitIndex(of: oldest).word] == 0 {
                left -= min(left, 64 - oldest.rawValue % 64)
            } else {
                clear(oldest)
                left -= 1
            }
        }
    }

    /// Moves a number from the ring to the list, if the set contains it.
    private mutating func moveToList(_ sequence: SequenceNumber) {
        let (word, bit) = Self.bitIndex(of: sequence)
        guard words[word] & bit != 0 else { return }
        words[word] &= ~bit
        late.append(sequence)
        if late.count > Self.lateLimit {
            late.removeFirst()
            count -= 1
        }
    }

    private mutating func clear(_ sequence: SequenceNumber) {
        let (word, bit) = Self.bitIndex(of: sequence)
        if words[word] & bit != 0 {
            words[word] &= ~bit
            count -= 1
        }
    }

    private static func bitIndex(of sequence: SequenceNumber) -> (word: Int, bit: UInt64) {
        let offset = sequence.rawValue & (length - 1)
        return (Int(truncatingIfNeeded: offset >> 6), 1 << (offset & 63))
    }
}
