// Outstanding.swift: the frames of one link that were sent and have no receipt yet.
//
// Station   process
// Input     each frame that asks for a receipt, each receipt, the peer's answers to probes
// Output    what its owner noted with the frame
// Knows     sequence numbers. No receipt, no clock.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2 and F6

public import Wire

/// The frames of one link that wait for a receipt, each with a note of its sender.
public struct Outstanding<Note: Sendable>: Sendable {
    /// One frame and what its sender noted with it.
    public struct Entry: Sendable {
        public let sequence: SequenceNumber
        public var note: Note

        @inlinable
        init(sequence: SequenceNumber, note: Note) { (self.sequence, self.note) = (sequence, note) }
    }

    /// The outstanding frames, in the order in which they were sent.
    @inlinable
    public var entries: [Entry] { stored }
    // Inlinable, because a generic type of another module is otherwise run unspecialized.
    @usableFromInline var stored: [Entry] = []

    public init() {}

    @inlinable
    public var count: Int { stored.count }
    /// The number of the first outstanding frame; zero for none.
    @inlinable
    public var first: SequenceNumber { stored.first?.sequence ?? .zero }

    @inlinable
    public func contains(_ sequence: SequenceNumber) -> Bool { stored.contains { $0.sequence == sequence } }

    @inlinable
    public mutating func append(_ sequence: SequenceNumber, _ note: Note) {
        stored.append(Entry(sequence: sequence, note: note))
    }

    /// Changes the note of the newest frame.
    @inlinable
    public mutating func changeLast(_ change: (inout Note) -> Void) {
        guard !stored.isEmpty else { return }
        change(&stored[stored.count - 1].note)
    }

    /// Changes the note of every frame.
    @inlinable
    public mutating func changeAll(_ change: (inout Note) -> Void) {
        for index in stored.indices { change(&stored[index].note) }
    }

    /// Removes the frame that a receipt answers.
    ///
    /// - Returns: Nil for a frame that is not outstanding.
    @inlinable
    public mutating func remove(_ sequence: SequenceNumber) -> Note? {
        // Receipts arrive nearly in order, so the search ends early.
        guard let index = stored.firstIndex(where: { $0.sequence == sequence }) else { return nil }
        return stored.remove(at: index).note
    }

    @inlinable
    public mutating func removeFirst() -> Entry? { stored.isEmpty ? nil : stored.removeFirst() }

    @inlinable
    public mutating func removeAll() { stored.removeAll(keepingCapacity: true) }

    /// The frames whose receipts were lost: the peer has received them, and they precede its first unanswered frame.
    ///
    /// - Parameters:
    ///   - received: The last frame that the peer has received.
    ///   - oldest: The first frame that the peer has not answered; zero for none.
    @inlinable
    public func answersLost(received: SequenceNumber, oldest: SequenceNumber) -> [SequenceNumber] {
        stored.lazy.map(\.sequence).filter { $0 <= received && (oldest == .zero || $0 < oldest) }
    }
}
