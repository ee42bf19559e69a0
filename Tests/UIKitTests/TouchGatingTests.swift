import Basics
import HID
import Testing
import TouchlineTesting
import UIKit

@Suite("Touch gating")
struct GatingTests {
    @Test("B9v.4: a one-finger view never receives its second finger")
    func oneFinger() {
        let stage = Stage()
        let view = stage.view("V", 0, 0, 100, 100)
        let recognizer = UIGestureRecognizer()
        view.addGestureRecognizer(recognizer)
        stage.frame(.down(1, 10, 10))
        #expect(stage.frame(.down(2, 20, 20)) == TouchCounts(began: 1, stationary: 1))
        #expect(recognizer.numberOfTouches == 2)
        stage.frame(.up(1))
        stage.frame(.move(2, 25, 25))
        stage.frame(.up(2))
        #expect(stage.log.drain() == ["touchesBegan V", "touchesEnded V"])
    }

    @Test("a one-finger view receives a finger that lands as another lifts")
    func oneFingerEdges() {
        let stage = Stage()
        stage.view("V", 0, 0, 100, 100)
        stage.frame(.down(1, 10, 10))
        stage.frame(.up(1), .down(2, 20, 20))
        #expect(stage.log.drain() == ["touchesBegan V", "touchesBegan V", "touchesEnded V"])
        stage.frame(.up(2))
        _ = stage.log.drain()
        stage.frame(.down(3, 10, 10), .down(4, 20, 20))
        stage.frame(.up(4))
        #expect(stage.log.drain() == ["touchesBegan V"])
    }

    @Test("S94: an exclusive view's touch excludes others, and they exclude it")
    func exclusive() {
        let stage = Stage()
        let x = stage.view("X", 0, 0, 100, 100)
        stage.view("S", 100, 0, 100, 100)
        x.isExclusiveTouch = true
        stage.frame(.down(1, 50, 50))
        #expect(stage.frame(.down(2, 150, 50)).began == 0)
        stage.frame(.up(1))
        stage.frame(.up(2))
        stage.frame(.down(3, 150, 50))
        #expect(stage.frame(.down(4, 50, 50)).began == 0)
        stage.frame(.up(3))
        stage.frame(.up(4))
        stage.frame(.down(5, 50, 50))
        #expect(
            stage.log.drain() == [
                "touchesBegan X", "touchesEnded X", "touchesBegan S", "touchesEnded S", "touchesBegan X",
            ])
    }

    @Test("beginIgnoringInteractionEvents cancels live touches and drops new ones")
    func ignoring() {
        let stage = Stage()
        stage.view("V", 0, 0, 100, 100)
        stage.frame(.down(1, 50, 50))
        stage.run {
            stage.app.beginIgnoringInteractionEvents()
            stage.app.beginIgnoringInteractionEvents()
        }
        #expect(stage.log.drain() == ["touchesBegan V", "touchesCancelled V"])
        stage.frame(.down(2, 50, 50))
        stage.app.endIgnoringInteractionEvents()
        #expect(stage.app.isIgnoringInteractionEvents)
        stage.app.endIgnoringInteractionEvents()
        stage.frame(.up(1), .up(2))
        #expect(stage.log.drain().isEmpty)
        stage.tap(50, 50)
        #expect(stage.log.drain() == ["touchesBegan V", "touchesEnded V"])
    }

    @Test("ignoring begun in a handler cancels touches after that event")
    func ignoringInside() {
        let stage = Stage()
        let view = stage.view("V", 0, 0, 100, 100)
        view.onTouches = { touches, _ in
            if touches.first?.phase == .began { stage.app.beginIgnoringInteractionEvents() }
        }
        stage.frame(.down(1, 50, 50))
        #expect(stage.log.drain() == ["touchesBegan V", "touchesCancelled V"])
        #expect(!stage.app.isDelivering && stage.app.touchTracker.liveTouches.isEmpty)
    }
}
