// DeliveryTests.swift: frames that no phone of a test sends, given to UIKit directly.
//
// The system server repairs what a panel reports: a touch lifts where it was, begins once, and ends once. TestPhone's
// panel measures no radius and has no pencil. These tests call `UIApplication.deliver` with such frames.
// Docs/Decisions/UIKitTests.md has the reasons.

import Basics
import HID
import Testbed
import Testing
import UIKit

@Suite("Frames delivered to UIKit directly")
struct DeliveryTests {
    private let app = UIApplication()
    private let window: UIWindow
    private let view: ProbeView
    private let log = Log()

    init() {
        let frame = CGRect(x: 0, y: 0, width: 375, height: 667)
        window = UIApplication.run(as: app) { UIWindow(frame: frame) }
        window.isHidden = false
        view = ProbeView("V", CGRect(x: 0, y: 0, width: 100, height: 100), log)
        window.addSubview(view)
    }

    /// One frame with one contact.
    @discardableResult
    private func deliver(
        _ phase: TouchContact.Phase, _ x: Double, _ y: Double, at seconds: Double = 0,
        with change: (inout TouchContact) -> Void = { _ in }
    ) -> TouchCounts {
        var contact = TouchContact(touch: TouchID(rawValue: 7), phase: phase, at: Point(x, y))
        change(&contact)
        app.now = Instant(seconds: seconds)
        return UIApplication.run(as: app) { app.deliver(TouchFrame(timeStamp: app.now, contacts: [contact])) }
    }

    @Test("a finger that lands again without lifting is cancelled first")
    func landsTwice() {
        deliver(.began, 50, 50)
        #expect(deliver(.began, 50, 50) == TouchCounts(began: 1, cancelled: 1))
        #expect(log.drain() == ["touchesBegan V", "touchesBegan V", "touchesCancelled V"])
    }

    @Test("a move or a lift of a finger that is not down is dropped")
    func unknown() {
        #expect(deliver(.moved, 50, 50) == TouchCounts() && deliver(.ended, 50, 50) == TouchCounts())
        deliver(.began, 50, 50)
        #expect(deliver(.cancelled, 50, 50) == TouchCounts(cancelled: 1))
        #expect(deliver(.ended, 50, 50) == TouchCounts())
        #expect(log.drain() == ["touchesBegan V", "touchesCancelled V"])
    }

    @Test("a lift at a new position has it, and the last one before")
    func liftElsewhere() throws {
        deliver(.began, 20, 30)
        let touch = try #require(app.touchTracker.liveTouches.first)
        deliver(.ended, 25, 30)
        #expect(touch.phase == .ended)
        #expect(touch.location(in: nil) == CGPoint(x: 25, y: 30))
        #expect(touch.previousLocation(in: nil) == CGPoint(x: 20, y: 30))
    }

    @Test("a lift at a new position scrolls before the drag ends")
    func liftOfDrag() {
        let (scroll, witness) = (UIScrollView(frame: window.bounds), ScrollWitness(log))
        witness.logsScroll = true
        scroll.contentSize.height = 3000
        scroll.delegate = witness
        window.addSubview(scroll)
        deliver(.began, 100, 500)
        deliver(.moved, 100, 450)
        _ = log.drain()
        deliver(.ended, 100, 440)
        #expect(log.drain().prefix(2) == ["didScroll", "willEndDragging"])
    }

    @Test("a pan ends at the new position of the last lift")
    func liftOfPan() {
        let pan = UIPanGestureRecognizer()
        pan.addAction(
            UIAction { [unowned pan, log] _ in
                log.add("\(pan.state) \(pan.numberOfTouches) at \(pan.location(in: nil).x)")
            })
        window.addGestureRecognizer(pan)
        view.logsTouches = false
        deliver(.began, 10, 50)
        deliver(.moved, 30, 50)
        deliver(.ended, 31, 50)
        #expect(log.drain() == ["began 1 at 30.0", "ended 0 at 31.0"])
    }

    @Test("a finger that strayed has no tap count when it lifts where it landed")
    func liftOfStrayed() {
        var counts: [Int] = []
        view.onTouches = { touches, _ in counts += touches.map(\.tapCount) }
        deliver(.began, 10, 10)
        deliver(.moved, 90, 10)
        deliver(.ended, 10, 10)
        deliver(.began, 10, 10)
        #expect(counts == [1, 1, 0, 1])
    }

    @Test("without a main loop a glide ends at once unless stopped")
    func glideWithoutTime() {
        let (scroll, witness) = (UIScrollView(frame: window.bounds), ScrollWitness(log))
        scroll.contentSize.height = 3000
        scroll.delegate = witness
        window.addSubview(scroll)
        var isStopped = false
        witness.onScroll = { view in
            guard view.isDecelerating, !isStopped else { return }
            isStopped = true
            view.setContentOffset(CGPoint(x: 0, y: 7), animated: false)
        }
        deliver(.began, 100, 500)
        for step in 1...4 { deliver(.moved, 100, 500 - 12 * Double(step), at: Double(step) / 60) }
        deliver(.ended, 100, 452, at: 5.0 / 60)
        #expect(isStopped && scroll.contentOffset.y == 7 && log.lines.last == "didEndDecelerating")
    }

    @Test("a lift across a control's edge sends the crossing event first", arguments: [true, false])
    func liftAcrossEdge(_ out: Bool) {
        let button = ProbeButton(frame: CGRect(x: 100, y: 100, width: 100, height: 40))
        button.log = log
        app.observer = button
        window.addSubview(button)
        deliver(.began, 150, 120)
        if !out { deliver(.moved, 400, 120) }
        _ = log.drain()
        deliver(.ended, out ? 400 : 150, 120)
        #expect(
            log.drain()
                == (out
                    ? ["touchDragExit", "endTracking", "touchUpOutside"]
                    : ["touchDragEnter", "endTracking", "touchUpInside", "primaryActionTriggered"]))
    }

    @Test("a touch's force and radius come from the panel's measurements")
    func measured() throws {
        func deliver(_ phase: TouchContact.Phase, _ pressure: Double) {
            self.deliver(phase, 50, 50) { ($0.majorRadius, $0.pressure) = (Fixed(20), Fixed(pressure)) }
        }
        deliver(.began, 0)
        let touch = try #require(app.touchTracker.liveTouches.first)
        #expect(touch.force == 0 && touch.maximumPossibleForce == 0 && touch.majorRadius == 20)
        deliver(.moved, 0.5)
        #expect(abs(touch.force - 10 / 3) < 0.001)
        #expect(abs(touch.maximumPossibleForce - 20 / 3) < 0.001)
        deliver(.ended, 0)
        #expect(touch.force == 0 && touch.maximumPossibleForce > 6 && touch.phase == .ended)
    }

    @Test("a pencil touch has its angles in the view's coordinates")
    func pencil() throws {
        view.transform = CGAffineTransform(rotationAngle: .pi / 2)
        deliver(.began, 50, 50) { ($0.pressure, $0.tool, $0.angles) = (.one, .pencil, .sample) }
        let touch = try #require(app.touchTracker.liveTouches.first)
        #expect(touch.type == .pencil)
        #expect(abs(touch.force - 25 / 6) < 0.001 && abs(touch.maximumPossibleForce - 25 / 6) < 0.001)
        #expect(abs(touch.altitudeAngle - 1) < 0.001)
        #expect(abs(touch.azimuthAngle(in: nil) - 2) < 0.001)
        #expect(abs(touch.azimuthAngle(in: view) - (2 - .pi / 2)) < 0.001)
    }

    @Test("delivering an event during another delivery ends the program")
    func reentrant() async {
        await #expect(processExitsWith: .failure) {
            let tests = DeliveryTests()
            tests.view.onTouches = { _, _ in tests.deliver(.moved, 50, 50) }
            tests.deliver(.began, 50, 50)
        }
    }
}
