// DispatchGroup.swift: counts pieces of work, and runs blocks when all are done.
//
// Station   loop
// Input     the app's code, other threads
// Output    DispatchQueue
//
// The loop of an application cannot wait. A wait of its code that would block is refused with the way out.
//
// Sources   documented  DispatchGroup

import SystemClock

/// Counts pieces of work, and runs blocks when all are done.
public final class DispatchGroup: @unchecked Sendable {
    /// For threads that wait.
    private let system = SystemGroup()
    /// The clock of the application that made the group.
    private weak var clock: ApplicationClock?
    private let isOfApplication: Bool
    private let lock = SystemLock()
    private var count = 0
    private var notifications: [(queue: DispatchQueue, block: () -> Void)] = []

    public init() {
        clock = ApplicationClock.current
        isOfApplication = clock != nil
    }

    /// Dispatch stops the program when a group ends while work is left, as an app's may whose phone is gone.
    deinit {
        for _ in 0..<count { system.leave() }
    }

    /// Counts a piece of work.
    public func enter() {
        system.enter()
        lock.locked { count += 1 }
    }

    /// Ends a piece of work.
    public func leave() {
        let due = lock.locked {
            precondition(count > 0, "DispatchGroup.leave() was called more often than enter()")
            count -= 1
            guard count == 0 else { return [(queue: DispatchQueue, block: () -> Void)]() }
            defer { notifications = [] }
            return notifications
        }
        system.leave()
        for (queue, block) in due { enqueue(block, on: queue) }
    }

    /// Runs a block on the queue when all work has ended; at the next opportunity if none is left.
    public func notify(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
        execute work: @escaping () -> Void
    ) {
        let isDue = lock.locked {
            if count > 0 { notifications.append((queue, work)) }
            return count == 0
        }
        if isDue { enqueue(work, on: queue) }
    }

    /// A block of an application's group belongs to the application, whatever thread ends the work. It is dropped when the
    /// application is gone.
    private func enqueue(_ block: @escaping () -> Void, on queue: DispatchQueue) {
        if let clock { queue.enqueue(on: clock, block) } else if !isOfApplication { queue.enqueue(block) }
    }

    public func notify(queue: DispatchQueue, work: DispatchWorkItem) { notify(queue: queue) { work.perform() } }

    /// Waits until all work has ended. In an application that is possible only if no work is left.
    public func wait() { _ = wait(timeout: .distantFuture) }

    @discardableResult
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
        guard ApplicationClock.current != nil else { return system.wait(for: timeout.delay) ? .success : .timedOut }
        if lock.locked({ count }) == 0 { return .success }
        if timeout.delay == 0 { return .timedOut }
        ApplicationClock.refuseToWait("DispatchGroup.wait()", instead: "group.notify(queue: .main) { … }")
    }
}
