import Basics
import HID
import Testing
import TouchlineTesting
import UIKit

private struct Seen: Equatable {
    var phase: UITouch.Phase
    var x, y, px, py: Double
    init(_ touch: UITouch, in view: UIView?) {
        phase = touch.phase
        (x, y) = (touch.location(in: view).x, touch.location(in: view).y)
        (px, py) = (touch.previousLocation(in: view).x, touch.previousLocation(in: view).y)
    }
    init(_ phase: UITouch.Phase, _ x: Double, _ y: Double, _ px: Double, _ py: Double) {
        (self.phase, self.x, self.y, self.px, self.py) = (phase, x, y, px, py)
    }
}

/// A window that passes each event to the test's closure.
private final class WatchingWindow: UIWindow {
    var onEvent: (UIEvent) -> Void = { _ in }
    override func sendEvent(_ event: UIEvent) {
        onEvent(event)
        super.sendEvent(event)
    }
}

@Suite("Touches and their event")
struct TouchTests {
    @Test("raw values of touches and events are Apple's")
    func rawValues() {
        #expect([UITouch.Phase.began, .moved, .stationary, .ended, .cancelled].map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect([UITouch.Phase.regionEntered, .regionMoved, .regionExited].map(\.rawValue) == [5, 6, 7])
        #expect([UITouch.TouchType.direct, .indirect, .pencil, .indirectPointer].map(\.rawValue) == [0, 1, 2, 3])
        #expect(
            [UIEvent.EventType.touches, .motion, .remoteControl, .presses, .scroll, .hover, .transform].map(\.rawValue)
                == [0, 1, 2, 3, 10, 11, 14])
        #expect(UIEvent.EventSubtype.motionShake.rawValue == 1)
        #expect(UIEvent.EventSubtype.remoteControlEndSeekingForward.rawValue == 109)
        #expect(UIEvent.ButtonMask.button(3).rawValue == 4)
    }

    @Test("S03: the first sendEvent has one touch that just began")
    func firstEvent() throws {
        let stage = Stage(window: { WatchingWindow(frame: $0) })
        let view = stage.view("D", 87, 447, 240, 61)
        let window = stage.window as! WatchingWindow
        var events = 0
        window.onEvent = { event in
            events += 1
            let touch = event.allTouches?.first
            #expect(event.type == .touches && event.subtype == .none && event.allTouches?.count == 1)
            #expect(touch?.phase == .began && touch?.tapCount == 1 && touch?.force == 0)
            #expect(touch?.window === window && touch?.view === view && touch?.type == .direct)
            #expect(touch?.location(in: nil) == touch?.previousLocation(in: nil))
            #expect(touch?.location(in: view) == CGPoint(x: 147.5, y: 35.5))
            #expect(stage.seconds(of: touch?.timestamp ?? 0) == 3.25 && stage.seconds(of: event.timestamp) == 3.25)
        }
        stage.frame(.down(1, 234.5, 482.5), at: 3.25)
        #expect(events == 1)
    }

    @Test("a finger is one UITouch in one UIEvent through its phases")
    func oneObject() {
        let stage = Stage(window: { WatchingWindow(frame: $0) })
        let window = stage.window as! WatchingWindow
        var touches: [UITouch] = []
        var events: [ObjectIdentifier] = []
        var seen: [Seen] = []
        window.onEvent = { event in
            events.append(ObjectIdentifier(event))
            for touch in event.allTouches ?? [] {
                touches.append(touch)
                seen.append(Seen(touch, in: nil))
            }
        }
        stage.frame(.down(1, 10, 10))
        stage.frame(.move(1, 20, 10))
        stage.frame(.move(1, 20, 30))
        stage.frame(.up(1))
        #expect(Set(touches).count == 1 && Set(events).count == 1)
        #expect(
            seen == [
                Seen(.began, 10, 10, 10, 10), Seen(.moved, 20, 10, 10, 10), Seen(.moved, 20, 30, 20, 10),
                Seen(.ended, 20, 30, 20, 30),
            ])
        #expect(stage.app.touchTracker.event.allTouches?.isEmpty == true)
        let first = touches[0]
        stage.frame(.down(1, 10, 10), at: 9)
        #expect(touches.last !== first && events.last == events.first)
    }

    @Test("resting fingers are stationary and only in allTouches")
    func stationary() {
        let stage = Stage()
        let view = stage.view("V", 0, 0, 300, 300)
        view.isMultipleTouchEnabled = true
        var sets: [(Int, [UITouch.Phase])] = []
        view.onTouches = { touches, event in
            sets.append((touches.count, event!.allTouches!.sorted { $0.id < $1.id }.map(\.phase)))
        }
        #expect(stage.frame(.down(1, 10, 10), .down(2, 20, 20)) == TouchCounts(began: 2))
        #expect(stage.frame(.move(2, 25, 25)) == TouchCounts(moved: 1, stationary: 1))
        #expect(stage.frame(.move(1, 15, 15), .move(2, 30, 30)) == TouchCounts(moved: 2))
        #expect(stage.frame(.up(1)) == TouchCounts(stationary: 1, ended: 1))
        #expect(stage.frame(.up(2)) == TouchCounts(ended: 1))
        #expect(sets.map(\.0) == [2, 1, 2, 1, 1])
        #expect(
            sets.map(\.1) == [
                [.began, .began], [.stationary, .moved], [.moved, .moved], [.ended, .stationary], [.ended],
            ])
    }

    @Test("a resting finger's previous location is where it rests")
    func stationaryPrevious() {
        let stage = Stage()
        let view = stage.view("V", 0, 0, 300, 300)
        view.isMultipleTouchEnabled = true
        stage.frame(.down(1, 10, 10), .down(2, 20, 20))
        stage.frame(.move(1, 50, 10))
        stage.frame(.move(2, 25, 25))
        let touch = stage.app.touchTracker.liveTouches[0]
        #expect(Seen(touch, in: nil) == Seen(.stationary, 50, 10, 50, 10))
    }

    @Test("phases of one frame are delivered began, moved, ended, cancelled")
    func phaseOrder() {
        let stage = Stage()
        let view = stage.view("V", 0, 0, 300, 300)
        view.isMultipleTouchEnabled = true
        stage.frame(.down(1, 10, 10), .down(2, 20, 20), .down(3, 30, 30))
        _ = stage.log.drain()
        stage.frame(.cancel(1), .up(2), .move(3, 31, 31), .down(4, 40, 40))
        #expect(stage.log.drain() == ["touchesBegan V", "touchesMoved V", "touchesEnded V", "touchesCancelled V"])
    }

    @Test("views receive touches in the order of their first touch-downs")
    func viewOrder() {
        let stage = Stage()
        let (a, b) = (stage.view("A", 0, 0, 100, 100), stage.view("B", 100, 0, 100, 100))
        var counts: [Int] = []
        for view in [a, b] {
            view.isMultipleTouchEnabled = true
            view.onTouches = { touches, _ in counts.append(touches.count) }
        }
        stage.frame(.down(1, 150, 50), .down(2, 50, 50), .down(3, 160, 50))
        #expect(stage.log.drain() == ["touchesBegan B", "touchesBegan A"])
        #expect(counts == [2, 1])
        stage.frame(.move(2, 51, 50), .move(1, 151, 50))
        #expect(stage.log.drain() == ["touchesMoved B", "touchesMoved A"])
    }

    @Test("an event filters its touches by window, view and recognizer")
    func filters() {
        let stage = Stage()
        let (a, b) = (stage.view("A", 0, 0, 100, 100), stage.view("B", 100, 0, 100, 100))
        let recognizer = UIGestureRecognizer()
        b.addGestureRecognizer(recognizer)
        stage.frame(.down(1, 50, 50), .down(2, 150, 50))
        let event = stage.app.touchTracker.event
        #expect(event.touches(for: stage.window)?.count == 2)
        #expect(event.touches(for: a)?.first?.view === a && event.touches(for: a)?.count == 1)
        #expect(event.touches(for: recognizer)?.first?.view === b)
        #expect(event.touches(for: UIWindow(frame: .zero)) == [])
    }

    @Test("S88: a touch keeps its window and view until it ends")
    func ownership() {
        let stage = Stage()
        let (a, b) = (stage.view("A", 0, 0, 100, 100), stage.view("B", 100, 0, 100, 100))
        stage.frame(.down(1, 50, 50))
        stage.frame(.move(1, 150, 50))
        #expect(stage.log.drain() == ["touchesBegan A", "touchesMoved A"])
        a.removeFromSuperview()
        stage.frame(.move(1, 160, 50))
        stage.frame(.up(1))
        #expect(stage.log.drain() == ["touchesMoved A", "touchesEnded A"])
        _ = b
    }

    @Test("S18: a view that follows the finger uses its current transform")
    func drag() {
        let stage = Stage()
        let view = stage.view("MovedView", 100, 100, 80, 80)
        view.logsTouches = false
        var moves = 0
        view.onTouches = { touches, _ in
            guard let touch = touches.first, touch.phase == .moved else { return }
            moves += 1
            let (now, before) = (touch.location(in: view), touch.previousLocation(in: view))
            view.transform = view.transform.translatedBy(x: now.x - before.x, y: now.y - before.y)
        }
        stage.frame(.down(1, 140, 140))
        stage.frame(.move(1, 150, 145))
        stage.frame(.move(1, 170, 165))
        stage.frame(.up(1))
        #expect(moves == 2)
        #expect(view.transform.tx == 30 && view.transform.ty == 25)
        #expect(view.frame == CGRect(x: 130, y: 125, width: 80, height: 80))
    }

    @Test("a cancelled touch is delivered once and forgotten")
    func cancelled() {
        let stage = Stage()
        stage.view("V", 0, 0, 100, 100)
        stage.frame(.down(1, 50, 50))
        #expect(stage.frame(.cancel(1)) == TouchCounts(cancelled: 1))
        #expect(stage.log.drain() == ["touchesBegan V", "touchesCancelled V"])
    }

    // MARK: Measurements of the panel

    @Test("a touch of a panel that measures nothing has no measurements")
    func unmeasured() throws {
        let stage = Stage()
        let view = stage.view("V", 0, 0, 100, 100)
        stage.frame(.down(1, 50, 50))
        let touch = try #require(stage.app.touchTracker.liveTouches.first)
        #expect(touch.type == .direct && touch.force == 0 && touch.maximumPossibleForce == 0)
        #expect(touch.majorRadius == 0 && touch.altitudeAngle == .pi / 2 && touch.azimuthAngle(in: view) == 0)
    }

    @Test("each of several windows receives the event once, in order")
    func severalWindows() {
        let stage = Stage(window: { WatchingWindow(frame: $0) })
        let right = stage.run { WatchingWindow(frame: CGRect(x: 200, y: 0, width: 175, height: 667)) }
        right.isHidden = false
        stage.window.accessibilityIdentifier = "left"
        right.accessibilityIdentifier = "right"
        for window in [stage.window as! WatchingWindow, right] {
            window.onEvent = { [unowned window] _ in stage.log.add(window.accessibilityIdentifier!) }
        }
        stage.frame(.down(1, 300, 10), .down(2, 100, 10), .down(3, 301, 10))
        #expect(stage.log.drain() == ["right", "left"])
        #expect(stage.app.touchTracker.event.touches(for: right)?.count == 2)
    }

    @Test("a window whose sendEvent omits super delivers no touches")
    func overridden() {
        let stage = Stage(window: { frame in
            final class Deaf: UIWindow {
                override func sendEvent(_ event: UIEvent) {}
            }
            return Deaf(frame: frame)
        })
        stage.view("V", 0, 0, 100, 100)
        #expect(stage.frame(.down(1, 50, 50)) == TouchCounts(began: 1))
        #expect(stage.log.lines.isEmpty)
    }

    @Test("an observer receives hit-test passes, then the application's and window's sendEvent")
    func observer() {
        final class Watch: UIKitObserver {
            let log = Log()
            func observe(_ event: UIKitEvent) {
                switch event {
                case .hitTest(.passBegan(let pass, let touch)): log.add("pass \(pass) \(touch)")
                case .input(.applicationSends): log.add("application")
                case .input(.windowSends): log.add("window")
                case .app, .input, .hitTest, .gesture, .responder, .scroll, .action: break
                }
            }
        }
        let stage = Stage()
        let watch = Watch()
        stage.app.observer = watch
        stage.frame(.down(1, 50, 50))
        #expect(watch.log.drain() == ["pass 1 touch 0", "pass 2 touch 0", "application", "window"])
    }

    @Test("facts describe a tap station by station")
    func facts() {
        let stage = Stage()
        let button = UIButton(frame: CGRect(x: 187, y: 411, width: 100, height: 44))
        button.setTitle("+", for: .normal)
        final class CounterController: NSObject { func increment() {} }
        let controller = CounterController()
        button.addTarget(
            controller, action: Selector("increment", CounterController.increment), for: .touchUpInside)
        stage.window.addSubview(button)
        stage.frame(.down(1, 197, 421.1875))
        stage.frame(.move(1, 198, 422))
        stage.frame(.up(1))
        #expect(
            stage.factsWithStations == [
                "event touch 0 began at (197.0, 421.2)",
                "hitTest touch 0 → UIButton \"+\" in UIWindow, after testing 2 views",
                "hitTest next responders of UIButton \"+\": UIWindow → UIApplication",
                "responder UIButton \"+\" touchesBegan",
                "action UIButton \"+\" begins tracking",
                "event touch 0 moved to (198.0, 422.0)",
                "responder UIButton \"+\" touchesMoved",
                "event touch 0 ended at (198.0, 422.0)",
                "responder UIButton \"+\" touchesEnded",
                "action UIButton \"+\" ends tracking",
                "action touchUpInside → CounterController.increment",
            ])
    }

    @Test("an app released under a finger is freed completely")
    func tornDown() {
        weak var view: UIView?
        weak var recognizer: UIGestureRecognizer?
        do {
            let stage = Stage()
            let made = stage.view("V", 0, 0, 100, 100)
            let added = UIGestureRecognizer()
            made.addGestureRecognizer(added)
            stage.frame(.down(1, 50, 50))
            (view, recognizer) = (made, added)
            #expect(view != nil && recognizer != nil)
        }
        #expect(view == nil && recognizer == nil)
    }
}
