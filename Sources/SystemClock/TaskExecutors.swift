// TaskExecutors.swift: the executors of Swift's concurrency in a process with applications.
//
// Input     the hooks of the runtime; the main actor, whose executor this is; sleeping tasks
// Output    TaskRouting's loop, or Dispatch
//
//     Task { }             ─▶ hook of the global executor ─┐
//     Task { @MainActor }  ─▶ TaskExecutors.main           ├─▶ TaskRouting ─▶ an application's loop, or Dispatch
//     Task.sleep           ─▶ the running job's executor  ─┘
//
// Task.sleep of Swift 6.3 asks the executor of the running job for the delay, so an app's jobs run on an executor of
// this file. The hooks for delays are not called any more.
//
// Sources   documented  SE-0392, SE-0417; observed: Swift 6.3.1's library

import CConcurrency
import Foundation
@_spi(ExperimentalScheduling) import _Concurrency

/// The executor of the main actor or of the other jobs.
package final class TaskExecutors: SerialExecutor, SchedulingExecutor {
    /// The main actor's.
    static let main = TaskExecutors(isMain: true)
    /// That of an application's other jobs.
    static let background = TaskExecutors(isMain: false)

    private let isMain: Bool
    private init(isMain: Bool) { self.isMain = isMain }

    /// The loop of the application whose code this thread runs.
    nonisolated(unsafe) private static var findCurrent: () -> (any JobLoop)? = { nil }
    static var current: (any JobLoop)? { concurrency_application() == nil ? nil : findCurrent() }

    private static let installation: Void = {
        let executor = unsafeBitCast(main.asUnownedSerialExecutor(), to: concurrency_executor.self)
        concurrency_install({ TaskExecutors.background.enqueueGlobal($0) }, executor)
        // A new task has a greater number than all tasks before it. A task is its own job. This one never runs, because it
        // would make Dispatch start its threads.
        concurrency_set_dropping(true)
        let mark = Task<Void, Never> {}
        concurrency_set_dropping(false)
        let number = concurrency_task_number(unsafeBitCast(mark, to: UnsafeMutableRawPointer.self))
        TaskRouting.shared.begin(after: number)
    }()

    /// Installs the executors, once in a process.
    ///
    /// - Parameter current: Returns the loop of the application whose code the calling thread runs.
    package static func install(_ current: @escaping () -> (any JobLoop)?) {
        lock.withLock {
            guard !isInstalled else { return }
            isInstalled = true
            findCurrent = current
            _ = installation
        }
    }
    private static let lock = NSLock()
    nonisolated(unsafe) private static var isInstalled = false

    /// Sends every job of the process to this loop, because the process has no other application.
    package static func claimProcess(for loop: any JobLoop) { TaskRouting.shared.setOnly(loop) }

    // MARK: Jobs

    private func enqueueGlobal(_ job: UnsafeMutableRawPointer) {
        let unowned = unsafeBitCast(job, to: UnownedJob.self)
        if !send(unowned, concurrency_task_number(job), isMain: false) { concurrency_enqueue_original(job) }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let number = concurrency_task_number(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
        guard !send(job, number, isMain: isMain) else { return }
        let queue = isMain ? DispatchQueue.main : DispatchQueue.global()
        queue.async { self.run(job) }
    }

    private func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }

    /// - Returns: False if the job belongs to no application.
    private func send(_ job: UnownedJob, _ number: UInt64, isMain: Bool) -> Bool {
        switch TaskRouting.shared.route(number, from: Self.current) {
        case .runtime: return false
        case .nowhere: return true
        case .loop(let loop): loop.enqueue(isMain: isMain) { self.run(job) }
        case .inbox(let loop):
            loop.inbox.append { [weak loop] in loop?.enqueue(isMain: isMain) { self.run(job) } }
        }
        return true
    }

    // MARK: Delays

    package func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        sleep(UnownedJob(job), for: Self.nanoseconds(clock.now.duration(to: instant)), isReal: true)
    }

    package func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        sleep(UnownedJob(job), for: Self.nanoseconds(delay), isReal: false)
    }

    /// - Parameter isReal: Whether the delay was measured with a real clock.
    private func sleep(_ job: UnownedJob, for delay: Int64, isReal: Bool) {
        if let loop = Self.current {
            _ = loop.enqueue(after: isReal ? loop.delay(forReal: delay) : delay) { self.run(job) }
        } else {
            let queue = isMain ? DispatchQueue.main : DispatchQueue.global()
            queue.asyncAfter(deadline: .now() + .nanoseconds(Int(max(0, delay)))) { self.run(job) }
        }
    }

    private static func nanoseconds(_ duration: some DurationProtocol) -> Int64 {
        guard let duration = duration as? Duration else {
            preconditionFailure(
                "a task sleeps on a clock that does not count in Duration, which an app's loop cannot follow: use "
                    + "Task.sleep(for:)")
        }
        return Int64(clamping: duration.attoseconds / 1_000_000_000)
    }

    // MARK: Isolation

    /// Accepts code of an application's main queue, on whatever thread its loop runs.
    package func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "code of the main actor runs elsewhere")
    }

    package func isIsolatingCurrentContext() -> Bool? {
        guard isMain else { return false }
        return Self.current?.isOnMain ?? Thread.isMainThread
    }
}
