import Basics
import Testing
import TouchlineTesting
import Trace
import UIKit

/// A recognizer that runs the test's closures for its touches and logs its calls.
final class ScriptedRecognizer: UIGestureRecognizer {
    let log: Log
    var onBegan: ((ScriptedRecognizer, UIEvent) -> Void)?
    var onMoved: ((ScriptedRecognizer, UIEvent) -> Void)?
    var onEnded: ((ScriptedRecognizer, UIEvent) -> Void)?
    var logsTouches = false
    var logsReset = false
    var waitsFor: [UIGestureRecognizer] = []

    init(_ name: String, _ log: Log) {
        self.log = log
        super.init(target: nil, action: nil)
        self.name = name
        addAction(UIAction { [unowned self] _ in log.add("action \(name) \(state)") })
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        if logsTouches { log.add("\(name!) began \(touches.count)") }
        onBegan?(self, event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        if logsTouches { log.add("\(name!) moved \(touches.count)") }
        onMoved?(self, event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        if logsTouches { log.add("\(name!) ended \(touches.count)") }
        if let onEnded { onEnded(self, event) } else { state = state == .possible ? .failed : .ended }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) { state = .cancelled }
    override func reset() {
        if logsReset { log.add("reset \(name!) in \(state)") }
    }
    override func shouldRequireFailure(of otherGestureRecognizer: UIGestureRecognizer) -> Bool {
        waitsFor.contains { $0 === otherGestureRecognizer }
    }
}

private final class Delegate: NSObject, UIGestureRecognizerDelegate {
    var simultaneous = false
    var begins = true
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { simultaneous }
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { begins }
}

@Suite("Gesture environment")
struct GestureEnvironmentTests {
    let stage = Stage()
    let outer: ProbeView
    let inner: ProbeView

    init() {
        outer = stage.view("R", 0, 0, 375, 600)
        inner = stage.view("Y", 50, 50, 200, 200, in: outer)
        outer.logsTouches = false
    }

    private func recognizer(_ name: String, on view: UIView) -> ScriptedRecognizer {
        let recognizer = ScriptedRecognizer(name, stage.log)
        view.addGestureRecognizer(recognizer)
        return recognizer
    }

    private func tap(on view: UIView, _ name: String) -> ScriptedRecognizer {
        let tap = recognizer(name, on: view)
        tap.onEnded = { recognizer, _ in recognizer.state = .ended }
        return tap
    }

    @Test("a recognizer's action comes before the cancel of the touch it took")
    func actionThenCancel() {
        _ = tap(on: outer, "tap")
        stage.tap(100, 100)
        #expect(stage.log.drain() == ["touchesBegan Y", "action tap ended", "touchesCancelled Y"])
        #expect(stage.app.isGestureIdle)
    }

    @Test("a recognizer without cancelsTouchesInView leaves the view its touch's end")
    func withoutCancel() {
        tap(on: outer, "tap").cancelsTouchesInView = false
        stage.tap(100, 100)
        #expect(stage.log.drain() == ["touchesBegan Y", "action tap ended", "touchesEnded Y"])
    }

    @Test("a held beginning is discarded on recognition and delivered on failure")
    func heldBeginning() {
        let tap = tap(on: outer, "tap")
        tap.delaysTouchesBegan = true
        stage.tap(100, 100)
        #expect(stage.log.drain() == ["action tap ended"])
        tap.onEnded = { recognizer, _ in recognizer.state = .failed }
        stage.frame(.down(1, 100, 100), at: 1)
        stage.frame(.move(1, 101, 100), at: 1.1)
        stage.frame(.move(1, 102, 100), at: 1.2)
        #expect(stage.log.drain() == [])
        stage.frame(.up(1), at: 1.3)
        #expect(stage.log.drain() == ["touchesBegan Y", "touchesMoved Y", "touchesEnded Y"])
        #expect(stage.app.isGestureIdle)
    }

    @Test("an undecided recognizer holds a touch's end until it fails")
    func heldEnd() {
        let slow = recognizer("slow", on: outer)
        slow.onEnded = { _, _ in }
        inner.onTouches = { touches, _ in
            for touch in touches { stage.log.add("\(touch.phase) \(stage.seconds(of: touch.timestamp))") }
        }
        stage.tap(100, 100)
        #expect(stage.log.drain() == ["touchesBegan Y", "began 0.0"])
        stage.run(at: 0.5) {
            slow.state = .failed
        }
        #expect(stage.log.drain() == ["touchesEnded Y", "ended 0.08"])
        #expect(stage.app.isGestureIdle)
    }

    @Test("the inner of two recognizers wins unless a delegate allows both")
    func exclusion() {
        let (a, b) = (tap(on: outer, "outer"), tap(on: inner, "inner"))
        stage.tap(100, 100)
        #expect(stage.log.drain() == ["touchesBegan Y", "action inner ended", "touchesCancelled Y"])
        let delegate = Delegate()
        delegate.simultaneous = true
        for one in [a, b] {
            one.delegate = delegate
            stage.tap(100, 100, at: 1)
            #expect(
                stage.log.drain() == [
                    "touchesBegan Y", "action outer ended", "touchesCancelled Y", "action inner ended",
                ])
            one.delegate = nil
        }
    }

    @Test("a waiting recognizer acts late, or loses when the other wins")
    func requirement() {
        let (pan, swipe) = (recognizer("pan", on: inner), recognizer("swipe", on: inner))
        pan.require(toFail: swipe)
        pan.onMoved = { recognizer, _ in recognizer.state = .changed }
        swipe.onMoved = { _, _ in }
        stage.frame(.down(1, 100, 100))
        stage.frame(.move(1, 110, 100), at: 0.1)
        stage.frame(.move(1, 120, 100), at: 0.2)
        #expect(stage.log.drain() == ["touchesBegan Y", "touchesMoved Y", "touchesMoved Y"])
        swipe.onMoved = { recognizer, _ in recognizer.state = .failed }
        stage.frame(.move(1, 130, 100), at: 0.3)
        #expect(stage.log.drain() == ["action pan began", "action pan changed", "touchesCancelled Y"])
        stage.frame(.up(1), at: 0.4)
        #expect(stage.log.drain() == ["action pan ended"])
        swipe.onMoved = { recognizer, _ in recognizer.state = .ended }
        stage.frame(.down(1, 100, 100), at: 1)
        stage.frame(.move(1, 110, 100), at: 1.1)
        stage.frame(.up(1), at: 1.2)
        #expect(stage.log.drain() == ["touchesBegan Y", "action swipe ended", "touchesCancelled Y"])
        #expect(stage.app.isGestureIdle)
    }

    @Test("shouldRequireFailure applies to the current attempt only")
    func dynamicRequirement() {
        let (s, d) = (tap(on: inner, "s"), recognizer("d", on: inner))
        s.waitsFor = [d]
        d.onEnded = { _, _ in }
        stage.tap(100, 100)
        #expect(stage.log.drain() == ["touchesBegan Y"])
        stage.run(at: 0.5) {
            d.state = .failed
        }
        #expect(stage.log.drain() == ["action s ended", "touchesCancelled Y"])
        s.waitsFor = []
        d.onEnded = nil
        stage.tap(100, 100, at: 1)
        #expect(stage.log.drain() == ["touchesBegan Y", "action s ended", "touchesCancelled Y"])
    }

    @Test("recognizers related by a requirement are reset together")
    func resets() {
        let (s, d) = (tap(on: inner, "s"), recognizer("d", on: inner))
        s.require(toFail: d)
        (s.logsReset, d.logsReset) = (true, true)
        d.onEnded = { _, _ in }
        stage.tap(100, 100)
        #expect(stage.log.drain() == ["touchesBegan Y"])
        stage.run(at: 0.5) {
            d.state = .failed
        }
        #expect(
            stage.log.drain() == ["action s ended", "touchesCancelled Y", "reset s in ended", "reset d in failed"])
        #expect((s.state, d.state) == (.possible, .possible))
    }

    @Test("a disabled recognizer is cancelled if begun and fails if possible")
    func disabled() {
        let (pan, tap) = (recognizer("pan", on: inner), recognizer("tap", on: inner))
        pan.onMoved = { recognizer, _ in recognizer.state = .changed }
        stage.frame(.down(1, 100, 100))
        stage.run(at: 0.1) {
            tap.isEnabled = false
        }
        #expect(tap.state == .possible)
        stage.frame(.move(1, 120, 100), at: 0.2)
        stage.run(at: 0.3) {
            pan.isEnabled = false
            #expect(pan.state == .cancelled)
        }
        stage.frame(.up(1), at: 0.4)
        #expect(
            stage.log.drain() == ["touchesBegan Y", "action pan began", "touchesCancelled Y", "action pan cancelled"])
        #expect(stage.app.isGestureIdle)
    }

    @Test("an ignored touch is not cancelled in its view")
    func ignored() {
        inner.isMultipleTouchEnabled = true
        let pan = recognizer("pan", on: inner)
        pan.onBegan = { recognizer, event in
            for touch in event.touches(for: recognizer) ?? [] where touch.location(in: nil).x > 150 {
                recognizer.ignore(touch, for: event)
            }
        }
        pan.onMoved = { recognizer, _ in recognizer.state = .changed }
        stage.frame(.down(1, 100, 100), .down(2, 200, 100))
        stage.frame(.move(1, 120, 100), at: 0.1)
        stage.frame(.move(2, 220, 100), at: 0.2)
        #expect(
            stage.log.drain() == ["touchesBegan Y", "action pan began", "touchesCancelled Y", "touchesMoved Y"])
    }

    @Test("a plain recognizer never decides and holds nothing up")
    func plain() {
        inner.addGestureRecognizer(UIGestureRecognizer())
        stage.tap(100, 100)
        #expect(stage.log.drain() == ["touchesBegan Y", "touchesEnded Y"])
        #expect(stage.app.isGestureIdle)
    }

    @Test("a system cancel releases a held beginning and then cancels it")
    func systemCancel() {
        let tap = tap(on: outer, "tap")
        tap.delaysTouchesBegan = true
        stage.frame(.down(1, 100, 100))
        stage.frame(.cancel(1), at: 0.5)
        #expect(stage.log.drain() == ["touchesBegan Y", "touchesCancelled Y"])
        #expect(stage.app.isGestureIdle)
    }

    @Test("a delegate's refusal in gestureRecognizerShouldBegin leaves the view its touch")
    func shouldBegin() {
        let delegate = Delegate()
        delegate.begins = false
        let tap = tap(on: outer, "tap")
        tap.delegate = delegate
        stage.tap(100, 100)
        #expect(stage.log.drain() == ["touchesBegan Y", "touchesEnded Y"])
    }

    @Test("a requirement on itself is ignored, and a ring is warned about")
    func rings() {
        let (a, b, c) = (recognizer("a", on: inner), recognizer("b", on: inner), recognizer("c", on: inner))
        stage.run {
            a.require(toFail: a)
            a.require(toFail: b)
            b.require(toFail: c)
            c.require(toFail: a)
        }
        let y = #"on ProbeView "Y""#
        #expect(
            stage.facts(.gesture) == [
                "warning: a \(y) requires itself to fail; ignored",
                "warning: failure requirements in a cycle: c \(y) → a \(y) → b \(y) → c \(y)",
            ])
    }

    @Test("each recognizer receives a touch once, in array or seeded order")
    func order() {
        func lines(seed: UInt64?) -> [String] {
            let stage = Stage(settings: seed.map { [("order.mode", "ios"), ("order.seed", "\($0)")] } ?? [])
            let view = stage.view("V", 0, 0, 100, 100)
            view.logsTouches = false
            for name in ["a", "b", "c", "d"] {
                let recognizer = ScriptedRecognizer(name, stage.log)
                recognizer.logsTouches = true
                view.addGestureRecognizer(recognizer)
            }
            stage.frame(.down(1, 50, 50))
            return stage.log.drain()
        }
        #expect(lines(seed: nil) == ["a began 1", "b began 1", "c began 1", "d began 1"])
        #expect(lines(seed: 7) == lines(seed: 7))
        #expect(Set((1...20).map { lines(seed: $0) }).count > 5)
        #expect((1...20).allSatisfy { lines(seed: $0).sorted() == lines(seed: nil) })
    }
}

private final class Hesitant: UIGestureRecognizer {
    var receives = false
    override func shouldReceive(_ event: UIEvent) -> Bool { receives }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) { state = .ended }
}

private final class DelegateOfMany: NSObject, UIGestureRecognizerDelegate {
    var onReceive: (UIGestureRecognizer) -> Void = { _ in }
    var onBegin: (UIGestureRecognizer) -> Void = { _ in }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        onReceive(gestureRecognizer)
        return true
    }
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        onBegin(gestureRecognizer)
        return true
    }
}

private final class TwiceSendingWindow: UIWindow {
    override func sendEvent(_ event: UIEvent) {
        super.sendEvent(event)
        super.sendEvent(event)
    }
}

@Suite("Gesture environment under unusual app code")
struct GestureSurpriseTests {
    let stage = Stage()
    let view: ProbeView

    init() { view = stage.view("V", 0, 0, 300, 300) }

    private func tap(_ name: String) -> ScriptedRecognizer {
        let tap = ScriptedRecognizer(name, stage.log)
        tap.onEnded = { recognizer, _ in recognizer.state = .ended }
        view.addGestureRecognizer(tap)
        return tap
    }

    @Test("a recognizer that refused an event is asked about the next")
    func refusedEvent() {
        let hesitant = Hesitant()
        hesitant.addAction(UIAction { _ in stage.log.add("action") })
        view.addGestureRecognizer(hesitant)
        stage.tap(10, 10)
        #expect(stage.log.drain() == ["touchesBegan V", "touchesEnded V"])
        hesitant.receives = true
        stage.tap(10, 10, at: 1)
        #expect(stage.log.drain() == ["touchesBegan V", "action", "touchesCancelled V"])
    }

    @Test("a waiting recognizer never acts once it is disabled or removed")
    func waitingAndGone() {
        for takesAway in [false, true] {
            let (s, d) = (tap("s"), tap("d"))
            d.onEnded = { _, _ in }
            s.require(toFail: d)
            stage.tap(10, 10)
            stage.run(at: 0.2) {
                if takesAway { view.removeGestureRecognizer(s) } else { s.isEnabled = false }
            }
            stage.run { d.state = .failed }
            #expect(stage.log.drain() == ["touchesBegan V", "touchesEnded V"])
            #expect(stage.app.isGestureIdle)
            view.gestureRecognizers = nil
        }
    }

    @Test("a recognizer that another's delegate removes receives no touch")
    func takenAwayWhileAsked() {
        let (a, b) = (tap("a"), tap("b"))
        let delegate = DelegateOfMany()
        a.delegate = delegate
        delegate.onReceive = { [view] _ in view.removeGestureRecognizer(b) }
        stage.tap(10, 10)
        #expect(stage.log.drain() == ["touchesBegan V", "action a ended", "touchesCancelled V"])
    }

    @Test("a delegate that removes the view leaves outer recognizers the touch")
    func viewTakenAwayWhileAsked() {
        let inner = stage.view("W", 0, 0, 100, 100, in: view)
        let asked = ScriptedRecognizer("asked", stage.log)
        inner.addGestureRecognizer(asked)
        let delegate = DelegateOfMany()
        asked.delegate = delegate
        delegate.onReceive = { _ in inner.removeFromSuperview() }
        let outer = tap("outer")
        outer.logsTouches = true
        stage.frame(.down(1, 10, 10))
        #expect(stage.log.drain().contains("outer began 1"))
    }

    @Test("a state assigned during gestureRecognizerShouldBegin starts no second attempt")
    func assigningWhileAsked() {
        let a = tap("a")
        let delegate = DelegateOfMany()
        a.delegate = delegate
        delegate.onBegin = { recognizer in
            stage.log.add("asked")
            recognizer.state = .began
        }
        stage.tap(10, 10)
        #expect(stage.log.drain() == ["touchesBegan V", "asked", "action a ended", "touchesCancelled V"])
    }

    @Test("a window that sends an event twice begins a touch once")
    func sentTwice() {
        let stage = Stage(window: { TwiceSendingWindow(frame: $0) })
        let view = stage.view("V", 0, 0, 300, 300)
        let tap = ScriptedRecognizer("tap", stage.log)
        view.addGestureRecognizer(tap)
        stage.tap(10, 10)
        #expect(stage.log.drain() == ["touchesBegan V", "touchesEnded V"])
        #expect(stage.app.isGestureIdle)
    }

    @Test("an undecided recognizer does not keep ended touches alive")
    func memory() {
        let watcher = ScriptedRecognizer("watcher", stage.log)
        watcher.onEnded = { _, _ in }
        watcher.delaysTouchesEnded = false
        view.addGestureRecognizer(watcher)
        var gone: [Weak] = []
        view.onTouches = { touches, _ in gone += touches.map { Weak(touch: $0) } }
        for second in 0..<10 { stage.tap(10, 10, at: Double(second)) }
        let alive = gone.filter { $0.touch != nil }
        #expect(alive.count <= 4)
    }

    private struct Weak {
        weak var touch: UITouch?
    }

    @Test("a gesture update inside a touch handler begins each touch once")
    func loopInHandler() {
        let (one, two) = (stage.view("1", 0, 300, 100, 100), stage.view("2", 100, 300, 100, 100))
        let slow = ScriptedRecognizer("slow", stage.log)
        slow.delaysTouchesBegan = true
        two.addGestureRecognizer(slow)
        one.onTouches = { [stage] _, _ in
            slow.isEnabled = false
            stage.app.updateGestures()
        }
        stage.frame(.down(1, 50, 350), .down(2, 150, 350))
        stage.wait(until: 0.1)
        one.onTouches = nil
        stage.frame(.up(1), .up(2), at: 0.2)
        #expect(
            stage.log.drain() == ["touchesBegan 1", "touchesBegan 2", "touchesEnded 1", "touchesEnded 2"])
    }
}
