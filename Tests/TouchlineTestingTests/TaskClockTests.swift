import SystemClock
import Synchronization
import Testing
import TouchlineTesting
import UIKit

@Suite("One clock: tasks")
struct TaskClockTests {
    private let clockwork = Clockwork()

    private actor Counter {
        var count = 0
        func increment() -> Int {
            count += 1
            return count
        }
    }

    private final class Waiting: @unchecked Sendable {
        private let held = Mutex<CheckedContinuation<Void, Never>?>(nil)
        var continuation: CheckedContinuation<Void, Never>? {
            get { held.withLock { $0 } }
            set { held.withLock { $0 = newValue } }
        }
        var isDone = false
    }

    @Test("a sleeping task wakes at its moment to the nanosecond")
    func sleep() {
        let lines = clockwork.play { journal in
            Task {
                try await Task.sleep(nanoseconds: 5_000_001)
                journal.note("nanoseconds")
                try await Task.sleep(for: .milliseconds(7))
                journal.note("for")
            }
        }
        #expect(lines == ["5+1ns nanoseconds", "12+1ns for"])
    }

    @Test("a sleep of the standard library follows the clock, too")
    func standardSleep() {
        let lines = clockwork.play(for: .seconds(1000)) { journal in
            Task {
                try await ContinuousClock().sleep(for: .seconds(100))
                journal.note("continuous")
                try await Task.sleep(until: .now + .seconds(500), clock: .suspending)
                journal.note("suspending")
            }
        }
        #expect(lines == ["100000 continuous", "600000 suspending"])
    }

    @Test(
        "a sleep of the standard library lasts as long as the code says, not the real time that is left of it",
        arguments: [
            (249_990_000, [15_000], 250_000_000), (249_990_000, [5_000, 20_000], 250_000_000),
            (16_000_000, [0], 16_000_000), (-3_000_000, [5_000], 0), (1234, [10], 1234),
        ])
    func roundDelay(remaining: Int64, passed: [Int64], delay: Int64) {
        #expect(SleepAnchor.delay(forReal: remaining, passed: passed) == delay)
    }

    @Test("actors, groups, child tasks and detached tasks run on the app's loop")
    func kinds() {
        let lines = clockwork.play { journal in
            let counter = Counter()
            Task { @MainActor in
                MainActor.assertIsolated()
                await journal.note("actor \(counter.increment())")
                async let child = {
                    try? await Task.sleep(for: .milliseconds(20)); return "child"
                }()
                journal.note(await child)
                let sum = await withTaskGroup(of: Int.self) { group in
                    for index in 1...3 { group.addTask { await counter.increment() * 0 + index } }
                    var sum = 0
                    for await number in group { sum += number }
                    return sum
                }
                journal.note("group \(sum)")
                await Task.detached {
                    try? await Task.sleep(for: .milliseconds(30))
                    await MainActor.run { _ = UIApplication.shared }
                }.value
                journal.note("detached")
                for await number in AsyncStream(unfolding: { await counter.increment() }) {
                    journal.note("stream \(number)")
                    break
                }
            }
        }
        #expect(lines == ["0 actor 1", "20 child", "20 group 6", "50 detached", "50 stream 5"])
    }

    @Test("code of the main queue is isolated to the main actor")
    func isolation() {
        clockwork.play { journal in
            MainActor.assumeIsolated { journal.note("assumed") }
            Timer.scheduledTimer(withTimeInterval: 0.1, repeats: false) { _ in
                MainActor.assumeIsolated { journal.note("timer") }
            }
        }
        #expect(clockwork.journal.lines == ["0 assumed", "100 timer"])
    }

    @Test("a cancelled sleep ends at once, and is no work any more", arguments: [true, false])
    func cancel(byTest: Bool) {
        let phone = clockwork.phone
        let journal = clockwork.journal
        let task = phone.run {
            journal.begin()
            return Task {
                do { try await Task.sleep(for: .seconds(1000)) } catch { journal.note("\(error)") }
            }
        }
        phone.advance(by: .milliseconds(10))
        if byTest { task.cancel() } else { phone.run { task.cancel() } }
        #expect(phone.advanceUntilIdle())
        #expect(journal.lines == ["10 CancellationError()"])
    }

    @Test("the test's own task is not the app's, even if the app's code resumes it")
    func testsTask() async {
        let phone = clockwork.phone
        // The continuation is resumed by the app's code, while it runs on this thread.
        await withCheckedContinuation { continuation in
            phone.run {
                DispatchQueue.main.asyncAfter(deadline: .now() + 5) { continuation.resume() }
            }
            phone.advance(by: .seconds(5))
        }
        let task = phone.run { Task { 7 } }
        #expect(await task.value == 7)
        #expect(phone.time == .seconds(5))
    }

    @Test("a test that waits for the app's code goes on outside of the app")
    func waitingTest() async {
        let waiting = Waiting()
        let task = Task.detached {
            await withCheckedContinuation { waiting.continuation = $0 }
            return UIApplication.current == nil
        }
        while waiting.continuation == nil { await Task.yield() }
        TestPhone { UIView() }.run { waiting.continuation?.resume() }
        #expect(await task.value)
    }

    @Test("a task that another thread resumes comes back to the app's loop")
    func resumed() async throws {
        let phone = clockwork.phone
        let waiting = Waiting()
        phone.run {
            Task {
                await withCheckedContinuation { waiting.continuation = $0 }
                waiting.isDone = UIApplication.shared.applicationState == .active
            }
        }
        let continuation = try #require(waiting.continuation)
        await Task.detached { continuation.resume() }.value
        #expect(!waiting.isDone && !phone.isIdle)
        phone.advance(by: .zero)
        #expect(waiting.isDone)
    }

    @Test("the tasks, timers and blocks of a killed app do not run")
    func killed() {
        let phone = clockwork.phone
        let journal = clockwork.journal
        phone.run {
            Task {
                try await Task.sleep(for: .milliseconds(10))
                journal.note("task")
            }
            Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { _ in journal.note("timer") }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.01) { journal.note("block") }
        }
        phone.kill()
        phone.advance(by: .seconds(1))
        #expect(journal.lines == [])
    }

    @Test("50 phones at once have 50 clocks")
    func parallel() async {
        await withTaskGroup(of: [String].self) { group in
            for index in 1...50 {
                group.addTask {
                    let clockwork = Clockwork()
                    return clockwork.play(for: .seconds(60)) { journal in
                        Timer.scheduledTimer(withTimeInterval: Double(index), repeats: false) { _ in
                            journal.note("timer")
                            Task { @MainActor in
                                try await Task.sleep(for: .milliseconds(index))
                                DispatchQueue.global().async { journal.note("block") }
                            }
                        }
                    }.map { "\(index): \($0)" }
                }
            }
            for await lines in group {
                let index = lines.first.flatMap { Int($0.prefix { $0 != ":" }) } ?? 0
                #expect(
                    lines == ["\(index): \(index)000 timer", "\(index): \(index * 1000 + index) block"])
            }
        }
    }

    @Test("an hour of app time takes no real time")
    func hour() {
        let begin = ContinuousClock.now
        let lines = clockwork.play(for: .seconds(3600)) { journal in
            Task {
                for _ in 1...60 { try await Task.sleep(for: .seconds(60)) }
                journal.note("an hour")
            }
        }
        #expect(lines == ["3600000 an hour"])
        #expect(begin.duration(to: .now) < .seconds(60))
    }
}

@Suite("One clock: what cannot wait")
struct WaitClockTests {
    /// The sentence of the fatal error that ended the program.
    private func sentence(_ result: ExitTest.Result?) -> String {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.contains("Fatal error: ") } ?? ""
        return line.range(of: "Fatal error: ").map { String(line[$0.upperBound...]) } ?? text
    }

    @Test("sync on the main queue, from its own code, ends the program")
    func mainSync() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            TestPhone { UIView() }.run { DispatchQueue.main.sync {} }
        }
        #expect(
            sentence(result).contains("DispatchQueue com.apple.main-thread.sync was called by the queue's own code"))
    }

    @Test("a wait for a group or a semaphore ends the program, naming the way out")
    func waits() async {
        let group = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            TestPhone { UIView() }.run {
                let group = DispatchGroup()
                group.enter()
                group.wait()
            }
        }
        #expect(sentence(group).hasSuffix("Instead: group.notify(queue: .main) { … }"))
        let semaphore = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            TestPhone { UIView() }.run { DispatchSemaphore(value: 0).wait() }
        }
        #expect(sentence(semaphore).hasPrefix("DispatchSemaphore.wait() waits"))
    }

    @Test("a run of the loop until later ends the program, and until now handles what is due")
    func nestedRun() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            TestPhone { UIView() }.run { RunLoop.main.run(until: Date(timeIntervalSinceNow: 1)) }
        }
        #expect(sentence(result).hasSuffix("Instead: a Timer, or in a test phone.advance(by:)"))
        var lines: [String] = []
        TestPhone { UIView() }.run {
            RunLoop.main.perform { lines.append("performed") }
            RunLoop.main.run(until: Date())
            lines.append("returned")
        }
        #expect(lines == ["performed", "returned"])
    }
}
