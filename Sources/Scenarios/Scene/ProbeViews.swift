// ProbeViews.swift: UIKit's classes with a probe in every method that a scenario can watch.
//
// Station   hitTest, responder, action
// Fed by    UIKit, as any subclass
// Feeds     Probe, which prints and may answer
// Knows     where super is called. The blocks are alike because Swift has no mixins; a test holds them to it.

import UIKit

class ProbeView: UIView, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { hitSuper(point, with: event) }
    }
    /// What is between `hitTest>` and `hitTest<`.
    func hitSuper(_ point: CGPoint, with event: UIEvent?) -> UIView? { super.hitTest(point, with: event) }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
}

final class ProbeControl: UIControl, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.beginTracking { super.beginTracking(touch, with: event) }
    }
    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.continueTracking { super.continueTracking(touch, with: event) }
    }
    override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        probe.control("endTracking") { super.endTracking(touch, with: event) }
    }
    override func cancelTracking(with event: UIEvent?) {
        probe.control("cancelTracking") { super.cancelTracking(with: event) }
    }
}

final class ProbeButton: UIButton, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.beginTracking { super.beginTracking(touch, with: event) }
    }
    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.continueTracking { super.continueTracking(touch, with: event) }
    }
    override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        probe.control("endTracking") { super.endTracking(touch, with: event) }
    }
    override func cancelTracking(with event: UIEvent?) {
        probe.control("cancelTracking") { super.cancelTracking(with: event) }
    }
}

final class ProbeSwitch: UISwitch, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.beginTracking { super.beginTracking(touch, with: event) }
    }
    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.continueTracking { super.continueTracking(touch, with: event) }
    }
    override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        probe.control("endTracking") { super.endTracking(touch, with: event) }
    }
    override func cancelTracking(with event: UIEvent?) {
        probe.control("cancelTracking") { super.cancelTracking(with: event) }
    }
}

final class ProbeSlider: UISlider, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.beginTracking { super.beginTracking(touch, with: event) }
    }
    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.continueTracking { super.continueTracking(touch, with: event) }
    }
    override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        probe.control("endTracking") { super.endTracking(touch, with: event) }
    }
    override func cancelTracking(with event: UIEvent?) {
        probe.control("cancelTracking") { super.cancelTracking(with: event) }
    }
}

final class ProbeStepper: UIStepper, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.beginTracking { super.beginTracking(touch, with: event) }
    }
    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.continueTracking { super.continueTracking(touch, with: event) }
    }
    override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        probe.control("endTracking") { super.endTracking(touch, with: event) }
    }
    override func cancelTracking(with event: UIEvent?) {
        probe.control("cancelTracking") { super.cancelTracking(with: event) }
    }
}

final class ProbeSegmentedControl: UISegmentedControl, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.beginTracking { super.beginTracking(touch, with: event) }
    }
    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.continueTracking { super.continueTracking(touch, with: event) }
    }
    override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        probe.control("endTracking") { super.endTracking(touch, with: event) }
    }
    override func cancelTracking(with event: UIEvent?) {
        probe.control("cancelTracking") { super.cancelTracking(with: event) }
    }
}

final class ProbePageControl: UIPageControl, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.beginTracking { super.beginTracking(touch, with: event) }
    }
    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.continueTracking { super.continueTracking(touch, with: event) }
    }
    override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        probe.control("endTracking") { super.endTracking(touch, with: event) }
    }
    override func cancelTracking(with event: UIEvent?) {
        probe.control("cancelTracking") { super.cancelTracking(with: event) }
    }
}

final class ProbeTextField: UITextField, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.beginTracking { super.beginTracking(touch, with: event) }
    }
    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        probe.continueTracking { super.continueTracking(touch, with: event) }
    }
    override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        probe.control("endTracking") { super.endTracking(touch, with: event) }
    }
    override func cancelTracking(with event: UIEvent?) {
        probe.control("cancelTracking") { super.cancelTracking(with: event) }
    }
}

final class ProbeLabel: UILabel, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
}

final class ProbeImageView: UIImageView, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
}

final class ProbeStackView: UIStackView, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
}

final class ProbeScrollView: UIScrollView, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
    override func touchesShouldBegin(_ touches: Set<UITouch>, with event: UIEvent?, in view: UIView) -> Bool {
        probe.touchesShould("Begin", in: view) { super.touchesShouldBegin(touches, with: event, in: view) }
    }
    override func touchesShouldCancel(in view: UIView) -> Bool {
        probe.touchesShould("Cancel", in: view) { super.touchesShouldCancel(in: view) }
    }
}

final class ProbeTableView: UITableView, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero, style: .plain)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
    override func touchesShouldBegin(_ touches: Set<UITouch>, with event: UIEvent?, in view: UIView) -> Bool {
        probe.touchesShould("Begin", in: view) { super.touchesShouldBegin(touches, with: event, in: view) }
    }
    override func touchesShouldCancel(in view: UIView) -> Bool {
        probe.touchesShould("Cancel", in: view) { super.touchesShouldCancel(in: view) }
    }
}

final class ProbeWindow: UIWindow, Probed, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
        traceClass = probe.className
    }

    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        probe.hitTest(self, with: event) { super.hitTest(point, with: event) }
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        probe.pointInside(self, point, with: event) { super.point(inside: point, with: event) }
    }
    override var next: UIResponder? { probe.next { super.next } }
    override var canBecomeFirstResponder: Bool { probe.wantsEvents || super.canBecomeFirstResponder }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.shouldBegin(gestureRecognizer, self) { super.gestureRecognizerShouldBegin(gestureRecognizer) }
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer, touch, of: probe)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { probe.delegations.simultaneous(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requireFailure(gestureRecognizer, other, of: probe) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { probe.delegations.requiredBy(gestureRecognizer, other, of: probe) }
    override func sendEvent(_ event: UIEvent) {
        probe.scene.windowSends(self, event)
        super.sendEvent(event)
    }
}

final class ProbeController: UIViewController, Probed {
    let probe: Probe
    private let deferred: UIRectEdge

    init(_ probe: Probe, defers edges: [ScreenEdge] = []) {
        self.probe = probe
        deferred = UIRectEdge(edges)
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var preferredScreenEdgesDeferringSystemGestures: UIRectEdge { deferred }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.began, self, touches, event) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.moved, self, touches, event) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.ended, self, touches, event) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        probe.touches(.cancelled, self, touches, event) { super.touchesCancelled(touches, with: event) }
    }
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesBegan") { super.pressesBegan(presses, with: event) }
    }
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesChanged") { super.pressesChanged(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesEnded") { super.pressesEnded(presses, with: event) }
    }
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        probe.heard(.presses, "pressesCancelled") { super.pressesCancelled(presses, with: event) }
    }
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionBegan") { super.motionBegan(motion, with: event) }
    }
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionEnded") { super.motionEnded(motion, with: event) }
    }
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        probe.heard(.motion, "motionCancelled") { super.motionCancelled(motion, with: event) }
    }
}
