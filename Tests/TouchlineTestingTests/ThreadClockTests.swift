import Testing
import TouchlineTesting
import UIKit

/// Runs code on another thread, and returns when it has ended.
private func onAnotherThread(_ code: @escaping () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    nonisolated(unsafe) let code = code
    Thread.detachNewThread {
        code()
        isDone.signal()
    }
    isDone.wait()
}

@Suite("One clock: other threads")
struct ThreadClockTests {
    private let clockwork = Clockwork()

    @Test("what another thread gives to an app's queue or run loop runs on the app's loop")
    func arrivals() {
        let journal = clockwork.journal
        var queue: DispatchQueue?
        var loop: RunLoop?
        clockwork.phone.run {
            journal.begin()
            queue = DispatchQueue(label: "own")
            loop = RunLoop.main
        }
        onAnotherThread {
            func note(_ text: String) { journal.note("\(text) \(UIApplication.shared.applicationState == .active)") }
            queue?.async { note("async") }
            queue?.asyncAfter(deadline: .now() + 0.25) { note("after") }
            loop?.perform { note("perform") }
            loop?.add(Timer(timeInterval: 0.5, repeats: false) { _ in note("timer") }, forMode: .common)
        }
        #expect(journal.lines.isEmpty)
        clockwork.phone.advance(by: .seconds(1))
        let lines = journal.lines.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
        #expect(Set(lines.prefix(2)) == ["async true", "perform true"])
        #expect(lines.dropFirst(2) == ["after true", "timer true"])
    }

    @Test("a notification that another thread posts arrives in the app's next turn")
    func notifications() {
        final class Observer: NSObject {
            var inApp: [Bool] = []
            func received() { inApp.append(clockBelongsToApp()) }
            private func clockBelongsToApp() -> Bool { UIApplication.shared.applicationState == .active }
        }
        let observer = Observer()
        let (center, name) = (NotificationCenter(), Notification.Name("arrived"))
        clockwork.phone.run {
            center.addObserver(observer, selector: Selector("received", Observer.received), name: name, object: nil)
        }
        onAnotherThread { center.post(name: name, object: nil) }
        #expect(observer.inApp.isEmpty)
        clockwork.phone.advance(by: .milliseconds(1))
        #expect(observer.inApp == [true])
    }

    @Test("a thread may wait for a semaphore or a group that an app has made")
    func waiting() {
        var made: (DispatchSemaphore, DispatchGroup)?
        clockwork.phone.run {
            let (semaphore, group) = (DispatchSemaphore(value: 0), DispatchGroup())
            group.enter()
            made = (semaphore, group)
        }
        guard let (semaphore, group) = made else { return }
        let isStarted = DispatchSemaphore(value: 0)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            isStarted.signal()
            semaphore.wait()
            group.wait()
            isDone.signal()
        }
        isStarted.wait()
        #expect(isDone.wait(timeout: .now()) == .timedOut)
        clockwork.phone.run {
            semaphore.signal()
            group.leave()
        }
        isDone.wait()
    }

    @Test("blocks of an app that is gone do not run")
    func deadApp() {
        nonisolated(unsafe) var runs = 0
        var made: (DispatchQueue, DispatchGroup)?
        do {
            let phone = TestPhone { UIView() }
            phone.run {
                let group = DispatchGroup()
                group.enter()
                group.notify(queue: .main) { runs += 1 }
                made = (DispatchQueue(label: "own"), group)
            }
        }
        guard let (queue, group) = made else { return }
        queue.async { runs += 1 }
        group.leave()
        // What had gone to Dispatch's own queues would run before this block.
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { isDone.signal() }
        isDone.wait()
        #expect(runs == 0)
    }

    @Test("sync runs the blocks that waited, and not one that is added meanwhile")
    func boundedSync() {
        let lines = clockwork.play { journal in
            let queue = DispatchQueue(label: "own")
            func repeated() {
                journal.note("block")
                if journal.lines.count < 5 { queue.async { repeated() } }
            }
            queue.async { repeated() }
            queue.sync { journal.note("sync") }
        }
        #expect(lines.prefix(3) == ["0 block", "0 sync", "0 block"])
    }

    @Test("a block of sync from the main queue is the main actor's, one of async is not")
    func isolation() {
        let lines = clockwork.play { journal in
            let queue = DispatchQueue(label: "own")
            queue.sync {
                dispatchPrecondition(condition: .onQueue(.main))
                dispatchPrecondition(condition: .onQueue(queue))
                MainActor.assumeIsolated { journal.note("sync") }
            }
            queue.async {
                dispatchPrecondition(condition: .notOnQueue(.main))
                journal.note("async")
            }
        }
        #expect(lines == ["0 sync", "0 async"])
    }

    @Test("a selector is performed on the main thread later, or at once for code that waits there")
    func mainThread() {
        final class Receiver: NSObject {
            let journal: Journal
            init(_ journal: Journal) { self.journal = journal }
            func receive(_ text: String) { journal.note(text) }
        }
        let lines = clockwork.play { journal in
            let receiver = Receiver(journal)
            let selector = Selector("receive:", Receiver.receive(_:))
            receiver.performSelector(onMainThread: selector, with: "later", waitUntilDone: false)
            receiver.performSelector(onMainThread: selector, with: "now", waitUntilDone: true)
        }
        #expect(lines == ["0 now", "0 later"])
    }

    @Test("a timer whose target lacks the method stops the program")
    func missingMethod() async {
        await #expect(processExitsWith: .failure) {
            let phone = TestPhone { UIView() }
            phone.run {
                Timer.scheduledTimer(
                    timeInterval: 0.1, target: NSObject(), selector: Selector("missing"), userInfo: nil, repeats: false)
            }
            phone.advance(by: .seconds(1))
        }
    }
}
