import Basics
import HID
import Testing
import TouchlineTesting
import Trace

@testable import UIKit

@Suite("Pans")
struct PanRecognizerTests {
    private let scene = RecognizerScene()
    private var log: Log { scene.log }

    @Test("S31: a pan begins at the fourth move and cancels the view")
    func plain() {
        scene.add(UIPanGestureRecognizer(), "pan", logsState: true)
        scene.stroke(from: 140, 333, by: 3, 0, steps: 6)
        #expect(
            log.drain() == [
                "touchesBegan Y", "touchesMoved Y", "touchesMoved Y", "touchesMoved Y", "action pan began",
                "touchesCancelled Y", "action pan changed", "action pan changed", "action pan ended",
            ])
        #expect(scene.isQuiet)
    }

    @Test("a pan subclass that forwards each move acts as a plain pan")
    func subclass() {
        final class Forwarding: UIPanGestureRecognizer {
            var moves = 0
            override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
                moves += 1
                super.touchesMoved(touches, with: event)
            }
        }
        let other = RecognizerScene()
        scene.add(UIPanGestureRecognizer(), "pan", logsState: true)
        let forwarding = other.add(Forwarding(), "pan", logsState: true)
        for scene in [scene, other] { scene.stroke(from: 140, 333, by: 3, 0, steps: 6) }
        #expect(log.drain() == other.log.drain())
        #expect(forwarding.moves == 6)
    }

    @Test("S32: a pan without cancelsTouchesInView leaves the view every touch")
    func withoutCancel() {
        scene.add(UIPanGestureRecognizer(), "pan").cancelsTouchesInView = false
        scene.stroke(from: 140, 333, by: 3, 0, steps: 5)
        #expect(
            log.drain() == [
                "touchesBegan Y", "touchesMoved Y", "touchesMoved Y", "touchesMoved Y", "action pan",
                "touchesMoved Y", "action pan", "touchesMoved Y", "action pan", "touchesEnded Y",
            ])
    }

    @Test("S33, S33b: a delaying pan holds the touch until it fails")
    func delays() {
        scene.add(UIPanGestureRecognizer(), "pan").delaysTouchesBegan = true
        scene.stroke(from: 140, 333, by: 3, 0, steps: 6)
        #expect(log.drain() == ["action pan", "action pan", "action pan", "action pan"])
        scene.tap(down: 2, up: 2.08)
        #expect(log.drain() == ["touchesBegan Y", "touchesEnded Y"])
    }

    @Test("S34: a pan shorter than its hysteresis never acts")
    func tooShort() {
        scene.add(UIPanGestureRecognizer(), "pan")
        scene.stroke(from: 140, 333, by: 3, 0, steps: 3)
        #expect(
            log.drain() == ["touchesBegan Y", "touchesMoved Y", "touchesMoved Y", "touchesMoved Y", "touchesEnded Y"])
    }

    @Test("S49a: a pan that waits for a swipe ignores a fast stroke")
    func losesToSwipe() {
        let pan = scene.add(UIPanGestureRecognizer(), "pan")
        pan.require(toFail: scene.add(UISwipeGestureRecognizer(), "swipe"))
        scene.stroke(from: 120, 333, by: 8, 0, steps: 10)
        #expect(log.drain().filter { $0.hasPrefix("action") } == ["action swipe"])
        #expect(scene.isQuiet)
    }

    @Test("S49b: a pan begins when the swipe fails on a backward step")
    func winsOverSwipe() {
        let pan = scene.add(UIPanGestureRecognizer(), "pan", logsState: true)
        pan.require(toFail: scene.add(UISwipeGestureRecognizer(), "swipe"))
        pan.addAction(UIAction { [unowned pan, log] _ in log.add("\(pan.translation(in: nil).x)") })
        scene.y.logsTouches = false
        scene.stroke(from: 220, 333, by: -8, 0, steps: 4)
        #expect(
            log.drain() == [
                "action pan began", "-6.0", "action pan changed", "-14.0", "action pan changed", "-22.0",
                "action pan ended", "-22.0",
            ])
    }

    @Test("S49c: a pan goes on after a slow stroke fails the swipe")
    func slow() {
        let pan = scene.add(UIPanGestureRecognizer(), "pan", logsState: true)
        pan.require(toFail: scene.add(UISwipeGestureRecognizer(), "swipe"))
        scene.y.logsTouches = false
        scene.frame(.down(1, 120, 333), at: 0)
        for step in 1...30 { scene.frame(.move(1, 120 + Double(step) / 2, 333), at: Double(step) / 60) }
        #expect(log.drain() == [])
        scene.frame(.move(1, 135.5, 333), at: 31.0 / 60)
        // The pan was blocked from began to changed, so it owes both actions.
        #expect(log.drain() == ["action pan began", "action pan changed"])
        #expect(pan.translation(in: nil) == .zero)
    }

    @Test("S54: the inner pan wins in one event, and otherwise the first")
    func nested() {
        scene.add(UIPanGestureRecognizer(), "outer", to: scene.r)
        let inner = scene.add(UIPanGestureRecognizer(), "inner", to: scene.y)
        scene.y.logsTouches = false
        scene.stroke(from: 140, 333, by: 12, 0, steps: 2)
        #expect(log.drain() == ["action inner", "action inner", "action inner"])
        inner.minimumNumberOfTouches = 2
        scene.frame(.down(1, 140, 333), at: 1)
        scene.frame(.move(1, 160, 333), at: 1.1)
        scene.frame(.down(2, 200, 333), at: 1.2)
        scene.frame(.move(1, 200, 333), .move(2, 240, 333), at: 1.3)
        scene.frame(.up(1), .up(2), at: 1.4)
        #expect(Set(log.drain()) == ["action outer"])
        #expect(scene.isQuiet)
    }

    @Test("S56: a pan disabled while it changes is cancelled and says so")
    func disabled() {
        let pan = scene.add(UIPanGestureRecognizer(), "pan", logsState: true)
        scene.frame(.down(1, 140, 333), at: 0)
        scene.frame(.move(1, 160, 333), at: 0.1)
        scene.frame(.move(1, 170, 333), at: 0.2)
        _ = log.drain()
        scene.stage.run(at: 0.25) {
            pan.isEnabled = false
        }
        #expect(log.drain() == ["action pan cancelled"])
        pan.isEnabled = true
        scene.frame(.move(1, 220, 333), at: 0.3)
        scene.frame(.up(1), at: 0.4)
        #expect(log.drain() == [] && pan.state == .possible && scene.isQuiet)
    }

    @Test("S81: an interrupted pan is cancelled after its view was")
    func interrupted() {
        scene.add(UIPanGestureRecognizer(), "pan", logsState: true)
        scene.frame(.down(1, 140, 333), at: 0)
        scene.frame(.move(1, 160, 333), at: 0.1)
        scene.frame(.move(1, 170, 333), at: 0.2)
        scene.frame(.cancel(1), at: 0.3)
        #expect(
            log.drain() == [
                "touchesBegan Y", "action pan began", "touchesCancelled Y", "action pan changed",
                "action pan cancelled",
            ])
    }

    @Test("S58: fingers beyond a pan's maximum stay the view's")
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
            log.drain() == [
                "touchesBegan Y", "action pan", "touchesCancelled Y", "touchesBegan Y", "touchesMoved Y", "[210.0]",
                "action pan",
            ])
    }

    @Test("an extra finger fails a pan that has not begun")
    func tooMany() {
        scene.y.isMultipleTouchEnabled = true
        let pan = scene.add(UIPanGestureRecognizer(), "pan")
        pan.maximumNumberOfTouches = 1
        scene.frame(.down(1, 140, 333), at: 0)
        scene.frame(.down(2, 200, 333), at: 0.1)
        scene.frame(.move(1, 160, 333), at: 0.2)
        #expect(log.drain() == ["touchesBegan Y", "touchesBegan Y", "touchesMoved Y"])
        scene.frame(.up(1), at: 0.3)
        scene.frame(.up(2), at: 0.4)
        #expect(log.drain() == ["touchesEnded Y", "touchesEnded Y"] && scene.isQuiet)
        // The next attempt starts from the beginning.
        scene.stroke(from: 140, 333, by: 6, 0, steps: 3)
        #expect(log.drain().contains("action pan"))
    }

    @Test("a swipe's touches are located where they landed")
    func swipeLocations() {
        scene.y.logsTouches = false
        let swipe = scene.add(UISwipeGestureRecognizer(), "swipe")
        swipe.addAction(
            UIAction { [unowned swipe, log] _ in
                let places = [swipe.location(in: nil), swipe.location(ofTouch: 0, in: nil)]
                log.add(places.map { "\($0.x) \($0.y)" }.joined(separator: ", "))
            })
        scene.stroke(from: 140, 333, by: 15, 0, steps: 4)
        #expect(log.drain() == ["action swipe", "140.0 333.0, 140.0 333.0"])
    }

    private final class Immediate: UIPanGestureRecognizer {
        override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
            super.touchesBegan(touches, with: event)
            state = .began
        }
    }

    @Test("a pan subclass that begins at once has no hysteresis")
    func begunAtOnce() {
        let pan = scene.add(Immediate(), "pan", logsState: true)
        pan.addAction(UIAction { [unowned pan, log] _ in log.add("\(pan.translation(in: nil).x)") })
        scene.y.logsTouches = false
        scene.stroke(from: 140, 333, by: 6, 0, steps: 1)
        #expect(
            log.drain() == ["action pan began", "0.0", "action pan changed", "6.0", "action pan ended", "6.0"])
        #expect(scene.isQuiet)
    }

    @Test("a translation set as a pan begins is its starting value")
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
        "a pan subclass that finishes early reports it and nothing more",
        arguments: [(UIGestureRecognizer.State.ended, "ended"), (.failed, "cancelled")])
    func overEarly(state: UIGestureRecognizer.State, said: String) {
        scene.add(Brief(), "pan", logsState: true).last = state
        scene.y.logsTouches = false
        scene.stroke(from: 140, 333, by: 16, 0, steps: 4)
        #expect(log.drain() == ["action pan began", "action pan \(said)"] && scene.isQuiet)
    }

    @Test("a lifted finger is no longer among a pan's touches")
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
        #expect(log.drain() == ["action pan began", "2 at 170.0", "120.0", "220.0"])
        scene.frame(.up(1), .move(2, 230, 333), at: 0.2)
        #expect(log.drain() == ["action pan changed", "1 at 230.0", "230.0"])
        scene.frame(.up(2), at: 0.3)
        #expect(log.drain() == ["action pan ended", "0 at 230.0"])
    }

    @Test("a recognizer's location converts into a view of another window")
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
        #expect(log.drain() == ["action tap", "true 187.0"])
        scene.stroke(from: 187, 333, by: 20, 0, steps: 3, at: 1)
        #expect(log.drain() == ["action swipe", "true 187.0"])
        let (pan, hover) = (scene.add(UIPanGestureRecognizer(), "pan"), scene.add(UIHoverGestureRecognizer(), "hover"))
        let (pinch, rotation) = (UIPinchGestureRecognizer(), UIRotationGestureRecognizer())
        scene.add(pinch, "pinch")
        scene.add(rotation, "rotation")
        pan.allowedScrollTypesMask = .all
        let point = Point<SceneSpace>(187, 333)
        let contents: [(UIGestureRecognizer, DeviceInput<SceneSpace>.Content)] = [
            (pan, .scroll(point, dx: Fixed(5.0), dy: .zero)), (hover, .hover(point)),
            (pinch, .transform(point, scale: Fixed(2.0), rotation: .zero)),
            (rotation, .transform(point, scale: .one, rotation: Fixed(2.0))),
        ]
        for (recognizer, content) in contents {
            scene.stage.input(.began, content, at: 2)
            #expect(recognizer.state == .began && recognizer.location(in: inner) == place)
            if recognizer === pan { #expect(pan.translation(in: inner) == CGPoint(x: 5, y: 0)) }
            scene.stage.input(.ended, content, at: 2)
        }
    }

    @Test("a pan's translation and velocity follow the axes of the given view")
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

    @Test("gestureRecognizerShouldBegin sees the translation that the pan begins with")
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
        #expect(log.drain() == ["touchesBegan Y", "touchesMoved Y", "touchesMoved Y", "touchesEnded Y"])
        #expect(pan.state == .possible && scene.isQuiet)
    }

    @Test("an edge pan begins from its edge and fails elsewhere at once")
    func edge() {
        let pan = scene.add(UIScreenEdgePanGestureRecognizer(), "edge", logsState: true)
        pan.edges = .left
        scene.y.logsTouches = false
        scene.stroke(from: 5, 333, by: 6, 0, steps: 3)
        #expect(log.drain() == ["action edge began", "action edge changed", "action edge ended"])
        scene.stroke(from: 50, 333, by: 6, 0, steps: 3, at: 1)
        #expect(log.drain() == [] && scene.isQuiet)
        #expect(
            scene.stage.facts(.gesture).contains {
                $0.hasSuffix("failed: landed 50.0 pt from the edge, limit 13.0 pt")
            })
    }

    @Test("a pan that ignores its only touch takes no further part")
    func ignoring() {
        let pan = scene.add(UIPanGestureRecognizer(), "pan")
        scene.frame(.down(1, 140, 333), at: 0)
        let event = scene.stage.app.touchTracker.event
        scene.stage.run(at: 0.1) {
            pan.ignore(scene.stage.app.touchTracker.liveTouches[0], for: event)
        }
        #expect(pan.state == .possible && scene.isQuiet)
        scene.frame(.move(1, 180, 333), at: 0.2)
        scene.frame(.up(1), at: 0.3)
        #expect(log.drain() == ["touchesBegan Y", "touchesMoved Y", "touchesEnded Y"])
    }
}
