// SystemQueue.swift: the real Dispatch and Foundation, for code that runs outside of every application.
//
// Input     UIKit's DispatchQueue, DispatchGroup, DispatchWorkItem, Timer and RunLoop
// Output    the classes of the same names in Dispatch and Foundation
//
// Sources   documented  Dispatch, RunLoop, Timer

package import Foundation

/// Calls a closure that is not Sendable on another thread. The caller answers for it, as with Dispatch in C.
private struct Unchecked: @unchecked Sendable { let call: () -> Void }

/// A queue of Dispatch.
package final class SystemQueue: @unchecked Sendable {
    private let queue: DispatchQueue
    private init(_ queue: DispatchQueue) { self.queue = queue }

    package static let main = SystemQueue(.main)
    package static let global = SystemQueue(.global())
    package init(label: String, isConcurrent: Bool) {
        queue = DispatchQueue(label: label, attributes: isConcurrent ? .concurrent : [])
    }

    package func async(_ block: @escaping () -> Void) {
        let block = Unchecked(call: block)
        queue.async { block.call() }
    }

    package func async(after nanoseconds: Int64, _ block: @escaping () -> Void) {
        let block = Unchecked(call: block)
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { block.call() }
    }

    package func sync<Result, Failure: Error>(_ block: () throws(Failure) -> Result) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>?
        queue.sync {
            do throws(Failure) { result = .success(try block()) } catch { result = .failure(error) }
        }
        return try result!.get()
    }
}

/// A group of Dispatch.
package final class SystemGroup: @unchecked Sendable {
    fileprivate let group = DispatchGroup()
    package init() {}
    package func enter() { group.enter() }
    package func leave() { group.leave() }
    /// - Returns: False if the time, in nanoseconds, has passed.
    package func wait(for nanoseconds: Int64) -> Bool { group.wait(timeout: deadline(nanoseconds)) == .success }
}

/// A semaphore of Dispatch.
package final class SystemSemaphore: @unchecked Sendable {
    private let semaphore: DispatchSemaphore
    package init(_ value: Int) { semaphore = DispatchSemaphore(value: value) }
    package func signal() -> Int { semaphore.signal() }
    /// - Returns: False if the time, in nanoseconds, has passed.
    package func wait(for nanoseconds: Int64) -> Bool { semaphore.wait(timeout: deadline(nanoseconds)) == .success }
}

private func deadline(_ nanoseconds: Int64) -> DispatchTime {
    nanoseconds == .max ? .distantFuture : .now() + .nanoseconds(Int(nanoseconds))
}

/// A lock for objects that several threads use outside of applications.
package final class SystemLock: @unchecked Sendable {
    private let lock = NSLock()
    package init() {}
    package func locked<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }
}

/// The real time.
package enum SystemTime {
    /// Whether the calling thread is the process's main thread.
    package static var isOnMainThread: Bool { Thread.isMainThread }
    /// In nanoseconds since boot, as `DispatchTime` counts.
    package static var uptime: UInt64 { DispatchTime.now().uptimeNanoseconds }
    /// The real time until a date, in seconds; infinity for `distantFuture`.
    package static func seconds(until date: Date) -> Double {
        date == .distantFuture ? .infinity : date.timeIntervalSinceNow
    }
    /// The date after a real time; `distantFuture` for infinity.
    package static func date(after seconds: Double) -> Date {
        seconds == .infinity ? .distantFuture : Date(timeIntervalSinceNow: seconds)
    }
}

/// A timer of Foundation.
package final class SystemTimer: @unchecked Sendable {
    package let timer: Timer
    /// What a scheduled timer retains until it is invalid.
    package var owner: AnyObject?

    /// - Parameters:
    ///   - seconds: The time until the timer fires first.
    ///   - interval: The time between two calls, in seconds.
    ///   - repeats: Whether the timer fires more than once.
    ///   - block: Called each time.
    package init(after seconds: Double, interval: Double, repeats: Bool, _ block: @escaping () -> Void) {
        let block = Unchecked(call: block)
        timer = Timer(fire: SystemTime.date(after: seconds), interval: interval, repeats: repeats) { _ in block.call() }
    }

    package func invalidate() {
        timer.invalidate()
        owner = nil
    }
}

/// A run loop of Foundation.
package final class SystemLoop: @unchecked Sendable {
    private let loop: RunLoop
    private init(_ loop: RunLoop) { self.loop = loop }

    package static let main = SystemLoop(.main)
    package static var current: SystemLoop { RunLoop.current === RunLoop.main ? main : SystemLoop(.current) }

    package var mode: RunLoop.Mode? { loop.currentMode }
    package func add(_ timer: SystemTimer, in mode: RunLoop.Mode) { loop.add(timer.timer, forMode: mode) }
    package func perform(in modes: [RunLoop.Mode], _ block: @escaping () -> Void) {
        let block = Unchecked(call: block)
        loop.perform(inModes: modes) { block.call() }
    }
    package func run() { loop.run() }
    package func run(until date: Date) { loop.run(until: date) }
    package func run(mode: RunLoop.Mode, before date: Date) -> Bool { loop.run(mode: mode, before: date) }
}
