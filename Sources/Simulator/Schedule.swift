// Schedule.swift: everything that is due, earliest first: the simulator's heap.
//
// Ties: what arrived by a moment comes before the timers of that moment (the contract's rule), and of two of a
// kind the one scheduled first. So a script determines every line of the trace.

import Basics

struct Schedule<Item> {
    private struct Entry {
        let at: Instant
        let isTimer: Bool
        let order: UInt64
        let item: Item

        static func < (a: Entry, b: Entry) -> Bool {
            if a.at != b.at { return a.at < b.at }
            if a.isTimer != b.isTimer { return !a.isTimer }
            return a.order < b.order
        }
    }

    private var heap: [Entry] = []
    private var scheduled: UInt64 = 0

    var isEmpty: Bool { heap.isEmpty }
    var earliest: Instant? { heap.first?.at }

    mutating func insert(_ item: Item, at moment: Instant, isTimer: Bool = false) {
        heap.append(Entry(at: moment, isTimer: isTimer, order: scheduled, item: item))
        scheduled += 1
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() -> (at: Instant, item: Item)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.at, first.item)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[smallest] {
                smallest = child
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
