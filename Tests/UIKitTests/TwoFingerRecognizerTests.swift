import Basics
import Testing
import TouchlineTesting
import Trace

@testable import UIKit

@Suite("Pinches and rotations")
struct TwoFingerRecognizerTests {
    private let scene = RecognizerScene()
    private var log: Log { scene.log }

    private final class Together: NSObject, UIGestureRecognizerDelegate {
        func gestureRecognizer(
            _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
        ) -> Bool { true }
    }

    @Test("a pinch begins at scale 1 and ends after both fingers lift")
    func pinch() {
        let pinch = scene.add(UIPinchGestureRecognizer(), "pinch", logsState: true)
        scene.y.logsTouches = false
        scene.frame(.down(1, 100, 333), at: 0)
        scene.frame(.down(2, 192, 333), at: 0.02)
        scene.frame(.move(2, 200, 333), at: 0.04)
        #expect(log.drain() == ["action pinch began"] && pinch.scale == 1)
        #expect(pinch.location(in: nil) == CGPoint(x: 150, y: 333))
        scene.frame(.move(2, 300, 333), at: 0.06)
        #expect(pinch.scale == 2 && pinch.velocity > 0)
        pinch.scale = 1
        scene.frame(.up(2), at: 0.08)
        scene.frame(.move(1, 90, 333), at: 0.1)
        #expect(log.drain() == ["action pinch changed"] && pinch.scale == 1)
        scene.frame(.up(1), at: 0.12)
        #expect(log.drain() == ["action pinch ended"] && scene.isQuiet)
    }

    @Test("S55: a pan and a pinch that are allowed together both act")
    func together() {
        let delegate = Together()
        let pan = scene.add(UIPanGestureRecognizer(), "pan", to: scene.y)
        pan.delegate = delegate
        scene.add(UIPinchGestureRecognizer(), "pinch", to: scene.y)
        scene.y.logsTouches = false
        scene.frame(.down(1, 100, 333), at: 0)
        scene.frame(.down(2, 200, 333), at: 0.02)
        scene.frame(.move(1, 100, 350), .move(2, 240, 350), at: 0.04)
        #expect(log.drain() == ["action pan", "action pinch"])
        pan.delegate = nil
        scene.frame(.up(1), .up(2), at: 0.06)
        _ = log.drain()
        scene.frame(.down(1, 100, 333), at: 1)
        scene.frame(.down(2, 200, 333), at: 1.02)
        scene.frame(.move(1, 100, 350), .move(2, 240, 350), at: 1.04)
        #expect(log.drain() == ["action pinch"])
    }

    private final class Immediate: UIPinchGestureRecognizer {
        override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
            super.touchesBegan(touches, with: event)
            if state == .possible { state = .began }
        }
    }

    @Test("a pinch that a subclass begins at once has no hysteresis")
    func begunAtOnce() {
        let pinch = scene.add(Immediate(), "pinch", logsState: true)
        scene.y.logsTouches = false
        scene.frame(.down(1, 100, 333), .down(2, 200, 333), at: 0)
        scene.frame(.move(2, 204, 333), at: 0.02)
        #expect(log.drain() == ["action pinch began", "action pinch changed"] && pinch.scale == 1.04)
        scene.frame(.up(1), .up(2), at: 0.04)
        #expect(log.drain() == ["action pinch ended"] && scene.isQuiet)
    }

    @Test("a rotation counts clockwise from where it began")
    func rotation() {
        let rotation = scene.add(UIRotationGestureRecognizer(), "rotation", logsState: true)
        scene.y.logsTouches = false
        scene.frame(.down(1, 150, 333), at: 0)
        scene.frame(.down(2, 250, 333), at: 0)
        scene.frame(.move(2, 250, 353), at: 0.02)
        #expect(log.drain() == ["action rotation began"] && rotation.rotation == 0)
        scene.frame(.move(2, 250, 433), at: 0.04)
        #expect(abs(rotation.rotation - (.pi / 4 - 0.19739555984988075)) < 1e-12 && rotation.velocity > 0)
        rotation.rotation = 0
        scene.frame(.move(2, 250, 333), at: 0.06)
        #expect(abs(rotation.rotation + .pi / 4) < 1e-12)
    }

    @Test("a third finger stays the view's during a pinch")
    func third() {
        scene.y.isMultipleTouchEnabled = true
        let pinch = scene.add(UIPinchGestureRecognizer(), "pinch")
        scene.frame(.down(1, 100, 333), at: 0)
        scene.frame(.down(2, 200, 333), at: 0)
        scene.frame(.down(3, 150, 350), at: 0.02)
        #expect(pinch.numberOfTouches == 2)
        scene.frame(.move(2, 240, 333), at: 0.04)
        scene.frame(.move(3, 155, 350), at: 0.06)
        #expect(
            log.drain() == [
                "touchesBegan Y", "touchesBegan Y", "touchesBegan Y", "action pinch", "touchesCancelled Y",
                "touchesMoved Y",
            ])
    }
}
