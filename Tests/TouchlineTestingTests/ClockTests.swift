import Testing
import TouchlineTesting
import UIKit

/// What an app's code did, with the milliseconds of the phone's clock.
final class Journal: @unchecked Sendable {
    private(set) var lines: [String] = []
    private var beginning = 0.0

    func begin() { beginning = CACurrentMediaTime() }

    func note(_ text: String) {
        let nanoseconds = Int(((CACurrentMediaTime() - beginning) * 1e9).rounded())
        let rest = nanoseconds % 1_000_000
        lines.append("\(nanoseconds / 1_000_000)\(rest == 0 ? "" : "+\(rest)ns") \(text)")
    }
}

/// A phone that shows an empty view, and a journal that its code writes.
struct Clockwork {
    let phone = TestPhone { UIView() }
    let journal = Journal()

    /// Runs code of the app, lets time pass, and returns what was noted.
    @discardableResult
    func play(for time: Duration = .seconds(1), _ code: @escaping (Journal) -> Void) -> [String] {
        let journal = journal
        phone.run {
            journal.begin()
            code(journal)
        }
        phone.advance(by: time)
        return journal.lines
    }
}

@Suite("One clock: timers")
struct TimerClockTests {
    private let clockwork = Clockwork()

    private final class Receiver: NSObject {
        var calls: [String] = []
        func hear(_ timer: Timer) { calls.append("\(timer.userInfo ?? "none")") }
        func receive(_ argument: String) { calls.append(argument) }
    }

    @Test("a timer fires at its moment to the nanosecond, and is invalid then")
    func once() {
        var timers: [Timer] = []
        let lines = clockwork.play { journal in
            timers.append(
                Timer.scheduledTimer(withTimeInterval: 0.250_000_001, repeats: false) { timer in
                    journal.note("fires \(timer.isValid)")
                })
        }
        #expect(lines == ["250+1ns fires true"])
        #expect(!timers[0].isValid)
    }

    @Test("a repeating timer fires until it is invalidated")
    func repeating() {
        let lines = clockwork.play { journal in
            var count = 0
            Timer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { timer in
                count += 1
                journal.note("fires")
                if count == 3 { timer.invalidate() }
            }
        }
        #expect(lines == ["100 fires", "200 fires", "300 fires"])
    }

    @Test("a timer calls its target, and retains it until it is invalid")
    func target() {
        weak var released: Receiver?
        let phone = clockwork.phone
        phone.run {
            let receiver = Receiver()
            released = receiver
            Timer.scheduledTimer(
                timeInterval: 0.1, target: receiver, selector: Selector("hear", Receiver.hear), userInfo: "info",
                repeats: false)
        }
        phone.advance(by: .milliseconds(99))
        #expect(released?.calls == [])
        let receiver = released
        phone.advance(by: .milliseconds(1))
        #expect(receiver?.calls == ["info"])
    }

    @Test("a timer that is not in a loop does not fire, but fire() calls it")
    func unscheduled() {
        let lines = clockwork.play { journal in
            let timer = Timer(timeInterval: 0.1, repeats: true) { _ in journal.note("fires") }
            timer.fire()
        }
        #expect(lines == ["0 fires"])
    }

    @Test("a new fire date moves a timer, and distantFuture suspends it")
    func fireDate() {
        let lines = clockwork.play { journal in
            let moved = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { _ in journal.note("moved") }
            moved.fireDate = Date(timeIntervalSinceNow: 0.75)
            let suspended = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { _ in journal.note("never") }
            suspended.fireDate = .distantFuture
            let dated = Timer(fire: Date(timeIntervalSinceNow: 0.4), interval: 0, repeats: false) { _ in
                journal.note("dated")
            }
            RunLoop.main.add(dated, forMode: .common)
        }
        #expect(lines == ["400 dated", "750 moved", "850 moved", "950 moved"])
    }

    @Test("a timer of the default mode waits while content is dragged, one of the common modes does not")
    func modes() throws {
        let scroll = UIScrollView(frame: CGRect(x: 0, y: 0, width: 375, height: 667))
        let phone = TestPhone { scroll }
        var fired: [String] = []
        phone.run {
            scroll.contentSize = CGSize(width: 375, height: 3000)
        }
        try phone.touchDown(.point(180, 400))
        phone.advance(by: .milliseconds(200))
        for step in 1...5 { try phone.touchMove(to: CGPoint(x: 180, y: 400 - 20 * CGFloat(step))) }
        #expect(scroll.isDragging)
        phone.run {
            #expect(RunLoop.current.currentMode == .tracking)
            Timer.scheduledTimer(withTimeInterval: 0.1, repeats: false) { _ in fired.append("default") }
            RunLoop.main.add(
                Timer(timeInterval: 0.2, repeats: false) { _ in fired.append("common") }, forMode: .common)
            // The compiler takes a closure of `DispatchQueue.main.asyncAfter` for the main actor's, by these words.
            let queue = DispatchQueue.main
            queue.asyncAfter(deadline: .now() + 0.3) { fired.append("queue") }
        }
        phone.advance(by: .seconds(1))
        #expect(fired == ["common", "queue"])
        try phone.touchUp()
        phone.advanceUntilIdle()
        #expect(fired == ["common", "queue", "default"])
    }

    @Test("a delayed perform can be cancelled, by its argument or with all of its target")
    func performs() {
        let first = Receiver()
        let second = Receiver()
        let selector = Selector("receive:", Receiver.receive(_:))
        clockwork.play { _ in
            for argument in ["a", "b"] { first.perform(selector, with: argument, afterDelay: 0.1) }
            for argument in ["c", "d"] { second.perform(selector, with: argument, afterDelay: 0.1) }
            NSObject.cancelPreviousPerformRequests(withTarget: first, selector: selector, object: "a")
            NSObject.cancelPreviousPerformRequests(withTarget: second)
        }
        #expect(first.calls == ["b"])
        #expect(second.calls == [])
    }

    @Test("pending timers, asyncAfter and sleeping tasks keep a phone busy")
    func idle() {
        let phone = clockwork.phone
        let works: [() -> Void] = [
            { Timer.scheduledTimer(withTimeInterval: 3, repeats: false) { _ in } },
            { DispatchQueue.main.asyncAfter(deadline: .now() + 3) {} },
            { Task { try await Task.sleep(for: .seconds(3)) } },
            {
                UIView.animate(withDuration: 3) {
                } completion: { _ in
                }
            },
        ]
        for work in works {
            #expect(phone.isIdle)
            let begin = phone.time
            phone.run(work)
            #expect(!phone.isIdle)
            #expect(phone.advanceUntilIdle())
            #expect(phone.time == begin + .seconds(3))
        }
    }
}

@Suite("One clock: queues")
struct QueueClockTests {
    private let clockwork = Clockwork()

    @Test("blocks, timers, tasks and animations follow one clock, in one order")
    func order() {
        let lines = clockwork.play { journal in
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(200)) { journal.note("asyncAfter") }
            Timer.scheduledTimer(withTimeInterval: 0.1, repeats: false) { _ in journal.note("timer") }
            Task {
                journal.note("task")
                try await Task.sleep(for: .milliseconds(150))
                journal.note("slept")
            }
            UIView.animate(withDuration: 0.25) {
            } completion: { _ in
                journal.note("animation")
            }
            DispatchQueue.main.async { journal.note("async") }
            RunLoop.main.perform { journal.note("perform") }
            journal.note("now")
        }
        #expect(lines.first == "0 now")
        #expect(Set(lines[1...3]) == ["0 task", "0 async", "0 perform"])
        #expect(lines[4...] == ["100 timer", "150 slept", "200 asyncAfter", "250 animation"])
    }

    @Test("queues take turns in the order of the calls")
    func turns() {
        let lines = clockwork.play { journal in
            let own = DispatchQueue(label: "own")
            DispatchQueue.global(qos: .userInitiated).async {
                journal.note("global")
                DispatchQueue.main.sync { journal.note("main in global") }
                DispatchQueue.main.async { journal.note("main") }
            }
            own.async { journal.note("own 1") }
            own.async { journal.note("own 2") }
            let value = own.sync { 7 }
            journal.note("sync \(value)")
            own.async { journal.note("own 3") }
        }
        #expect(
            lines == ["0 own 1", "0 own 2", "0 sync 7", "0 global", "0 main in global", "0 own 3", "0 main"])
    }

    @Test("a cancelled work item does not run, and notifies")
    func workItem() {
        let lines = clockwork.play { journal in
            let cancelled = DispatchWorkItem { journal.note("cancelled") }
            let item = DispatchWorkItem { journal.note("item") }
            cancelled.notify(queue: .main) { journal.note("notified") }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.2, execute: cancelled)
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.1, execute: item)
            cancelled.cancel()
        }
        #expect(lines == ["100 item", "200 notified"])
    }

    @Test("a group notifies when all its work has ended")
    func group() {
        let lines = clockwork.play { journal in
            let group = DispatchGroup()
            group.enter()
            DispatchQueue.global().async(group: group) { journal.note("work") }
            Timer.scheduledTimer(withTimeInterval: 0.3, repeats: false) { _ in
                group.leave()
                journal.note("left")
            }
            group.notify(queue: .main) {
                journal.note("notified")
                group.wait()
            }
            #expect(group.wait(timeout: .now()) == .timedOut)
        }
        #expect(lines == ["0 work", "300 left", "300 notified"])
    }

    @Test("DispatchTime counts on the app's clock")
    func time() {
        let lines = clockwork.play { journal in
            let begin = DispatchTime.now()
            #expect(Double(begin.uptimeNanoseconds) / 1e9 == CACurrentMediaTime())
            DispatchQueue.main.asyncAfter(deadline: begin + .nanoseconds(1_000_001)) {
                journal.note("\(begin.distance(to: .now()))")
            }
        }
        #expect(lines == ["1+1ns nanoseconds(1000001)"])
    }

    @Test("outside an app, queues and groups are those of Dispatch")
    func outside() async {
        let group = DispatchGroup()
        let value: Int = await withCheckedContinuation { continuation in
            DispatchQueue.global().async(group: group) {
                DispatchQueue(label: "own").async { continuation.resume(returning: 7) }
            }
        }
        #expect(value == 7)
        group.wait()
    }
}
