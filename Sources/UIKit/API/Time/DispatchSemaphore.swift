// DispatchSemaphore.swift: counts permissions.
//
// Station   loop
// Input     the app's code
// Output    DispatchQueue
//
// The loop of an application cannot wait. A wait that would block is refused with the way out.
//
// Sources   documented  DispatchSemaphore

import Foundation
import SystemClock

/// Counts permissions. In an application it is useful only if `wait()` finds one.
public final class DispatchSemaphore: @unchecked Sendable {
    /// Nil for a semaphore that code of an application made.
    private let system: SystemSemaphore?
    private let lock = SystemLock()
    private var value: Int

    public init(value: Int) {
        self.value = value
        system = ApplicationClock.current == nil ? SystemSemaphore(value) : nil
    }

    @discardableResult
    public func signal() -> Int {
        if let system { return system.signal() }
        lock.locked { value += 1 }
        return 0
    }

    public func wait() { _ = wait(timeout: .distantFuture) }

    @discardableResult
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
        if let system { return system.wait(for: timeout.delay) ? .success : .timedOut }
        let isFree = lock.locked {
            guard value > 0 else { return false }
            value -= 1
            return true
        }
        if isFree { return .success }
        if timeout.delay == 0 { return .timedOut }
        ApplicationClock.refuseToWait(
            "DispatchSemaphore.wait()", instead: "a completion handler, group.notify(queue: .main), or a Task")
    }
}
