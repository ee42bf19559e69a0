// Probe.swift: what one responder of a scene prints, and what it answers instead of its class.
//
// Station   hitTest, gesture, responder, action
// Fed by    the probe classes, from every method they override
// Feeds     the application's trace, as conformance lines
// Knows     the keys of one view. The classes know only when to ask.
//
// Sources   documented  SEMANTICS 0.2: which line, and on which side of super
//           invented    the lines of `event` and `state` (Docs/Scenarios.md)

import Basics
import Trace
import UIKit

/// A responder of a scene.
protocol Probed: UIResponder {
    var probe: Probe { get }
}

final class Probe {
    let name: String
    /// As `chain` prints it.
    let className: String
    private let words: [ViewProbe]
    private let position: ProbePosition
    private let answers: ViewAnswers
    /// Whether it would be first responder.
    let wantsEvents: Bool
    unowned let scene: ShownScene
    /// What this object answers as a recogniser's delegate.
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

    /// Of an object that prints nothing by itself: the application's delegate.
    init(name: String, in scene: ShownScene) {
        (self.name, className, words, position) = (name, name, [], .before)
        (answers, wantsEvents, self.scene) = (ViewAnswers(), false, scene)
    }

    func prints(_ word: ViewProbe) -> Bool { words.contains(word) }

    func print(_ line: String, _ station: Station) {
        guard let application = UIApplication.current else { return }
        application.trace.probe(application.now, station, line)
    }

    // MARK: Hit test

    func hitTest(
        _ view: UIView, with event: UIEvent?, super: () -> UIView?
    ) -> UIView? {
        // A window speaks of the events it sends.
        if prints(.event), let event, !(view is UIWindow) {
            print("event \(name) hitTest \(scene.text(of: event))", .hitTest)
        }
        if prints(.hitTest) || prints(.hitTestEntering) { print("hitTest> \(name)", .hitTest) }
        var hit = `super`()
        if answers.passThrough, hit === view { hit = nil }
        printState(of: view)
        if prints(.hitTest) { print("hitTest< \(name) -> \(scene.name(of: hit))", .hitTest) }
        return hit
    }

    func pointInside(_ view: UIView, _ point: CGPoint, with event: UIEvent?, super: () -> Bool) -> Bool {
        if prints(.pointInside) || prints(.pointInsideEntering) { print("pointInside> \(name)", .hitTest) }
        var isInside = false
        for other in answers.pointInsideAlso {
            guard let descendant = scene.view(named: other) else { continue }
            isInside = descendant.point(inside: view.convert(point, to: descendant), with: event)
            if isInside { break }
        }
        if !isInside {
            if let insets = answers.hitInsets {
                let bounds = view.bounds
                isInside =
                    point.x >= bounds.minX - insets[1] && point.x < bounds.maxX + insets[3]
                    && point.y >= bounds.minY - insets[0] && point.y < bounds.maxY + insets[2]
            } else {
                isInside = `super`()
            }
        }
        if prints(.pointInside) { print("pointInside< \(name) \(isInside ? "yes" : "no")", .hitTest) }
        return isInside
    }

    // MARK: Touches

    func touches(
        _ phase: UITouch.Phase, _ responder: UIResponder, _ touches: Set<UITouch>, _ event: UIEvent?, super: () -> Void
    ) {
        let (word, method): (ViewProbe, String) =
            switch phase {
            case .began: (.touchesBegan, "touchesBegan")
            case .moved: (.touchesMoved, "touchesMoved")
            case .ended: (.touchesEnded, "touchesEnded")
            default: (.touchesCancelled, "touchesCancelled")
            }
        let isPrinted = prints(.touches) || prints(word)
        if isPrinted, position == .before { print("\(method) \(name)", .responder) }
        if prints(.coalesced), let event { printSamples(of: touches, event) }
        if phase == .began, prints(.chain) { print("chain \(scene.chain(from: responder))", .responder) }
        if phase == .moved, answers.drag, let view = responder as? UIView { drag(view, by: touches) }
        if answers.touches != .consume { `super`() }
        if isPrinted, position == .after { print("\(method) \(name)", .responder) }
        if let view = responder as? UIView { printState(of: view) }
    }

    /// What the device saw of each touch since it was last delivered, and whether there are guesses (S95).
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

    /// By location − previousLocation in the view's own space, as the demo of seed 0 (S18).
    private func drag(_ view: UIView, by touches: Set<UITouch>) {
        guard let touch = touches.min(by: { $0.id < $1.id }) else { return }
        let (now, before) = (touch.location(in: view), touch.previousLocation(in: view))
        view.transform = view.transform.translatedBy(x: now.x - before.x, y: now.y - before.y)
    }

    // MARK: Presses and motion

    /// - Parameter method: `pressesBegan`, `motionEnded` …
    func heard(_ word: ViewProbe, _ method: String, super: () -> Void) {
        if prints(word), position == .before { print("\(method) \(name)", .responder) }
        if answers.touches != .consume { `super`() }
        if prints(word), position == .after { print("\(method) \(name)", .responder) }
    }

    // MARK: Controls

    func beginTracking(super: () -> Bool) -> Bool {
        around("control \(name) beginTracking", .control) { `super`() && (answers.beginTracking ?? true) }
    }

    func continueTracking(super: () -> Bool) -> Bool {
        around("control \(name) continueTracking", .control) { `super`() && (answers.continueTracking ?? true) }
    }

    func control(_ method: String, super: () -> Void) { around("control \(name) \(method)", .control, `super`) }

    private func around<T>(_ line: String, _ word: ViewProbe, _ body: () -> T) -> T {
        if prints(word), position == .before { print(line, .action) }
        let result = body()
        if prints(word), position == .after { print(line, .action) }
        return result
    }

    // MARK: Scrolling

    /// - Parameter what: `Begin` or `Cancel`, of a touch on `view`.
    func touchesShould(_ what: String, in view: UIView, super: () -> Bool) -> Bool {
        let answer = `super`()
        if scene.printsTouchesShould {
            print("touchesShould\(what) \(name) in=\(scene.name(of: view)) -> \(answer ? "yes" : "no")", .gesture)
        }
        return answer
    }

    /// - Parameter numbers: What `scrolling` prints besides.
    func scroll(_ what: String, _ numbers: @autoclosure () -> String = "") {
        if prints(.scrolling) {
            print("scroll \(name) \(what)\(numbers())", .action)
        } else if prints(.scrollingOrder) {
            print("scroll \(name) \(what)", .action)
        }
    }

    func didScroll(to offset: CGPoint) {
        if prints(.didScroll) { print("scroll \(name) didScroll offset=\(tenthsText(offset))", .action) }
    }

    // MARK: Recognisers

    /// `gestureRecognizerShouldBegin` is one method for the touched view and for a delegate that is a view.
    func shouldBegin(
        _ recognizer: UIGestureRecognizer, _ responder: UIResponder, super: () -> Bool
    ) -> Bool {
        // Without a cancel to fear for, views are not asked (B5.4).
        if recognizer.cancelsTouchesInView, recognizer.isTouching(responder) {
            let answer = answers.shouldBegin ?? delegations.shouldBeginAnswer(recognizer) ?? `super`()
            if prints(.shouldBegin) {
                let line = "shouldBegin \(scene.name(of: recognizer)) ask=\(name)(view) -> \(answer ? "yes" : "no")"
                print(line, .gesture)
            }
            return answer
        }
        return delegations.shouldBegin(recognizer, of: self) ?? `super`()
    }

    // MARK: Chain

    func next(super: () -> UIResponder?) -> UIResponder? {
        guard let nextName = answers.next else { return `super`() }
        return nextName == "nil" ? nil : scene.responder(named: nextName)
    }

    // MARK: State

    private struct State: Equatable {
        var frame: CGRect
        var transform: CGAffineTransform
        var interaction: Bool
    }

    /// What has changed since it was last printed, or since the scene was built.
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
    /// Whether one of its touches landed on this responder.
    func isTouching(_ responder: UIResponder) -> Bool {
        UIApplication.current?.touchTracker.liveTouches.contains {
            $0.view === responder && $0.gestureRecognizers?.contains { $0 === self } == true
        } ?? false
    }
}

// MARK: Text

/// `(110,105,80,80)`
func rectText(_ rect: CGRect) -> String {
    "(" + [rect.minX, rect.minY, rect.width, rect.height].map { numberText($0) }.joined(separator: ",") + ")"
}

/// `(a,b,c,d,tx,ty)`
func transformText(_ t: CGAffineTransform) -> String {
    "(" + [t.a, t.b, t.c, t.d, t.tx, t.ty].map { numberText($0) }.joined(separator: ",") + ")"
}

/// `(234.67,482.67)`
func pointText(_ point: CGPoint) -> String {
    "(\(fixedText(Double(point.x), digits: 2)),\(fixedText(Double(point.y), digits: 2)))"
}

/// `(12,0.5)`
func tenthsText(_ point: CGPoint) -> String {
    "(\(numberText(point.x, digits: 1)),\(numberText(point.y, digits: 1)))"
}

/// At most two decimals, none that are zero.
func numberText(_ number: CGFloat, digits: Int = 2) -> String {
    var text = fixedText(Double(number), digits: digits)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text == "-0" ? "0" : text
}
