// DispatchQueue.swift: queues of blocks, on the loop of the application whose code runs.
//
// Station   loop
// Input     the app's code
// Output    MainLoopScheduling.async, one turn of the main queue for each block; outside of applications Dispatch
// Knows     the blocks of each queue of an application, in order
//
// All queues of an application take turns on its loop: no block runs at the same time as another one, and the order is
// that of the calls.
//
// Sources   documented  DispatchQueue; `main.sync` on the main queue is a deadlock
//           invented    one loop for all queues (Docs/Decisions/OneClock.md)

public import Foundation
import SystemClock

/// A queue of blocks. The class has a name of its own, because the compiler demands Sendable closures of a class that is
/// called DispatchQueue. A closure behind the words `DispatchQueue.main.async` is the main actor's in Swift 6 mode.
public typealias DispatchQueue = LoopDispatchQueue

/// A queue of blocks.
public final class LoopDispatchQueue: NSObject, @unchecked Sendable {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let concurrent = Attributes(rawValue: 1 << 0)
        public static let initiallyInactive = Attributes(rawValue: 1 << 1)
    }

    public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }

    /// The main queue. An app's code always runs on it, except for blocks of other queues and jobs of other actors.
    public static let main = DispatchQueue("com.apple.main-thread", .main)
    private static let shared = DispatchQueue("com.apple.root.default-qos", .global)

    /// The queue of the process. There is one for every importance.
    public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { shared }

    public let label: String
    /// The queue of Dispatch, for code outside of applications.
    private let system: SystemQueue
    /// Whether code made the queue, so that its blocks wait in the clock and `sync` can run them first.
    private let isOwn: Bool
    private let isConcurrent: Bool
    /// The clock of the application that made the queue.
    private weak var ownClock: ApplicationClock?

    private init(_ label: String, _ system: SystemQueue) {
        (self.label, self.system, isOwn, isConcurrent) = (label, system, false, system === SystemQueue.global)
    }

    /// Makes a queue. An application's queue runs its blocks in order, also with the attribute `concurrent`.
    public init(
        label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
        autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
    ) {
        (self.label, isOwn, isConcurrent) = (label, true, attributes.contains(.concurrent))
        system = SystemQueue(label: label, isConcurrent: isConcurrent)
        ownClock = ApplicationClock.current
    }

    public override var description: String { label }

    /// The clock that runs the blocks: that of the application whose code runs, or that made the queue.
    private var clock: ApplicationClock? {
        if let current = ApplicationClock.current { return current }
        guard let ownClock, ownClock.loop != nil else { return nil }
        return ownClock
    }

    // MARK: Later

    /// Runs the block later, after the blocks that were added before.
    public func async(
        group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping () -> Void
    ) {
        group?.enter()
        enqueue(on: clock) {
            work()
            group?.leave()
        }
    }

    public func async(group: DispatchGroup, execute workItem: DispatchWorkItem) {
        async(group: group) { workItem.perform() }
    }

    public func async(execute workItem: DispatchWorkItem) { enqueue(on: clock) { workItem.perform() } }

    /// Runs the block at a moment of the app's clock.
    public func asyncAfter(
        deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping () -> Void
    ) {
        guard deadline != .distantFuture else { return }
        guard let clock else { return system.async(after: deadline.delay, work) }
        _ = clock.schedule(after: deadline.delay) { clock.run(as: self, work) }
    }

    public func asyncAfter(deadline: DispatchTime, execute: DispatchWorkItem) {
        asyncAfter(deadline: deadline) { execute.perform() }
    }

    @available(*, unavailable, message: "an app's clock is no wall clock: use asyncAfter(deadline:)")
    public func asyncAfter(wallDeadline: some Any, execute work: @escaping () -> Void) {}

    /// Adds a block to this queue of an application, or of Dispatch.
    func enqueue(on clock: ApplicationClock?, _ block: @escaping () -> Void) {
        guard let clock else { return enqueueOutside(block) }
        guard ApplicationClock.current === clock else {
            // Another thread, or a test. The clock's loop takes the block in its next turn.
            return clock.inbox.append { [weak clock] in if let clock { clock.run(as: self, block) } }
        }
        guard isOwn else {
            clock.loop?.async({ clock.run(as: self, block) })
            return
        }
        clock.waitingBlocks[ObjectIdentifier(self), default: []].append(block)
        clock.loop?.async({ self.runNext(on: clock) })
    }

    private func enqueueOutside(_ block: @escaping () -> Void) {
        if self === DispatchQueue.main, let only = LiveApplication.clock {
            return only.inbox.append(block)
        }
        system.async(block)
    }

    /// - Returns: False if no block waits: `sync` may have run it already.
    @discardableResult
    private func runNext(on clock: ApplicationClock) -> Bool {
        guard let block = clock.waitingBlocks[ObjectIdentifier(self)]?.first else { return false }
        clock.waitingBlocks[ObjectIdentifier(self)]?.removeFirst()
        if clock.waitingBlocks[ObjectIdentifier(self)]?.isEmpty == true {
            clock.waitingBlocks[ObjectIdentifier(self)] = nil
        }
        clock.run(as: self, block)
        return true
    }

    // MARK: At once

    /// Runs the block now, after the blocks that were added before.
    ///
    /// On the main queue of an app a call from its own code never returns on a phone, and stops the program here.
    public func sync<Result, Failure: Error>(
        flags: DispatchWorkItemFlags = [], execute work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let clock = ApplicationClock.current else { return try system.sync(work) }
        if self === DispatchQueue.main ? clock.isOnMain : isOwn && !isConcurrent && clock.runningQueues.contains(self) {
            preconditionFailure(
                "DispatchQueue \(label).sync was called by the queue's own code, which is a deadlock: call the code itself"
            )
        }
        while isOwn, runNext(on: clock) {}
        return try clock.call(as: self, work)
    }

    public func sync(execute workItem: DispatchWorkItem) { sync { workItem.perform() } }

    /// Adds a block, and waits for it only if Dispatch prefers to.
    public func asyncAndWait(execute workItem: DispatchWorkItem) { sync { workItem.perform() } }

    /// Runs the block for each number from 0, in order.
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {
        for index in 0..<max(0, iterations) { work(index) }
    }
}

extension ApplicationClock {
    /// Runs a block as code of this queue, and returns its result.
    func call<Result, Failure: Error>(
        as queue: DispatchQueue, _ block: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>?
        run(as: queue) {
            do throws(Failure) { result = .success(try block()) } catch { result = .failure(error) }
        }
        return try result!.get()
    }
}

/// The application of a process that has only one.
enum LiveApplication {
    nonisolated(unsafe) private(set) static var clock: ApplicationClock?

    /// Sends the blocks and jobs of every thread to this application.
    static func set(_ application: UIApplication) {
        clock = application.clock
        TaskExecutors.claimProcess(for: application.clock)
    }
}

/// A condition on the queue whose code runs.
public enum DispatchPredicate: Sendable {
    case onQueue(DispatchQueue), onQueueAsBarrier(DispatchQueue), notOnQueue(DispatchQueue)
}

/// Stops the program if the code that runs is not that of the queue. Outside of applications nothing is checked.
public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) {
    guard let clock = ApplicationClock.current else { return }
    func isOn(_ queue: DispatchQueue) -> Bool {
        clock.runningQueues.isEmpty ? queue === DispatchQueue.main : clock.runningQueues.contains(queue)
    }
    switch condition() {
    case .onQueue(let queue), .onQueueAsBarrier(let queue):
        precondition(isOn(queue), "the code that runs is not that of the queue \(queue.label)")
    case .notOnQueue(let queue):
        precondition(!isOn(queue), "the code that runs is that of the queue \(queue.label)")
    }
}
