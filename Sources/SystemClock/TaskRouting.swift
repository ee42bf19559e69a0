// TaskRouting.swift: which loop runs a job of Swift's concurrency: an application's, or the runtime's own executors.
//
// Input     TaskExecutors: each job when it is enqueued
// Output    the loop of an application, its inbox, or nil for the runtime
//
//     enqueued by                 task is new            task is an application's   the runtime has the task
//     code of an application      this application       its application            the runtime
//     other code                  the runtime            its application's inbox    the runtime
//
// A test awaits a continuation that the app's code resumes: the test's task belongs to no app and stays the runtime's.
// An app awaits a download: the thread that resumes the task is not the app's, and the task comes back to the app's loop.
//
// Sources   invented

import CConcurrency
import Foundation

/// An application's loop, as jobs need it.
package protocol JobLoop: AnyObject {
    /// The inbox for jobs that other threads enqueue.
    var inbox: LoopInbox { get }
    /// Whether the process belongs to the application, so that every job does.
    var ownsProcess: Bool { get }
    /// Runs a block in a later turn. Called by the application's code only.
    ///
    /// - Parameters:
    ///   - isMain: Whether the block is the main actor's.
    ///   - block: The code of the application.
    func enqueue(isMain: Bool, _ block: @escaping () -> Void)
    /// Runs a block after a delay in nanoseconds on the application's clock. Called by the application's code only.
    func enqueue(after delay: Int64, _ block: @escaping () -> Void) -> () -> Void
    /// The delay on the application's clock for a real delay in nanoseconds, which was measured just now.
    func delay(forReal delay: Int64) -> Int64
    /// Whether the application's code that runs now is that of its main queue.
    var isOnMain: Bool { get }
}

/// The owner of each task that was seen.
final class TaskRouting: @unchecked Sendable {
    private struct Owner { weak var loop: (any JobLoop)? }

    static let shared = TaskRouting()

    private let lock = NSLock()
    /// By number of the task. A task of the runtime has no entry in `owners` and one in `foreign`.
    private var owners: [UInt64: Owner] = [:]
    private var foreign: Set<UInt64> = []
    /// Tasks up to this number existed before the hooks.
    private var lastForeign: UInt64 = 0
    /// The one application of this process, if it has only one.
    private weak var only: (any JobLoop)?

    enum Route {
        case runtime
        /// The application whose code runs.
        case loop(any JobLoop)
        case inbox(any JobLoop)
        /// The application of this task is gone: the task does not run again.
        case nowhere
    }

    func begin(after task: UInt64) { lock.withLock { lastForeign = task } }

    func setOnly(_ loop: any JobLoop) { lock.withLock { only = loop } }

    func route(_ task: UInt64, from current: (any JobLoop)?) -> Route {
        if let current, current.ownsProcess { return .loop(current) }
        return lock.withLock {
            if let only { return .inbox(only) }
            if task == 0 { return current.map { .loop($0) } ?? .runtime }
            if let owner = owners[task] {
                guard let loop = owner.loop else { return .nowhere }
                return loop === current ? .loop(loop) : .inbox(loop)
            }
            if task <= lastForeign || foreign.contains(task) { return .runtime }
            guard let current else {
                foreign.insert(task)
                return .runtime
            }
            owners[task] = Owner(loop: current)
            return .loop(current)
        }
    }
}
