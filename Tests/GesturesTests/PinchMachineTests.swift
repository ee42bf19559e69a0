import Basics
import Foundation
import Testbed
import Testing

@testable import Gestures

@Suite("Pinch machine")
struct PinchMachineTests {
    private func hand() -> Hand<PinchMachine> { Hand(PinchMachine.Rules()) }

    @Test("Docs/Reference/Machines/Pinch.md matches the transition function")
    func table() {
        let rules = PinchMachine.Rules()
        expectMachineTable(
            "Pinch", states: PinchMachine.State.allCases,
            inputs: [
                .landed(fingers: 2), .moved(7.9, fingers: 2), .moved(8, fingers: 2), .moved(7.9, fingers: 1),
                .lifted(3, fingers: 2, left: 1), .lifted(3, fingers: 2, left: 0), .lifted(0, fingers: 1, left: 0),
                .pointer(.began, changes: false), .pointer(.began, changes: true), .pointer(.moved, changes: true),
                .pointer(.ended, changes: true), .pointer(.ended, changes: false),
                .pointer(.cancelled, changes: false), .cancelled, .lost,
                .assigned(.possible), .assigned(.began), .assigned(.changed), .assigned(.ended), .assigned(.cancelled),
                .assigned(.failed),
            ],
            transition: { ContinuousGesture.transition(from: $0, on: $1, rules.limits) })
    }

    @Test("a pinch begins at scale 1 after a change of 8 pt")
    func begins() {
        var hand = hand()
        #expect(hand.down(1, 0, 0, at: 0) == "undecided")
        #expect(hand.move(1, 50, 0, at: 10) == "undecided")
        #expect(hand.down(2, 150, 0, at: 20) == "undecided")
        #expect(hand.move(2, 157, 0, at: 30) == "undecided")
        #expect(hand.move(2, 158, 0, at: 40) == "began")
        #expect(hand.machine.scale == 1)
        #expect(hand.move(2, 158 + 54, 0, at: 50) == "changed")
        #expect(hand.machine.scale == 1.5)
    }

    @Test("a pinch begun by its recognizer starts at scale 1")
    func begunAtOnce() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        hand.machine.assigned(.began)
        #expect(hand.down(2, 100, 0, at: 10) == "unchanged" && hand.machine.scale == 1)
        #expect(hand.move(2, 104, 0, at: 20) == "changed" && hand.machine.scale == 1.04)
        hand.machine.reset()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 96, 0, at: 0)
        _ = hand.move(2, 100, 0, at: 10)
        hand.machine.assigned(.began)
        #expect(hand.machine.scale == 1)
        #expect(hand.move(2, 104, 0, at: 20) == "changed" && hand.machine.scale == 1.04)
        #expect(hand.up(1, 2, at: 30) == "ended")
    }

    @Test("a closing pinch begins as a spreading pinch does")
    func closes() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 108, 0, at: 0)
        #expect(hand.move(2, 100, 0, at: 10) == "began")
        _ = hand.move([(1, 25, 0), (2, 75, 0)], at: 20)
        #expect(hand.machine.scale == 0.5)
    }

    @Test("a pinch's velocity is the change of scale per second")
    func velocity() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 90, 0, at: 0)
        _ = hand.move(2, 100, 0, at: 10)
        // The distance grew by 10 pt of 100 pt in 10 ms.
        #expect(abs(hand.machine.velocity - 10) < 1e-9)
        hand.machine.setScale(2)
        #expect(abs(hand.machine.velocity - 20) < 1e-9)
        _ = hand.up(1, 2, at: 20)
        #expect(hand.machine.velocity > 0)
    }

    @Test("a pinch pauses with one finger and continues with a second")
    func oneLeft() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 90, 0, at: 0)
        _ = hand.move(2, 100, 0, at: 10)
        _ = hand.move(2, 150, 0, at: 20)
        #expect(hand.up(2, at: 30) == "unchanged")
        #expect(hand.machine.scale == 1.5)
        #expect(hand.move(1, 40, 0, at: 40) == "unchanged")
        #expect(hand.machine.scale == 1.5)
        #expect(hand.down(3, 40, 50, at: 50) == "unchanged")
        #expect(hand.machine.scale == 1.5)
        #expect(hand.move(3, 40, 100, at: 60) == "changed")
        #expect(hand.machine.scale == 3)
        #expect(hand.up(1, 3, at: 70) == "ended")
        #expect(hand.machine.scale == 3)
    }

    @Test("a pinch multiplies a scale that was set")
    func setting() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 90, 0, at: 0)
        _ = hand.move(2, 100, 0, at: 10)
        _ = hand.move(2, 200, 0, at: 20)
        hand.machine.setScale(1)
        #expect(hand.machine.scale == 1)
        _ = hand.move(2, 300, 0, at: 30)
        #expect(hand.machine.scale == 1.5)
    }

    @Test("a pinch ignores a third finger and survives fingers at one position")
    func oddHands() {
        var hand = hand()
        _ = hand.down(1, 10, 10, at: 0)
        _ = hand.down(2, 10, 10, at: 0)
        #expect(hand.down(3, 90, 90, at: 10) == "unchanged")
        #expect(!hand.machine.counts(FingerID(rawValue: 3)))
        #expect(hand.move(2, 20, 10, at: 20) == "began")
        _ = hand.move(2, 10, 10, at: 30)
        #expect(hand.machine.scale == 0.1)
    }

    @Test("a pinch fails without enough change, a second finger, or when cancelled")
    func failures() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        #expect(hand.up(1, at: 10) == "failed: lifted with 1 finger, needs 2")
        hand.machine.reset()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 90, 0, at: 0)
        _ = hand.move(2, 95, 0, at: 10)
        #expect(
            hand.up(1, 2, at: 20) == "failed: lifted after the distance changed by 5.0 pt, needs 8.0 pt")
        hand.machine.reset()
        _ = hand.down(1, 0, 0, at: 0)
        #expect(hand.cancel(1, at: 10) == "failed: cancelled by the system")
        hand.machine.reset()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 90, 0, at: 0)
        _ = hand.move(2, 100, 0, at: 10)
        #expect(hand.ignore(2) == "unchanged")
        #expect(hand.ignore(1) == "cancelled")
    }

    @Test("a pointer's pinch begins with its first change of scale")
    func transforms() {
        var machine = PinchMachine()
        #expect(machine.transformed(to: 1, phase: .began, at: moment(0)) == .undecided(wakeAt: .never))
        #expect(machine.transformed(to: 1.2, phase: .moved, at: moment(10)) == .began)
        #expect(machine.transformed(to: 1.5, phase: .moved, at: moment(20)) == .changed)
        #expect(machine.scale == 1.5 && abs(machine.velocity - 25) < 1e-9)
        #expect(machine.transformed(to: 1.5, phase: .ended, at: moment(30)) == .ended)
        #expect(machine.transformed(to: 0, phase: .moved, at: moment(40)) == .unchanged)
    }

    @Test("an invalid pointer scale changes only the phase of a pinch", arguments: [0, -1, Double.nan, .infinity])
    func noScale(_ scale: Double) {
        var machine = PinchMachine()
        _ = machine.transformed(to: 1.5, phase: .began, at: moment(0))
        #expect(machine.transformed(to: scale, phase: .moved, at: moment(10)) == .changed)
        #expect(machine.scale == 1.5)
        #expect(machine.transformed(to: scale, phase: .ended, at: moment(20)) == .ended)
        #expect(machine.scale == 1.5)
        machine.reset()
        _ = machine.transformed(to: 1.5, phase: .began, at: moment(30))
        #expect(machine.transformed(to: scale, phase: .cancelled, at: moment(40)) == .cancelled)
    }
}

@Suite("Rotation machine")
struct RotationMachineTests {
    private func hand() -> Hand<RotationMachine> { Hand(RotationMachine.Rules()) }

    /// The position of finger 2 on a circle of 100 pt around finger 1.
    private func place(_ degrees: Double) -> (Double, Double) {
        (100 * cos(degrees * .pi / 180), 100 * sin(degrees * .pi / 180))
    }

    private func turn(_ hand: inout Hand<RotationMachine>, to degrees: Double, at time: Double) -> String {
        let (x, y) = place(degrees)
        return hand.move(2, x, y, at: time)
    }

    private func degrees(_ hand: Hand<RotationMachine>) -> Double { hand.machine.rotation * 180 / .pi }

    @Test("Docs/Reference/Machines/Rotation.md matches the transition function")
    func table() {
        let rules = RotationMachine.Rules()
        expectMachineTable(
            "Rotation", states: RotationMachine.State.allCases,
            inputs: [
                .landed(fingers: 2), .moved(0.17, fingers: 2), .moved(0.18, fingers: 2), .moved(0.17, fingers: 1),
                .lifted(0.1, fingers: 2, left: 1), .lifted(0.1, fingers: 2, left: 0), .lifted(0, fingers: 1, left: 0),
                .pointer(.began, changes: false), .pointer(.began, changes: true), .pointer(.moved, changes: true),
                .pointer(.ended, changes: true), .pointer(.ended, changes: false),
                .pointer(.cancelled, changes: false), .cancelled, .lost,
                .assigned(.possible), .assigned(.began), .assigned(.changed), .assigned(.ended), .assigned(.cancelled),
                .assigned(.failed),
            ],
            transition: { ContinuousGesture.transition(from: $0, on: $1, rules.limits) })
    }

    @Test("a rotation begun by its recognizer counts from that angle")
    func begunAtOnce() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 100, 0, at: 0)
        _ = turn(&hand, to: 5, at: 10)
        hand.machine.assigned(.began)
        #expect(hand.machine.rotation == 0)
        #expect(turn(&hand, to: 8, at: 20) == "changed")
        #expect(abs(hand.machine.rotation - 3 * Double.pi / 180) < 1e-9)
        #expect(hand.up(1, 2, at: 30) == "ended")
    }

    @Test("a rotation begins at 10° with rotation 0, clockwise positive")
    func begins() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 100, 0, at: 0)
        #expect(turn(&hand, to: 9.9, at: 10) == "undecided")
        #expect(turn(&hand, to: 10.1, at: 20) == "began")
        #expect(hand.machine.rotation == 0)
        #expect(turn(&hand, to: 30.1, at: 30) == "changed")
        #expect(abs(degrees(hand) - 20) < 1e-9)
        #expect(turn(&hand, to: -9.9, at: 40) == "changed")
        #expect(abs(degrees(hand) + 20) < 1e-9)
        #expect(hand.up(1, 2, at: 50) == "ended")
    }

    @Test("a rotation continues past half a turn, at most 45° a step")
    func wraps() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 100, 0, at: 0)
        _ = turn(&hand, to: 10, at: 10)
        for step in 1...10 { _ = turn(&hand, to: 10 + Double(step) * 40, at: 10 + Double(step) * 10) }
        #expect(abs(degrees(hand) - 400) < 1e-6)
        _ = turn(&hand, to: 410 + 90, at: 200)
        #expect(abs(degrees(hand) - 445) < 1e-6)
        // A turn back by 90° counts as 45°.
        _ = turn(&hand, to: 500 - 90, at: 210)
        #expect(abs(degrees(hand) - 400) < 1e-6)
    }

    @Test("the arc tangent is exact in the range that rotations use")
    func arc() {
        for step in -1000...1000 {
            let slope = Double(step) / 1000
            #expect(abs(arcTangent(slope) - atan(slope)) < 1e-15)
        }
        #expect(Gestures.turn(from: Travel(1, 0), to: Travel(-1, 0)) == .pi / 4)
        #expect(Gestures.turn(from: Travel(1, 0), to: Travel(0, -1)) == -.pi / 4)
    }

    @Test("a rotation's velocity is in radians per second")
    func velocity() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 100, 0, at: 0)
        _ = turn(&hand, to: 18, at: 10)
        #expect(abs(hand.machine.velocity - 10 * .pi) < 1e-9)
    }

    @Test("a rotation pauses with one finger and continues with a second")
    func oneLeft() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 100, 0, at: 0)
        _ = turn(&hand, to: 10, at: 10)
        _ = turn(&hand, to: 40, at: 20)
        #expect(hand.up(2, at: 30) == "unchanged")
        #expect(hand.move(1, 5, 5, at: 40) == "unchanged")
        _ = hand.down(3, 5, 105, at: 50)
        #expect(abs(degrees(hand) - 30) < 1e-9)
        #expect(hand.move(3, -95, 105, at: 60) == "changed")
        #expect(abs(degrees(hand) - 75) < 1e-9)
    }

    @Test("a rotation continues from a value that was set")
    func setting() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 100, 0, at: 0)
        _ = turn(&hand, to: 10, at: 10)
        _ = turn(&hand, to: 40, at: 20)
        hand.machine.setRotation(0)
        _ = turn(&hand, to: 45, at: 30)
        #expect(abs(degrees(hand) - 5) < 1e-9)
    }

    @Test("a rotation keeps its last direction while fingers share a position")
    func onePlace() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 0, 0, at: 0)
        #expect(hand.move(2, 100, 0, at: 10) == "undecided")
        #expect(hand.move(2, 0, 0, at: 20) == "undecided")
        #expect(turn(&hand, to: 20, at: 30) == "began")
    }

    @Test("a rotation fails without enough turn, a second finger, or when cancelled")
    func failures() {
        var hand = hand()
        _ = hand.down(1, 0, 0, at: 0)
        #expect(hand.up(1, at: 10) == "failed: lifted with 1 finger, needs 2")
        hand.machine.reset()
        _ = hand.down(1, 0, 0, at: 0)
        _ = hand.down(2, 100, 0, at: 0)
        _ = turn(&hand, to: -5, at: 10)
        #expect(hand.up(1, 2, at: 20) == "failed: lifted after a turn of 5.0°, needs 10.0°")
        hand.machine.reset()
        _ = hand.down(1, 0, 0, at: 0)
        #expect(hand.cancel(1, at: 10) == "failed: cancelled by the system")
    }

    @Test("a pointer's rotation begins with its first change of angle")
    func transforms() {
        var machine = RotationMachine()
        #expect(machine.transformed(to: 0, phase: .began, at: moment(0)) == .undecided(wakeAt: .never))
        #expect(machine.transformed(to: 0.1, phase: .moved, at: moment(10)) == .began)
        #expect(machine.transformed(to: 0.3, phase: .moved, at: moment(20)) == .changed)
        #expect(machine.rotation == 0.3)
        #expect(machine.transformed(to: 0.3, phase: .ended, at: moment(30)) == .ended)
    }
}
