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
    /// Whether an application made the queue. Blocks for an application that is gone are dropped, as those of a dead process.
    private let isOfApplication: Bool

    private init(_ label: String, _ system: SystemQueue) {
        (self.label, self.system, isOwn, isConcurrent) = (label, system, false, system === SystemQueue.global)
        isOfApplication = false
    }

    /// Makes a queue. An application's queue runs its blocks in order, also with the attribute `concurrent`.
    public init(
        label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
        autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
    ) {
        (self.label, isOwn, isConcurrent) = (label, true, attributes.contains(.concurrent))
        system = SystemQueue(label: label, isConcurrent: isConcurrent)
        ownClock = ApplicationClock.current
        isOfApplication = ownClock != nil
    }

    public override var description: String { label }

    /// Where the blocks of the calling code run.
    private enum Destination { case clock(ApplicationClock), system, nowhere }

    /// The clock of the application whose code runs, or that made the queue, or to which the process's main queue belongs.
    private var destination: Destination {
        if let current = ApplicationClock.current { return .clock(current) }
        if isOfApplication {
            guard let ownClock, ownClock.loop != nil else { return .nowhere }
            return .clock(ownClock)
        }
        if self === DispatchQueue.main, let only = LiveApplication.clock { return .clock(only) }
        return .system
    }

    // MARK: Later

    /// Runs the block later, after the blocks that were added before.
    public func async(
        group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping () -> Void
    ) {
        group?.enter()
        enqueue {
            work()
            group?.leave()
        }
    }

    public func async(group: DispatchGroup, execute workItem: DispatchWorkItem) {
        async(group: group) { workItem.perform() }
    }

    public func async(execute workItem: DispatchWorkItem) { enqueue { workItem.perform() } }

    /// Runs the block at a moment of the app's clock. Another thread's moment is of the real clock; the delay counts.
    public func asyncAfter(
        deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping () -> Void
    ) {
        guard deadline != .distantFuture else { return }
        let delay = deadline.delay
        switch destination {
        case .clock(let clock): clock.onLoop { _ = clock.schedule(after: delay) { clock.run(as: self, work) } }
        case .system: system.async(after: delay, work)
        case .nowhere: break
        }
    }

    public func asyncAfter(deadline: DispatchTime, execute: DispatchWorkItem) {
        asyncAfter(deadline: deadline) { execute.perform() }
    }

    @available(*, unavailable, message: "an app's clock is no wall clock: use asyncAfter(deadline:)")
    public func asyncAfter(wallDeadline: some Any, execute work: @escaping () -> Void) {}

    /// Adds a block to this queue, on the loop of an application or on Dispatch's.
    func enqueue(_ block: @escaping () -> Void) {
        switch destination {
        case .clock(let clock): enqueue(on: clock, block)
        case .system: system.async(block)
        case .nowhere: break
        }
    }

    /// Adds a block that an application's loop runs.
    func enqueue(on clock: ApplicationClock, _ block: @escaping () -> Void) {
        clock.onLoop { [unowned clock] in
            guard self.isOwn else {
                clock.loop?.async({ clock.run(as: self, block) })
                return
            }
            clock.waitingBlocks[ObjectIdentifier(self), default: []].append(block)
            clock.loop?.async({ self.runNext(on: clock) })
        }
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
        guard let clock = ApplicationClock.current else {
            // Another thread of a live app waits for the app's loop.
            guard case .clock(let clock) = destination, clock.ownsProcess else { return try system.sync(work) }
            return try waitFor(work, on: clock)
        }
        if self === DispatchQueue.main ? clock.isOnMain : isOwn && !isConcurrent && clock.isRunning(self) {
            preconditionFailure(
                "DispatchQueue \(label).sync was called by the queue's own code, which is a deadlock: call the code itself"
            )
        }
        // A block that is added meanwhile comes later.
        for _ in 0..<(clock.waitingBlocks[ObjectIdentifier(self)]?.count ?? 0) { runNext(on: clock) }
        return try clock.call(as: self, work)
    }

    /// Runs a block on an application's loop, and returns when it has run.
    private func waitFor<Result, Failure: Error>(
        _ work: () throws(Failure) -> Result, on clock: ApplicationClock
    ) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>?
        withoutActuallyEscaping(work) { work in
            // The loop releases its block later than it signals, and must not hold the caller's closure by then.
            var held: (() throws(Failure) -> Result)? = work
            let done = SystemSemaphore(0)
            enqueue(on: clock) {
                do throws(Failure) { result = .success(try held!()) } catch { result = .failure(error) }
                held = nil
                _ = done.signal()
            }
            _ = done.wait(for: .max)
        }
        return try result!.get()
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
        run(as: queue, isSync: true) {
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
    switch condition() {
    case .onQueue(let queue), .onQueueAsBarrier(let queue):
        precondition(clock.isRunning(queue), "the code that runs is not that of the queue \(queue.label)")
    case .notOnQueue(let queue):
        precondition(!clock.isRunning(queue), "the code that runs is that of the queue \(queue.label)")
    }
}
