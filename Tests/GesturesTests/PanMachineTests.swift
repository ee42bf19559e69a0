import Basics
import Testbed
import Testing

@testable import Gestures

@Suite("Pan machine")
struct PanMachineTests {
    private func hand(min: Int = 1, max: Int = .max) -> Hand<PanMachine> {
        Hand(PanMachine.Rules(minFingers: min, maxFingers: max))
    }

    @Test("Docs/Reference/Machines/Pan.md matches the machine for two or three fingers")
    func table() {
        let rules = PanMachine.Rules(minFingers: 2, maxFingers: 3)
        expectMachineTable(
            "Pan", states: PanMachine.State.allCases,
            inputs: [
                .landed(fingers: 3), .landed(fingers: 4), .moved(9.9, fingers: 2), .moved(10, fingers: 2),
                .moved(10, fingers: 1), .lifted(4, fingers: 2, left: 1), .lifted(4, fingers: 2, left: 0),
                .lifted(4, fingers: 1, left: 0), .pointer(.began, changes: false), .pointer(.began, changes: true),
                .pointer(.moved, changes: true), .pointer(.ended, changes: true), .pointer(.ended, changes: false),
                .pointer(.cancelled, changes: false), .cancelled, .lost,
                .assigned(.possible), .assigned(.began), .assigned(.changed), .assigned(.ended), .assigned(.cancelled),
                .assigned(.failed),
            ],
            transition: { ContinuousGesture.transition(from: $0, on: $1, rules.limits) })
    }

    @Test("S31: a pan in 3 pt steps begins at the fourth step")
    func hysteresis() {
        var hand = hand()
        #expect(hand.down(140, 333, at: 0) == "undecided")
        #expect(hand.move(143, 333, at: 16) == "undecided")
        #expect(hand.move(146, 333, at: 33) == "undecided")
        #expect(hand.move(149, 333, at: 50) == "undecided")
        #expect(hand.machine.translation == .zero)
        #expect(hand.move(152, 333, at: 66) == "began")
        #expect(hand.machine.translation == Travel(2, 0))
        #expect(hand.move(155, 333, at: 83) == "changed")
        #expect(hand.machine.translation == Travel(5, 0))
        #expect(hand.up(1, at: 100) == "ended")
        #expect(hand.machine.translation == Travel(5, 0))
    }

    @Test("a pan begins at exactly 10 pt and subtracts slop per axis")
    func perAxis() {
        var hand = hand()
        _ = hand.down(100, 100, at: 0)
        #expect(hand.move(109.9, 90.1, at: 16) == "undecided")
        #expect(hand.move(106, 85, at: 33) == "began")
        #expect(hand.machine.translation == Travel(0, -5))
        _ = hand.move(108, 85, at: 50)
        #expect(hand.machine.translation == Travel(2, -5))
        var exact = self.hand()
        _ = exact.down(0, 0, at: 0)
        #expect(exact.move(10, 0, at: 16) == "began")
        #expect(exact.machine.translation == .zero)
    }

    @Test("S34: a pan fails when the finger moves less than 10 pt")
    func tooShort() {
        var hand = hand()
        _ = hand.down(0, 0, at: 0)
        _ = hand.move(3, -9, at: 16)
        #expect(hand.up(1, at: 33) == "failed: lifted after 9.0 pt, needs 10.0 pt")
        hand.machine.reset()
        _ = hand.down(0, 0, at: 0)
        #expect(hand.upAt(40, 0, at: 16) == "failed: lifted after 40.0 pt, needs 10.0 pt in a move before the lift")
    }

    @Test("fingers that join or leave a pan do not change its translation")
    func rebasing() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.move(1, 20, 0, at: 16)
        #expect(hand.machine.translation == Travel(10, 0))
        #expect(hand.down(2, 200, 300, at: 33) == "unchanged")
        #expect(hand.machine.translation == Travel(10, 0))
        _ = hand.move([(1, 30, 0), (2, 210, 300)], at: 50)
        #expect(hand.machine.translation == Travel(20, 0))
        // A move of one of two fingers moves their centroid half as far.
        _ = hand.move(2, 230, 300, at: 66)
        #expect(hand.machine.translation == Travel(30, 0))
        #expect(hand.up(1, at: 83) == "unchanged")
        #expect(hand.machine.translation == Travel(30, 0))
        _ = hand.move(2, 231, 305, at: 100)
        #expect(hand.machine.translation == Travel(31, 5))
        #expect(hand.up(2, at: 116) == "ended")
        #expect(hand.machine.translation == Travel(31, 5))
    }

    @Test("a pan begins with enough fingers and continues with too few")
    func minimum() {
        var hand = hand(min: 2)
        _ = hand.down(1, 0, 0, at: 0)
        #expect(hand.move(1, 50, 0, at: 16) == "undecided")
        #expect(hand.down(2, 100, 0, at: 33) == "undecided")
        #expect(hand.move([(1, 55, 0), (2, 105, 0)], at: 50) == "undecided")
        #expect(hand.move([(1, 62, 0), (2, 112, 0)], at: 66) == "began")
        #expect(hand.machine.translation == Travel(2, 0))
        #expect(hand.up(1, at: 83) == "unchanged")
        #expect(hand.move(2, 115, 0, at: 100) == "changed")
        #expect(hand.machine.translation == Travel(5, 0))
        #expect(hand.up(2, at: 116) == "ended")
        hand.machine.reset()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.move(1, 50, 0, at: 16)
        #expect(hand.up(1, at: 33) == "failed: lifted with 1 finger, needs 2")
    }

    @Test("an extra finger fails a pan only before it begins")
    func maximum() {
        var early = hand(max: 1)
        _ = early.down(1, 0, 0, at: 0)
        #expect(early.down(2, 100, 0, at: 10) == "failed: 2 fingers, limit 1")
        #expect(early.move(1, 0, 12, at: 40) == "unchanged")
        var late = hand(max: 1)
        _ = late.down(1, 0, 0, at: 0)
        #expect(late.move(1, 0, 12, at: 10) == "began")
        #expect(late.down(2, 100, 0, at: 20) == "unchanged")
        #expect(!late.machine.counts(FingerID(rawValue: 2)))
        #expect(late.move(2, 200, 0, at: 30) == "unchanged")
        #expect(late.move(1, 0, 15, at: 40) == "changed")
        #expect(late.machine.translation == Travel(0, 5))
        #expect(late.up(2, at: 50) == "unchanged")
        #expect(late.up(1, at: 60) == "ended")
    }

    @Test("a pan that ignores extra fingers begins with those it counts")
    func ignoringMaximum() {
        var rules = PanMachine.Rules(maxFingers: 1)
        rules.ignoresExtraFingers = true
        var hand = Hand<PanMachine>(rules)
        _ = hand.down(1, 0, 0, at: 0)
        #expect(hand.down(2, 100, 0, at: 10) == "unchanged")
        #expect(!hand.machine.counts(FingerID(rawValue: 2)))
        #expect(hand.move(2, 200, 0, at: 20) == "unchanged")
        #expect(hand.up(2, at: 30) == "unchanged")
        #expect(hand.move(1, 0, 12, at: 40) == "began")
    }

    @Test("setting a pan's translation does not change its velocity")
    func setting() {
        var hand = hand()
        _ = hand.down(0, 0, at: 0)
        _ = hand.move(20, 0, at: 20)
        _ = hand.move(40, 0, at: 40)
        #expect(hand.machine.velocity == Travel(1000, 0))
        hand.machine.setTranslation(.zero)
        #expect(hand.machine.translation == .zero && hand.machine.velocity == Travel(1000, 0))
        _ = hand.move(47, 3, at: 60)
        #expect(hand.machine.translation == Travel(7, 3))
    }

    @Test("a pan begun by its recognizer continues without hysteresis")
    func begunAtOnce() {
        var hand = hand()
        _ = hand.down(0, 0, at: 0)
        hand.machine.assigned(.began)
        #expect(hand.move(6, 0, at: 16) == "changed")
        #expect(hand.machine.translation == Travel(6, 0) && hand.machine.velocity == Travel(375, 0))
        #expect(hand.up(1, at: 33) == "ended")
        // The 6 pt before the assignment count as slop.
        hand.machine.reset()
        _ = hand.down(0, 0, at: 0)
        _ = hand.move(6, 0, at: 16)
        hand.machine.assigned(.began)
        #expect(hand.machine.translation == .zero)
        hand.machine.assigned(.began)
        #expect(hand.move(8, 0, at: 33) == "changed")
        #expect(hand.machine.translation == Travel(2, 0))
        // The assignment comes before the touch-down.
        hand.machine.reset()
        hand.machine.assigned(.began)
        #expect(hand.down(50, 50, at: 0) == "unchanged" && hand.machine.translation == .zero)
        #expect(hand.move(56, 50, at: 16) == "changed" && hand.machine.translation == Travel(6, 0))
        #expect(hand.machine.velocity == Travel(375, 0))
    }

    @Test("a pan that its recognizer finished reports nothing more")
    func givenUp() {
        for state in [RecognizerState.ended, .cancelled, .failed] {
            var hand = hand()
            _ = hand.down(0, 0, at: 0)
            hand.machine.assigned(state)
            #expect(hand.move(40, 0, at: 16) == "unchanged" && hand.up(1, at: 33) == "unchanged")
        }
    }

    @Test("a lift at the last position leaves the pan's velocity unchanged")
    func velocity() {
        var flick = hand()
        _ = flick.down(0, 0, at: 0)
        for step in 1...5 { _ = flick.move(Double(step) * 10, 0, at: Double(step) * 10) }
        #expect(flick.upAt(60, 0, at: 60) == "ended")
        #expect(flick.machine.velocity == Travel(1000, 0))
        var rest = hand()
        _ = rest.down(0, 0, at: 0)
        for step in 1...5 { _ = rest.move(Double(step) * 10, 0, at: Double(step) * 10) }
        _ = rest.up(1, at: 300)
        #expect(rest.machine.velocity == Travel(1000, 0))
        // A lift that moves after a rest has no other sample in its last 50 ms.
        var moved = hand()
        _ = moved.down(0, 0, at: 0)
        for step in 1...5 { _ = moved.move(Double(step) * 10, 0, at: Double(step) * 10) }
        _ = moved.upAt(60, 0, at: 300)
        #expect(moved.machine.velocity == .zero)
    }

    @Test("a pan fails if cancelled early and is cancelled afterwards")
    func cancelled() {
        var hand = hand()
        _ = hand.down(0, 0, at: 0)
        #expect(hand.cancel(at: 16) == "failed: cancelled by the system")
        hand.machine.reset()
        _ = hand.down(0, 0, at: 0)
        _ = hand.move(20, 0, at: 16)
        #expect(hand.cancel(at: 33) == "cancelled")
        #expect(hand.move(30, 0, at: 50) == "unchanged")
        hand.machine.reset()
        _ = hand.down(0, 0, at: 0)
        #expect(hand.ignore(1) == "failed: its touches were ignored")
        hand.machine.reset()
        _ = hand.down(0, 0, at: 0)
        _ = hand.move(20, 0, at: 16)
        #expect(hand.ignore(1) == "cancelled")
    }

    @Test("a scroll begins a pan without slop, and fingers have precedence")
    func scrolls() {
        var machine = PanMachine()
        #expect(machine.scrolled(by: .zero, phase: .began, at: moment(0)) == .undecided(wakeAt: .never))
        #expect(machine.scrolled(by: Travel(0, 3), phase: .moved, at: moment(10)) == .began)
        #expect(machine.translation == Travel(0, 3))
        #expect(machine.scrolled(by: Travel(0, 4), phase: .moved, at: moment(20)) == .changed)
        #expect(machine.translation == Travel(0, 7) && machine.velocity == Travel(0, 350))
        #expect(machine.scrolled(by: .zero, phase: .ended, at: moment(30)) == .ended)
        machine.reset()
        _ = machine.scrolled(by: .zero, phase: .began, at: moment(0))
        #expect(
            machine.scrolled(by: .zero, phase: .ended, at: moment(10))
                == .failed(.liftedAfterTravel(0, needs: 10)))
        machine.reset()
        #expect(machine.scrolled(by: Travel(0, 12), phase: .ended, at: moment(0)) == .ended)
        #expect(machine.translation == Travel(0, 12))
        var hand = hand()
        _ = hand.down(0, 0, at: 0)
        #expect(hand.machine.scrolled(by: Travel(0, 30), phase: .began, at: moment(10)) == .unchanged)
    }
}

@Suite("Edge pan machine")
struct EdgePanMachineTests {
    private func hand(_ edges: ScreenEdges?) -> Hand<EdgePanMachine> {
        Hand(EdgePanMachine.Rules(edges: edges, of: Rect(x: 0, y: 0, width: 375, height: 667)))
    }

    @Test("Docs/Reference/Machines/EdgePan.md matches the transition function")
    func table() {
        let rules = EdgePanMachine.Rules(edges: [.left, .top], of: Rect(x: 0, y: 0, width: 375, height: 667))
        expectMachineTable(
            "EdgePan", states: [EdgePanMachine.State.idle, .entering(.left), .inside, .done],
            inputs: [
                .landed(.left, distance: 13), .landed([], distance: 14), .crossed(inward: 10, along: 10),
                .crossed(inward: 9, along: 10), .crossed(inward: -10, along: 0), .pan(.undecided(wakeAt: .never)),
                .pan(.changed), .pan(.ended), .pan(.cancelled), .pan(.failed(.systemCancelled)), .pan(.unchanged),
                .assigned(.possible), .assigned(.began), .assigned(.changed), .assigned(.ended), .assigned(.cancelled),
                .assigned(.failed),
            ],
            transition: { EdgePanMachine.transition(from: $0, on: $1, rules) })
    }

    @Test(
        "an edge pan begins inward from within 13 pt of its edge",
        arguments: [
            (ScreenEdges.left, 13.0, 300.0, 11.0, 5.0), (.right, 362, 300, -11, 5), (.top, 100, 13, 5, 11),
            (.bottom, 100, 654, 5, -11),
        ])
    func enters(edge: ScreenEdges, x: Double, y: Double, dx: Double, dy: Double) {
        var hand = hand(edge)
        #expect(hand.down(x, y, at: 0) == "undecided")
        #expect(hand.move(x + dx, y + dy, at: 16) == "began")
        #expect(hand.up(1, at: 33) == "ended")
        // A move along the edge or out of the screen does not enter.
        var along = self.hand(edge)
        _ = along.down(x, y, at: 0)
        #expect(along.move(x + dy * 3, y + dx * 3, at: 16).hasPrefix("failed: went"))
        var outwards = self.hand(edge)
        _ = outwards.down(x, y, at: 0)
        #expect(outwards.move(x - dx, y - dy, at: 16).hasPrefix("failed: went -11.0 pt inward"))
    }

    @Test("an edge pan fails at touch-down away from its edge")
    func elsewhere() {
        var hand = hand([.left])
        #expect(hand.down(14, 300, at: 0) == "failed: landed 14.0 pt from the edge, limit 13.0 pt")
        #expect(hand.move(100, 300, at: 16) == "unchanged")
        var none = self.hand([])
        #expect(none.down(0, 0, at: 0) == "failed: no edge to come over")
    }

    @Test("an edge pan in a corner accepts either edge")
    func corner() {
        var hand = hand([.left, .top])
        _ = hand.down(1, 5, 5, at: 0)
        #expect(hand.down(2, 200, 200, at: 10) == "unchanged")
        #expect(!hand.machine.counts(FingerID(rawValue: 2)))
        #expect(hand.move(1, 6, 20, at: 16) == "began")
        #expect(hand.machine.pan.translation == Travel(0, 5))
    }

    @Test("an extra finger anywhere fails an edge pan with a finger limit")
    func maximum() {
        var rules = EdgePanMachine.Rules(
            edges: .left, of: Rect(x: 0, y: 0, width: 375, height: 667), pan: PanMachine.Rules(maxFingers: 1))
        var hand = Hand<EdgePanMachine>(rules)
        _ = hand.down(1, 5, 300, at: 0)
        #expect(hand.down(2, 200, 300, at: 10) == "failed: 2 fingers, limit 1")
        rules.pan.maxFingers = 2
        hand = Hand<EdgePanMachine>(rules)
        _ = hand.down(1, 5, 300, at: 0)
        #expect(hand.down(2, 200, 300, at: 10) == "unchanged")
        #expect(hand.move(1, 30, 300, at: 20) == "began")
    }

    @Test("an edge pan begun by its recognizer continues in any direction")
    func begunAtOnce() {
        var hand = hand(.left)
        _ = hand.down(5, 300, at: 0)
        hand.machine.assigned(.began)
        #expect(hand.move(5, 306, at: 16) == "changed")
        #expect(hand.machine.pan.translation == Travel(0, 6))
        #expect(hand.up(1, at: 33) == "ended")
        hand.machine.reset()
        _ = hand.down(5, 300, at: 0)
        hand.machine.assigned(.failed)
        #expect(hand.move(50, 300, at: 16) == "unchanged")
    }

    @Test("an edge pan without edges is a plain pan")
    func plain() {
        var hand = hand(nil)
        #expect(hand.machine.kind == "pan")
        #expect(hand.down(200, 200, at: 0) == "undecided")
        #expect(hand.move(188, 200, at: 16) == "began")
    }
}
