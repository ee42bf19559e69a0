// SubclassObservationTests.swift: UIKit's events compared with what public subclassing and delegates observe.

import Basics
import Foundation
import HID
import Testing
import TouchlineTesting
import UIKit

/// The lines of the app's overrides and the lines of UIKit's events, each in order.
private final class Witness: UIKitObserver {
    let seen = Log()
    let events = Log()

    func observe(_ event: UIKitEvent) {
        switch event {
        case .hitTest(let event): observe(event)
        case .responder(.touchesEntered(let responder, let call)):
            note("touches\(word(call.phase))", responder)
        case .responder(.touchesLeft(let responder, let call)):
            note("touches\(word(call.phase)) left", responder)
        case .responder(.entered(let responder, let call)):
            if case .estimates = call.method { note("estimates", responder) }
        case .responder(.left): break
        case .gesture(let event): observe(event)
        case .scroll(_, .calls(.willBeginDragging)): events.add("willBeginDragging")
        case .scroll(_, .calls(.didEndDragging)): events.add("didEndDragging")
        case .scroll(_, .calls(.willBeginZooming(let view))): note("willBeginZooming", view)
        case .scroll(_, .calls(.didZoom)): events.add("didZoom")
        case .scroll(_, .calls(.didEndZooming(let view?, let scale))): note("didEndZooming \(scale)", view)
        case .scroll(_, .zooms(let view?)): note("viewForZooming", view)
        case .action(.trackingEntered(let control, let call)): note(call.rawValue, control)
        case .action(.runs(let name, _, _)): events.add("action \(name)")
        case .action, .scroll, .app, .input: break
        }
    }

    private func observe(_ event: UIKitEvent.HitTest) {
        switch event {
        case .entered(let view, _): note("hitTest", view)
        case .left(let view, _, let found): note("hitTest left for \(found?.accessibilityIdentifier ?? "nil")", view)
        case .pointInsideLeft(let view, let isInside): note("point inside \(isInside)", view)
        case .passBegan, .pointInsideEntered, .sawThrough, .passedOver, .found, .foundNothing, .pointer: break
        }
    }

    private func observe(_ event: UIKitEvent.Gesture) {
        switch event {
        case .entered(let recognizer, .touches(let phase, _)): note("touches\(word(phase))", recognizer)
        case .entered(let recognizer, .reset): note("reset", recognizer)
        case .entered(let recognizer, .estimates): note("estimates", recognizer)
        case .left(let recognizer, .touches(let phase, _)):
            note("touches\(word(phase)) left \(recognizer.state)", recognizer)
        case .ignored(let recognizer, _): note("ignore", recognizer)
        case .asked(.shouldBegin, let object, let answer): note("shouldBegin \(answer)", object)
        case .asked(.shouldReceive, let object, let answer): note("shouldReceive \(answer)", object)
        case .asked(.shouldReceivePress, let object, let answer): note("shouldReceivePress \(answer)", object)
        case .asked(.shouldReceiveEvent, let object, let answer): note("shouldReceiveEvent \(answer)", object)
        case .asked(.canPrevent, let object, let answer): note("canPrevent \(answer)", object)
        case .asked(.canBePrevented, let object, let answer): note("canBePrevented \(answer)", object)
        case .asked(.requireFailure, let object, let answer): note("requireFailure \(answer)", object)
        case .asked(.requiredToFail, let object, let answer): note("requiredToFail \(answer)", object)
        default: break
        }
    }

    /// Adds the line if the object is the app's, because only those have a name.
    private func note(_ line: String, _ object: AnyObject) {
        if let name = name(of: object) { events.add("\(line) \(name)") }
    }

    private func name(of object: AnyObject) -> String? {
        switch object {
        case is Delegate: "delegate"
        case let view as UIView: view.accessibilityIdentifier
        case let recognizer as UIGestureRecognizer: recognizer.name
        default: nil
        }
    }
}

private func word(_ phase: UITouch.Phase) -> String { "\(phase)".prefix(1).uppercased() + "\(phase)".dropFirst() }

private final class SeenView: UIView {
    var log = Log()
    var forwards = true

    private func see(_ phase: UITouch.Phase, _ body: () -> Void) {
        log.add("touches\(word(phase)) \(accessibilityIdentifier ?? "?")")
        if forwards { body() }
        log.add("touches\(word(phase)) left \(accessibilityIdentifier ?? "?")")
    }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        log.add("hitTest \(accessibilityIdentifier ?? "?")")
        let found = super.hitTest(point, with: event)
        log.add("hitTest left for \(found?.accessibilityIdentifier ?? "nil") \(accessibilityIdentifier ?? "?")")
        return found
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        let isInside = super.point(inside: point, with: event)
        log.add("point inside \(isInside) \(accessibilityIdentifier ?? "?")")
        return isInside
    }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        see(.began) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        see(.moved) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        see(.ended) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        see(.cancelled) { super.touchesCancelled(touches, with: event) }
    }
    override func touchesEstimatedPropertiesUpdated(_ touches: Set<UITouch>) {
        log.add("estimates \(accessibilityIdentifier ?? "?")")
    }
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        log.add("shouldBegin true \(accessibilityIdentifier ?? "?")")
        return true
    }
}

private final class SeenTap: UITapGestureRecognizer {
    var log = Log()

    private func see(_ phase: UITouch.Phase, _ body: () -> Void) {
        log.add("touches\(word(phase)) \(name ?? "?")")
        body()
        log.add("touches\(word(phase)) left \(state) \(name ?? "?")")
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        see(.began) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        see(.moved) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        see(.ended) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        see(.cancelled) { super.touchesCancelled(touches, with: event) }
    }
    override func ignore(_ touch: UITouch, for event: UIEvent) {
        log.add("ignore \(name ?? "?")")
        super.ignore(touch, for: event)
    }
    override func reset() {
        log.add("reset \(name ?? "?")")
        super.reset()
    }
    override func touchesEstimatedPropertiesUpdated(_ touches: Set<UITouch>) { log.add("estimates \(name ?? "?")") }

    private func see(_ question: String, _ answer: Bool) -> Bool {
        log.add("\(question) \(answer) \(name ?? "?")")
        return answer
    }

    override func shouldReceive(_ event: UIEvent) -> Bool { see("shouldReceiveEvent", super.shouldReceive(event)) }
    override func canPrevent(_ other: UIGestureRecognizer) -> Bool { see("canPrevent", super.canPrevent(other)) }
    override func canBePrevented(by other: UIGestureRecognizer) -> Bool {
        see("canBePrevented", super.canBePrevented(by: other))
    }
    override func shouldRequireFailure(of other: UIGestureRecognizer) -> Bool {
        see("requireFailure", super.shouldRequireFailure(of: other))
    }
    override func shouldBeRequiredToFail(by other: UIGestureRecognizer) -> Bool {
        see("requiredToFail", super.shouldBeRequiredToFail(by: other))
    }
}

private final class SeenButton: UIButton {
    var log = Log()

    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        log.add("beginTracking \(accessibilityIdentifier ?? "?")")
        return super.beginTracking(touch, with: event)
    }
    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        log.add("continueTracking \(accessibilityIdentifier ?? "?")")
        return super.continueTracking(touch, with: event)
    }
    override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        log.add("endTracking \(accessibilityIdentifier ?? "?")")
    }
    override func cancelTracking(with event: UIEvent?) {
        log.add("cancelTracking \(accessibilityIdentifier ?? "?")")
    }
}

private final class Delegate: NSObject, UIGestureRecognizerDelegate, UIScrollViewDelegate {
    var log = Log()
    weak var zoomed: UIView?

    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        log.add("shouldBegin true delegate")
        return true
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        log.add("shouldReceive true delegate")
        return true
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive event: UIEvent) -> Bool {
        log.add("shouldReceiveEvent true delegate")
        return true
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive press: UIPress) -> Bool {
        log.add("shouldReceivePress true delegate")
        return true
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool {
        log.add("requireFailure false delegate")
        return false
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool {
        log.add("requiredToFail false delegate")
        return false
    }
    func viewForZooming(in scrollView: UIScrollView) -> UIView? {
        if let zoomed { log.add("viewForZooming \(zoomed.accessibilityIdentifier ?? "?")") }
        return zoomed
    }
    func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?) {
        log.add("willBeginZooming \(view?.accessibilityIdentifier ?? "?")")
    }
    func scrollViewDidZoom(_ scrollView: UIScrollView) { log.add("didZoom") }
    func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {
        log.add("didEndZooming \(scale) \(view?.accessibilityIdentifier ?? "?")")
    }
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { log.add("willBeginDragging") }
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
        log.add("didEndDragging")
    }
}

private final class SeenScroll: UIScrollView {
    var questions = 0
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        questions += 1
        return super.gestureRecognizerShouldBegin(gestureRecognizer)
    }
}

/// The objects that were asked whether a recognizer may begin.
private final class BeginQuestions: UIKitObserver {
    private var asked: [AnyObject] = []

    func observe(_ event: UIKitEvent) {
        if case .gesture(.asked(.shouldBegin, of: let object, _)) = event { asked.append(object) }
    }

    func take() -> [ObjectIdentifier] {
        defer { asked = [] }
        return asked.map { ObjectIdentifier($0) }
    }
}

@Suite("UIKit events compared with subclasses and delegates")
struct SubclassObservationTests {
    private let stage = Stage()
    private let witness = Witness()
    private let delegate = Delegate()
    private let outer = SeenView(frame: CGRect(x: 0, y: 0, width: 300, height: 300))
    private let inner = SeenView(frame: CGRect(x: 50, y: 50, width: 100, height: 100))

    init() {
        stage.app.observer = witness
        (outer.accessibilityIdentifier, inner.accessibilityIdentifier) = ("outer", "inner")
        (outer.log, inner.log, delegate.log) = (witness.seen, witness.seen, witness.seen)
        outer.addSubview(inner)
        stage.window.addSubview(outer)
    }

    /// - Parameter words: Beginnings of lines that the log must contain, so that the comparison is not empty.
    private func expectSame(with words: String...) {
        #expect(witness.events.lines == witness.seen.lines)
        for word in words { #expect(witness.seen.lines.contains { $0.hasPrefix(word) }, "no \(word)") }
    }

    private func addTap(to view: UIView, name: String = "tap") -> SeenTap {
        let tap = SeenTap()
        (tap.name, tap.log, tap.delegate) = (name, witness.seen, delegate)
        tap.addAction(UIAction(title: "tapped") { [witness] _ in witness.seen.add("action tapped") })
        view.addGestureRecognizer(tap)
        return tap
    }

    @Test("UIKit events of a tap match what subclasses observe")
    func tap() {
        _ = addTap(to: outer)
        stage.tap(100, 100)
        stage.tap(250, 250, at: 2)
        expectSame(
            with: "hitTest left for inner", "shouldReceive", "shouldBegin", "action", "reset", "touchesCancelled")
    }

    @Test("UIKit events of a cancelled touch match what subclasses observe")
    func cancelled() {
        outer.forwards = false
        stage.frame(.down(1, 100, 100))
        stage.frame(.move(1, 120, 100))
        stage.frame(.cancel(1))
        expectSame(with: "touchesBegan outer", "touchesMoved inner", "touchesCancelled left outer")
    }

    @Test("UIKit events of a second finger match what a tap observes")
    func ignored() {
        _ = addTap(to: outer)
        outer.isMultipleTouchEnabled = true
        stage.frame(.down(1, 250, 250))
        stage.frame(.down(2, 260, 250))
        stage.frame(.up(1), .up(2))
        expectSame(with: "touchesBegan left possible tap")
    }

    @Test("UIKit events of a tracking control match what a subclass observes")
    func control() {
        let button = SeenButton(frame: CGRect(x: 0, y: 400, width: 100, height: 50))
        (button.accessibilityIdentifier, button.log) = ("button", witness.seen)
        stage.window.addSubview(button)
        let action = UIAction(title: "pressed") { [witness] _ in witness.seen.add("action pressed") }
        button.addAction(action, for: .touchUpInside)
        for last in [Stage.Act.up(1), .cancel(1)] {
            stage.frame(.down(1, 50, 420))
            stage.frame(.move(1, 52, 420))
            stage.frame(last)
        }
        let controls = ["beginTracking", "continueTracking", "endTracking", "cancelTracking", "action"]
        func kept(_ log: Log) -> [String] { log.lines.filter { line in controls.contains { line.hasPrefix($0) } } }
        #expect(kept(witness.events) == kept(witness.seen))
        #expect(kept(witness.seen).count == 7)
    }

    @Test("UIKit events of a scroll view's pan match what subclasses observe")
    func scroll() {
        let scroll = UIScrollView(frame: CGRect(x: 0, y: 0, width: 300, height: 300))
        scroll.contentSize = CGSize(width: 300, height: 900)
        scroll.delegate = delegate
        scroll.delaysContentTouches = false
        scroll.addSubview(outer)
        stage.window.addSubview(scroll)
        stage.frame(.down(1, 100, 200))
        stage.frame(.move(1, 100, 180), at: 0.02)
        stage.frame(.move(1, 100, 150), at: 0.04)
        stage.frame(.up(1), at: 0.06)
        expectSame(with: "willBeginDragging", "didEndDragging", "touchesCancelled outer")
    }

    @Test("UIKit events of two exclusive recognizers match what they observe")
    func exclusion() {
        _ = addTap(to: outer)
        _ = addTap(to: outer, name: "other")
        stage.tap(250, 250)
        expectSame(
            with: "shouldReceiveEvent true tap", "shouldReceiveEvent true delegate", "requireFailure false tap",
            "requiredToFail false other", "requireFailure false delegate", "requiredToFail false delegate",
            "canPrevent true", "canBePrevented true")
    }

    @Test("UIKit events of a press match what recognizer and delegate observe")
    func press() {
        let tap = addTap(to: outer)
        stage.window.addGestureRecognizer(tap)
        tap.allowedPressTypes = [NSNumber(value: UIPress.PressType.menu.rawValue)]
        for phase in [InputPhase.began, .ended] {
            stage.input(phase, .key(HIDUsage.button(named: "menu")!))
        }
        expectSame(with: "shouldReceiveEvent true tap", "shouldReceiveEvent true delegate", "shouldReceivePress true")
    }

    @Test("UIKit events of a corrected estimate match what subclasses observe")
    func estimates() {
        _ = addTap(to: outer)
        stage.app.estimateProperties(.force)
        stage.frame(.down(1, 250, 250))
        stage.run(at: 0.1) { stage.app.settleEstimate(1, force: 0.5) }
        expectSame(with: "estimates tap", "estimates outer")
    }

    @Test("UIKit events of a zoom match what the delegate observes")
    func zoom() {
        let scroll = UIScrollView(frame: CGRect(x: 0, y: 0, width: 300, height: 300))
        (scroll.minimumZoomScale, scroll.maximumZoomScale, scroll.delegate) = (1, 4, delegate)
        scroll.isMultipleTouchEnabled = true
        scroll.delaysContentTouches = false
        scroll.addSubview(outer)
        outer.forwards = false
        outer.isMultipleTouchEnabled = true
        delegate.zoomed = outer
        stage.window.addSubview(scroll)
        stage.frame(.down(1, 200, 200), .down(2, 250, 250))
        stage.frame(.move(1, 180, 180), .move(2, 270, 270), at: 0.02)
        stage.frame(.move(1, 160, 160), .move(2, 280, 280), at: 0.04)
        stage.frame(.up(1), .up(2), at: 0.06)
        stage.run(at: 1) { scroll.setZoomScale(2, animated: false) }
        func isOfZoom(_ line: String) -> Bool { line.contains("oom") }
        #expect(witness.events.lines.filter(isOfZoom) == witness.seen.lines.filter(isOfZoom))
        for word in ["viewForZooming outer", "willBeginZooming outer", "didZoom", "didEndZooming"] {
            #expect(witness.seen.lines.contains { $0.hasPrefix(word) }, "no \(word)")
        }
    }

    @Test("a scroll view is asked once whether its pan may begin")
    func scrollViewAskedOnce() {
        let scroll = SeenScroll(frame: CGRect(x: 0, y: 0, width: 300, height: 300))
        scroll.contentSize = CGSize(width: 300, height: 900)
        scroll.delaysContentTouches = false
        let content = UIView(frame: CGRect(x: 0, y: 0, width: 300, height: 100))
        scroll.addSubview(content)
        stage.window.addSubview(scroll)
        let questions = BeginQuestions()
        stage.app.observer = questions
        func drag(from y: Double) {
            scroll.contentOffset = .zero
            stage.frame(.down(1, 100, y))
            stage.frame(.move(1, 100, y - 20), at: 0.02)
            stage.frame(.up(1), at: 0.06)
        }
        func point(_ phase: InputPhase) {
            stage.input(phase, .scroll(Point(100, 200), dx: .zero, dy: Fixed(-3.0)), at: 1)
        }
        drag(from: 80)
        #expect(questions.take() == [ObjectIdentifier(content), ObjectIdentifier(scroll)])
        #expect(scroll.questions == 1)
        drag(from: 200)
        #expect(questions.take() == [ObjectIdentifier(scroll)])
        #expect(scroll.questions == 2)
        point(.began)
        point(.ended)
        #expect(questions.take() == [ObjectIdentifier(scroll)])
        #expect(scroll.questions == 3)
    }
}
