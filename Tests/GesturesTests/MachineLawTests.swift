import Basics
import Testing

@testable import Gestures

/// Laws that hold for any sequence of actions of fingers.
@Suite("Laws of all gesture machines")
struct MachineLawTests {
    enum Act: Equatable {
        case down(UInt32, Double, Double), move(UInt32, Double, Double), up(UInt32), cancel(UInt32), ignore(UInt32)
        case wait(Double)
    }

    /// Draws actions of up to three fingers. Each finger lands before it lifts, and none is down at the end.
    private func acts(seed: UInt64) -> [(Act, at: Double)] {
        var random = SeededGenerator(seed: seed)
        var (time, next, down) = (0.0, UInt32(1), [UInt32]())
        var acts: [(Act, at: Double)] = []
        for _ in 0..<Int.random(in: 3...40, using: &random) {
            // Most steps are one frame long, and a few are long rests.
            time += Double.random(in: 0...1, using: &random) < 0.9 ? 16 : Double.random(in: 50...2000, using: &random)
            let (x, y) = (Double.random(in: 0...375, using: &random), Double.random(in: 0...667, using: &random))
            let finger = down.randomElement(using: &random)
            switch (Int.random(in: 0...20, using: &random), finger) {
            case (0...3, _) where down.count < 3, (_, nil):
                acts.append((.down(next, x, y), time))
                down.append(next)
                next += 1
            case (4...6, let finger?):
                acts.append((.up(finger), time))
                down.removeAll { $0 == finger }
            case (7, let finger?):
                acts.append((.cancel(finger), time))
                down.removeAll { $0 == finger }
            case (8, let finger?):
                acts.append((.ignore(finger), time))
                down.removeAll { $0 == finger }
            case (9, _): acts.append((.wait(time), time))
            case (10...14, let finger?): acts.append((.move(finger, x / 40 + 100, y / 40 + 100), time))
            case (_, let finger?): acts.append((.move(finger, x, y), time))
            }
        }
        return acts + down.map { (.up($0), time + 16) }
    }

    private func play<Machine: GestureMachine>(_ acts: [(Act, at: Double)], _ hand: inout Hand<Machine>) -> [Verdict] {
        acts.map { act, time in
            switch act {
            case .down(let finger, let x, let y): hand.handle(.began, finger, x, y, at: time)
            case .move(let finger, let x, let y): hand.handle(.moved, finger, x, y, at: time)
            case .up(let finger): hand.handle(.ended, finger, 100, 100, at: time)
            case .cancel(let finger): hand.handle(.cancelled, finger, 100, 100, at: time)
            case .ignore(let finger): hand.machine.forget(FingerID(rawValue: finger))
            case .wait(let time): hand.machine.timePassed(at: moment(time))
            }
        }
    }

    /// Plays random actions on a machine and checks the order of its verdicts, its wake time and its reset.
    func check<Machine: GestureMachine>(_ rules: Machine.Rules, isContinuous: Bool, _: Machine.Type) {
        var used = Hand<Machine>(rules)
        for seed in 0..<400 as Range<UInt64> {
            let acts = acts(seed: seed)
            var hand = Hand<Machine>(rules)
            let verdicts = play(acts, &hand)

            var (hasBegun, isOver, wake) = (false, false, nil as Instant?)
            for verdict in verdicts {
                switch verdict {
                case .unchanged: break
                case .undecided(let at):
                    #expect(!hasBegun && !isOver, "seed \(seed): undecided too late")
                    wake = at
                case .began:
                    #expect(isContinuous && !hasBegun && !isOver, "seed \(seed): began twice, or late")
                    hasBegun = true
                case .changed: #expect(hasBegun && !isOver, "seed \(seed): changed, not begun")
                case .ended:
                    #expect(hasBegun == isContinuous && !isOver, "seed \(seed): ended, not begun")
                    isOver = true
                case .cancelled:
                    #expect(hasBegun && !isOver, "seed \(seed): cancelled, not begun")
                    isOver = true
                case .failed:
                    #expect(!hasBegun && !isOver, "seed \(seed): failed too late")
                    isOver = true
                }
            }
            // Without fingers only time can decide, so the machine must fail at its wake time.
            if !isOver, let wake {
                #expect(wake != .never, "seed \(seed): undecided for ever")
                guard case .failed = hand.machine.timePassed(at: wake) else {
                    Issue.record("seed \(seed): time did not decide")
                    continue
                }
            }
            // A machine that was reset does not depend on earlier touches.
            used.machine.reset()
            let again = play(acts, &used)
            #expect(again == verdicts, "seed \(seed): a reset leaves something behind")
        }
    }

    @Test("every gesture machine keeps its verdicts in order and resets completely")
    func laws() {
        check(TapMachine.Rules(), isContinuous: false, TapMachine.self)
        check(TapMachine.Rules(taps: 2), isContinuous: false, TapMachine.self)
        check(TapMachine.Rules(taps: 2, fingers: 2), isContinuous: false, TapMachine.self)
        check(LongPressMachine.Rules(), isContinuous: true, LongPressMachine.self)
        check(LongPressMachine.Rules(precedingTaps: 1, fingers: 2), isContinuous: true, LongPressMachine.self)
        check(PanMachine.Rules(), isContinuous: true, PanMachine.self)
        check(PanMachine.Rules(minFingers: 2, maxFingers: 2), isContinuous: true, PanMachine.self)
        check(
            EdgePanMachine.Rules(edges: .left, of: Rect(x: 0, y: 0, width: 375, height: 667)), isContinuous: true,
            EdgePanMachine.self)
        check(PanMachine.Rules(maxFingers: 1), isContinuous: true, PanMachine.self)
        check(PanMachine.Rules(maxFingers: 1, ignoresExtraFingers: true), isContinuous: true, PanMachine.self)
        check(SwipeMachine.Rules(directions: [.right, .left]), isContinuous: false, SwipeMachine.self)
        check(SwipeMachine.Rules(fingers: 2, directions: .up), isContinuous: false, SwipeMachine.self)
        check(PinchMachine.Rules(), isContinuous: true, PinchMachine.self)
        check(RotationMachine.Rules(), isContinuous: true, RotationMachine.self)
    }
}
