import Basics
import HID
import Testing
import TouchlineTesting
import UIKit

@Suite("Tap count")
struct TapCountTests {
    private func counts(_ script: (Stage) -> Void) -> [Int] {
        let stage = Stage()
        let view = stage.view("V", 0, 0, 375, 667)
        view.isMultipleTouchEnabled = true
        var counts: [Int] = []
        view.onTouches = { touches, _ in
            for touch in touches where touch.phase != .moved { counts.append(touch.tapCount) }
        }
        script(stage)
        return counts
    }

    @Test("quick taps at one position increase the tap count")
    func counting() {
        let seen = counts {
            $0.tap(100, 100, at: 0)
            $0.tap(110, 100, at: 0.2)
            $0.tap(100, 110, at: 0.4)
        }
        #expect(seen == [1, 1, 2, 2, 3, 3])
    }

    @Test("a tap count continues after a pause of at most 0.35 s", arguments: [(0.429, 2), (0.43, 2), (0.44, 1)])
    func pause(_ down: Double, _ count: Int) {
        let seen = counts {
            $0.tap(100, 100, at: 0)
            $0.tap(100, 100, at: down)
        }
        #expect(seen.last == count)
    }

    @Test("a tap count continues within 45 pt", arguments: [(145.0, 2), (146.0, 1)])
    func radius(_ x: Double, _ count: Int) {
        let seen = counts {
            $0.tap(100, 100, at: 0)
            $0.tap(x, 100, at: 0.2)
        }
        #expect(seen.last == count)
    }

    @Test("a finger that strays has no tap count and ends the sequence")
    func straying() {
        let seen = counts {
            $0.frame(.down(1, 100, 100), at: 0)
            $0.frame(.move(1, 150, 100), at: 0.02)
            $0.frame(.move(1, 100, 100), at: 0.05)
            $0.frame(.up(1), at: 0.05)
            $0.tap(100, 100, at: 0.1)
        }
        #expect(seen == [1, 0, 1, 1])
    }

    @Test("a cancelled finger is not counted as a tap")
    func cancelled() {
        let seen = counts {
            $0.frame(.down(1, 100, 100), at: 0)
            $0.frame(.cancel(1), at: 0.05)
            $0.tap(100, 100, at: 0.1)
        }
        #expect(seen == [1, 1, 1, 1])
    }

    @Test("two fingers count their taps separately")
    func twoFingers() {
        let seen = counts {
            $0.frame(.down(1, 100, 100), .down(2, 300, 300), at: 0)
            $0.frame(.up(1), .up(2), at: 0.05)
            $0.frame(.down(1, 100, 100), .down(2, 300, 300), at: 0.1)
        }
        #expect(seen == [1, 1, 1, 1, 2, 2])
    }

    @Test("a tap is continued by one finger only, in the same window")
    func usedUp() {
        let (window, other) = (UIView(), UIView())
        var taps = TapCounter(interval: 0.35, radius: 45)
        let here = ObjectIdentifier(window)
        taps.recordLift(of: .init(count: 1, position: .zero, window: here, liftedAt: 0))
        #expect(taps.countLanding(at: .zero, in: ObjectIdentifier(other), time: 0.1) == 1)
        #expect(taps.countLanding(at: .zero, in: here, time: 0.1) == 2)
        #expect(taps.countLanding(at: .zero, in: here, time: 0.1) == 1)
    }
}
