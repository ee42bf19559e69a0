// DispatchGroup.swift: counts pieces of work, and runs blocks when all are done.
//
// Station   loop
// Input     the app's code
// Output    DispatchQueue
//
// The loop of an application cannot wait. A wait that would block is refused with the way out.
//
// Sources   documented  DispatchGroup

import Foundation
import SystemClock

/// Counts pieces of work, and runs blocks when all are done.
public final class DispatchGroup: @unchecked Sendable {
    /// Nil for a group that code of an application made.
    private let system: SystemGroup?
    private weak var clock: ApplicationClock?
    private let lock = SystemLock()
    private var count = 0
    private var notifications: [(queue: DispatchQueue, block: () -> Void)] = []

    public init() {
        clock = ApplicationClock.current
        system = clock == nil ? SystemGroup() : nil
    }

    /// Counts a piece of work.
    public func enter() {
        if let system { return system.enter() }
        lock.locked { count += 1 }
    }

    /// Ends a piece of work.
    public func leave() {
        if let system { return system.leave() }
        let due = lock.locked {
            precondition(count > 0, "DispatchGroup.leave() was called more often than enter()")
            count -= 1
            guard count == 0 else { return [(queue: DispatchQueue, block: () -> Void)]() }
            defer { notifications = [] }
            return notifications
        }
        for (queue, block) in due { queue.enqueue(on: clock, block) }
    }

    /// Ends a group of which work is left. Dispatch stops the program without it.
    func abandon() { system?.leave() }

    /// Runs a block on the queue when all work has ended; at the next opportunity if none is left.
    public func notify(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
        execute work: @escaping () -> Void
    ) {
        if let system { return system.notify { queue.enqueue(on: nil, work) } }
        let isDue = lock.locked {
            if count > 0 { notifications.append((queue, work)) }
            return count == 0
        }
        if isDue { queue.enqueue(on: clock, work) }
    }

    public func notify(queue: DispatchQueue, work: DispatchWorkItem) { notify(queue: queue) { work.perform() } }

    /// Waits until all work has ended. In an application that is possible only if no work is left.
    public func wait() { _ = wait(timeout: .distantFuture) }

    @discardableResult
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
        if let system { return system.wait(for: timeout.delay) ? .success : .timedOut }
        if lock.locked({ count }) == 0 { return .success }
        if timeout.delay == 0 { return .timedOut }
        ApplicationClock.refuseToWait("DispatchGroup.wait()", instead: "group.notify(queue: .main) { … }")
    }
}
