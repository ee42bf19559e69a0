// Probe.swift: the lines of one responder of a scene.
//
// Station   hitTest, gesture, responder, action
// Input     SceneLines.swift: UIKit events
// Output    the application's trace, as conformance lines
// Knows     the keys of one view. ViewBehavior.swift has the answers of the view.
//
// Sources   documented  Docs/Spec/Semantics.md section 0.2: the lines, and their side of super
//           invented    the lines of `event` and `state` (Docs/Reference/Scenarios.md)

import Basics
import Trace
import UIKit

/// Prints the lines of one responder.
final class Probe {
    let name: String
    /// The class name that `chain` prints.
    let className: String
    private let words: [ViewProbe]
    private let position: ProbePosition
    let answers: ViewAnswers
    /// Whether the view asks to be first responder.
    let wantsEvents: Bool
    unowned let scene: ShownScene
    /// The answers of this object as a recognizer's delegate.
    var delegations = Delegations()
    private var lastState: State?

    init(_ spec: ViewSpec, in scene: ShownScene) {
        (name, className, words, position) = (spec.name, spec.className, spec.probe, spec.probePosition)
        (answers, wantsEvents, self.scene) = (spec.answers, spec.firstResponder, scene)
    }

    init(_ spec: ControllerSpec, in scene: ShownScene) {
        (name, className, words, position) = (spec.name, spec.className, spec.probe, spec.probePosition)
        (answers, wantsEvents, self.scene) = (ViewAnswers(touches: spec.touches), false, scene)
    }

    /// Makes the probe of an object without keys: the application's delegate.
    init(name: String, in scene: ShownScene) {
        (self.name, className, words, position) = (name, name, [], .before)
        (answers, wantsEvents, self.scene) = (ViewAnswers(), false, scene)
    }

    /// Returns the probe of an object in the scene of the current application.
    static func of(_ object: AnyObject) -> Probe? {
        (UIApplication.current?.keptDelegate as? SceneAppDelegate)?.scene.probe(of: object)
    }

    func prints(_ word: ViewProbe) -> Bool { words.contains(word) }

    func print(_ line: String, _ station: Station) {
        guard let application = UIApplication.current else { return }
        application.trace.probe(application.now, station, line)
    }

    /// Prints the line of a call, if UIKit is at the side on which this object prints.
    ///
    /// - Parameter side: Before the call or after it.
    func print(_ line: String, _ station: Station, on side: ProbePosition) {
        if position == side { print(line, station) }
    }

    // MARK: Hit test

    func hitTestEntered(_ view: UIView, _ event: UIEvent) {
        // A window prints the events that it sends.
        if prints(.event), !(view is UIWindow) {
            print("event \(name) hitTest \(scene.text(of: event))", .hitTest)
        }
        if prints(.hitTest) || prints(.hitTestEntering) { print("hitTest> \(name)", .hitTest) }
    }

    func hitTestReturned(_ view: UIView, found: UIView?) {
        printState(of: view)
        if prints(.hitTest) { print("hitTest< \(name) -> \(scene.name(of: found))", .hitTest) }
    }

    func pointInsideEntered() {
        if prints(.pointInside) || prints(.pointInsideEntering) { print("pointInside> \(name)", .hitTest) }
    }

    func pointInsideReturned(_ isInside: Bool) {
        if prints(.pointInside) { print("pointInside< \(name) \(isInside ? "yes" : "no")", .hitTest) }
    }

    // MARK: Touches, presses, motion

    func touchesEntered(_ responder: UIResponder, _ call: UIKitEvent.TouchesCall) {
        printTouches(call, on: .before)
        if prints(.coalesced), let event = call.event { printSamples(of: call.touches, event) }
        if call.phase == .began, prints(.chain) { print("chain \(scene.chain(from: responder))", .responder) }
    }

    func touchesReturned(_ responder: UIResponder, _ call: UIKitEvent.TouchesCall) {
        printTouches(call, on: .after)
        if let view = responder as? UIView { printState(of: view) }
    }

    private func printTouches(_ call: UIKitEvent.TouchesCall, on side: ProbePosition) {
        let (word, method): (ViewProbe, String) =
            switch call.phase {
            case .began: (.touchesBegan, "touchesBegan")
            case .moved: (.touchesMoved, "touchesMoved")
            case .ended: (.touchesEnded, "touchesEnded")
            case .cancelled, .stationary, .regionEntered, .regionMoved, .regionExited:
                (.touchesCancelled, "touchesCancelled")
            }
        if prints(.touches) || prints(word) { print("\(method) \(name)", .responder, on: side) }
    }

    /// Prints the samples of each touch since its last delivery, and whether there are predicted touches (S95).
    private func printSamples(of touches: Set<UITouch>, _ event: UIEvent) {
        for touch in touches.sorted(by: { $0.id < $1.id }) {
            let samples = event.coalescedTouches(for: touch) ?? []
            let last = samples.last.map { tenthsText($0.location(in: nil)) } ?? "none"
            let isPredicted = event.predictedTouches(for: touch)?.isEmpty == false
            print(
                "coalesced \(name) count=\(samples.count) last=\(last) location=\(tenthsText(touch.location(in: nil)))"
                    + " predicted=\(isPredicted ? "yes" : "no")", .responder)
        }
    }

    func printCall(_ call: UIKitEvent.ResponderCall, on side: ProbePosition) {
        switch call.method {
        case .presses(let phase):
            if prints(.presses) { print("presses\(capitalized("\(phase)")) \(name)", .responder, on: side) }
        case .motion(let phase):
            if prints(.motion) { print("motion\(capitalized("\(phase)")) \(name)", .responder, on: side) }
        case .remoteControl, .estimates: break
        }
    }

    private func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    // MARK: Controls and scrolling

    func printTracking(_ call: UIKitEvent.Tracking, on side: ProbePosition) {
        if prints(.control) { print("control \(name) \(call.rawValue)", .action, on: side) }
    }

    func printEvents(_ events: UIControl.Event) {
        guard prints(.events) else { return }
        for (event, word) in UIControl.Event.named where events.contains(event) {
            print("control \(name) event=\(word)", .action)
        }
    }

    func printScroll(_ call: UIKitEvent.ScrollCallback, in view: UIScrollView) {
        switch call {
        case .didScroll:
            guard prints(.didScroll) else { return }
            print("scroll \(name) didScroll offset=\(tenthsText(view.contentOffset))", .action)
        case .willBeginDragging: printScroll("willBeginDragging")
        case .willEndDragging(let velocity, let target):
            printScroll("willEndDragging", " velocity=\(tenthsText(velocity)) target=\(tenthsText(target))")
        case .didEndDragging(let decelerates):
            printScroll("didEndDragging decelerate=\(decelerates ? "yes" : "no")")
        case .willBeginDecelerating: printScroll("willBeginDecelerating")
        case .didEndDecelerating: printScroll("didEndDecelerating")
        case .didEndScrollingAnimation, .willBeginZooming, .didZoom, .didEndZooming: break
        }
    }

    /// - Parameter numbers: The numbers that `scrolling` adds.
    private func printScroll(_ what: String, _ numbers: String = "") {
        if prints(.scrolling) {
            print("scroll \(name) \(what)\(numbers)", .action)
        } else if prints(.scrollingOrder) {
            print("scroll \(name) \(what)", .action)
        }
    }

    // MARK: State

    private struct State: Equatable {
        var frame: CGRect
        var transform: CGAffineTransform
        var interaction: Bool
    }

    /// Prints the state if it changed since it was last printed, or since the scene was built.
    func printState(of view: UIView) {
        guard prints(.state) else { return }
        let state = State(
            frame: view.frame, transform: view.transform, interaction: view.isUserInteractionEnabled)
        defer { lastState = state }
        guard let last = lastState, last != state else { return }
        var line = "state \(name)"
        if state.frame != last.frame { line += " frame=\(rectText(state.frame))" }
        if state.transform != last.transform { line += " transform=\(transformText(state.transform))" }
        if state.interaction != last.interaction {
            line += " userInteractionEnabled=\(state.interaction ? "yes" : "no")"
        }
        print(line, .responder)
    }
}

extension UIGestureRecognizer {
    /// Whether one of the recognizer's touches landed on this responder.
    func isTouching(_ responder: UIResponder) -> Bool {
        UIApplication.current?.touchTracker.liveTouches.contains {
            $0.view === responder && $0.gestureRecognizers?.contains { $0 === self } == true
        } ?? false
    }
}

// MARK: Text

/// Returns `(110,105,80,80)`.
func rectText(_ rect: CGRect) -> String {
    "(" + [rect.minX, rect.minY, rect.width, rect.height].map { numberText($0) }.joined(separator: ",") + ")"
}

/// Returns `(a,b,c,d,tx,ty)`.
func transformText(_ t: CGAffineTransform) -> String {
    "(" + [t.a, t.b, t.c, t.d, t.tx, t.ty].map { numberText($0) }.joined(separator: ",") + ")"
}

/// Returns `(234.67,482.67)`.
func pointText(_ point: CGPoint) -> String {
    "(\(fixedText(Double(point.x), digits: 2)),\(fixedText(Double(point.y), digits: 2)))"
}

/// Returns `(12,0.5)`.
func tenthsText(_ point: CGPoint) -> String {
    "(\(numberText(point.x, digits: 1)),\(numberText(point.y, digits: 1)))"
}

/// Returns a number with at most two decimals and without trailing zeros.
func numberText(_ number: CGFloat, digits: Int = 2) -> String {
    var text = fixedText(Double(number), digits: digits)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text == "-0" ? "0" : text
}
