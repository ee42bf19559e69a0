import Basics
import Testbed
import Testing
import Trace

@testable import UIKit

/// A stage whose timers fire as its clock passes them.
private final class Scene {
    let stage = Stage()
    let loop = TimerLoop()
    let r: ProbeView
    let y: ProbeView
    var log: Log { stage.log }

    init() {
        r = stage.view("R", 0, 0, 375, 667)
        y = stage.view("Y", 87.5, 233.5, 200, 200, in: r)
        r.logsTouches = false
        stage.app.mainLoop = loop
    }

    /// Attached, named and with a logged action.
    @discardableResult
    func add<Recognizer: UIGestureRecognizer>(
        _ recognizer: Recognizer, _ name: String, to view: UIView? = nil, logsState: Bool = false
    ) -> Recognizer {
        recognizer.name = name
        recognizer.addAction(
            UIAction { [unowned recognizer, log] _ in
                log.add("action \(name)" + (logsState ? " \(recognizer.state)" : ""))
            })
        (view ?? r).addGestureRecognizer(recognizer)
        return recognizer
    }

    func frame(_ acts: Stage.Act..., at seconds: Double) {
        loop.run(stage, until: seconds)
        stage.deliver(acts, at: seconds)
    }

    func tap(_ x: Double = 187, _ y: Double = 333, finger: Int = 1, down: Double = 0, up: Double = 0.08) {
        frame(.down(finger, x, y), at: down)
        frame(.up(finger), at: up)
    }

    func wait(until seconds: Double) { loop.run(stage, until: seconds) }

    /// The finger that landed last is the recogniser's no longer.
    func ignoreLast(by recognizer: UIGestureRecognizer, at seconds: Double) {
        wait(until: seconds)
        stage.run(at: seconds) {
            let tracker = stage.app.touchTracker
            recognizer.ignore(tracker.liveTouches[tracker.liveTouches.count - 1], for: tracker.event)
            stage.app.updateGestures()
        }
    }

    /// Steps of (x, y) points, one a frame of 1/60 s.
    func stroke(from x: Double, _ y: Double, by dx: Double, _ dy: Double, steps: Int, at start: Double = 0) {
        frame(.down(1, x, y), at: start)
        for step in 1...steps {
            frame(.move(1, x + dx * Double(step), y + dy * Double(step)), at: start + Double(step) / 60)
        }
        frame(.up(1), at: start + Double(steps + 1) / 60)
    }

    var isQuiet: Bool { stage.app.isGestureIdle && loop.count == 0 }
}

@Suite("Taps")
struct TapRecognizerTests {
    private let scene = Scene()
    private var log: Log { scene.log }

    @Test("S29: a tap acts as the finger lifts, and takes the touch from its view")
    func plain() {
        scene.add(UITapGestureRecognizer(), "tap")
        scene.tap()
        #expect(log.take() == ["touchesBegan Y", "action tap", "touchesCancelled Y"])
        #expect(scene.isQuiet)
    }

    @Test("S60: it may be held for 1.4 s and not for 1.6 s, moved by 44 pt and not by 46 pt")
    func limits() {
        scene.add(UITapGestureRecognizer(), "tap")
        scene.tap(up: 1.4)
        #expect(log.take() == ["touchesBegan Y", "action tap", "touchesCancelled Y"])
        scene.tap(down: 10, up: 11.6)
        #expect(log.take() == ["touchesBegan Y", "touchesEnded Y"])
        for (distance, acts) in [(44.0, true), (46, false)] {
            scene.frame(.down(1, 187, 333), at: 20 + distance)
            scene.frame(.move(1, 187 + distance, 333), at: 20.1 + distance)
            scene.frame(.up(1), at: 20.2 + distance)
            #expect(log.take().contains("action tap") == acts)
        }
        #expect(scene.isQuiet)
    }

    @Test("B16.2: a finger that outlasts a tap is not a fresh one when it lifts")
    func outlasted() {
        scene.add(UITapGestureRecognizer(), "tap")
        scene.frame(.down(1, 187, 333), at: 0)
        scene.wait(until: 5)
        scene.frame(.up(1), at: 5)
        #expect(log.take() == ["touchesBegan Y", "touchesEnded Y"])
    }

    @Test("its verdicts are in the trace, with measure and limit")
    func facts() {
        scene.add(UITapGestureRecognizer(), "tap")
        scene.frame(.down(1, 187, 333), at: 0)
        scene.frame(.move(1, 190, 333), at: 0.1)
        scene.frame(.move(1, 237, 333), at: 0.2)
        let facts = scene.stage.facts(.gesture)
        #expect(facts[0] == "touch 0 heard by tap on ProbeView \"R\"")
        #expect(facts[1] == "tap on ProbeView \"R\" undecided until 1500.000 ms")
        #expect(facts[2] == "tap on ProbeView \"R\" failed: moved 50.0 pt, limit 45.0 pt")
    }

    @Test("S35: an end is held while a second tap may come, and no longer")
    func heldEnd() {
        let double = scene.add(UITapGestureRecognizer(), "dbl")
        double.numberOfTapsRequired = 2
        scene.tap()
        #expect(log.take() == ["touchesBegan Y"])
        scene.wait(until: 0.4299)
        #expect(log.take() == [])
        scene.wait(until: 0.43)
        #expect(log.take() == ["touchesEnded Y"])
        scene.tap(down: 1, up: 1.08)
        scene.tap(down: 1.2, up: 1.28)
        #expect(
            log.take() == ["touchesBegan Y", "touchesBegan Y", "action dbl", "touchesCancelled Y"])
        double.delaysTouchesEnded = false
        scene.tap(down: 2, up: 2.08)
        scene.tap(down: 2.2, up: 2.28)
        #expect(
            log.take() == [
                "touchesBegan Y", "touchesEnded Y", "touchesBegan Y", "action dbl", "touchesCancelled Y",
            ])
        #expect(scene.isQuiet)
    }

    @Test("S35f: a second press that drags lets the first one's end go, and is then the view's alone")
    func secondPressDrags() {
        scene.add(UITapGestureRecognizer(), "dbl").numberOfTapsRequired = 2
        scene.tap()
        scene.frame(.down(2, 187, 333), at: 0.2)
        scene.frame(.move(2, 247, 333), at: 0.25)
        scene.frame(.move(2, 250, 333), at: 0.3)
        scene.frame(.up(2), at: 0.35)
        #expect(
            log.take() == [
                "touchesBegan Y", "touchesBegan Y", "touchesEnded Y", "touchesMoved Y", "touchesMoved Y",
                "touchesEnded Y",
            ])
    }

    @Test("S50: a single and a double tap that know nothing of each other both act")
    func singleAndDouble() {
        scene.add(UITapGestureRecognizer(), "s")
        scene.add(UITapGestureRecognizer(), "d").numberOfTapsRequired = 2
        scene.tap()
        scene.tap(down: 0.2, up: 0.28)
        #expect(
            log.take() == [
                "touchesBegan Y", "action s", "touchesCancelled Y", "touchesBegan Y", "action d",
                "touchesCancelled Y",
            ])
    }

    @Test("S51: a single tap that waits for a double one acts 0.35 s after the lift, or not at all")
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
        #expect(log.take() == ["touchesBegan Y"])
        scene.wait(until: 0.43)
        #expect(
            log.take() == ["action s", "1 at 187.0 333.0", "touchesCancelled Y"])
        scene.tap(down: 1, up: 1.08)
        scene.tap(down: 1.2, up: 1.28)
        scene.wait(until: 3)
        #expect(log.take() == ["touchesBegan Y", "touchesBegan Y", "action d", "touchesCancelled Y"])
        #expect(scene.isQuiet)
    }

    /// What an app may write: the public interface alone, and a timer of its own.
    private final class ShortTap: UITapGestureRecognizer {
        let loop: TimerLoop
        unowned let app: UIApplication
        init(_ scene: Scene) {
            (loop, app) = (scene.loop, scene.stage.app)
            super.init(target: nil, action: nil)
            numberOfTapsRequired = 2
        }
        override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
            super.touchesBegan(touches, with: event)
            let due = app.now.advanced(by: .milliseconds(200))
            _ = loop.schedule(at: due, every: nil, modes: [.common]) { [weak self] in
                if let self, state != .recognized { state = .failed }
            }
        }
    }

    @Test("S52: a subclass that fails 0.2 s after landing lets the single tap act then")
    func shortDouble() {
        let single = scene.add(UITapGestureRecognizer(), "s")
        single.require(toFail: scene.add(ShortTap(scene), "d"))
        scene.tap()
        scene.wait(until: 0.1999)
        #expect(log.take() == ["touchesBegan Y"])
        scene.wait(until: 0.2)
        #expect(log.take() == ["action s", "touchesCancelled Y"])
        // Both within 0.2 s of the first landing.
        scene.tap(down: 1, up: 1.06)
        scene.tap(down: 1.12, up: 1.18)
        scene.wait(until: 2)
        #expect(log.take() == ["touchesBegan Y", "touchesBegan Y", "action d", "touchesCancelled Y"])
        // The second comes too late, and is a fresh attempt; the late timers find idle recognisers.
        scene.tap(down: 3, up: 3.08)
        scene.tap(down: 3.21, up: 3.29)
        #expect(log.take() == ["touchesBegan Y", "action s", "touchesCancelled Y", "touchesBegan Y"])
        scene.wait(until: 3.41)
        #expect(log.take() == ["action s", "touchesCancelled Y"])
        scene.wait(until: 5)
        #expect(log.take() == [] && scene.isQuiet)
        scene.tap(down: 6, up: 6.05)
        scene.tap(down: 6.1, up: 6.15)
        #expect(log.take() == ["touchesBegan Y", "touchesBegan Y", "action d", "touchesCancelled Y"])
    }

    @Test("B7.5: a tap prevents no tap that needs more taps of as many fingers, and everything else")
    func prevention() {
        let (one, two, pair) = (UITapGestureRecognizer(), UITapGestureRecognizer(), UITapGestureRecognizer())
        two.numberOfTapsRequired = 2
        (pair.numberOfTapsRequired, pair.numberOfTouchesRequired) = (2, 2)
        #expect(!one.canPrevent(two) && two.canPrevent(one) && one.canPrevent(one))
        #expect(one.canPrevent(pair) && one.canPrevent(UIPanGestureRecognizer()))
        #expect(one.canBePrevented(by: two))
    }

    @Test("S93: a view that takes one finger does not hear of the second, and its two-finger tap does")
    func twoFingers() {
        let tap = scene.add(UITapGestureRecognizer(), "tap2", to: scene.y)
        tap.numberOfTouchesRequired = 2
        var place = CGPoint.zero
        tap.addAction(UIAction { [unowned tap] _ in place = tap.location(in: nil) })
        scene.frame(.down(1, 100, 300), at: 0)
        scene.frame(.down(2, 140, 300), at: 0.02)
        scene.frame(.up(1), at: 0.08)
        scene.frame(.up(2), at: 0.1)
        #expect(log.take() == ["touchesBegan Y", "action tap2", "touchesCancelled Y"])
        #expect(place == CGPoint(x: 120, y: 300))
    }

    @Test("B8.3: one of two fingers that is ignored was never there: the other alone is no two-finger tap")
    func ignoredFinger() {
        let tap = scene.add(UITapGestureRecognizer(), "tap2", to: scene.y)
        tap.numberOfTouchesRequired = 2
        scene.frame(.down(1, 100, 300), at: 0)
        scene.frame(.down(2, 140, 300), at: 0.02)
        scene.ignoreLast(by: tap, at: 0.04)
        #expect(tap.numberOfTouches == 1)
        scene.frame(.up(2), at: 0.06)
        scene.frame(.up(1), at: 0.08)
        #expect(log.take() == ["touchesBegan Y", "touchesEnded Y"] && scene.isQuiet)
        #expect(scene.stage.facts(.gesture).contains { $0.hasSuffix("failed: lifted with 1 finger, needs 2") })
    }

    @Test("S82: interrupted, a possible tap fails")
    func interrupted() {
        let tap = scene.add(UITapGestureRecognizer(), "tap")
        scene.frame(.down(1, 187, 333), at: 0)
        scene.frame(.cancel(1), at: 0.05)
        #expect(log.take() == ["touchesBegan Y", "touchesCancelled Y"])
        #expect(tap.state == .possible && scene.isQuiet)
    }

    @Test("a pointer's second button is no tap, and a tap may ask for it")
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
        #expect(log.take() == ["touchesBegan Y", "touchesEnded Y"])
        #expect(scene.stage.facts(.gesture).contains { $0.hasSuffix("failed: button mask 2, needs 1") })
        tap.buttonMaskRequired = .secondary
        scene.tap(down: 1, up: 1.1)
        #expect(log.take() == ["touchesBegan Y", "action tap", "touchesCancelled Y"])
    }

    @Test("S48: a tap and a swipe on parent and child do not conflict")
    func withSwipe() {
        scene.add(UISwipeGestureRecognizer(), "swipe", to: scene.r)
        scene.add(UITapGestureRecognizer(), "tap", to: scene.y)
        scene.tap()
        #expect(log.take().filter { $0.hasPrefix("action") } == ["action tap"])
        scene.stroke(from: 120, 333, by: 20, 0, steps: 5, at: 1)
        #expect(log.take().filter { $0.hasPrefix("action") } == ["action swipe"])
    }

    @Test("defaults are Apple's")
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

@Suite("Long presses")
struct LongPressRecognizerTests {
    private let scene = Scene()
    private var log: Log { scene.log }

    @Test("S59: it begins by its timer, changes as the finger moves, and ends as it lifts")
    func plain() {
        scene.add(UILongPressGestureRecognizer(), "lp", logsState: true)
        scene.frame(.down(1, 187, 333), at: 0)
        scene.wait(until: 0.4999)
        #expect(log.take() == ["touchesBegan Y"])
        scene.wait(until: 0.5)
        #expect(log.take() == ["action lp began", "touchesCancelled Y"])
        scene.frame(.move(1, 290, 333), at: 0.6)
        scene.frame(.move(1, 187, 333), at: 0.7)
        scene.frame(.up(1), at: 0.8)
        #expect(log.take() == ["action lp changed", "action lp changed", "action lp ended"])
        #expect(scene.isQuiet)
    }

    @Test("S59: moved or lifted too soon it fails, and the view has its end")
    func failures() {
        scene.add(UILongPressGestureRecognizer(), "lp")
        scene.frame(.down(1, 187, 333), at: 0)
        scene.frame(.move(1, 198, 333), at: 0.2)
        scene.wait(until: 2)
        scene.frame(.up(1), at: 2)
        #expect(log.take() == ["touchesBegan Y", "touchesMoved Y", "touchesEnded Y"])
        scene.tap(down: 5, up: 5.4)
        #expect(log.take() == ["touchesBegan Y", "touchesEnded Y"])
        #expect(scene.isQuiet)
    }

    @Test("S91: the timer only sets the state; the action waits for the update before the loop waits")
    func placement() {
        let press = scene.add(UILongPressGestureRecognizer(), "lp")
        scene.frame(.down(1, 187, 333), at: 0)
        let timers = HeldLoop(scene.stage)
        scene.stage.app.mainLoop = timers
        scene.frame(.up(1), at: 0.1)
        scene.frame(.down(2, 187, 333), at: 1)
        timers.fire(at: 1.5)
        #expect(press.state == .began && !log.lines.contains("action lp"))
        scene.stage.run(at: 1.5) { scene.stage.app.updateGestures() }
        #expect(log.take().suffix(2) == ["action lp", "touchesCancelled Y"])
    }

    /// Timers without the update that follows them.
    private final class HeldLoop: MainLoopScheduling {
        let stage: Stage
        private var pending: [() -> Void] = []
        init(_ stage: Stage) { self.stage = stage }
        func fire(at seconds: Double) {
            let due = pending
            pending = []
            stage.run(at: seconds) { for fire in due { fire() } }
        }
        func schedule(
            at instant: Instant, every interval: Duration?, modes: [RunLoop.Mode], _ fire: @escaping () -> Void
        ) -> UInt64 {
            pending.append(fire)
            return 1
        }
        func invalidate(_ timer: UInt64) { pending = [] }
        func perform(modes: [RunLoop.Mode], _ block: @escaping () -> Void) {}
        func async(_ block: @escaping () -> Void) {}
        func requestFrame() {}
        func pushMode(_ mode: RunLoop.Mode) {}
        func popMode(_ mode: RunLoop.Mode) {}
        func run(mode: RunLoop.Mode, before limit: Instant) -> MainLoopRun { .finished }
    }

    @Test("B8.3: one of two fingers that is ignored was never there: the other alone presses for nothing")
    func ignoredFinger() {
        let press = scene.add(UILongPressGestureRecognizer(), "lp")
        press.numberOfTouchesRequired = 2
        scene.frame(.down(1, 100, 300), at: 0)
        scene.frame(.down(2, 140, 300), at: 0.02)
        scene.ignoreLast(by: press, at: 0.04)
        scene.wait(until: 2)
        scene.frame(.up(2), at: 2)
        scene.frame(.up(1), at: 2.1)
        #expect(log.take() == ["touchesBegan Y", "touchesEnded Y"] && scene.isQuiet)
    }

    private final class Immediate: UILongPressGestureRecognizer {
        override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
            super.touchesBegan(touches, with: event)
            state = .began
        }
    }

    @Test("a subclass that begins at once changes with every move, and says nothing as its time comes")
    func begunAtOnce() {
        scene.add(Immediate(), "lp", logsState: true)
        scene.y.logsTouches = false
        scene.frame(.down(1, 187, 333), at: 0)
        #expect(log.take() == ["action lp began"])
        scene.frame(.move(1, 190, 333), at: 0.2)
        #expect(log.take() == ["action lp changed"])
        scene.wait(until: 1)
        #expect(log.take() == [])
        scene.frame(.move(1, 260, 333), at: 1.1)
        scene.frame(.up(1), at: 1.2)
        #expect(log.take() == ["action lp changed", "action lp ended"] && scene.isQuiet)
    }

    @Test("taps that go before are asked for")
    func tapsBefore() {
        let press = scene.add(UILongPressGestureRecognizer(), "lp")
        press.numberOfTapsRequired = 1
        press.minimumPressDuration = 0.3
        scene.frame(.down(1, 187, 333), at: 0)
        scene.wait(until: 1)
        scene.frame(.up(1), at: 1)
        scene.wait(until: 2)
        #expect(!log.take().contains("action lp"))
        scene.tap(down: 3, up: 3.08)
        scene.frame(.down(1, 187, 333), at: 3.2)
        scene.wait(until: 3.5)
        #expect(log.take().contains("action lp"))
    }

    @Test("a finger that joins after it began is not its own: only the first is taken from the view")
    func extraFinger() {
        scene.y.isMultipleTouchEnabled = true
        let press = scene.add(UILongPressGestureRecognizer(), "lp", logsState: true)
        scene.frame(.down(1, 187, 333), at: 0)
        scene.wait(until: 0.5)
        scene.frame(.down(2, 200, 350), at: 0.6)
        #expect(press.numberOfTouches == 1)
        scene.frame(.up(2), at: 0.7)
        scene.frame(.up(1), at: 0.8)
        #expect(
            log.take() == [
                "touchesBegan Y", "action lp began", "touchesCancelled Y", "touchesBegan Y", "touchesEnded Y",
                "action lp ended",
            ])
    }
}

@Suite("Pans")
struct PanRecognizerTests {
    private let scene = Scene()
    private var log: Log { scene.log }

    @Test("S31: three moves reach the view, the fourth begins the pan, and then the view hears no more")
    func plain() {
        scene.add(UIPanGestureRecognizer(), "pan", logsState: true)
        scene.stroke(from: 140, 333, by: 3, 0, steps: 6)
        #expect(
            log.take() == [
                "touchesBegan Y", "touchesMoved Y", "touchesMoved Y", "touchesMoved Y", "action pan began",
                "touchesCancelled Y", "action pan changed", "action pan changed", "action pan ended",
            ])
        #expect(scene.isQuiet)
    }

    @Test("S32: one that cancels nothing leaves the view everything")
    func withoutCancel() {
        scene.add(UIPanGestureRecognizer(), "pan").cancelsTouchesInView = false
        scene.stroke(from: 140, 333, by: 3, 0, steps: 5)
        #expect(
            log.take() == [
                "touchesBegan Y", "touchesMoved Y", "touchesMoved Y", "touchesMoved Y", "action pan",
                "touchesMoved Y", "action pan", "touchesMoved Y", "action pan", "touchesEnded Y",
            ])
    }

    @Test("S33: one that delays keeps the touch for itself, and S33b: gives it back when it fails")
    func delays() {
        scene.add(UIPanGestureRecognizer(), "pan").delaysTouchesBegan = true
        scene.stroke(from: 140, 333, by: 3, 0, steps: 6)
        #expect(log.take() == ["action pan", "action pan", "action pan", "action pan"])
        scene.tap(down: 2, up: 2.08)
        #expect(log.take() == ["touchesBegan Y", "touchesEnded Y"])
    }

    @Test("S34: less than its hysteresis, it never acts, and holds no end back")
    func tooShort() {
        scene.add(UIPanGestureRecognizer(), "pan")
        scene.stroke(from: 140, 333, by: 3, 0, steps: 3)
        #expect(
            log.take() == ["touchesBegan Y", "touchesMoved Y", "touchesMoved Y", "touchesMoved Y", "touchesEnded Y"])
    }

    @Test("S49a: a pan that waits for a swipe never acts on a fast stroke")
    func losesToSwipe() {
        let pan = scene.add(UIPanGestureRecognizer(), "pan")
        pan.require(toFail: scene.add(UISwipeGestureRecognizer(), "swipe"))
        scene.stroke(from: 120, 333, by: 8, 0, steps: 10)
        #expect(log.take().filter { $0.hasPrefix("action") } == ["action swipe"])
        #expect(scene.isQuiet)
    }

    @Test("S49b: the swipe fails at the first step back, and the pan begins by itself")
    func winsOverSwipe() {
        let pan = scene.add(UIPanGestureRecognizer(), "pan", logsState: true)
        pan.require(toFail: scene.add(UISwipeGestureRecognizer(), "swipe"))
        pan.addAction(UIAction { [unowned pan, log] _ in log.add("\(pan.translation(in: nil).x)") })
        scene.y.logsTouches = false
        scene.stroke(from: 220, 333, by: -8, 0, steps: 4)
        #expect(
            log.take() == [
                "action pan began", "-6.0", "action pan changed", "-14.0", "action pan changed", "-22.0",
                "action pan ended", "-22.0",
            ])
    }

    @Test("S49c: a slow stroke is no swipe at its first move after half a second, and the pan goes on from there")
    func slow() {
        let pan = scene.add(UIPanGestureRecognizer(), "pan", logsState: true)
        pan.require(toFail: scene.add(UISwipeGestureRecognizer(), "swipe"))
        scene.y.logsTouches = false
        scene.frame(.down(1, 120, 333), at: 0)
        for step in 1...30 { scene.frame(.move(1, 120 + Double(step) / 2, 333), at: Double(step) / 60) }
        #expect(log.take() == [])
        scene.frame(.move(1, 135.5, 333), at: 31.0 / 60)
        // It was blocked from began to changed: it owes both.
        #expect(log.take() == ["action pan began", "action pan changed"])
        #expect(pan.translation(in: nil) == .zero)
    }

    @Test("S54: of two pans that begin in one event the inner one wins; across time the first does")
    func nested() {
        scene.add(UIPanGestureRecognizer(), "outer", to: scene.r)
        let inner = scene.add(UIPanGestureRecognizer(), "inner", to: scene.y)
        scene.y.logsTouches = false
        scene.stroke(from: 140, 333, by: 12, 0, steps: 2)
        #expect(log.take() == ["action inner", "action inner", "action inner"])
        inner.minimumNumberOfTouches = 2
        scene.frame(.down(1, 140, 333), at: 1)
        scene.frame(.move(1, 160, 333), at: 1.1)
        scene.frame(.down(2, 200, 333), at: 1.2)
        scene.frame(.move(1, 200, 333), .move(2, 240, 333), at: 1.3)
        scene.frame(.up(1), .up(2), at: 1.4)
        #expect(Set(log.take()) == ["action outer"])
        #expect(scene.isQuiet)
    }

    @Test("S56: disabled while it changes it is cancelled, and says so; its fingers are nobody's")
    func disabled() {
        let pan = scene.add(UIPanGestureRecognizer(), "pan", logsState: true)
        scene.frame(.down(1, 140, 333), at: 0)
        scene.frame(.move(1, 160, 333), at: 0.1)
        scene.frame(.move(1, 170, 333), at: 0.2)
        _ = log.take()
        scene.stage.run(at: 0.25) {
            pan.isEnabled = false
            scene.stage.app.updateGestures()
        }
        #expect(log.take() == ["action pan cancelled"])
        pan.isEnabled = true
        scene.frame(.move(1, 220, 333), at: 0.3)
        scene.frame(.up(1), at: 0.4)
        #expect(log.take() == [] && pan.state == .possible && scene.isQuiet)
    }

    @Test("S81: interrupted while it changes it is cancelled; the view had its cancel already")
    func interrupted() {
        scene.add(UIPanGestureRecognizer(), "pan", logsState: true)
        scene.frame(.down(1, 140, 333), at: 0)
        scene.frame(.move(1, 160, 333), at: 0.1)
        scene.frame(.move(1, 170, 333), at: 0.2)
        scene.frame(.cancel(1), at: 0.3)
        #expect(
            log.take() == [
                "touchesBegan Y", "action pan began", "touchesCancelled Y", "action pan changed",
                "action pan cancelled",
            ])
    }

    @Test("S58: fingers beyond the most it takes stay the view's, though it recognises")
    func maximum() {
        scene.y.isMultipleTouchEnabled = true
        let pan = scene.add(UIPanGestureRecognizer(), "pan")
        pan.maximumNumberOfTouches = 1
        scene.frame(.down(1, 140, 333), at: 0)
        scene.frame(.move(1, 160, 333), at: 0.1)
        scene.frame(.down(2, 200, 333), at: 0.2)
        #expect(pan.numberOfTouches == 1)
        scene.y.onTouches = { [log] touches, _ in log.add("\(touches.map { $0.location(in: nil).x })") }
        scene.frame(.move(2, 210, 333), at: 0.3)
        scene.frame(.move(1, 170, 333), at: 0.4)
        #expect(
            log.take() == [
                "touchesBegan Y", "action pan", "touchesCancelled Y", "touchesBegan Y", "touchesMoved Y", "[210.0]",
                "action pan",
            ])
    }

    @Test("a finger too many fails a pan that has not begun")
    func tooMany() {
        scene.y.isMultipleTouchEnabled = true
        let pan = scene.add(UIPanGestureRecognizer(), "pan")
        pan.maximumNumberOfTouches = 1
        scene.frame(.down(1, 140, 333), at: 0)
        scene.frame(.down(2, 200, 333), at: 0.1)
        scene.frame(.move(1, 160, 333), at: 0.2)
        #expect(log.take() == ["touchesBegan Y", "touchesBegan Y", "touchesMoved Y"])
        scene.frame(.up(1), at: 0.3)
        scene.frame(.up(2), at: 0.4)
        #expect(log.take() == ["touchesEnded Y", "touchesEnded Y"] && scene.isQuiet)
        // The next attempt is a fresh one.
        scene.stroke(from: 140, 333, by: 6, 0, steps: 3)
        #expect(log.take().contains("action pan"))
    }

    @Test("a swipe's touches are where they landed")
    func swipeLocations() {
        scene.y.logsTouches = false
        let swipe = scene.add(UISwipeGestureRecognizer(), "swipe")
        swipe.addAction(
            UIAction { [unowned swipe, log] _ in
                let places = [swipe.location(in: nil), swipe.location(ofTouch: 0, in: nil)]
                log.add(places.map { "\($0.x) \($0.y)" }.joined(separator: ", "))
            })
        scene.stroke(from: 140, 333, by: 15, 0, steps: 4)
        #expect(log.take() == ["action swipe", "140.0 333.0, 140.0 333.0"])
    }

    private final class Immediate: UIPanGestureRecognizer {
        override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
            super.touchesBegan(touches, with: event)
            state = .began
        }
    }

    @Test("a subclass that begins at once has no hysteresis: 6 pt are a translation of 6 pt")
    func begunAtOnce() {
        let pan = scene.add(Immediate(), "pan", logsState: true)
        pan.addAction(UIAction { [unowned pan, log] _ in log.add("\(pan.translation(in: nil).x)") })
        scene.y.logsTouches = false
        scene.stroke(from: 140, 333, by: 6, 0, steps: 1)
        #expect(
            log.take() == ["action pan began", "0.0", "action pan changed", "6.0", "action pan ended", "6.0"])
        #expect(scene.isQuiet)
    }

    @Test("a translation that is set as a subclass begins is where it goes on from")
    func setAtOnce() {
        let pan = scene.add(Immediate(), "pan")
        pan.addAction(
            UIAction { [unowned pan] _ in
                if pan.state == .began { pan.setTranslation(CGPoint(x: 100, y: 0), in: nil) }
            })
        scene.frame(.down(1, 140, 333), at: 0)
        scene.frame(.move(1, 146, 333), at: 0.1)
        #expect(pan.translation(in: nil) == CGPoint(x: 106, y: 0))
    }

    private final class Brief: UIPanGestureRecognizer {
        var last = State.failed
        override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
            super.touchesMoved(touches, with: event)
            if location(in: nil).x >= 170 { state = last }
        }
    }

    @Test(
        "a subclass that gives up early says so, and nothing after it",
        arguments: [(UIGestureRecognizer.State.ended, "ended"), (.failed, "cancelled")])
    func overEarly(state: UIGestureRecognizer.State, said: String) {
        scene.add(Brief(), "pan", logsState: true).last = state
        scene.y.logsTouches = false
        scene.stroke(from: 140, 333, by: 16, 0, steps: 4)
        #expect(log.take() == ["action pan began", "action pan \(said)"] && scene.isQuiet)
    }

    @Test("a finger that lifts is no longer one of its touches, and the place of the last is known still")
    func liftedFingers() {
        scene.y.isMultipleTouchEnabled = true
        let pan = scene.add(UIPanGestureRecognizer(), "pan", logsState: true)
        pan.addAction(
            UIAction { [unowned pan, log] _ in
                log.add("\(pan.numberOfTouches) at \(pan.location(in: nil).x)")
                for index in 0..<pan.numberOfTouches { log.add("\(pan.location(ofTouch: index, in: nil).x)") }
            })
        scene.y.logsTouches = false
        scene.frame(.down(1, 100, 333), .down(2, 200, 333), at: 0)
        scene.frame(.move(1, 120, 333), .move(2, 220, 333), at: 0.1)
        #expect(log.take() == ["action pan began", "2 at 170.0", "120.0", "220.0"])
        scene.frame(.up(1), .move(2, 230, 333), at: 0.2)
        #expect(log.take() == ["action pan changed", "1 at 230.0", "230.0"])
        scene.frame(.upAt(2, 231, 333), at: 0.3)
        #expect(log.take() == ["action pan ended", "0 at 231.0"])
    }

    @Test("a place in a view of another window is where that is on the screen")
    func otherWindow() {
        let other = scene.stage.run {
            let window = UIWindow(frame: CGRect(x: 100, y: 50, width: 200, height: 200))
            window.isHidden = false
            window.isUserInteractionEnabled = false
            return window
        }
        let inner = scene.stage.view("I", 10, 10, 50, 50, in: other)
        let place = CGPoint(x: 187 - 110, y: 333 - 60)
        let (tap, swipe) = (UITapGestureRecognizer(), UISwipeGestureRecognizer())
        scene.add(tap, "tap")
        scene.add(swipe, "swipe")
        for recognizer in [tap, swipe] {
            recognizer.addAction(
                UIAction { [unowned recognizer, log] _ in
                    log.add("\(recognizer.location(in: inner) == place) \(recognizer.location(in: nil).x)")
                })
        }
        scene.y.logsTouches = false
        scene.tap()
        #expect(log.take() == ["action tap", "true 187.0"])
        scene.stroke(from: 187, 333, by: 20, 0, steps: 3, at: 1)
        #expect(log.take() == ["action swipe", "true 187.0"])
        let (pan, hover) = (scene.add(UIPanGestureRecognizer(), "pan"), scene.add(UIHoverGestureRecognizer(), "hover"))
        let (pinch, rotation) = (UIPinchGestureRecognizer(), UIRotationGestureRecognizer())
        scene.add(pinch, "pinch")
        scene.add(rotation, "rotation")
        scene.stage.run(at: 2) {
            let point = CGPoint(x: 187, y: 333)
            pan.scrolled(by: CGPoint(x: 5, y: 0), phase: .began, at: point)
            hover.hovered(at: point, phase: .began)
            pinch.transformed(scale: 2, rotation: 0, phase: .began, at: point)
            rotation.transformed(scale: 1, rotation: 2, phase: .began, at: point)
        }
        for recognizer in [pan, hover, pinch, rotation] { #expect(recognizer.location(in: inner) == place) }
        #expect(pan.translation(in: inner) == CGPoint(x: 5, y: 0))
    }

    @Test("translation and velocity are along the axes of the view they are asked in")
    func axes() {
        let pan = scene.add(UIPanGestureRecognizer(), "pan")
        scene.y.transform = CGAffineTransform(rotationAngle: .pi / 2).scaledBy(x: 2, y: 2)
        scene.frame(.down(1, 140, 333), at: 0)
        scene.frame(.move(1, 160, 333), at: 0.02)
        func isNear(_ a: CGPoint, _ x: CGFloat, _ y: CGFloat) -> Bool { abs(a.x - x) < 1e-9 && abs(a.y - y) < 1e-9 }
        #expect(isNear(pan.translation(in: nil), 10, 0) && isNear(pan.translation(in: scene.r), 10, 0))
        #expect(isNear(pan.translation(in: scene.y), 0, -5))
        #expect(isNear(pan.velocity(in: scene.r), 1000, 0) && isNear(pan.velocity(in: scene.y), 0, -500))
        pan.setTranslation(CGPoint(x: 3, y: 0), in: scene.y)
        #expect(isNear(pan.translation(in: scene.y), 3, 0) && isNear(pan.translation(in: nil), 0, 6))
        scene.frame(.move(1, 170, 333), at: 0.04)
        #expect(isNear(pan.translation(in: nil), 10, 6))
        #expect(pan.location(in: nil) == CGPoint(x: 170, y: 333))
    }

    @Test("what a delegate sees of it as it is asked whether it may begin is what it begins with")
    func inShouldBegin() {
        final class Delegate: NSObject, UIGestureRecognizerDelegate {
            var seen: CGPoint?
            func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
                seen = (gestureRecognizer as? UIPanGestureRecognizer)?.translation(in: nil)
                return false
            }
        }
        let delegate = Delegate()
        let pan = scene.add(UIPanGestureRecognizer(), "pan")
        pan.delegate = delegate
        scene.frame(.down(1, 140, 333), at: 0)
        scene.frame(.move(1, 143, 353), at: 0.1)
        #expect(delegate.seen == CGPoint(x: 0, y: 10))
        scene.frame(.move(1, 143, 373), at: 0.2)
        scene.frame(.up(1), at: 0.3)
        #expect(log.take() == ["touchesBegan Y", "touchesMoved Y", "touchesMoved Y", "touchesEnded Y"])
        #expect(pan.state == .possible && scene.isQuiet)
    }

    @Test("an edge pan comes in over its edge, and elsewhere leaves the touch to others at once")
    func edge() {
        let pan = scene.add(UIScreenEdgePanGestureRecognizer(), "edge", logsState: true)
        pan.edges = .left
        scene.y.logsTouches = false
        scene.stroke(from: 5, 333, by: 6, 0, steps: 3)
        #expect(log.take() == ["action edge began", "action edge changed", "action edge ended"])
        scene.stroke(from: 50, 333, by: 6, 0, steps: 3, at: 1)
        #expect(log.take() == [] && scene.isQuiet)
        #expect(
            scene.stage.facts(.gesture).contains {
                $0.hasSuffix("failed: landed 50.0 pt from the edge, limit 13.0 pt")
            })
    }

    @Test("a recogniser that ignores the touch it has is out of the game")
    func ignoring() {
        let pan = scene.add(UIPanGestureRecognizer(), "pan")
        scene.frame(.down(1, 140, 333), at: 0)
        let event = scene.stage.app.touchTracker.event
        scene.stage.run(at: 0.1) {
            pan.ignore(scene.stage.app.touchTracker.liveTouches[0], for: event)
            scene.stage.app.updateGestures()
        }
        #expect(pan.state == .possible && scene.isQuiet)
        scene.frame(.move(1, 180, 333), at: 0.2)
        scene.frame(.up(1), at: 0.3)
        #expect(log.take() == ["touchesBegan Y", "touchesMoved Y", "touchesEnded Y"])
    }
}

@Suite("Pinches and rotations")
struct TwoFingerRecognizerTests {
    private let scene = Scene()
    private var log: Log { scene.log }

    private final class Together: NSObject, UIGestureRecognizerDelegate {
        func gestureRecognizer(
            _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
        ) -> Bool { true }
    }

    @Test("a pinch begins at a scale of 1, ends when both have lifted, and one finger left says nothing")
    func pinch() {
        let pinch = scene.add(UIPinchGestureRecognizer(), "pinch", logsState: true)
        scene.y.logsTouches = false
        scene.frame(.down(1, 100, 333), at: 0)
        scene.frame(.down(2, 192, 333), at: 0.02)
        scene.frame(.move(2, 200, 333), at: 0.04)
        #expect(log.take() == ["action pinch began"] && pinch.scale == 1)
        #expect(pinch.location(in: nil) == CGPoint(x: 150, y: 333))
        scene.frame(.move(2, 300, 333), at: 0.06)
        #expect(pinch.scale == 2 && pinch.velocity > 0)
        pinch.scale = 1
        scene.frame(.up(2), at: 0.08)
        scene.frame(.move(1, 90, 333), at: 0.1)
        #expect(log.take() == ["action pinch changed"] && pinch.scale == 1)
        scene.frame(.up(1), at: 0.12)
        #expect(log.take() == ["action pinch ended"] && scene.isQuiet)
    }

    @Test("S55: a pan and a pinch that a delegate lets together both act, in the order they were added")
    func together() {
        let delegate = Together()
        let pan = scene.add(UIPanGestureRecognizer(), "pan", to: scene.y)
        pan.delegate = delegate
        scene.add(UIPinchGestureRecognizer(), "pinch", to: scene.y)
        scene.y.logsTouches = false
        scene.frame(.down(1, 100, 333), at: 0)
        scene.frame(.down(2, 200, 333), at: 0.02)
        scene.frame(.move(1, 100, 350), .move(2, 240, 350), at: 0.04)
        #expect(log.take() == ["action pan", "action pinch"])
        pan.delegate = nil
        scene.frame(.up(1), .up(2), at: 0.06)
        _ = log.take()
        scene.frame(.down(1, 100, 333), at: 1)
        scene.frame(.down(2, 200, 333), at: 1.02)
        scene.frame(.move(1, 100, 350), .move(2, 240, 350), at: 1.04)
        #expect(log.take() == ["action pinch"])
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
        #expect(log.take() == ["action pinch began", "action pinch changed"] && pinch.scale == 1.04)
        scene.frame(.up(1), .up(2), at: 0.04)
        #expect(log.take() == ["action pinch ended"] && scene.isQuiet)
    }

    @Test("a rotation counts from where it began, clockwise")
    func rotation() {
        let rotation = scene.add(UIRotationGestureRecognizer(), "rotation", logsState: true)
        scene.y.logsTouches = false
        scene.frame(.down(1, 150, 333), at: 0)
        scene.frame(.down(2, 250, 333), at: 0)
        scene.frame(.move(2, 250, 353), at: 0.02)
        #expect(log.take() == ["action rotation began"] && rotation.rotation == 0)
        scene.frame(.move(2, 250, 433), at: 0.04)
        #expect(abs(rotation.rotation - (.pi / 4 - 0.19739555984988075)) < 1e-12 && rotation.velocity > 0)
        rotation.rotation = 0
        scene.frame(.move(2, 250, 333), at: 0.06)
        #expect(abs(rotation.rotation + .pi / 4) < 1e-12)
    }

    @Test("a third finger is the view's alone")
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
            log.take() == [
                "touchesBegan Y", "touchesBegan Y", "touchesBegan Y", "action pinch", "touchesCancelled Y",
                "touchesMoved Y",
            ])
    }
}

@Suite("Timers of recognisers")
struct RecognizerTimerTests {
    /// As an app's own loop, it holds the application, which does not hold it.
    private final class OwningLoop: MainLoopScheduling {
        let stage: Stage
        private(set) var armed: [UInt64: () -> Void] = [:]
        private var next: UInt64 = 0
        init(_ stage: Stage) { self.stage = stage }
        func schedule(
            at instant: Instant, every interval: Duration?, modes: [RunLoop.Mode], _ fire: @escaping () -> Void
        ) -> UInt64 {
            next += 1
            armed[next] = fire
            return next
        }
        func invalidate(_ timer: UInt64) { armed[timer] = nil }
        func perform(modes: [RunLoop.Mode], _ block: @escaping () -> Void) {}
        func async(_ block: @escaping () -> Void) {}
        func requestFrame() {}
        func pushMode(_ mode: RunLoop.Mode) {}
        func popMode(_ mode: RunLoop.Mode) {}
        func run(mode: RunLoop.Mode, before limit: Instant) -> MainLoopRun { .finished }
    }

    private final class Weak {
        weak var application: UIApplication?
        weak var window: UIWindow?
        weak var loop: OwningLoop?
    }

    private func tearDown(holding recognizer: UIGestureRecognizer) -> Weak {
        let loop = OwningLoop(Stage())
        loop.stage.app.mainLoop = loop
        loop.stage.view("R", 0, 0, 375, 667).addGestureRecognizer(recognizer)
        loop.stage.frame(.down(1, 100, 100), at: 0)
        #expect(loop.armed.count == 1)
        let left = Weak()
        (left.application, left.window, left.loop) = (loop.stage.app, loop.stage.window, loop)
        return left
    }

    @Test("an app that is torn down while a tap or a long press waits for its timer goes whole")
    func tornDown() {
        for make in [{ UITapGestureRecognizer() }, { UILongPressGestureRecognizer() }] as [() -> UIGestureRecognizer] {
            let left = tearDown(holding: make())
            #expect(left.application == nil && left.window == nil && left.loop == nil)
        }
    }
}
