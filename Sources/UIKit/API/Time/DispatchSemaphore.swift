// DispatchSemaphore.swift: counts permissions.
//
// Station   loop
// Input     the app's code, other threads
// Output    Dispatch's semaphore
//
// The loop of an application cannot wait. A wait of its code that would block is refused with the way out.
//
// Sources   documented  DispatchSemaphore

import SystemClock

/// Counts permissions. In an application it is useful only if `wait()` finds one.
public final class DispatchSemaphore: @unchecked Sendable {
    private let system: SystemSemaphore

    public init(value: Int) {
        // Dispatch stops the program when a semaphore ends with fewer permissions than it began with, as an app's may whose
        // phone is gone.
        system = SystemSemaphore(0)
        for _ in 0..<max(0, value) { _ = system.signal() }
    }

    @discardableResult
    public func signal() -> Int { system.signal() }

    public func wait() { _ = wait(timeout: .distantFuture) }

    @discardableResult
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
        guard ApplicationClock.current != nil else { return system.wait(for: timeout.delay) ? .success : .timedOut }
        if system.wait(for: 0) { return .success }
        if timeout.delay == 0 { return .timedOut }
        ApplicationClock.refuseToWait(
            "DispatchSemaphore.wait()", instead: "a completion handler, group.notify(queue: .main), or a Task")
    }
}
