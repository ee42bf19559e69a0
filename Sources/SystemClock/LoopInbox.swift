// LoopInbox.swift: work that other threads send to an application's loop.
//
// Input     any thread
// Output    AppCore, which takes the work in its next turn; the host, which is woken for it
//
// Sources   invented

import Foundation
import Synchronization

/// The work that waits for one application's loop. All functions may be called by every thread.
package final class LoopInbox: @unchecked Sendable {
    private let lock = NSLock()
    private var work: [() -> Void] = []
    private var wake: (@Sendable () -> Void)?
    private var isClosed = false

    package init() {}

    /// Whether nothing waits. The loop asks in each turn, so that the question takes no lock.
    package var isEmpty: Bool { !hasWork.load(ordering: .acquiring) }
    private let hasWork = Atomic(false)

    /// Sets the function that makes the host run the loop. A host without one runs the loop when its time passes.
    package func setWake(_ wake: (@Sendable () -> Void)?) { lock.withLock { self.wake = wake } }

    /// Adds work, in the order of the calls. An inbox that is closed drops it.
    package func append(_ block: @escaping () -> Void) {
        let wake = lock.withLock {
            if !isClosed {
                work.append(block)
                hasWork.store(true, ordering: .releasing)
            }
            return self.wake
        }
        wake?()
    }

    /// Removes and returns what waits.
    package func takeAll() -> [() -> Void] {
        lock.withLock {
            let taken = work
            work = []
            hasWork.store(false, ordering: .releasing)
            return taken
        }
    }

    /// Drops what waits and all later work, because the application is gone.
    package func close() {
        let dropped = lock.withLock {
            isClosed = true
            wake = nil
            let dropped = work
            work = []
            hasWork.store(false, ordering: .releasing)
            return dropped
        }
        // The blocks are released after the lock: they may hold objects with a `deinit` of their own.
        withExtendedLifetime(dropped) {}
    }
}
