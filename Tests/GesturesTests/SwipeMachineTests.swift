import Basics
import Testbed
import Testing

@testable import Gestures

@Suite("Swipe")
struct SwipeMachineTests {
    private func hand(_ directions: SwipeDirections = .right, fingers: Int = 1) -> Hand<SwipeMachine> {
        Hand(SwipeMachine.Rules(fingers: fingers, directions: directions))
    }

    @Test("the machine's whole table: two fingers")
    func table() {
        let rules = SwipeMachine.Rules(fingers: 2)
        let far = SwipeMachine.Stroke(along: 30, rate: 200)
        expectMachineTable(
            "Swipe", states: SwipeMachine.State.allCases,
            inputs: [
                .landed(fingers: 2), .landed(fingers: 3), .moved(far, fingers: 2, after: .milliseconds(500)),
                .moved(far, fingers: 1, after: .milliseconds(500)), .moved(far, fingers: 2, after: .milliseconds(501)),
                .moved(.init(along: 29, rate: 200), fingers: 2, after: .zero),
                .moved(.init(along: 30, rate: 199), fingers: 2, after: .zero),
                .moved(.init(along: 30, rate: 200, across: 51), fingers: 2, after: .zero),
                .moved(.init(along: -11, rate: 0, back: 11), fingers: 2, after: .zero), .lifted(far, fingers: 1),
                .lifted(.init(along: 29, rate: 300), fingers: 2), .lifted(.init(along: 30, rate: 199), fingers: 2),
                .cancelled, .lost,
            ],
            transition: { SwipeMachine.transition(from: $0, on: $1, rules) })
    }

    @Test("S49a: at 8 pt a frame it is recognised in the fourth move, where it started")
    func fast() {
        var hand = hand()
        #expect(hand.down(100, 100, at: 0) == "undecided")
        for step in 1...3 {
            #expect(hand.move(100 + 8 * Double(step), 100, at: Double(step) * 1000 / 60) == "undecided")
        }
        #expect(hand.move(132, 100, at: 4000 / 60) == "ended")
        #expect(hand.machine.start == Point(100, 100))
        #expect(hand.move(140, 100, at: 5000 / 60) == "unchanged")
    }

    @Test("S49b: more than 10 pt the wrong way and it is none")
    func backwards() {
        var hand = hand()
        _ = hand.down(100, 100, at: 0)
        #expect(hand.move(90, 100, at: 16) == "undecided")
        #expect(hand.move(89, 100, at: 33) == "failed: went 11.0 pt backwards, limit 10.0 pt")
    }

    @Test("S49c: a slow one fails at the first move after half a second, and not before")
    func slow() {
        var hand = hand()
        _ = hand.down(100, 100, at: 0)
        #expect(hand.wait(until: 2000) == "unchanged")
        #expect(hand.move(130, 100, at: 500) == "undecided")
        #expect(hand.move(131, 100, at: 501) == "failed: took 501.000 ms, limit 500.000 ms")
    }

    @Test("E2.6: the speed is along the direction, in the last step, and panels that report often are not believed")
    func rate() {
        var across = hand()
        _ = across.down(0, 0, at: 0)
        _ = across.move(30, 0, at: 400)
        // 20 pt across and 1 pt along in 20 ms.
        #expect(across.move(31, 20, at: 420) == "undecided")
        #expect(across.move(35, 20, at: 440) == "ended")
        var often = hand()
        _ = often.down(0, 0, at: 0)
        _ = often.move(29, 0, at: 400)
        // A millisecond counts as ten.
        #expect(often.move(30, 0, at: 401) == "undecided")
        #expect(often.move(32, 0, at: 402) == "ended")
    }

    @Test("more than 50 pt across is none")
    func across() {
        var hand = hand()
        _ = hand.down(0, 0, at: 0)
        #expect(hand.move(20, 50, at: 16) == "undecided")
        #expect(hand.move(20, -51, at: 33) == "failed: went 51.0 pt across, limit 50.0 pt")
    }

    @Test("a lift says what was missing")
    func lifts() {
        var short = hand()
        _ = short.down(0, 0, at: 0)
        _ = short.move(20, 0, at: 16)
        #expect(short.up(1, at: 33) == "failed: lifted after 20.0 pt, needs 30.0 pt")
        var slow = hand()
        _ = slow.down(0, 0, at: 0)
        _ = slow.move(40, 0, at: 400)
        #expect(slow.up(1, at: 450) == "failed: lifted at 0.0 pt/s, needs 200.0 pt/s")
    }

    @Test(
        "each direction has its own sense",
        arguments: [
            (SwipeDirections.right, 1.0, 0.0), (.left, -1, 0), (.up, 0, -1), (.down, 0, 1),
        ])
    func directions(direction: SwipeDirections, dx: Double, dy: Double) {
        var hand = hand(direction)
        _ = hand.down(0, 0, at: 0)
        #expect(hand.move(40 * dx, 40 * dy, at: 16) == "ended")
        var wrong = self.hand(direction)
        _ = wrong.down(0, 0, at: 0)
        #expect(wrong.move(-40 * dx, -40 * dy, at: 16).hasPrefix("failed: went 40.0 pt backwards"))
    }

    @Test("of several directions any will do, and where both ways are allowed there is no back")
    func several() {
        var both = hand([.left, .right])
        _ = both.down(100, 0, at: 0)
        #expect(both.move(70, 0, at: 16) == "ended")
        var corner = hand([.right, .up])
        _ = corner.down(100, 100, at: 0)
        #expect(corner.move(80, 120, at: 8) == "undecided")
        #expect(corner.move(105, 65, at: 16) == "ended")
        var far = hand([.right, .up])
        _ = far.down(100, 100, at: 0)
        #expect(far.move(40, 160, at: 16).hasPrefix("failed: went 60.0 pt across"))
    }

    @Test("two fingers both have to go, fast and far")
    func twoFingers() {
        var hand = hand(fingers: 2)
        _ = hand.down(1, 0, 0, at: 0)
        #expect(hand.move(1, 40, 0, at: 16) == "undecided")
        _ = hand.down(2, 0, 50, at: 20)
        #expect(hand.move([(1, 48, 0), (2, 20, 50)], at: 33) == "undecided")
        #expect(hand.move([(1, 56, 0), (2, 32, 50)], at: 50) == "ended")
        hand.machine.reset()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 0, 50, at: 0)
        #expect(hand.down(3, 0, 90, at: 16) == "failed: 3 fingers, limit 2")
        hand.machine.reset()
        _ = hand.down(1, 0, 0, at: 0)
        #expect(hand.up(1, at: 16) == "failed: lifted with 1 finger, needs 2")
    }

    @Test("cancelled or ignored, it fails")
    func cancelled() {
        var hand = hand()
        _ = hand.down(0, 0, at: 0)
        #expect(hand.cancel(at: 16) == "failed: cancelled by the system")
        hand.machine.reset()
        _ = hand.down(0, 0, at: 0)
        #expect(hand.ignore(1) == "failed: its touches were ignored")
    }
}
