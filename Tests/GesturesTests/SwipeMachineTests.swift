import Basics
import Testbed
import Testing

@testable import Gestures

/// Limits written out instead of computed: milliseconds since touch-down, points needed along the direction, and
/// points allowed across it. A probe of a phone would give them in this form.
private let boundary: [(time: Double, needs: Double, allows: Double)] = [
    (0, 50, 50), (16, 49.248, 49.216), (50, 47.65, 47.55), (100, 45.3, 45.1), (150, 42.95, 42.65),
    (200, 40.6, 40.2), (250, 38.25, 37.75), (300, 35.9, 35.3), (350, 33.55, 32.85), (400, 31.2, 30.4),
    (450, 28.85, 27.95), (499, 26.547, 25.549), (500, 26.5, 25.5),
]

private let ways: [(direction: SwipeDirections, dx: Double, dy: Double)] = [
    (.right, 1, 0), (.left, -1, 0), (.up, 0, -1), (.down, 0, 1),
]

private let masks: [(mask: SwipeDirections, dx: Double, dy: Double, answer: String)] = [
    ([.right, .down], 100, 0, "ended"), ([.right, .down], 100, -30, "ended"),
    ([.right, .down], 0, 100, "failed: went 100.0 pt across, limit 45.1 pt"),
    ([.right, .down], 100, 100, "failed: went 100.0 pt across, limit 45.1 pt"),
    ([.right, .down], -1, 100, "failed: went 1.0 pt backwards, limit 0.0 pt"), ([.left, .up], -100, 0, "ended"),
    ([.right, .left, .up, .down], -100, 0, "ended"),
    ([.right, .left, .up, .down], 0, 100, "failed: went 100.0 pt across, limit 45.1 pt"),
    ([], 100, 0, "undecided"), (SwipeDirections(rawValue: 16), 100, 0, "undecided"),
]

@Suite("Swipe machine")
struct SwipeMachineTests {
    private func hand(_ directions: SwipeDirections = .right, fingers: Int = 1) -> Hand<SwipeMachine> {
        Hand(SwipeMachine.Rules(fingers: fingers, directions: directions))
    }

    @Test("Docs/Reference/Machines/Swipe.md matches the machine for two fingers")
    func table() {
        typealias Stroke = SwipeMachine.Stroke
        let rules = SwipeMachine.Rules(fingers: 2)
        let (half, late) = (Duration.milliseconds(500), Duration.milliseconds(501))
        let (far, near) = (Stroke(along: 26.5, after: half), Stroke(along: 26.4, after: half))
        expectMachineTable(
            "Swipe", states: SwipeMachine.State.allCases,
            inputs: [
                .landed(fingers: 2), .landed(fingers: 3), .moved([far, far]), .moved([far]), .moved([far, near]),
                .moved([far, Stroke(along: 60, after: late)]), .moved([far, Stroke(along: -0.1, after: half)]),
                .moved([far, Stroke(along: 60, across: 25.5, after: half)]),
                .moved([far, Stroke(along: 60, across: 25.6, after: half)]), .lifted([far]), .lifted([far, near]),
                .lifted([far, far]), .cancelled, .lost,
            ],
            transition: { SwipeMachine.transition(from: $0, on: $1, rules) })
    }

    @Test("a swipe's required length and allowed drift shrink with time", arguments: boundary)
    func boundaries(time: Double, needs: Double, allows: Double) {
        for (direction, dx, dy) in ways {
            /// The verdict on one move by `along` and `across` points from touch-down.
            func answer(_ along: Double, _ across: Double) -> String {
                var hand = hand(direction)
                _ = hand.down(150, 300, at: 0)
                return hand.move(150 + dx * along + dy * across, 300 + dy * along + dx * across, at: time)
            }
            for (along, isEnough) in [
                (0, false), (needs / 2, false), (needs - 0.02, false), (needs, true), (needs + 0.02, true),
                (400, true),
            ] {
                for (across, isAllowed) in [
                    (0, true), (allows / 2, true), (allows - 0.02, true), (allows, true), (allows + 0.02, false),
                    (200, false),
                ] {
                    for side in [across, -across] {
                        let expected = isAllowed ? (isEnough ? "ended" : "undecided") : "failed: went"
                        #expect(
                            answer(along, side).hasPrefix(expected),
                            "\(along) pt along, \(side) pt across after \(time) ms")
                        if along > 0 {
                            #expect(answer(-along, side).contains("backwards"), "\(along) pt back after \(time) ms")
                        }
                    }
                }
            }
            #expect(answer(-0.001, 0) == "failed: went 0.001 pt backwards, limit 0.000 pt")
        }
    }

    @Test("a swipe of 500 ms succeeds and a longer one fails")
    func duration() {
        for (time, answer) in [
            (499.0, "ended"), (500, "ended"), (500.001, "failed: took"), (501, "failed: took"), (1000, "failed: took"),
        ] {
            var hand = hand()
            _ = hand.down(0, 0, at: 0)
            #expect(hand.move(100, 0, at: time).hasPrefix(answer), "after \(time) ms")
        }
    }

    @Test("S49a: a swipe at 8 pt a frame ends at its sixth move")
    func fast() {
        var hand = hand()
        #expect(hand.down(100, 100, at: 0) == "undecided")
        for step in 1...5 {
            #expect(hand.move(100 + 8 * Double(step), 100, at: Double(step) * 1000 / 60) == "undecided")
        }
        #expect(hand.move(148, 100, at: 100) == "ended")
        #expect(hand.machine.start == Point(100, 100))
        #expect(hand.move(156, 100, at: 7000 / 60) == "unchanged")
    }

    @Test("S49b: a swipe fails when its first move goes backwards")
    func backwards() {
        var hand = hand()
        _ = hand.down(100, 100, at: 0)
        #expect(hand.move(92, 100, at: 16) == "failed: went 8.0 pt backwards, limit 0.0 pt")
    }

    @Test("S49c: a slow swipe fails at its first move after 500 ms")
    func slow() {
        var hand = hand()
        _ = hand.down(100, 100, at: 0)
        #expect(hand.wait(until: 2000) == "unchanged")
        #expect(hand.move(126, 100, at: 500) == "undecided")
        #expect(hand.move(127, 100, at: 501) == "failed: took 501.000 ms, limit 500.000 ms")
    }

    @Test("a swipe has no speed limit: a resting finger can complete it")
    func rest() {
        var hand = hand()
        _ = hand.down(0, 0, at: 0)
        #expect(hand.move(31, 0, at: 20) == "undecided")
        #expect(hand.move(31, 1, at: 390) == "undecided")
        #expect(hand.move(31, 0, at: 405) == "ended")
    }

    @Test("a swipe may retreat as far as its start")
    func retreat() {
        var hand = hand()
        _ = hand.down(0, 0, at: 0)
        #expect(hand.move(20, 0, at: 10) == "undecided")
        #expect(hand.move(0, 0, at: 20) == "undecided")
        #expect(hand.move(100, 0, at: 100) == "ended")
        var behind = self.hand()
        _ = behind.down(0, 0, at: 0)
        #expect(behind.move(-0.1, 0, at: 10) == "failed: went 0.1 pt backwards, limit 0.0 pt")
        #expect(behind.move(100, 0, at: 100) == "unchanged")
    }

    @Test("a swipe fails when the shrinking limit passes its drift across")
    func shrinkingAcross() {
        var hand = hand()
        _ = hand.down(0, 0, at: 0)
        #expect(hand.move(10, 40, at: 16) == "undecided")
        #expect(hand.move(11, 40, at: 200) == "undecided")
        #expect(hand.move(12, 40, at: 210) == "failed: went 40.0 pt across, limit 39.7 pt")
    }

    @Test("a swipe that fails at the lift names what was missing")
    func lifts() {
        var short = hand()
        _ = short.down(0, 0, at: 0)
        _ = short.move(20, 0, at: 16)
        #expect(short.up(1, at: 100) == "failed: lifted after 20.0 pt, needs 45.3 pt")
        var atOnce = hand()
        _ = atOnce.down(0, 0, at: 0)
        #expect(
            atOnce.upAt(100, 0, at: 100) == "failed: lifted after 100.0 pt, needs 45.3 pt in a move before the lift")
        var late = hand()
        _ = late.down(0, 0, at: 0)
        #expect(late.up(1, at: 600) == "failed: took 600.000 ms, limit 500.000 ms")
    }

    @Test("a swipe left or right has no backward side")
    func twoWays() {
        for (mask, dx, dy) in [
            (SwipeDirections([.left, .right]), 1.0, 0.0), ([.left, .right], -1, 0), ([.up, .down], 0, 1),
            ([.up, .down], 0, -1),
        ] {
            var hand = hand(mask)
            _ = hand.down(200, 200, at: 0)
            #expect(hand.move(200 + dx * 30, 200 + dy * 30, at: 16) == "undecided")
            #expect(hand.move(200 - dx * 30, 200 - dy * 30, at: 50) == "undecided")
            #expect(hand.move(200 - dx * 45.3, 200 - dy * 45.3, at: 100) == "ended")
            var across = self.hand(mask)
            _ = across.down(200, 200, at: 0)
            #expect(across.move(200 + dy * 46, 200 + dx * 46, at: 100) == "failed: went 46.0 pt across, limit 45.1 pt")
        }
    }

    @Test("a horizontal direction in a swipe's mask outweighs the vertical ones", arguments: masks)
    func mixedDirections(mask: SwipeDirections, dx: Double, dy: Double, answer: String) {
        var hand = hand(mask)
        _ = hand.down(200, 200, at: 0)
        #expect(hand.move(200 + dx, 200 + dy, at: 100) == answer)
    }

    @Test("each finger of a swipe must go far enough in time")
    func twoFingers() {
        var hand = hand(fingers: 2)
        _ = hand.down(1, 0, 0, at: 0)
        #expect(hand.move(1, 60, 0, at: 16) == "undecided")
        _ = hand.down(2, 0, 50, at: 100)
        // 100 ms after its own touch-down the second finger needs 45.3 pt, though the first has been down for 200 ms.
        #expect(hand.move([(1, 60, 0), (2, 45, 50)], at: 200) == "undecided")
        #expect(hand.move([(1, 60, 0), (2, 45.3, 50)], at: 200) == "ended")
        // The first finger is late by its own time, and the second is not.
        hand.machine.reset()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 0, 50, at: 100)
        #expect(hand.move(2, 60, 50, at: 501) == "failed: took 501.000 ms, limit 500.000 ms")
        // A finger behind its start fails the swipe, however far the other finger went.
        hand.machine.reset()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 0, 50, at: 0)
        #expect(hand.move([(1, 60, 0), (2, -1, 50)], at: 50) == "failed: went 1.0 pt backwards, limit 0.0 pt")
    }

    @Test("too many or too few fingers fail a swipe")
    func fingerCount() {
        var hand = hand(fingers: 2)
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 0, 50, at: 0)
        #expect(hand.down(3, 0, 90, at: 16) == "failed: 3 fingers, limit 2")
        hand.machine.reset()
        _ = hand.down(1, 0, 0, at: 0)
        #expect(hand.up(1, at: 16) == "failed: lifted with 1 finger, needs 2")
    }

    @Test("a cancelled or ignored touch fails a swipe")
    func cancelled() {
        var hand = hand()
        _ = hand.down(0, 0, at: 0)
        #expect(hand.cancel(at: 16) == "failed: cancelled by the system")
        hand.machine.reset()
        _ = hand.down(0, 0, at: 0)
        #expect(hand.ignore(1) == "failed: its touches were ignored")
    }
}
