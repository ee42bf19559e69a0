import Basics
import RunLoops
import Testbed
import Testing

@Suite("Turns of a run loop")
struct TurnTests {
    private var diary = RecordedRunLoop()

    @Test("a turn that handled a source0 does not wait")
    mutating func sourceThenWait() {
        diary.observer("O")
        let touch = diary.source0("touch")
        diary.loop.signal(touch)
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        expectTrace(
            diary.lines,
            matches: """
                O entry
                O beforeTimers
                O beforeSources
                touch
                O beforeTimers
                O beforeSources
                O beforeWaiting
                sleep
                """)
    }

    @Test("a run loop serves one port in each turn")
    mutating func onePort() {
        diary.observer("O", [.beforeTimers, .beforeWaiting])
        let (first, second) = (diary.source1("first"), diary.source1("second"))
        diary.timer("timer", at: 0)
        diary.loop.signal(first)
        diary.loop.signal(second)
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        expectTrace(
            diary.lines,
            matches: """
                O beforeTimers
                O beforeWaiting
                first
                O beforeTimers
                O beforeWaiting
                second
                O beforeTimers
                O beforeWaiting
                timer
                O beforeTimers
                O beforeWaiting
                sleep
                """)
    }

    @Test("each message at a port gets one callout")
    mutating func messages() {
        let port = diary.source1("port")
        diary.loop.begin(in: .standard, at: .boot)
        for _ in 0..<3 { diary.loop.signal(port) }
        diary.pull()
        #expect(diary.lines == ["port", "port", "port", "sleep"])
    }

    @Test("a run in an empty mode finishes without notifying observers")
    mutating func emptyMode() {
        diary.observer("O")
        _ = diary.source0("elsewhere", in: .tracking)
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        #expect(diary.lines == ["run finished"])
        #expect(diary.loop.depth == 0)
    }

    @Test("a run finishes when its last source is removed")
    mutating func becomesEmpty() {
        diary.observer("O", [.entry, .exit])
        let source = diary.source0("source")
        diary.actions["source"] = { $0.loop.invalidate(source) }
        diary.loop.signal(source)
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        #expect(diary.lines == ["O entry", "source", "O exit", "run finished"])
    }

    @Test("signalling a source0 does not wake the loop, but wakeUp does")
    mutating func signalAndWake() {
        let source = diary.source0("source")
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        diary.loop.signal(source)
        diary.pull()
        #expect(diary.lines == ["sleep", "sleep"])
        diary.loop.wakeUp()
        diary.pull()
        #expect(diary.lines == ["sleep", "sleep", "source", "sleep"])
    }

    @Test("source0s run in ascending order, then in order of signals")
    mutating func sourceOrder() {
        let (late, early) = (diary.source0("late", order: 2), diary.source0("early", order: -1))
        let (b, a) = (diary.source0("b"), diary.source0("a"))
        for source in [late, a, b, early] { diary.loop.signal(source) }
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        #expect(diary.lines == ["early", "a", "b", "late", "sleep"])
    }

    @Test("observers run in ascending order, then in order of addition")
    mutating func observerOrder() {
        diary.observer("third", .entry, order: 5)
        diary.observer("first", .entry, order: -5)
        diary.observer("second", .entry, order: 0)
        diary.observer("after second", .entry, order: 0)
        _ = diary.source0("source")
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        #expect(diary.lines == ["first entry", "second entry", "after second entry", "third entry", "sleep"])
    }

    @Test("timers of the current mode fire in order of date")
    mutating func timerOrder() {
        diary.timer("late", at: 9)
        diary.timer("early", at: 3)
        diary.timer("dragging", at: 1, in: .tracking)
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        diary.pull(at: 9)
        #expect(diary.lines == ["sleep until 3.000 ms", "early", "late", "run finished"])
    }

    @Test("a late loop skips missed firings and keeps the timer's schedule")
    mutating func lateTimer() {
        diary.timer("tick", at: 10, every: 10)
        diary.loop.begin(in: .standard, at: .boot)
        for moment in [0, 10, 47, 50] { diary.pull(at: moment) }
        #expect(
            diary.lines == [
                "sleep until 10.000 ms", "tick", "sleep until 20.000 ms", "tick", "sleep until 50.000 ms", "tick",
                "sleep until 60.000 ms",
            ])
    }

    @Test("a firing timer can be moved only to a later date")
    mutating func moveFiringTimer() {
        let tick = diary.timer("tick", at: 10, every: 10)
        diary.actions["tick"] = { $0.loop.setFireDate(of: tick, to: .boot + ($0.lines.count == 2 ? 5 : 95)) }
        diary.loop.begin(in: .standard, at: .boot)
        for moment in [0, 10, 20] { diary.pull(at: moment) }
        #expect(
            diary.lines == [
                "sleep until 10.000 ms", "tick", "sleep until 20.000 ms", "tick", "sleep until 95.000 ms",
            ])
    }

    @Test("a loop whose thread was busy serves sources before timers")
    mutating func busy() {
        let source = diary.source0("touch")
        diary.timer("long press", at: 500)
        diary.actions["touch"] = { $0.loop.busy(until: .boot + 600) }
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        diary.loop.signal(source)
        diary.loop.wakeUp()
        diary.pull(at: 100)
        diary.loop.signal(source)
        diary.loop.wakeUp()
        diary.actions = [:]
        diary.pull(at: 550)
        diary.pull(at: 600)
        #expect(
            diary.lines == [
                "sleep until 500.000 ms", "touch", "busy until 600.000 ms", "busy until 600.000 ms", "touch",
                "long press", "sleep",
            ])
    }

    @Test("a block runs only in its mode, and a nested block later")
    mutating func blocks() {
        diary.observer("O", .beforeTimers)
        let source = diary.source0("source")
        diary.block("dragging", in: .tracking)
        diary.block("one", in: .standard)
        diary.actions["one"] = { $0.block("two") }
        diary.loop.signal(source)
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        #expect(diary.lines == ["O beforeTimers", "one", "source", "two", "O beforeTimers", "sleep"])
        diary.lines = []
        diary.loop.begin(in: .tracking, until: .boot, at: .boot)
        diary.pull()
        #expect(diary.lines == ["O beforeTimers", "dragging", "run timedOut"])
    }

    @Test("the main queue is served every other turn beside other work")
    mutating func mainQueueFairness() {
        diary = RecordedRunLoop(servesMainQueue: true)
        let source = diary.source0("source")
        for name in ["q1", "q2", "q3"] {
            diary.actions[name] = { diary in if name != "q3" { diary.queued(name == "q1" ? "q2" : "q3") } }
        }
        diary.actions["source"] = { diary in
            diary.loop.signal(source)
            if diary.lines.count > 7 { diary.loop.stop() }
        }
        diary.loop.signal(source)
        diary.queued("q1")
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        #expect(diary.lines.prefix(6) == ["source", "q1", "source", "q2", "source", "q3"])

        // A queue that refills itself does not starve a port that is ready.
        diary = RecordedRunLoop(servesMainQueue: true)
        let port = diary.source1("port")
        for _ in 0..<3 { diary.loop.signal(port) }
        diary.actions["q"] = { if $0.lines.count < 6 { $0.queued("q") } }
        diary.queued("q")
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        #expect(diary.lines == ["port", "q", "port", "q", "port", "q", "sleep"])
    }

    @Test("the main queue is served only in common modes")
    mutating func mainQueueModes() {
        diary = RecordedRunLoop(servesMainQueue: true)
        let modal = Mode(index: 7)
        _ = diary.source0("modal", in: ModeSet(modal))
        _ = diary.source0("common")
        diary.queued("q")
        diary.loop.begin(in: modal, at: .boot)
        diary.pull()
        #expect(diary.lines == ["sleep"])
        diary.loop.stop()
        diary.pull()
        diary.loop.begin(in: .tracking, at: .boot)
        diary.pull()
        #expect(diary.lines == ["sleep", "run stopped", "q", "sleep"])
    }

    @Test("a nested run does not notify an observer that is being notified")
    mutating func nested() {
        diary.observer("O", .beforeWaiting)
        diary.observer("outer", .beforeWaiting, order: 1)
        let source = diary.source0("source")
        diary.actions["outer"] = { diary in
            diary.actions = [:]
            diary.loop.signal(source)
            diary.loop.begin(in: .standard, until: .boot + 50, returnsAfterSource: true, at: diary.now)
            diary.pull()
        }
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        #expect(
            diary.lines == ["O beforeWaiting", "outer beforeWaiting", "source", "run handledSource", "sleep"])
        #expect(diary.loop.depth == 1)
    }

    @Test("stop ends the innermost run after its turn")
    mutating func stopInnermost() {
        let source = diary.source0("source")
        diary.actions["source"] = { diary in
            diary.actions["source"] = { $0.loop.stop() }
            diary.loop.signal(source)
            diary.loop.begin(in: .standard, at: diary.now)
            diary.pull()
        }
        diary.loop.signal(source)
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        #expect(diary.lines == ["source", "source", "run stopped", "sleep"])
    }

    @Test("a waiting run ends at its time limit")
    mutating func timeOut() {
        _ = diary.source0("source")
        diary.loop.begin(in: .standard, until: .boot + 20, at: .boot)
        diary.pull()
        diary.pull(at: 20)
        #expect(diary.lines == ["sleep until 20.000 ms", "run timedOut"])
    }

    @Test("expire ends a sleeping run")
    mutating func expire() {
        diary.observer("O", [.beforeWaiting, .afterWaiting])
        _ = diary.source0("source")
        diary.loop.begin(in: .standard, at: .boot)
        diary.pull()
        diary.loop.expire()
        diary.pull()
        #expect(diary.lines == ["O beforeWaiting", "sleep", "O afterWaiting", "run timedOut"])
    }

    @Test("a mode that becomes common gets the common sources")
    mutating func newCommonMode() {
        let modal = Mode(index: 9)
        let source = diary.source0("source")
        diary.loop.signal(source)
        diary.loop.begin(in: modal, until: .boot, at: .boot)
        diary.pull()
        diary.loop.addCommonMode(modal)
        diary.loop.begin(in: modal, until: .boot, at: .boot)
        diary.pull()
        #expect(diary.lines == ["run finished", "source", "run timedOut"])
    }
}
