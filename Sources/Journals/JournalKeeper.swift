// JournalKeeper.swift: the records of a journal while the disk accepts them and while it does not.
//
//              ┌─────────────── accepted ──────────────┐
//              ▼                                       │
//          writing ──refused──▶ keeping ──overflowed──▶ losing          refused again: everything stays
//              └── ended ──▶ closed ◀── ended ──┴── ended ──┘
//
// Input     a host: records, the results of writes, and about every second the moment of a retry
// Output    the host: the record to write next
// Knows     no file, no clock
//
// A full disk must not cost a touch. Records that the disk refuses wait in a ring. Steps that fall out of the ring are
// counted, and the count is the first record written when the disk accepts data again.
//
// Sources   invented, after fault F11

import Basics

/// The queue of records between a core and its disk.
public struct JournalKeeper: Sendable {
    /// The condition of the disk, as the results of writes show it.
    public enum State: String, Hashable, Sendable, CaseIterable { case writing, keeping, losing, closed }

    /// A record, or the result of a write.
    public enum Input: Hashable, Sendable, CaseIterable {
        /// A record has to be kept.
        case record
        /// The disk did not accept a record, or not all waiting records.
        case refused
        /// The ring is full.
        case overflowed
        /// The moment of a retry has come.
        case due
        /// The disk has accepted all waiting records.
        case accepted
        case ended
    }

    /// The command for the host or the ring.
    public enum Decision: Hashable, Sendable, CaseIterable {
        case nothing
        case write
        /// Append the record to the ring.
        case enqueue
        /// Report once that the disk refuses records, and append the record to the ring.
        case warn
        /// Remove the oldest record of the ring and count it.
        case removeOldest
        /// Write the waiting records.
        case tryAgain
        /// Report that records are written again, and how many are missing.
        case resume
    }

    /// Returns the next state and the decision; nil if the pair cannot occur.
    public static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.writing, .record): (.writing, .write)
        case (.writing, .refused): (.keeping, .warn)
        case (.writing, .due): (.writing, .nothing)
        case (.writing, .ended): (.closed, .nothing)
        case (.keeping, .record), (.losing, .record): (state, .enqueue)
        case (.keeping, .refused), (.losing, .refused): (state, .nothing)
        case (.keeping, .overflowed), (.losing, .overflowed): (.losing, .removeOldest)
        case (.keeping, .due), (.losing, .due): (state, .tryAgain)
        case (.keeping, .accepted), (.losing, .accepted): (.writing, .resume)
        case (.keeping, .ended), (.losing, .ended): (.closed, .tryAgain)
        // Nothing waits while the disk accepts everything, and nothing follows the end.
        case (.writing, .overflowed), (.writing, .accepted): nil
        case (.closed, .record), (.closed, .refused), (.closed, .overflowed), (.closed, .due): nil
        case (.closed, .accepted), (.closed, .ended): nil
        }
    }

    /// A record that waits for the disk.
    public struct Waiting: Sendable {
        public var bytes: [UInt8]
        public var isStep: Bool

        public init(bytes: [UInt8], isStep: Bool) { (self.bytes, self.isStep) = (bytes, isStep) }
    }

    public private(set) var state = State.writing
    /// Steps that fell out of the ring since the disk last accepted one.
    public private(set) var lost: UInt64 = 0
    /// Steps that fell out of the ring since the process started.
    public private(set) var lostInAll: UInt64 = 0
    /// Steps that fell out of the ring since the disk last began to refuse records.
    public private(set) var lostThisTime: UInt64 = 0
    /// The waiting records, oldest first.
    private var ring = Deque<Waiting>()
    private var waitingBytes = 0
    private var waitingSteps = 0
    private let capacity: Int
    private let byteLimit: Int

    /// - Parameters:
    ///   - capacity: The greatest number of steps in the ring.
    ///   - byteLimit: The greatest number of bytes in the ring; one input can be a megabyte of a file.
    public init(capacity: Int, byteLimit: Int = 16 << 20) {
        (self.capacity, self.byteLimit) = (max(1, capacity), byteLimit)
    }

    /// Applies an input to the state. An input that cannot occur in the state is a bug, and traps.
    public mutating func handle(_ input: Input) -> Decision {
        guard let (next, decision) = Self.transition(from: state, on: input) else {
            preconditionFailure("a journal's keeper cannot take \(input) while \(state)")
        }
        state = next
        if decision == .warn { lostThisTime = 0 }
        return decision
    }

    // MARK: The ring

    /// The number of steps that wait for the disk.
    public var waiting: Int { waitingSteps }

    /// Whether the next step removes an older one from the ring.
    public var isFull: Bool { waitingSteps >= capacity || waitingBytes >= byteLimit }

    /// Appends a record to the ring, and removes the oldest ones beyond the limits.
    public mutating func enqueue(_ record: Waiting) {
        ring.append(record)
        waitingBytes += record.bytes.count
        waitingSteps += record.isStep ? 1 : 0
        while waitingSteps > capacity || waitingBytes > byteLimit, !ring.isEmpty {
            let decision = handle(.overflowed)
            assert(decision == .removeOldest)
            let oldest = removeFirst()
            guard oldest.isStep else { continue }
            lost += 1
            lostInAll += 1
            lostThisTime += 1
        }
    }

    /// The record to write next: the number of missing steps first, then the ring, oldest first. Nil when nothing
    /// waits.
    public var next: Waiting? {
        guard lost == 0 else {
            var bytes: [UInt8] = []
            JournalRecord.skipped(lost).encode(into: &bytes)
            return Waiting(bytes: bytes, isStep: false)
        }
        return ring.first
    }

    /// Removes `next`, which the disk has accepted.
    ///
    /// - Returns: The number of steps that the record accounts for.
    public mutating func removeNext() -> UInt64 {
        guard lost == 0 else {
            defer { lost = 0 }
            return lost
        }
        return removeFirst().isStep ? 1 : 0
    }

    private mutating func removeFirst() -> Waiting {
        guard let oldest = ring.popFirst() else { preconditionFailure("no record waits, and one was taken") }
        waitingBytes -= oldest.bytes.count
        waitingSteps -= oldest.isStep ? 1 : 0
        return oldest
    }
}
