// DispatchWorkItem.swift: a block that can be cancelled before it runs.
//
// Station   loop
// Input     the app's code
// Output    DispatchQueue; DispatchGroup, which counts the block until it has run
//
// Sources   documented  DispatchWorkItem

import SystemClock

/// A block that can be cancelled before it runs.
public final class DispatchWorkItem: @unchecked Sendable {
    private let block: () -> Void
    private let lock = SystemLock()
    private var state = (isCancelled: false, isDone: false)
    private let done = DispatchGroup()

    public init(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], block: @escaping () -> Void
    ) {
        self.block = block
        done.enter()
    }

    public var isCancelled: Bool { lock.locked { state.isCancelled } }
    /// Prevents the block from running. A block that runs already is not stopped.
    public func cancel() { lock.locked { state.isCancelled = true } }

    /// Runs the block now, unless the item is cancelled.
    public func perform() {
        if !isCancelled { block() }
        let wasDone = lock.locked {
            defer { state.isDone = true }
            return state.isDone
        }
        if !wasDone { done.leave() }
    }

    /// Runs a block when this one has run, or would have run without its cancellation.
    public func notify(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
        execute: @escaping () -> Void
    ) {
        done.notify(queue: queue, execute: execute)
    }
    public func notify(queue: DispatchQueue, execute: DispatchWorkItem) {
        done.notify(queue: queue) { execute.perform() }
    }

    /// Waits until the block has run. In an application that is possible only if it has.
    public func wait() { done.wait() }
    @discardableResult
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { done.wait(timeout: timeout) }
}
