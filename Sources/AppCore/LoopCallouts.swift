// LoopCallouts.swift: the closures of the main loop's timers, blocks and main-queue items.
//
// Station   loop
// Input     MainLoop, when an item is added, is due, or is removed
// Output    the closure to call. MainLoop calls it, because the closure may add and remove items.
// Knows     closures by item. No order, no time.
//
// Sources   invented

import RunLoops

/// The closures of a loop's items.
struct LoopCallouts {
    private var timers: [UInt64: (fire: () -> Void, repeats: Bool)] = [:]
    private var blocks: [UInt64: () -> Void] = [:]
    private var queued: [UInt64: () -> Void] = [:]

    mutating func add(_ timer: RunLoop.TimerID, repeats: Bool, _ fire: @escaping () -> Void) {
        timers[timer.rawValue] = (fire, repeats)
    }

    mutating func add(_ block: RunLoop.BlockID, _ call: @escaping () -> Void) { blocks[block.rawValue] = call }

    mutating func add(_ item: RunLoop.QueuedID, _ call: @escaping () -> Void) { queued[item.rawValue] = call }

    /// The closure of a timer that fires. A timer that fires once is removed.
    mutating func fire(_ timer: RunLoop.TimerID) -> (() -> Void)? {
        let found = timers[timer.rawValue]
        if found?.repeats == false { timers[timer.rawValue] = nil }
        return found?.fire
    }

    /// - Returns: Whether the timer existed.
    mutating func remove(_ timer: RunLoop.TimerID) -> Bool { timers.removeValue(forKey: timer.rawValue) != nil }

    mutating func remove(_ block: RunLoop.BlockID) -> (() -> Void)? { blocks.removeValue(forKey: block.rawValue) }

    mutating func remove(_ item: RunLoop.QueuedID) -> (() -> Void)? { queued.removeValue(forKey: item.rawValue) }
}
