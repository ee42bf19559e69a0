import Basics
import Testing
import TouchlineTesting
import Trace

@testable import UIKit

@Suite("Taps")
struct TapRecognizerTests {
    private let scene = RecognizerScene()
    private var log: Log { scene.log }

    @Test("S29: a tap acts at the lift and cancels its view's touch")
    func plain() {
        scene.add(UITapGestureRecognizer(), "tap")
        scene.tap()
        #expect(log.drain() == ["touchesBegan Y", "action tap", "touchesCancelled Y"])
        #expect(scene.isQuiet)
    }

    @Test("S60: a tap fails after 1.6 s or 46 pt")
    func limits() {
        scene.add(UITapGestureRecognizer(), "tap")
        scene.tap(up: 1.4)
        #expect(log.drain() == ["touchesBegan Y", "action tap", "touchesCancelled Y"])
        scene.tap(down: 10, up: 11.6)
        #expect(log.drain() == ["touchesBegan Y", "touchesEnded Y"])
        for (distance, acts) in [(44.0, true), (46, false)] {
            scene.frame(.down(1, 187, 333), at: 20 + distance)
            scene.frame(.move(1, 187 + distance, 333), at: 20.1 + distance)
            scene.frame(.up(1), at: 20.2 + distance)
            #expect(log.drain().contains("action tap") == acts)
        }
        #expect(scene.isQuiet)
    }

    @Test("B16.2: a lift after a failed tap is no new tap")
    func outlasted() {
        scene.add(UITapGestureRecognizer(), "tap")
        scene.frame(.down(1, 187, 333), at: 0)
        scene.wait(until: 5)
        scene.frame(.up(1), at: 5)
        #expect(log.drain() == ["touchesBegan Y", "touchesEnded Y"])
    }

    @Test("a tap's verdicts are in the trace with measure and limit")
    func facts() {
        scene.add(UITapGestureRecognizer(), "tap")
        scene.frame(.down(1, 187, 333), at: 0)
        scene.frame(.move(1, 190, 333), at: 0.1)
        scene.frame(.move(1, 237, 333), at: 0.2)
        let facts = scene.stage.facts(.gesture)
        #expect(facts[0] == "touch 0 received by tap on ProbeView \"R\"")
        #expect(facts[1] == "tap on ProbeView \"R\" undecided until 2500.000 ms", "the clock starts at 1 s")
        #expect(facts[2] == "tap on ProbeView \"R\" failed: moved 50.0 pt, limit 45.0 pt")
    }

    @Test("S35: a double tap holds a touch's end for 0.35 s")
    func heldEnd() {
        let double = scene.add(UITapGestureRecognizer(), "dbl")
        double.numberOfTapsRequired = 2
        scene.tap()
        #expect(log.drain() == ["touchesBegan Y"])
        scene.wait(until: 0.4299)
        #expect(log.drain() == [])
        scene.wait(until: 0.43)
        #expect(log.drain() == ["touchesEnded Y"])
        scene.tap(down: 1, up: 1.08)
        scene.tap(down: 1.2, up: 1.28)
        #expect(
            log.drain() == ["touchesBegan Y", "touchesBegan Y", "action dbl", "touchesCancelled Y"])
        double.delaysTouchesEnded = false
        scene.tap(down: 2, up: 2.08)
        scene.tap(down: 2.2, up: 2.28)
        #expect(
            log.drain() == [
                "touchesBegan Y", "touchesEnded Y", "touchesBegan Y", "action dbl", "touchesCancelled Y",
            ])
        #expect(scene.isQuiet)
    }

    @Test("S35f: a second press that drags releases the first touch's end")
    func secondPressDrags() {
        scene.add(UITapGestureRecognizer(), "dbl").numberOfTapsRequired = 2
        scene.tap()
        scene.frame(.down(2, 187, 333), at: 0.2)
        scene.frame(.move(2, 247, 333), at: 0.25)
        scene.frame(.move(2, 250, 333), at: 0.3)
        scene.frame(.up(2), at: 0.35)
        #expect(
            log.drain() == [
                "touchesBegan Y", "touchesBegan Y", "touchesEnded Y", "touchesMoved Y", "touchesMoved Y",
                "touchesEnded Y",
            ])
    }

    @Test("S50: a single tap and an unrelated double tap both act")
    func singleAndDouble() {
        scene.add(UITapGestureRecognizer(), "s")
        scene.add(UITapGestureRecognizer(), "d").numberOfTapsRequired = 2
        scene.tap()
        scene.tap(down: 0.2, up: 0.28)
        #expect(
            log.drain() == [
                "touchesBegan Y", "action s", "touchesCancelled Y", "touchesBegan Y", "action d",
                "touchesCancelled Y",
            ])
    }

    @Test("S51: a single tap acts only after the required double tap failed")
    func requiresDouble() {
        let single = scene.add(UITapGestureRecognizer(), "s")
        let double = scene.add(UITapGestureRecognizer(), "d")
        double.numberOfTapsRequired = 2
        single.require(toFail: double)
        single.addAction(
            UIAction { [unowned single, log] _ in
                let (place, finger) = (single.location(in: nil), single.location(ofTouch: 0, in: nil))
                log.add("\(single.numberOfTouches) at \(place.x) \(finger.y)")
            })
        scene.tap()
        #expect(log.drain() == ["touchesBegan Y"])
        scene.wait(until: 0.43)
        #expect(
            log.drain() == ["action s", "1 at 187.0 333.0", "touchesCancelled Y"])
        scene.tap(down: 1, up: 1.08)
        scene.tap(down: 1.2, up: 1.28)
        scene.wait(until: 3)
        #expect(log.drain() == ["touchesBegan Y", "touchesBegan Y", "action d", "touchesCancelled Y"])
        #expect(scene.isQuiet)
    }

    /// A subclass as an app may write it, with the public interface and a timer of its own.
    private final class ShortTap: UITapGestureRecognizer {
        init() {
            super.init(target: nil, action: nil)
            numberOfTapsRequired = 2
        }
        override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
            super.touchesBegan(touches, with: event)
            let timer = Timer(timeInterval: 0.2, repeats: false) { [weak self] _ in
                if let self, state != .recognized { state = .failed }
            }
            RunLoop.main.add(timer, forMode: .common)
        }
    }

    @Test("S52: a double tap that fails after 0.2 s lets the single act")
    func shortDouble() {
        let single = scene.add(UITapGestureRecognizer(), "s")
        single.require(toFail: scene.add(ShortTap(), "d"))
        scene.tap()
        scene.wait(until: 0.1999)
        #expect(log.drain() == ["touchesBegan Y"])
        scene.wait(until: 0.2)
        #expect(log.drain() == ["action s", "touchesCancelled Y"])
        // Both taps are within 0.2 s of the first touch-down.
        scene.tap(down: 1, up: 1.06)
        scene.tap(down: 1.12, up: 1.18)
        scene.wait(until: 2)
        #expect(log.drain() == ["touchesBegan Y", "touchesBegan Y", "action d", "touchesCancelled Y"])
        // The second tap comes too late and is a new attempt. The late timers find idle recognizers.
        scene.tap(down: 3, up: 3.08)
        scene.tap(down: 3.21, up: 3.29)
        #expect(log.drain() == ["touchesBegan Y", "action s", "touchesCancelled Y", "touchesBegan Y"])
        scene.wait(until: 3.41)
        #expect(log.drain() == ["action s", "touchesCancelled Y"])
        scene.wait(until: 5)
        #expect(log.drain() == [] && scene.isQuiet)
        scene.tap(down: 6, up: 6.05)
        scene.tap(down: 6.1, up: 6.15)
        #expect(log.drain() == ["touchesBegan Y", "touchesBegan Y", "action d", "touchesCancelled Y"])
    }

    @Test("B7.5: a tap prevents everything except taps that require more taps")
    func prevention() {
        let (one, two, pair) = (UITapGestureRecognizer(), UITapGestureRecognizer(), UITapGestureRecognizer())
        two.numberOfTapsRequired = 2
        (pair.numberOfTapsRequired, pair.numberOfTouchesRequired) = (2, 2)
        #expect(!one.canPrevent(two) && two.canPrevent(one) && one.canPrevent(one))
        #expect(one.canPrevent(pair) && one.canPrevent(UIPanGestureRecognizer()))
        #expect(one.canBePrevented(by: two))
    }

    @Test("S93: a two-finger tap acts on a view that takes one finger")
    func twoFingers() {
        let tap = scene.add(UITapGestureRecognizer(), "tap2", to: scene.y)
        tap.numberOfTouchesRequired = 2
        var place = CGPoint.zero
        tap.addAction(UIAction { [unowned tap] _ in place = tap.location(in: nil) })
        scene.frame(.down(1, 100, 300), at: 0)
        scene.frame(.down(2, 140, 300), at: 0.02)
        scene.frame(.up(1), at: 0.08)
        scene.frame(.up(2), at: 0.1)
        #expect(log.drain() == ["touchesBegan Y", "action tap2", "touchesCancelled Y"])
        #expect(place == CGPoint(x: 120, y: 300))
    }

    @Test("B8.3: a two-finger tap fails when one finger is ignored")
    func ignoredFinger() {
        let tap = scene.add(UITapGestureRecognizer(), "tap2", to: scene.y)
        tap.numberOfTouchesRequired = 2
        scene.frame(.down(1, 100, 300), at: 0)
        scene.frame(.down(2, 140, 300), at: 0.02)
        scene.ignoreLast(by: tap, at: 0.04)
        #expect(tap.numberOfTouches == 1)
        scene.frame(.up(2), at: 0.06)
        scene.frame(.up(1), at: 0.08)
        #expect(log.drain() == ["touchesBegan Y", "touchesEnded Y"] && scene.isQuiet)
        #expect(scene.stage.facts(.gesture).contains { $0.hasSuffix("failed: lifted with 1 finger, needs 2") })
    }

    @Test("S82: an interrupted possible tap fails")
    func interrupted() {
        let tap = scene.add(UITapGestureRecognizer(), "tap")
        scene.frame(.down(1, 187, 333), at: 0)
        scene.frame(.cancel(1), at: 0.05)
        #expect(log.drain() == ["touchesBegan Y", "touchesCancelled Y"])
        #expect(tap.state == .possible && scene.isQuiet)
    }

    @Test("a tap requires the buttons of its mask")
    func buttons() {
        final class Pointer: NSObject, UIGestureRecognizerDelegate {
            let event: UIEvent
            init(_ event: UIEvent) { self.event = event }
            func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
                (touch.type, event.buttonMask) = (.indirectPointer, .secondary)
                return true
            }
        }
        let pointer = Pointer(scene.stage.app.touchTracker.event)
        let tap = scene.add(UITapGestureRecognizer(), "tap")
        tap.delegate = pointer
        scene.tap()
        #expect(log.drain() == ["touchesBegan Y", "touchesEnded Y"])
        #expect(scene.stage.facts(.gesture).contains { $0.hasSuffix("failed: button mask 2, needs 1") })
        tap.buttonMaskRequired = .secondary
        scene.tap(down: 1, up: 1.1)
        #expect(log.drain() == ["touchesBegan Y", "action tap", "touchesCancelled Y"])
    }

    @Test("S48: a tap and a swipe on parent and child do not conflict")
    func withSwipe() {
        scene.add(UISwipeGestureRecognizer(), "swipe", to: scene.r)
        scene.add(UITapGestureRecognizer(), "tap", to: scene.y)
        scene.tap()
        #expect(log.drain().filter { $0.hasPrefix("action") } == ["action tap"])
        scene.stroke(from: 120, 333, by: 20, 0, steps: 5, at: 1)
        #expect(log.drain().filter { $0.hasPrefix("action") } == ["action swipe"])
    }

    @Test("the defaults of UIKit's recognizer classes are Apple's")
    func defaults() {
        let tap = UITapGestureRecognizer()
        #expect(tap.numberOfTapsRequired == 1 && tap.numberOfTouchesRequired == 1)
        #expect(tap.buttonMaskRequired == .primary && tap.numberOfTouches == 0)
        let press = UILongPressGestureRecognizer()
        #expect(press.numberOfTapsRequired == 0 && press.numberOfTouchesRequired == 1)
        #expect(press.minimumPressDuration == 0.5 && press.allowableMovement == 10)
        let pan = UIPanGestureRecognizer()
        #expect(pan.minimumNumberOfTouches == 1 && pan.maximumNumberOfTouches == .max)
        #expect(pan.allowedScrollTypesMask == [] && pan.translation(in: nil) == .zero)
        let swipe = UISwipeGestureRecognizer()
        #expect(swipe.direction == .right && swipe.numberOfTouchesRequired == 1)
        #expect(UIPinchGestureRecognizer().scale == 1 && UIPinchGestureRecognizer().velocity == 0)
        #expect(UIRotationGestureRecognizer().rotation == 0 && UIScreenEdgePanGestureRecognizer().edges == [])
    }
}
