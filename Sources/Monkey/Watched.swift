// Watched.swift: views and recognisers that tell what they are told, and do with it what their class does.
//
// Fed by    UIKit, as any subclass of an app's
// Feeds     MonkeyRun, before the class's own code runs
//
// By the public interface alone, so that nothing here is true only for us.

import UIKit

/// Whose eye is on it, and what it is called.
struct Watch {
    unowned(unsafe) var run: MonkeyRun
    var index: Int
}

protocol WatchedView: UIView {
    var watch: Watch? { get set }
}

extension WatchedView {
    /// What came up the chain from another view is that view's.
    func hear(_ method: UITouch.Phase, _ touches: Set<UITouch>) {
        guard let watch else { return }
        watch.run.heard(by: self, watch.index, method, touches)
    }

    func mayBegin(_ recognizer: UIGestureRecognizer) -> Bool {
        watch.map { $0.run.view($0.index, lets: recognizer) } ?? true
    }
}

final class WatchedPlain: UIView, WatchedView {
    var watch: Watch?
    var forwards = true

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.began, touches)
        if forwards { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.moved, touches)
        if forwards { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.ended, touches)
        if forwards { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.cancelled, touches)
        if forwards { super.touchesCancelled(touches, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        mayBegin(gestureRecognizer) && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }
}

final class WatchedControl: UIControl, WatchedView {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        mayBegin(gestureRecognizer) && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }
}

final class WatchedButton: UIButton, WatchedView {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        mayBegin(gestureRecognizer) && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }
}

final class WatchedSwitch: UISwitch, WatchedView {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        mayBegin(gestureRecognizer) && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }
}

final class WatchedSlider: UISlider, WatchedView {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        mayBegin(gestureRecognizer) && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }
}

final class WatchedStepper: UIStepper, WatchedView {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        mayBegin(gestureRecognizer) && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }
}

final class WatchedSegments: UISegmentedControl, WatchedView {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        mayBegin(gestureRecognizer) && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }
}

final class WatchedPages: UIPageControl, WatchedView {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        mayBegin(gestureRecognizer) && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }
}

final class WatchedScroll: UIScrollView, WatchedView {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        mayBegin(gestureRecognizer) && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }
}

// MARK: - Recognisers

protocol WatchedRecognizer: UIGestureRecognizer {
    var watch: Watch? { get set }
}

extension WatchedRecognizer {
    func hear(_ phase: UITouch.Phase, _ touches: Set<UITouch>) {
        watch.map { $0.run.told(self, $0.index, phase, touches) }
    }

    func letGo(of touch: UITouch) { watch.map { $0.run.ignored(self, $0.index, touch) } }
    func wasReset() { watch.map { $0.run.reset($0.index) } }
}

final class WatchedTap: UITapGestureRecognizer, WatchedRecognizer {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func ignore(_ touch: UITouch, for event: UIEvent) {
        letGo(of: touch)
        super.ignore(touch, for: event)
    }
    override func reset() {
        wasReset()
        super.reset()
    }
}

final class WatchedPress: UILongPressGestureRecognizer, WatchedRecognizer {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func ignore(_ touch: UITouch, for event: UIEvent) {
        letGo(of: touch)
        super.ignore(touch, for: event)
    }
    override func reset() {
        wasReset()
        super.reset()
    }
}

final class WatchedPan: UIPanGestureRecognizer, WatchedRecognizer {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func ignore(_ touch: UITouch, for event: UIEvent) {
        letGo(of: touch)
        super.ignore(touch, for: event)
    }
    override func reset() {
        wasReset()
        super.reset()
    }
}

final class WatchedSwipe: UISwipeGestureRecognizer, WatchedRecognizer {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func ignore(_ touch: UITouch, for event: UIEvent) {
        letGo(of: touch)
        super.ignore(touch, for: event)
    }
    override func reset() {
        wasReset()
        super.reset()
    }
}

final class WatchedPinch: UIPinchGestureRecognizer, WatchedRecognizer {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func ignore(_ touch: UITouch, for event: UIEvent) {
        letGo(of: touch)
        super.ignore(touch, for: event)
    }
    override func reset() {
        wasReset()
        super.reset()
    }
}

final class WatchedRotation: UIRotationGestureRecognizer, WatchedRecognizer {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func ignore(_ touch: UITouch, for event: UIEvent) {
        letGo(of: touch)
        super.ignore(touch, for: event)
    }
    override func reset() {
        wasReset()
        super.reset()
    }
}

final class WatchedEdge: UIScreenEdgePanGestureRecognizer, WatchedRecognizer {
    var watch: Watch?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.began, touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.moved, touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.ended, touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.cancelled, touches)
        super.touchesCancelled(touches, with: event)
    }
    override func ignore(_ touch: UITouch, for event: UIEvent) {
        letGo(of: touch)
        super.ignore(touch, for: event)
    }
    override func reset() {
        wasReset()
        super.reset()
    }
}

/// A recogniser of the app's own: it assigns what its script says, legal or not, and decides when its fingers are gone.
final class WatchedCustom: UIGestureRecognizer, WatchedRecognizer {
    var watch: Watch?
    var script: [State] = [.possible]
    var finale = State.failed
    var ignoresFirst = false
    var cannotPrevent: Set<ObjectIdentifier> = []
    var cannotBePrevented: Set<ObjectIdentifier> = []
    private var calls = 0
    private var fingers: [UITouch] = []

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.began, touches)
        let sorted = touches.sorted { $0.id < $1.id }
        fingers += sorted
        if ignoresFirst, state == .possible, calls == 0 {
            calls += 1
            ignore(sorted[0], for: event)
        } else {
            step()
        }
    }

    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.moved, touches)
        step()
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.ended, touches)
        leave(touches, finale)
    }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.cancelled, touches)
        leave(touches, .cancelled)
    }

    override func ignore(_ touch: UITouch, for event: UIEvent) {
        letGo(of: touch)
        fingers.removeAll { $0 === touch }
        super.ignore(touch, for: event)
    }

    override func reset() {
        wasReset()
        (calls, fingers) = (0, [])
        super.reset()
    }

    override func canPrevent(_ preventedGestureRecognizer: UIGestureRecognizer) -> Bool {
        !cannotPrevent.contains(ObjectIdentifier(preventedGestureRecognizer))
    }

    override func canBePrevented(by preventingGestureRecognizer: UIGestureRecognizer) -> Bool {
        !cannotBePrevented.contains(ObjectIdentifier(preventingGestureRecognizer))
    }

    private func step() {
        let next = script[min(calls, script.count - 1)]
        calls += 1
        // Assigning possible to what is possible says nothing; assigning it later is misuse that is tolerated.
        state = next
    }

    private func leave(_ touches: Set<UITouch>, _ last: State) {
        fingers.removeAll { touches.contains($0) }
        guard fingers.isEmpty else { return }
        // One that ends without having begun was discrete, or failed; one that is left undecided holds others up.
        state = last
    }
}
