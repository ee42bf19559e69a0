import Basics
import Foundation
import HID
import Testing
import TouchlineTesting
import UIKit

private final class Together: NSObject, UIGestureRecognizerDelegate {
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { true }
}

private final class Refusing: NSObject, UIGestureRecognizerDelegate {
    var asked = 0
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        asked += 1
        return false
    }
}

private final class DragWatcher: NSObject, UIScrollViewDelegate {
    let log: Log
    init(_ log: Log) { self.log = log }
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { log.add("drag") }
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) { log.add("drag over") }
}

@Suite("Pointer input")
struct PointerTests {
    private let stage = Stage()
    private let outer: ProbeView
    private let inner: ProbeView
    private var log: Log { stage.log }

    init() {
        outer = stage.view("outer", 0, 0, 200, 200)
        inner = stage.view("inner", 50, 50, 100, 100, in: outer)
    }

    private func deliver(_ phase: InputPhase, _ content: DeviceInput<SceneSpace>.Content, at seconds: Double = 0) {
        stage.input(phase, content, at: seconds)
    }

    private func place(_ x: Double, _ y: Double) -> Point<SceneSpace> { Point(x, y) }

    private func log<Recognizer: UIGestureRecognizer>(
        _ recognizer: Recognizer, on view: UIView, _ name: String,
        _ text: @escaping (Recognizer) -> String = { _ in "" }
    ) -> Recognizer {
        recognizer.addAction(
            UIAction { [log, unowned recognizer] _ in log.add("\(name) \(recognizer.state)\(text(recognizer))") })
        view.addGestureRecognizer(recognizer)
        return recognizer
    }

    @Test("a pointer's scroll moves only a pan that allows scrolls")
    func scroll() {
        let pan = log(UIPanGestureRecognizer(), on: inner, "pan") {
            let (way, place) = ($0.translation(in: nil), $0.location(in: $0.view))
            return " by \(way.x),\(way.y) at \(place.x),\(place.y) touches \($0.numberOfTouches)"
        }
        deliver(.began, .scroll(place(60, 60), dx: .zero, dy: Fixed(3)))
        #expect(log.drain().isEmpty, "no recognizer allows it")
        deliver(.ended, .scroll(place(60, 60), dx: .zero, dy: .zero))
        pan.allowedScrollTypesMask = .continuous
        deliver(.began, .scroll(place(60, 60), dx: .zero, dy: Fixed(3)), at: 1)
        deliver(.changed, .scroll(place(190, 190), dx: Fixed(1), dy: Fixed(2)), at: 1.1)
        deliver(.ended, .scroll(place(190, 190), dx: .zero, dy: .zero), at: 1.2)
        #expect(
            log.drain() == [
                "pan began by 0.0,3.0 at 10.0,10.0 touches 0", "pan changed by 1.0,5.0 at 140.0,140.0 touches 0",
                "pan ended by 1.0,5.0 at 140.0,140.0 touches 0",
            ])
        #expect(pan.state == .possible)
        #expect(stage.app.isGestureIdle)
    }

    @Test("a wheel notch is a whole scroll for pans that allow it")
    func wheel() {
        let pan = log(UIPanGestureRecognizer(), on: inner, "pan")
        pan.allowedScrollTypesMask = .continuous
        deliver(.once, .scroll(place(60, 60), dx: .zero, dy: Fixed(3)))
        #expect(log.drain().isEmpty)
        pan.allowedScrollTypesMask = .discrete
        deliver(.once, .scroll(place(60, 60), dx: .zero, dy: Fixed(3)))
        deliver(.once, .scroll(place(60, 60), dx: .zero, dy: Fixed(3)))
        #expect(log.drain() == ["pan began", "pan ended", "pan began", "pan ended"])
    }

    @Test("a cancelled scroll cancels the pan that had begun")
    func cancelledScroll() {
        let pan = log(UIPanGestureRecognizer(), on: inner, "pan")
        pan.allowedScrollTypesMask = .all
        deliver(.began, .scroll(place(60, 60), dx: .zero, dy: Fixed(3)))
        deliver(.cancelled, .scroll(place(60, 60), dx: .zero, dy: .zero))
        #expect(log.drain() == ["pan began", "pan cancelled"])
    }

    @Test("a hovering pointer is hit-tested again on every move")
    func hover() {
        let together = Together()
        log(UIHoverGestureRecognizer(), on: outer, "outer").delegate = together
        _ = log(UIHoverGestureRecognizer(), on: inner, "inner")
        deliver(.began, .hover(place(10, 10)))
        #expect(log.drain() == ["outer began"])
        deliver(.changed, .hover(place(60, 60)))
        #expect(log.drain() == ["outer changed", "inner began"])
        deliver(.changed, .hover(place(20, 20)))
        #expect(log.drain() == ["outer changed", "inner ended"])
        deliver(.ended, .hover(place(20, 20)))
        #expect(log.drain() == ["outer ended"])
        #expect(stage.app.isGestureIdle)
    }

    @Test("a hover recognizer takes no touches from its view")
    func hoverAndFinger() {
        _ = log(UIHoverGestureRecognizer(), on: inner, "hover")
        inner.forwards = false
        stage.tap(60, 60, at: 1)
        #expect(log.drain() == ["touchesBegan inner", "touchesEnded inner"])
        deliver(.began, .hover(place(60, 60)), at: 2)
        #expect(log.drain() == ["hover began"])
        deliver(.cancelled, .hover(place(60, 60)), at: 3)
        #expect(log.drain() == ["hover cancelled"])
    }

    @Test("a pointer's transform drives a pinch's scale and a rotation's angle")
    func transform() {
        _ = log(UIPinchGestureRecognizer(), on: inner, "pinch") { " \($0.scale)" }
        deliver(.began, .transform(place(60, 60), scale: Fixed(1.5), rotation: .zero))
        deliver(.changed, .transform(place(60, 60), scale: Fixed(2), rotation: .zero))
        deliver(.ended, .transform(place(60, 60), scale: Fixed(2), rotation: .zero))
        #expect(log.drain() == ["pinch began 1.5", "pinch changed 2.0", "pinch ended 2.0"])
        _ = log(UIRotationGestureRecognizer(), on: outer, "turn") { " \(($0.rotation * 100).rounded())" }
        deliver(.began, .transform(place(10, 10), scale: .one, rotation: Fixed(0.5)))
        deliver(.cancelled, .transform(place(10, 10), scale: .one, rotation: Fixed(0.5)))
        #expect(log.drain() == ["turn began 50.0", "turn cancelled 50.0"])
    }

    @Test("a pan that has a finger takes no scroll as well")
    func busy() {
        let pan = log(UIPanGestureRecognizer(), on: inner, "pan")
        pan.allowedScrollTypesMask = .all
        stage.frame(.down(1, 60, 60), at: 1)
        deliver(.began, .scroll(place(60, 60), dx: .zero, dy: Fixed(30)), at: 1.1)
        #expect(log.drain() == ["touchesBegan inner", "touchesBegan outer"])
    }

    // MARK: Interrupted scrolls and hovers

    private func scroll(_ steps: (InputPhase, Double)...) {
        for (phase, dy) in steps { deliver(phase, .scroll(place(60, 60), dx: .zero, dy: Fixed(dy))) }
    }

    private func scrollPan(on view: UIView, _ name: String) -> UIPanGestureRecognizer {
        let pan = log(UIPanGestureRecognizer(), on: view, name)
        pan.allowedScrollTypesMask = .all
        return pan
    }

    @Test("the inner of two nested pans gets a scroll")
    func nestedPans() {
        let (_, inside) = (scrollPan(on: outer, "outer"), scrollPan(on: inner, "inner"))
        scroll((.began, 0), (.changed, 5), (.changed, 5), (.ended, 0))
        #expect(log.drain() == ["inner began", "inner changed", "inner ended"])
        inside.isEnabled = false
        scroll((.began, 3), (.ended, 0))
        #expect(log.drain() == ["outer began", "outer ended"])
    }

    @Test("a pan disabled or removed during a scroll waits for the next")
    func dropped() {
        let pan = scrollPan(on: inner, "pan")
        scroll((.began, 3))
        stage.run {
            pan.isEnabled = false
            pan.isEnabled = true
        }
        scroll((.changed, 3), (.changed, 3), (.ended, 0))
        #expect(log.drain() == ["pan began", "pan cancelled"])
        scroll((.began, 3), (.changed, 1))
        stage.run { inner.removeFromSuperview() }
        scroll((.changed, 3))
        stage.run { outer.addSubview(inner) }
        scroll((.changed, 3), (.ended, 0))
        #expect(log.drain() == ["pan began", "pan changed", "pan cancelled"])
        scroll((.began, 3), (.ended, 0))
        #expect(log.drain() == ["pan began", "pan ended"])
        #expect(stage.app.isGestureIdle)
    }

    @Test("a scroll view disabled or removed mid-scroll has no second drag")
    func scrollView() {
        let scroller = stage.run { UIScrollView(frame: CGRect(x: 0, y: 300, width: 100, height: 100)) }
        let watcher = DragWatcher(log)
        stage.run {
            scroller.contentSize = CGSize(width: 100, height: 1000)
            scroller.delegate = watcher
            stage.window.addSubview(scroller)
        }
        func wheel(_ phase: InputPhase) {
            deliver(phase, .scroll(place(50, 350), dx: .zero, dy: Fixed(phase == .ended ? 0 : -10)))
        }
        for lose in [{ scroller.isScrollEnabled = false }, { scroller.removeFromSuperview() }] {
            wheel(.began)
            wheel(.changed)
            stage.run(lose)
            wheel(.changed)
            stage.run {
                scroller.isScrollEnabled = true
                stage.window.addSubview(scroller)
            }
            wheel(.changed)
            wheel(.ended)
            #expect(log.drain() == ["drag", "drag over"])
        }
    }

    @Test("a disabled hover recognizer is silent until the pointer returns")
    func hoverDropped() {
        let hover = log(UIHoverGestureRecognizer(), on: inner, "hover")
        deliver(.began, .hover(place(60, 60)))
        stage.run { hover.isEnabled = false }
        stage.run { hover.isEnabled = true }
        deliver(.changed, .hover(place(61, 60)))
        #expect(log.drain() == ["hover began", "hover cancelled"])
        deliver(.changed, .hover(place(10, 10)))
        deliver(.changed, .hover(place(60, 60)))
        deliver(.ended, .hover(place(60, 60)))
        #expect(log.drain() == ["hover began", "hover ended"])
    }

    @Test("a hover ends when the pointer is over no window")
    func hoverOverNothing() {
        _ = log(UIHoverGestureRecognizer(), on: inner, "hover")
        deliver(.began, .hover(place(60, 60)))
        stage.run { stage.window.isUserInteractionEnabled = false }
        deliver(.changed, .hover(place(60, 60)))
        #expect(log.drain() == ["hover began", "hover ended"])
        #expect(stage.app.isGestureIdle)
    }

    @Test("a refused pan is asked once in each scroll")
    func refused() {
        let pan = scrollPan(on: inner, "pan")
        let delegate = Refusing()
        pan.delegate = delegate
        scroll((.began, 3), (.changed, 3), (.changed, 3), (.ended, 0))
        #expect(delegate.asked == 1)
        scroll((.began, 3), (.ended, 0))
        #expect(delegate.asked == 2)
        #expect(log.drain().isEmpty)
    }

    @Test("a pan that follows a scroll takes no finger")
    func finger() {
        let pan = scrollPan(on: inner, "pan")
        inner.logsTouches = false
        outer.logsTouches = false
        scroll((.began, 3))
        stage.frame(.down(1, 60, 60), at: 1)
        #expect(pan.numberOfTouches == 0)
        stage.frame(.move(1, 60, 90), at: 1.1)
        scroll((.changed, 3), (.ended, 0))
        #expect(log.drain() == ["pan began", "pan changed", "pan ended"])
        stage.frame(.up(1), at: 1.2)
        scroll((.began, 3))
        stage.run {
            pan.isEnabled = false
            pan.isEnabled = true
        }
        stage.frame(.down(1, 60, 60), at: 2)
        #expect(pan.numberOfTouches == 1)
        scroll((.changed, 3))
        #expect(log.drain() == ["pan began", "pan cancelled"])
        stage.frame(.up(1), at: 2.1)
        scroll((.ended, 0))
        #expect(stage.app.isGestureIdle)
    }

    @Test("a pointer's transform with scale zero still ends the pinch")
    func impossibleScale() {
        let pinch = log(UIPinchGestureRecognizer(), on: inner, "pinch") { " \($0.scale)" }
        deliver(.began, .transform(place(60, 60), scale: Fixed(1.5), rotation: .zero))
        deliver(.ended, .transform(place(60, 60), scale: .zero, rotation: .zero))
        #expect(log.drain() == ["pinch began 1.5", "pinch ended 1.5"])
        #expect(pinch.state == .possible)
    }
}
