import Basics
import Testbed
import Testing

@testable import Gestures

@Suite("Long press machine")
struct LongPressMachineTests {
    private func hand(tapsBefore: Int = 0, fingers: Int = 1, minDuration: Double? = nil) -> Hand<LongPressMachine> {
        Hand(LongPressMachine.Rules(precedingTaps: tapsBefore, fingers: fingers, minDuration: minDuration))
    }

    @Test("Docs/Reference/Machines/LongPress.md matches the machine for one tap, then two fingers")
    func table() {
        let rules = LongPressMachine.Rules(precedingTaps: 1, fingers: 2)
        expectMachineTable(
            "LongPress",
            states: [
                LongPressMachine.State.idle, .tapping, .waiting(since: .boot), .gathering, .pressing(since: .boot),
                .held, .ended, .cancelled, .failed,
            ],
            inputs: [
                .tapped(.undecided(wakeAt: moment(1500)), at: moment(100)), .tapped(.ended, at: moment(100)),
                .tapped(.failed(.systemCancelled), at: moment(100)),
                .landed(fingers: 1, away: 0, at: moment(100)), .landed(fingers: 2, away: 0, at: moment(100)),
                .landed(fingers: 2, away: 46, at: moment(100)), .landed(fingers: 3, away: 0, at: moment(100)),
                .moved(10), .moved(11), .lifted(fingers: 2, moved: 0, at: moment(100)),
                .lifted(fingers: 2, moved: 11, at: moment(100)), .timePassed(at: moment(100)),
                .timePassed(at: moment(350)), .timePassed(at: moment(500)), .cancelled, .lost(left: 1),
                .lost(left: 0), .assigned(.possible), .assigned(.began), .assigned(.changed), .assigned(.ended),
                .assigned(.cancelled), .assigned(.failed),
            ],
            transition: { LongPressMachine.transition(from: $0, on: $1, rules) })
    }

    @Test("S59: a finger at rest for half a second begins a long press")
    func plain() {
        var hand = hand()
        #expect(hand.down(10, 10, at: 0) == "undecided until 500.000 ms")
        #expect(hand.wait(until: 500) == "began")
        #expect(hand.move(200, 10, at: 600) == "changed")
        #expect(hand.up(1, at: 700) == "ended")
    }

    @Test("a long press does not count an ignored finger but accepts another")
    func ignored() {
        var hand = hand(fingers: 2)
        _ = hand.down(1, 10, 10, at: 0)
        #expect(hand.down(2, 50, 10, at: 10) == "undecided until 510.000 ms")
        #expect(hand.ignore(2) == "undecided")
        #expect(hand.wait(until: 510) == "unchanged")
        #expect(hand.down(3, 60, 10, at: 600) == "undecided until 1100.000 ms")
        #expect(hand.ignore(3) == "undecided")
        #expect(hand.up(1, at: 1200) == "failed: lifted with 1 finger, needs 2")
    }

    @Test("a long press begun by its recognizer ignores its own timer")
    func begunAtOnce() {
        var hand = hand()
        _ = hand.down(10, 10, at: 0)
        hand.machine.assigned(.began)
        #expect(hand.move(12, 10, at: 100) == "changed")
        #expect(hand.wait(until: 500) == "unchanged")
        #expect(hand.move(90, 10, at: 600) == "changed")
        #expect(hand.up(1, at: 700) == "ended")
    }

    @Test("a long press begun early counts its finger and ends with it")
    func begunEarly() {
        var tapping = hand(tapsBefore: 1)
        _ = tapping.down(10, 10, at: 0)
        tapping.machine.assigned(.began)
        #expect(tapping.move(12, 10, at: 100) == "changed")
        #expect(tapping.up(1, at: 200) == "ended")
        var empty = hand()
        empty.machine.assigned(.began)
        #expect(empty.down(10, 10, at: 0) == "unchanged")
        #expect(empty.machine.counts(FingerID(rawValue: 1)))
        #expect(empty.up(1, at: 100) == "ended")
    }

    @Test("S59: a long press fails after moving 11 pt or lifting early")
    func failures() {
        var moved = hand()
        _ = moved.down(10, 10, at: 0)
        #expect(moved.move(20, 10, at: 100) == "undecided until 500.000 ms")
        #expect(moved.move(21, 10, at: 200) == "failed: moved 11.0 pt, limit 10.0 pt")
        #expect(moved.wait(until: 500) == "unchanged")
        var lifted = hand()
        _ = lifted.down(10, 10, at: 0)
        #expect(lifted.up(1, at: 400) == "failed: lifted after 400.000 ms, needs 500.000 ms")
    }

    @Test("a lift handled before the timer fails a long press")
    func lateMainThread() {
        var hand = hand()
        _ = hand.late(.began, 10, 10, seen: 0, at: 0)
        #expect(
            hand.late(.ended, 10, 10, seen: 900, at: 900)
                == "failed: lifted after 900.000 ms, before the timer of 500.000 ms was served")
    }

    @Test("an extra finger fails a long press only before it begins")
    func extraFinger() {
        var early = hand()
        _ = early.down(1, 10, 10, at: 0)
        #expect(early.down(2, 10, 10, at: 100) == "failed: 2 fingers, limit 1")
        var late = hand()
        _ = late.down(1, 10, 10, at: 0)
        _ = late.wait(until: 500)
        #expect(late.down(2, 10, 10, at: 600) == "unchanged")
        #expect(!late.machine.counts(FingerID(rawValue: 2)))
        #expect(late.move(2, 50, 50, at: 700) == "unchanged")
        #expect(late.up(2, at: 700) == "unchanged")
        #expect(late.up(1, at: 800) == "ended")
    }

    @Test("a two-finger long press counts time from the second finger")
    func twoFingers() {
        var hand = hand(fingers: 2)
        #expect(hand.down(1, 10, 10, at: 0) == "undecided")
        #expect(hand.down(2, 50, 10, at: 300) == "undecided until 800.000 ms")
        #expect(hand.wait(until: 500) == "undecided until 800.000 ms")
        #expect(hand.wait(until: 800) == "began")
        #expect(hand.up(2, at: 900) == "ended")
        var alone = self.hand(fingers: 2)
        _ = alone.down(1, 10, 10, at: 0)
        #expect(alone.up(1, at: 100) == "failed: lifted with 1 finger, needs 2")
    }

    @Test("taps required before a long press must be quick and near")
    func tapsBefore() {
        var hand = hand(tapsBefore: 1)
        #expect(hand.down(10, 10, at: 0) == "undecided until 1500.000 ms")
        #expect(hand.up(1, at: 80) == "undecided until 430.000 ms")
        #expect(hand.down(2, 10, 10, at: 200) == "undecided until 700.000 ms")
        #expect(hand.wait(until: 700) == "began")
        #expect(hand.up(2, at: 800) == "ended")
        hand.machine.reset()
        _ = hand.down(10, 10, at: 0)
        _ = hand.up(1, at: 80)
        #expect(hand.wait(until: 430) == "failed: no tap for 350.000 ms, limit 350.000 ms")
        hand.machine.reset()
        _ = hand.down(10, 10, at: 0)
        _ = hand.up(1, at: 80)
        #expect(hand.down(2, 60, 10, at: 200) == "failed: landed 50.0 pt from the first tap, limit 45.0 pt")
        hand.machine.reset()
        _ = hand.down(10, 10, at: 0)
        #expect(hand.wait(until: 1500) == "failed: pressed for 1500.000 ms, limit 1500.000 ms")
        hand.machine.reset()
        _ = hand.down(10, 10, at: 0)
        #expect(hand.ignore(1) == "failed: its touches were ignored")
    }

    @Test("a long press without a minimum duration begins at touch-down")
    func noDuration() {
        var hand = hand(minDuration: 0)
        #expect(hand.down(10, 10, at: 0) == "began")
        #expect(hand.move(40, 10, at: 10) == "changed")
    }

    @Test("a long press fails if cancelled early and is cancelled afterwards")
    func cancelled() {
        var hand = hand()
        _ = hand.down(10, 10, at: 0)
        #expect(hand.cancel(at: 100) == "failed: cancelled by the system")
        hand.machine.reset()
        _ = hand.down(10, 10, at: 0)
        _ = hand.wait(until: 500)
        #expect(hand.cancel(at: 600) == "cancelled")
        hand.machine.reset()
        _ = hand.down(10, 10, at: 0)
        _ = hand.wait(until: 500)
        #expect(hand.ignore(1) == "cancelled")
    }
}
