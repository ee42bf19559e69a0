// Task+Sleep.swift: sleeping tasks whose delay is exact on an application's clock, and ends when the task is cancelled.
//
// A file that imports UIKit finds these functions before those of the standard library. A task that sleeps by way of
// another file still sleeps on the application's clock (TaskExecutors), as exactly as SleepAnchor can tell.
//
// Sources   documented  Task.sleep: a cancelled task throws CancellationError

import Foundation

extension Task where Success == Never, Failure == Never {
    /// Suspends the task for a time on the clock of the application whose code runs, or on the real clock.
    public static func sleep(for duration: Swift.Duration, tolerance: Swift.Duration? = nil) async throws {
        let nanoseconds = Int64(clamping: duration.attoseconds / 1_000_000_000)
        guard let loop = TaskExecutors.current else {
            return try await ContinuousClock().sleep(for: duration, tolerance: tolerance)
        }
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                sleeper.begin(continuation, on: loop, for: max(0, nanoseconds))
            }
        } onCancel: {
            sleeper.cancel()
        }
    }

    /// Suspends the task for a time in nanoseconds.
    public static func sleep(nanoseconds duration: UInt64) async throws {
        try await sleep(for: .nanoseconds(Int64(clamping: duration)))
    }
}

/// One sleep of a task. Another thread may cancel it.
private final class Sleeper: @unchecked Sendable {
    private let lock = NSLock()
    private var continuation: UnsafeContinuation<Void, any Error>?
    private var isCancelled = false
    private var endTimer: (() -> Void)?
    private weak var loop: (any JobLoop)?

    func begin(_ continuation: UnsafeContinuation<Void, any Error>, on loop: any JobLoop, for nanoseconds: Int64) {
        let isOver = lock.withLock {
            if !isCancelled {
                self.continuation = continuation
                self.loop = loop
            }
            return isCancelled
        }
        guard !isOver else { return continuation.resume(throwing: CancellationError()) }
        let end = loop.enqueue(after: nanoseconds) { self.take()?.resume() }
        lock.withLock { endTimer = end }
    }

    private func take() -> UnsafeContinuation<Void, any Error>? {
        lock.withLock {
            let taken = continuation
            continuation = nil
            return taken
        }
    }

    func cancel() {
        let (taken, end, loop) = lock.withLock {
            let found = (continuation, endTimer, self.loop)
            (isCancelled, continuation, endTimer) = (true, nil, nil)
            return found
        }
        guard let taken else { return }
        if let end, let loop {
            // The timer is the loop's, so that only its own thread may end it.
            if TaskExecutors.current === loop { end() } else { loop.inbox.append(end) }
        }
        taken.resume(throwing: CancellationError())
    }
}
