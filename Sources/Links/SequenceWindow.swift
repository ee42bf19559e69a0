// SequenceWindow.swift: which of the latest frames of a stream are still waited for.
//
// Bits in a ring, by sequence number: a mark and a question cost the same however many wait. What is further behind the
// newest than the ring is long is kept in a list: an app that hangs keeps its few frames for hours, while all others go on.
//
// Sources   invented

public import Wire

public struct SequenceWindow: Hashable, Sendable {
    /// More than any credit or limit of the settings table lets anybody leave unanswered at once.
    public static let length: UInt64 = 8192
    /// As many are kept that have left the ring; then the oldest is forgotten.
    private static let lateLimit = 4096

    private var words: [UInt64]
    private var newest = SequenceNumber.zero
    /// Still waited for, and further behind than the ring is long; ascending.
    private var late: [SequenceNumber] = []
    public private(set) var count = 0

    public init() { words = [] }

    public mutating func removeAll() {
        guard newest > .zero || count > 0 else { return }
        for index in words.indices { words[index] = 0 }
        (newest, count, late) = (.zero, 0, [])
    }

    /// Marks a sequence number. One that is too old to be remembered is not taken.
    public mutating func insert(_ sequence: SequenceNumber) {
        if words.isEmpty { words = [UInt64](repeating: 0, count: Int(Self.length / 64)) }
        if sequence > newest {
            // The numbers whose places in the ring the new ones take.
            if sequence.rawValue >= Self.length {
                let last = min(newest, sequence.retreated(by: Self.length))
                var left = newest.rawValue >= Self.length ? newest.retreated(by: Self.length).next : .zero
                while left <= last {
                    leaveRing(left)
                    left = left.next
                }
            }
            newest = sequence
        } else if newest.distance(from: sequence) >= Self.length {
            return
        }
        let (word, bit) = Self.place(of: sequence)
        if words[word] & bit == 0 { count += 1 }
        words[word] |= bit
    }

    public func contains(_ sequence: SequenceNumber) -> Bool {
        guard sequence <= newest, !words.isEmpty else { return false }
        guard newest.distance(from: sequence) < Self.length else { return late.contains(sequence) }
        let (word, bit) = Self.place(of: sequence)
        return words[word] & bit != 0
    }

    /// - Returns: Whether it was marked.
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

    /// None up to this one is waited for any more.
    public mutating func removeAll(through last: SequenceNumber) {
        guard count > 0 else { return }
        let before = late.count
        late.removeAll { $0 <= last }
        count -= before - late.count
        // Of the oldest that could be marked on.
        var left = min(newest.rawValue, Self.length - 1) + 1
        while left > 0, newest.retreated(by: left - 1) <= last, count > 0 {
            clear(newest.retreated(by: left - 1))
            left -= 1
        }
    }

    private mutating func leaveRing(_ sequence: SequenceNumber) {
        let (word, bit) = Self.place(of: sequence)
        guard words[word] & bit != 0 else { return }
        words[word] &= ~bit
        late.append(sequence)
        if late.count > Self.lateLimit {
            late.removeFirst()
            count -= 1
        }
    }

    private mutating func clear(_ sequence: SequenceNumber) {
        let (word, bit) = Self.place(of: sequence)
        if words[word] & bit != 0 {
            words[word] &= ~bit
            count -= 1
        }
    }

    private static func place(of sequence: SequenceNumber) -> (word: Int, bit: UInt64) {
        let place = sequence.rawValue & (length - 1)
        return (Int(truncatingIfNeeded: place >> 6), 1 << (place & 63))
    }
}
