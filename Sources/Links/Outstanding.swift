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
    }

    /// The outstanding frames, in the order in which they were sent.
    public private(set) var entries: [Entry] = []

    public init() {}

    public var count: Int { entries.count }
    /// The number of the first outstanding frame; zero for none.
    public var first: SequenceNumber { entries.first?.sequence ?? .zero }

    public func contains(_ sequence: SequenceNumber) -> Bool { entries.contains { $0.sequence == sequence } }

    public mutating func append(_ sequence: SequenceNumber, _ note: Note) {
        entries.append(Entry(sequence: sequence, note: note))
    }

    /// Changes the note of the newest frame.
    public mutating func changeLast(_ change: (inout Note) -> Void) {
        guard !entries.isEmpty else { return }
        change(&entries[entries.count - 1].note)
    }

    /// Changes the note of every frame.
    public mutating func changeAll(_ change: (inout Note) -> Void) {
        for index in entries.indices { change(&entries[index].note) }
    }

    /// Removes the frame that a receipt answers.
    ///
    /// - Returns: Nil for a frame that is not outstanding.
    public mutating func remove(_ sequence: SequenceNumber) -> Note? {
        // Receipts arrive nearly in order, so the search ends early.
        guard let index = entries.firstIndex(where: { $0.sequence == sequence }) else { return nil }
        return entries.remove(at: index).note
    }

    public mutating func removeFirst() -> Entry? { entries.isEmpty ? nil : entries.removeFirst() }

    public mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// The frames whose receipts were lost: the peer has received them, and they precede its first unanswered frame.
    ///
    /// - Parameters:
    ///   - received: The last frame that the peer has received.
    ///   - oldest: The first frame that the peer has not answered; zero for none.
    public func answersLost(received: SequenceNumber, oldest: SequenceNumber) -> [SequenceNumber] {
        entries.lazy.map(\.sequence).filter { $0 <= received && (oldest == .zero || $0 < oldest) }
    }
}
