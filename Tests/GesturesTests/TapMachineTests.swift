import Basics
import Testbed
import Testing

@testable import Gestures

@Suite("Tap machine")
struct TapMachineTests {
    private func hand(taps: Int = 1, fingers: Int = 1) -> Hand<TapMachine> {
        Hand(TapMachine.Rules(taps: taps, fingers: fingers))
    }

    @Test("Docs/Reference/Machines/Tap.md matches the machine for two taps of two fingers")
    func table() {
        let rules = TapMachine.Rules(taps: 2, fingers: 2)
        expectMachineTable(
            "Tap",
            states: [
                TapMachine.State.idle, .gathering(tap: 1, since: .boot), .pressing(tap: 1, since: .boot),
                .lifting(tap: 1, since: .boot), .waiting(taps: 1, since: .boot), .gathering(tap: 2, since: .boot),
                .pressing(tap: 2, since: .boot), .lifting(tap: 2, since: .boot), .ended, .failed,
            ],
            inputs: [
                .landed(fingers: 1, away: 0, at: moment(100)), .landed(fingers: 2, away: 0, at: moment(100)),
                .landed(fingers: 2, away: 46, at: moment(100)), .landed(fingers: 3, away: 0, at: moment(100)),
                .moved(45), .moved(46), .lifted(fingers: 2, left: 1, moved: 0, after: .zero, at: moment(100)),
                .lifted(fingers: 2, left: 0, moved: 45, after: .milliseconds(100), at: moment(100)),
                .lifted(fingers: 2, left: 0, moved: 46, after: .milliseconds(100), at: moment(100)),
                .lifted(fingers: 2, left: 0, moved: 0, after: .zero, at: moment(100)), .timePassed(at: moment(100)),
                .timePassed(at: moment(350)), .timePassed(at: moment(1500)), .cancelled, .lost(left: 1),
                .lost(left: 0),
            ],
            transition: { TapMachine.transition(from: $0, on: $1, rules) })
    }

    @Test("a tap ends when its finger lifts")
    func plain() {
        var hand = hand()
        #expect(hand.down(10, 10, at: 0) == "undecided until 1500.000 ms")
        #expect(hand.up(1, at: 80) == "ended")
        #expect(hand.up(1, at: 90) == "unchanged")
    }

    @Test("a tap does not count an ignored finger but accepts another")
    func ignored() {
        var hand = hand(fingers: 2)
        _ = hand.down(1, 10, 10, at: 0)
        _ = hand.down(2, 50, 10, at: 10)
        #expect(hand.ignore(2) == "undecided until 1500.000 ms")
        #expect(hand.up(1, at: 80) == "failed: lifted with 1 finger, needs 2")
        var replaced = self.hand(fingers: 2)
        _ = replaced.down(1, 10, 10, at: 0)
        _ = replaced.down(2, 50, 10, at: 10)
        _ = replaced.ignore(2)
        _ = replaced.down(3, 60, 10, at: 20)
        _ = replaced.up(1, at: 80)
        #expect(replaced.up(3, at: 90) == "ended")
        var late = self.hand(fingers: 3)
        for finger in 1...3 as ClosedRange<UInt32> { _ = late.down(finger, 10 * Double(finger), 10, at: 0) }
        _ = late.up(1, at: 50)
        #expect(late.ignore(2) == "failed: its touches were ignored")
    }

    @Test("S60: a tap may last 1.4 s and fails at 1.5 s")
    func held() {
        var short = hand()
        _ = short.down(10, 10, at: 0)
        #expect(short.up(1, at: 1400) == "ended")
        var long = hand()
        _ = long.down(10, 10, at: 0)
        #expect(long.wait(until: 1499) == "undecided until 1500.000 ms")
        #expect(long.wait(until: 1500) == "failed: pressed for 1500.000 ms, limit 1500.000 ms")
        #expect(long.up(1, at: 1600) == "unchanged")
    }

    @Test("S60: a tap may move 44 pt and fails at 46 pt")
    func strays() {
        var near = hand()
        _ = near.down(10, 10, at: 0)
        #expect(near.move(54, 10, at: 20) == "undecided until 1500.000 ms")
        #expect(near.up(1, at: 80) == "ended")
        var far = hand()
        _ = far.down(10, 10, at: 0)
        #expect(far.move(56, 10, at: 20) == "failed: moved 46.0 pt, limit 45.0 pt")
        #expect(far.move(10, 10, at: 40) == "unchanged")
        var last = hand()
        _ = last.down(10, 10, at: 0)
        #expect(last.upAt(60, 10, at: 20) == "failed: moved 50.0 pt, limit 45.0 pt")
    }

    @Test("the sloppiness setting multiplies a tap's distances")
    func sloppy() {
        var settings = GestureSettings()
        settings.gesture.sloppiness = 2
        var hand = Hand<TapMachine>(TapMachine.Rules(settings))
        _ = hand.down(10, 10, at: 0)
        #expect(hand.move(99, 10, at: 20) == "undecided until 1500.000 ms")
        #expect(hand.move(101, 10, at: 40) == "failed: moved 91.0 pt, limit 90.0 pt")
    }

    @Test("a tap ends if the lift is handled before the timer")
    func lateMainThread() {
        var hand = hand()
        _ = hand.late(.began, 10, 10, seen: 0, at: 0)
        #expect(hand.late(.ended, 10, 10, seen: 80, at: 3000) == "ended")
        // Both samples are handled in one turn, but their device times differ.
        hand.machine.reset()
        _ = hand.late(.began, 10, 10, seen: 0, at: 3000)
        #expect(hand.late(.ended, 10, 10, seen: 80, at: 3000) == "ended")
    }

    @Test("a press of zero duration is not a tap")
    func noDuration() {
        var hand = hand()
        _ = hand.down(10, 10, at: 5)
        #expect(hand.up(1, at: 5) == "failed: lifted as it landed: a press of 0.000 ms, needs more")
    }

    @Test("a two-finger tap ends with the last lift, in any order")
    func twoFingers() {
        var hand = hand(fingers: 2)
        #expect(hand.down(1, 10, 10, at: 0) == "undecided until 1500.000 ms")
        #expect(hand.down(2, 60, 10, at: 30) == "undecided until 1500.000 ms")
        #expect(hand.up(1, at: 80) == "undecided until 1500.000 ms")
        #expect(hand.up(2, at: 100) == "ended")
        #expect(hand.machine.firstTapCentroid == Point(35, 10))
    }

    @Test("E2.7: each finger of a tap moves relative to its own touch-down")
    func eachFinger() {
        var hand = hand(fingers: 2)
        _ = hand.down(1, 10, 10, at: 0)
        _ = hand.down(2, 200, 10, at: 0)
        // The centroid of the two fingers does not move.
        #expect(
            hand.move([(1, -40, 10), (2, 250, 10)], at: 20) == "failed: moved 50.0 pt, limit 45.0 pt")
    }

    @Test("a tap fails with too few or too many fingers")
    func wrongCount() {
        var few = hand(fingers: 2)
        _ = few.down(1, 10, 10, at: 0)
        #expect(few.up(1, at: 50) == "failed: lifted with 1 finger, needs 2")
        var many = hand()
        _ = many.down(1, 10, 10, at: 0)
        #expect(many.down(2, 10, 10, at: 10) == "failed: 2 fingers, limit 1")
        var later = hand(fingers: 2)
        _ = later.down(1, 10, 10, at: 0)
        _ = later.down(2, 10, 10, at: 0)
        _ = later.up(1, at: 50)
        #expect(later.down(3, 10, 10, at: 60) == "failed: 3 fingers, limit 2")
    }

    @Test("S35: a double tap waits 0.35 s after the first lift")
    func doubleTap() {
        var hand = hand(taps: 2)
        _ = hand.down(10, 10, at: 0)
        #expect(hand.up(1, at: 80) == "undecided until 430.000 ms")
        #expect(hand.down(2, 10, 10, at: 200) == "undecided until 1700.000 ms")
        #expect(hand.up(2, at: 280) == "ended")
        var late = self.hand(taps: 2)
        _ = late.down(10, 10, at: 0)
        _ = late.up(1, at: 80)
        #expect(late.wait(until: 430) == "failed: no tap for 350.000 ms, limit 350.000 ms")
        // A touch-down that waits in the queue is handled before the timer.
        var queued = self.hand(taps: 2)
        _ = queued.down(10, 10, at: 0)
        _ = queued.up(1, at: 80)
        #expect(queued.down(2, 10, 10, at: 440) == "undecided until 1940.000 ms")
    }

    @Test("the second tap must be near the first, whose position is reported")
    func secondTapElsewhere() {
        var hand = hand(taps: 2)
        _ = hand.down(10, 10, at: 0)
        _ = hand.up(1, at: 80)
        _ = hand.down(2, 54, 10, at: 200)
        #expect(hand.machine.firstTapCentroid == Point(10, 10))
        #expect(hand.up(2, at: 280) == "ended")
        hand.machine.reset()
        _ = hand.down(10, 10, at: 0)
        _ = hand.up(1, at: 80)
        #expect(hand.down(2, 56, 10, at: 200) == "failed: landed 46.0 pt from the first tap, limit 45.0 pt")
    }

    @Test("a two-finger double tap compares the second pair when both are down")
    func twoFingersTwice() {
        var hand = hand(taps: 2, fingers: 2)
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 100, 0, at: 0)
        _ = hand.up(1, 2, at: 50)
        #expect(hand.down(3, 0, 0, at: 100) == "undecided until 1600.000 ms")
        #expect(hand.down(4, 100, 0, at: 110) == "undecided until 1600.000 ms")
        #expect(hand.up(3, 4, at: 150) == "ended")
    }

    @Test("a tap fails when it is cancelled or its touches are ignored")
    func cancelled() {
        var hand = hand()
        _ = hand.down(10, 10, at: 0)
        #expect(hand.cancel(at: 40) == "failed: cancelled by the system")
        hand.machine.reset()
        _ = hand.down(10, 10, at: 0)
        #expect(hand.ignore(1) == "failed: its touches were ignored")
        #expect(hand.ignore(1) == "unchanged")
    }

    @Test("inputs about unknown fingers do not change a tap")
    func strangers() {
        var hand = hand(taps: 2)
        #expect(hand.move(10, 10, at: 0) == "unchanged")
        #expect(hand.up(1, at: 0) == "unchanged")
        #expect(hand.wait(until: 5000) == "unchanged")
        _ = hand.down(10, 10, at: 0)
        _ = hand.up(1, at: 50)
        #expect(hand.move(9, 500, 500, at: 60) == "unchanged")
        #expect(hand.cancel(9, at: 60) == "unchanged")
    }
}
