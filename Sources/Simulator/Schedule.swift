// Schedule.swift: everything that is due, earliest first: the simulator's heap.
//
//    due now ─▶ queue ─┐
//                      ├▶ next
//    due later ─▶ heap ┘
//
// Ties: what arrived by a moment comes before the timers of that moment (the contract's rule), and of two of a
// kind the one scheduled first. So a script determines every line of the trace.
//
// An entry is forty bytes without a reference in them: what arrives is kept elsewhere, or each sift of the heap would
// move a quarter of a kilobyte.

import Basics

/// Something due: what it is, for whom, and where the rest of it is kept.
struct Due {
    enum Kind: UInt8 {
        /// A process has been loaded: its first input.
        case start
        /// A payload somebody outside, or a process itself, has given.
        case input
        /// A payload over a connection.
        case frame
        /// A payload over an inherited link.
        case control
        /// A payload that leaves its sender's host only now.
        case release
        case timer
        /// A client calls the server.
        case connect
        /// A host notices that a connection has ended.
        case ended
        /// A host has heard nothing of a stopped process for too long.
        case silence
        /// A slow process has done with an input.
        case wake
        case faultBegins, faultEnds
        /// A process that is to die young does.
        case exit
        /// A stranger has waited long enough for a name.
        case expiry
        /// A hand moves on a panel.
        case contact
    }

    var at: Int64
    /// Timers after all else of their moment, then as scheduled.
    var order: UInt64 = 0
    var kind: Kind
    /// Whose it is.
    var slot: Int32
    /// Of which of its lives; 0 for any.
    var serial: UInt32 = 0
    /// A payload, a timer, a connection, a fault.
    var subject: UInt32 = 0
    /// A timer's arming, a frame's connection, a stop's number.
    var detail: UInt32 = 0

    static func < (a: Due, b: Due) -> Bool { a.at != b.at ? a.at < b.at : a.order < b.order }
}

struct Schedule {
    private var heap: [Due] = []
    /// What is due at the moment it was scheduled: it needs no sorting.
    private var queue: [Due] = []
    private var taken = 0
    private var scheduled: UInt64 = 0
    private var now = Int64.min
    private var armings: UInt32 = 0

    private static let timers: UInt64 = 1 << 63

    var isEmpty: Bool { heap.isEmpty && taken == queue.count }

    var earliest: Int64? { taken < queue.count ? now : heap.first?.at }

    /// Tells one arming of a timer from the others.
    mutating func newArming() -> UInt32 {
        armings &+= 1
        return armings
    }

    mutating func insert(_ due: Due) {
        var due = due
        scheduled += 1
        let isTimer = due.kind == .timer
        due.order = scheduled | (isTimer ? Self.timers : 0)
        if due.at == now && !isTimer { return queue.append(due) }
        heap.append(due)
        rise()
    }

    mutating func removeFirst() -> Due? {
        if taken < queue.count {
            // What the heap has for this moment was scheduled before it came.
            if let first = heap.first, first.at == now, first.order & Self.timers == 0 { return removeRoot() }
            defer {
                taken += 1
                if taken == queue.count {
                    queue.removeAll(keepingCapacity: true)
                    taken = 0
                }
            }
            return queue[taken]
        }
        guard let first = heap.first else { return nil }
        now = first.at
        return removeRoot()
    }

    private mutating func rise() {
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

    private mutating func removeRoot() -> Due {
        let first = heap[0]
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap.withUnsafeMutableBufferPointer { heap in
            // The hole sinks to a leaf, and the last one rises from there: it came from a leaf, and seldom rises far.
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
