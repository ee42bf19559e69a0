// ApplicationClock.swift: an application's loop, as its timers, queues and tasks use it.
//
// Station   loop
// Input     Timer, DispatchQueue, RunLoop, Task, perform(afterDelay:)
// Output    MainLoopScheduling
// Knows     the queue whose block runs, and the delayed performs. Not the order of the loop.
//
//     Timer, RunLoop.add      ─▶ timers of the modes that the code names
//     asyncAfter, Task.sleep  ─▶ timers of the common modes ─▶ main queue
//     async, Task             ─▶ main queue
//     another thread          ─▶ inbox ─▶ main queue
//
// Sources   Docs/Decisions/OneClock.md

import Basics
import Foundation
package import SystemClock

/// The clock and the loop of one application.
package final class ApplicationClock: JobLoop {
    /// The application, which owns its clock, and clears this reference and closes the inbox when it ends. A weak reference
    /// would make each retain of the application several times slower.
    unowned(unsafe) var application: UIApplication?
    package let inbox = LoopInbox()
    /// The run loop that `RunLoop.main` and `RunLoop.current` return to the application's code.
    private(set) lazy var runLoop = RunLoop(clock: self)
    /// The queues whose blocks are running, outermost first; empty for code of the main queue.
    private(set) var runningQueues: [DispatchQueue] = []
    /// The number of blocks around the running code that make it code of another queue than the main one. A block of
    /// `sync` runs on the caller's thread, so that one from the main queue is code of both queues.
    private var depthOffMain = 0
    /// The blocks of the queues that code made, in order. A queue with waiting blocks is retained by the loop.
    var waitingBlocks: [ObjectIdentifier: [() -> Void]] = [:]
    var delayedPerforms: [DelayedPerform] = []
    private var anchor = SleepAnchor()

    /// The loop; nil for an application without one, which uses the real time.
    var loop: (any MainLoopScheduling)? { application?.mainLoop }
    var now: Instant { application?.now ?? .never }

    /// The clock of the application whose code runs; nil outside of applications, and for one without a loop.
    static var current: ApplicationClock? {
        guard let application = UIApplication.current, application.mainLoop != nil else { return nil }
        return application.clock
    }

    /// Stops the program, because the loop of an application cannot wait.
    static func refuseToWait(_ call: String, instead: String) -> Never {
        preconditionFailure(
            "\(call) waits, and nothing happens in the app meanwhile: all its code runs on one loop. Instead: \(instead)"
        )
    }

    // MARK: Queues

    /// Runs a block as code of this queue.
    ///
    /// - Parameter isSync: Whether the running code waits for the block.
    func run(as queue: DispatchQueue, isSync: Bool = false, _ block: () -> Void) {
        let outerDepth = depthOffMain
        depthOffMain = queue === DispatchQueue.main ? 0 : isSync ? outerDepth : outerDepth + 1
        runningQueues.append(queue)
        defer {
            runningQueues.removeLast()
            depthOffMain = outerDepth
        }
        block()
    }

    package var isOnMain: Bool { depthOffMain == 0 }

    /// Whether the code that runs is that of the queue.
    func isRunning(_ queue: DispatchQueue) -> Bool {
        queue === DispatchQueue.main ? isOnMain : runningQueues.contains(queue)
    }

    /// Runs a block that uses the loop: at once for the application's own code, for another thread in the next turn.
    func onLoop(_ block: @escaping () -> Void) {
        if ApplicationClock.current === self { block() } else { inbox.append(block) }
    }

    /// Runs a block after a delay on the application's clock, as a block of the main queue.
    ///
    /// - Returns: A function that ends the delay.
    func schedule(after delay: Int64, _ block: @escaping () -> Void) -> () -> Void {
        guard let loop else { return {} }
        let moment = now.advanced(byNanoseconds: max(0, delay))
        guard moment < .never else { return {} }
        let timer = loop.schedule(at: moment, every: nil, modes: [.common]) { [weak loop] in loop?.async(block) }
        return { [weak loop] in loop?.invalidate(timer) }
    }

    // MARK: Tasks

    package var ownsProcess: Bool { application?.host.hasOwnProcess == true }

    package func enqueue(isMain: Bool, _ block: @escaping () -> Void) {
        let turn = { [unowned self] in
            anchor.jobBegins(at: now.nanoseconds)
            run(as: isMain ? .main : .global(), block)
        }
        loop?.async(turn)
    }

    package func enqueue(after delay: Int64, _ block: @escaping () -> Void) -> () -> Void {
        schedule(after: delay) { [unowned self] in
            anchor.jobBegins(at: now.nanoseconds)
            run(as: .global(), block)
        }
    }

    package func delay(forReal delay: Int64) -> Int64 { anchor.delay(forReal: delay) }

    // MARK: Other threads

    /// Moves what other threads have sent to the main queue.
    package func takeInbox() {
        guard !inbox.isEmpty, let loop else { return }
        for block in inbox.takeAll() { loop.async(block) }
    }
}

/// A call of `perform(_:with:afterDelay:)` that waits.
struct DelayedPerform {
    let target: NSObject
    let selector: Selector
    let argument: Any?
    let timer: UInt64
}
