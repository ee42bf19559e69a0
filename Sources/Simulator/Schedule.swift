// Schedule.swift: everything that is due in the simulator, earliest first.
//
//    due now ────▶ queue ──────────────────┐
//    due soon ───▶ near list, sorted ──────┼▶ next
//    due later ──▶ far heap ───────────────┘
//
// Arrivals of a moment come before the timers of that moment (the contract's rule). Of two of one kind, the one
// scheduled first comes first. So a script determines every line of the trace.
//
// An entry has forty bytes and no reference. Payloads are kept elsewhere; otherwise each step in the heap would move
// 250 bytes.

import Basics

/// An entry of the schedule: its kind, its process, and the number of its payload.
struct ScheduledEntry {
    enum Kind: UInt8 {
        /// A process has been loaded and gets its first input.
        case start
        /// A payload from outside the world, or from the process's own host.
        case input
        /// A payload over a connection.
        case frame
        /// A payload over an inherited link.
        case control
        /// A payload that a fault held in its sender's host leaves it.
        case release
        case timer
        /// A client connects to the server.
        case connect
        /// A host notices that a connection has ended.
        case ended
        /// A host has received nothing from a stopped process for the heartbeat's time.
        case silence
        /// A slow process is done with an input.
        case wake
        case faultBegins, faultEnds
        /// A process in a crash loop exits.
        case exit
        /// The waiting time of an unnamed connection ends.
        case expiry
        /// A contact on a simulated panel changes.
        case contact
    }

    var at: Int64
    /// Timers come after all other entries of their moment, then in the order scheduled.
    var order: UInt64 = 0
    var kind: Kind
    /// The slot of the process.
    var slot: Int32
    /// The serial of the life; 0 for any.
    var serial: UInt32 = 0
    /// The number of a payload, a timer, a connection, a fault or a contact.
    var subject: UInt32 = 0
    /// The arming of a timer, the connection of a frame, or the number of a stop. For the end of a fault: the serial of
    /// the life. For a held frame: the receiver's slot. Over an inherited link: 1 if the message means something to the
    /// receiver's host.
    var detail: UInt32 = 0

    static func < (a: ScheduledEntry, b: ScheduledEntry) -> Bool { a.at != b.at ? a.at < b.at : a.order < b.order }
}

/// A queue of entries by time.
struct Schedule {
    /// Entries that were due soon when they were scheduled, and all others. The first entry is in either. Nearly all
    /// entries pass the near list, which stays short; faults and long timers would make every insertion longer.
    private var near = ScheduledList()
    private var far = ScheduledHeap()
    /// Entries that were due at the moment they were scheduled. They need no sorting. The entries from `queueHead` to
    /// `queueEnd` wait; the array keeps its length, because removing all elements costs more than all else here.
    private var queue: [ScheduledEntry] = []
    private var queueHead = 0
    private var queueEnd = 0
    private var scheduled: UInt64 = 0
    private var now = Int64.min
    private var armings: UInt32 = 0

    private static let timers: UInt64 = 1 << 63
    /// Nanoseconds. An entry that is due later than this after it was scheduled is far.
    private static let nearTime: Int64 = 20_000_000

    var isEmpty: Bool { near.isEmpty && far.isEmpty && queueHead == queueEnd }

    var earliest: Int64? {
        if queueHead < queueEnd { return now }
        return isFarFirst ? far.first?.at : near.first?.at
    }

    /// Whether the first entry of the list and the heap is in the heap.
    private var isFarFirst: Bool {
        guard let first = far.first else { return false }
        return near.first.map { first < $0 } ?? true
    }

    /// Returns a number that distinguishes one arming of a timer from the others.
    mutating func newArming() -> UInt32 {
        armings &+= 1
        return armings
    }

    mutating func insert(_ due: ScheduledEntry) {
        var due = due
        scheduled += 1
        let isTimer = due.kind == .timer
        due.order = scheduled | (isTimer ? Self.timers : 0)
        if due.at == now && !isTimer { return enqueue(due) }
        // Before the first entry `now` is the smallest number, and the difference wraps. Every entry may be in either.
        if due.at &- now < Self.nearTime, !near.isFull { near.insert(due) } else { far.insert(due) }
    }

    private mutating func enqueue(_ due: ScheduledEntry) {
        if queueEnd < queue.count { queue[queueEnd] = due } else { queue.append(due) }
        queueEnd += 1
    }

    /// Removes the first entry.
    ///
    /// - Parameter limit: The last moment of an entry that is removed.
    /// - Returns: Nil if no entry is due by the limit.
    mutating func removeFirst(until limit: Int64) -> ScheduledEntry? {
        let isFarFirst = isFarFirst
        let first = isFarFirst ? far.first : near.first
        if queueHead < queueEnd {
            guard now <= limit else { return nil }
            // Other entries for this moment were scheduled before the moment came.
            if let first, first.at == now, first.order & Self.timers == 0 { return removeRoot(isFar: isFarFirst) }
            let due = queue[queueHead]
            queueHead += 1
            if queueHead == queueEnd { (queueHead, queueEnd) = (0, 0) }
            return due
        }
        guard let first, first.at <= limit else { return nil }
        now = first.at
        return removeRoot(isFar: isFarFirst)
    }

    private mutating func removeRoot(isFar: Bool) -> ScheduledEntry { isFar ? far.removeRoot() : near.removeFirst() }
}

/// A short list of entries in descending order: the first entry is at the end, and leaves without moving another one.
struct ScheduledList {
    /// The entries, and behind them unused elements: removing an element from an array costs more than the rest.
    private var entries: [ScheduledEntry] = []
    private var count = 0

    /// The greatest number of entries. A longer list would take more time than a heap.
    static let limit = 64

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count == Self.limit }
    var first: ScheduledEntry? { count > 0 ? entries[count - 1] : nil }

    /// Inserts an entry into a list that is not full. Most entries are due before most of the others.
    mutating func insert(_ due: ScheduledEntry) {
        var index = count
        if index == entries.count { entries.append(due) }
        entries.withUnsafeMutableBufferPointer { entries in
            while index > 0, entries[index - 1] < due {
                entries[index] = entries[index - 1]
                index -= 1
            }
            entries[index] = due
        }
        count += 1
    }

    /// Removes the first entry of a list that is not empty.
    mutating func removeFirst() -> ScheduledEntry {
        count -= 1
        return entries[count]
    }
}

/// A heap of entries, each with four children.
struct ScheduledHeap {
    private var heap: [ScheduledEntry] = []

    var isEmpty: Bool { heap.isEmpty }
    var first: ScheduledEntry? { heap.first }

    mutating func insert(_ due: ScheduledEntry) {
        heap.append(due)
        siftUp()
    }

    private mutating func siftUp() {
        heap.withUnsafeMutableBufferPointer { heap in
            var child = heap.count - 1
            let entry = heap[child]
            while child > 0 {
                let parent = (child - 1) / 4
                guard entry < heap[parent] else { break }
                heap[child] = heap[parent]
                child = parent
            }
            heap[child] = entry
        }
    }

    /// Removes the first entry of a heap that is not empty.
    mutating func removeRoot() -> ScheduledEntry {
        let first = heap[0]
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap.withUnsafeMutableBufferPointer { heap in
            // The hole sinks to a leaf, and the last entry rises from there. It came from a leaf and seldom rises far.
            var hole = 0
            while true {
                let child = 4 * hole + 1
                guard child < heap.count else { break }
                var smallest = child
                if child + 3 < heap.count {
                    if heap[child + 1] < heap[smallest] { smallest = child + 1 }
                    if heap[child + 2] < heap[smallest] { smallest = child + 2 }
                    if heap[child + 3] < heap[smallest] { smallest = child + 3 }
                } else {
                    for other in child + 1..<max(child + 1, heap.count) where heap[other] < heap[smallest] {
                        smallest = other
                    }
                }
                heap[hole] = heap[smallest]
                hole = smallest
            }
            while hole > 0 {
                let parent = (hole - 1) / 4
                guard last < heap[parent] else { break }
                heap[hole] = heap[parent]
                hole = parent
            }
            heap[hole] = last
        }
        return first
    }
}
