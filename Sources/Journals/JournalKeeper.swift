// JournalKeeper.swift: where records go while the disk takes them, and while it does not.
//
//              ┌──────────────── taken ────────────────┐
//              ▼                                       │
//          writing ──refused──▶ keeping ──overflowed──▶ losing          refused again: everything stays
//              └── ended ──▶ closed ◀── ended ──┴── ended ──┘
//
// A full disk must not cost a touch: what it does not take waits in a ring. What falls out of the ring is counted, and
// the count is the first thing that is written when the disk takes something again.
//
// Fed by    a host: records, what the disk made of them, and every second or so the time to try again
// Feeds     the host: what to write now
// Knows     no file, no clock
//
// Sources   invented, after fault F11

import Basics

public struct JournalKeeper: Sendable {
    public enum State: Hashable, Sendable, CaseIterable { case writing, keeping, losing, closed }

    public enum Input: Hashable, Sendable, CaseIterable {
        /// There is one to keep.
        case record
        /// The disk did not take it, or did not take all that waits.
        case refused
        /// The ring has no room for what it was given.
        case overflowed
        /// Time to try again.
        case due
        /// The disk has taken all that waited.
        case taken
        case ended
    }

    public enum Decision: Hashable, Sendable, CaseIterable {
        /// Nothing to do.
        case nothing
        case write
        /// Into the ring.
        case keep
        /// Say once that the disk does not take it; into the ring.
        case warn
        /// The oldest of the ring goes, and is counted.
        case forget
        /// Write what waits.
        case tryAgain
        /// Say that it goes on, and what is missing.
        case resume
    }

    /// The whole machine; nil cannot happen.
    public static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.writing, .record): (.writing, .write)
        case (.writing, .refused): (.keeping, .warn)
        case (.writing, .due): (.writing, .nothing)
        case (.writing, .ended): (.closed, .nothing)
        case (.keeping, .record), (.losing, .record): (state, .keep)
        case (.keeping, .refused), (.losing, .refused): (state, .nothing)
        case (.keeping, .overflowed), (.losing, .overflowed): (.losing, .forget)
        case (.keeping, .due), (.losing, .due): (state, .tryAgain)
        case (.keeping, .taken), (.losing, .taken): (.writing, .resume)
        case (.keeping, .ended), (.losing, .ended): (.closed, .tryAgain)
        // Nothing waits while the disk takes all; nothing comes after the end.
        case (.writing, .overflowed), (.writing, .taken): nil
        case (.closed, .record), (.closed, .refused), (.closed, .overflowed), (.closed, .due): nil
        case (.closed, .taken), (.closed, .ended): nil
        }
    }

    public struct Waiting: Sendable {
        public var bytes: [UInt8]
        public var isStep: Bool

        public init(bytes: [UInt8], isStep: Bool) { (self.bytes, self.isStep) = (bytes, isStep) }
    }

    public private(set) var state = State.writing
    /// Steps that fell out of the ring since the disk last took one.
    public private(set) var lost: UInt64 = 0
    /// Since the life began.
    public private(set) var lostInAll: UInt64 = 0
    /// Since the disk last refused one after it had taken all.
    public private(set) var lostThisTime: UInt64 = 0
    /// Oldest first.
    private var ring = Deque<Waiting>()
    private var waitingBytes = 0
    private var waitingSteps = 0
    private let capacity: Int
    private let byteLimit: Int

    /// - Parameters:
    ///   - capacity: Inputs kept at most.
    ///   - byteLimit: And bytes: an input can be a megabyte of a file.
    public init(capacity: Int, byteLimit: Int = 16 << 20) {
        (self.capacity, self.byteLimit) = (max(1, capacity), byteLimit)
    }

    public mutating func handle(_ input: Input) -> Decision {
        guard let (next, decision) = Self.transition(from: state, on: input) else {
            preconditionFailure("a journal's keeper cannot take \(input) while \(state)")
        }
        state = next
        if decision == .warn { lostThisTime = 0 }
        return decision
    }

    // MARK: The ring

    /// Steps that wait for the disk.
    public var waiting: Int { waitingSteps }

    /// Whether the next step it takes in costs it another.
    public var isFull: Bool { waitingSteps >= capacity || waitingBytes >= byteLimit }

    /// Takes a record in, and lets go of the oldest while there are too many.
    public mutating func keep(_ record: Waiting) {
        ring.append(record)
        waitingBytes += record.bytes.count
        waitingSteps += record.isStep ? 1 : 0
        while waitingSteps > capacity || waitingBytes > byteLimit, !ring.isEmpty {
            let decision = handle(.overflowed)
            assert(decision == .forget)
            let oldest = removeFirst()
            guard oldest.isStep else { continue }
            lost += 1
            lostInAll += 1
            lostThisTime += 1
        }
    }

    /// What is to be written next: first how many are missing, then the ring, oldest first. Nil when nothing waits.
    public var next: Waiting? {
        guard lost == 0 else {
            var bytes: [UInt8] = []
            JournalRecord.skipped(lost).encode(into: &bytes)
            return Waiting(bytes: bytes, isStep: false)
        }
        return ring.first
    }

    /// The disk has `next`.
    ///
    /// - Returns: How many steps of the life that tells of.
    public mutating func nextWasTaken() -> UInt64 {
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
