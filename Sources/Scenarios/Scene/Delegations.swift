// Delegations.swift: the answers of one object as the delegate of recognizers, and their lines.
//
// Station   gesture
// Input     UIKit's questions, for the answers; SceneLines.swift, for the lines
// Output    answers; conformance lines
// Knows     the keys of `delegate:` for each recognizer
//
// Sources   documented  Docs/Spec/Semantics.md section 0.2 (lines), Docs/Spec/Scenarios.md (an absent key is a missing
//           method)

import Trace
import UIKit

/// The delegate keys of one object, for each recognizer that it is the delegate of.
struct Delegations {
    private var entries: [(recognizer: ObjectIdentifier, spec: GestureDelegateSpec)] = []

    mutating func add(_ spec: GestureDelegateSpec, for recognizer: UIGestureRecognizer) {
        entries.append((ObjectIdentifier(recognizer), spec))
    }

    var isEmpty: Bool { entries.isEmpty }

    func spec(_ recognizer: UIGestureRecognizer) -> GestureDelegateSpec? {
        entries.first { $0.recognizer == ObjectIdentifier(recognizer) }?.spec
    }

    // MARK: Answers

    func shouldReceive(_ recognizer: UIGestureRecognizer) -> Bool { spec(recognizer)?.shouldReceive ?? true }

    /// - Returns: Nil if the delegate does not implement the method.
    func shouldBegin(_ recognizer: UIGestureRecognizer) -> Bool? { spec(recognizer)?.shouldBegin }

    /// Returns the answer to a question about two recognizers; false if the delegate does not implement the method.
    func answer(
        _ key: KeyPath<GestureDelegateSpec, GestureDelegateSpec.Answer?>, _ recognizer: UIGestureRecognizer,
        _ other: UIGestureRecognizer, in scene: ShownScene
    ) -> Bool {
        switch spec(recognizer)?[keyPath: key] {
        case nil: false
        case .always(let answer): answer
        case .naming(let names):
            names.contains(scene.name(of: other)) || (names.contains("twoTap") && other.needsTwoTaps)
        }
    }
}

// MARK: Lines

extension Probe {
    func printAnswer(_ answer: Bool, to question: UIKitEvent.Question, of object: AnyObject) {
        switch question {
        case .shouldBegin(let recognizer): printShouldBegin(recognizer, answer, of: object)
        case .shouldReceive(let recognizer, let touch): printShouldReceive(recognizer, touch, answer)
        // No key of a delegate corresponds to these questions, and a recognizer's own answers have no line.
        case .shouldReceivePress, .shouldReceiveEvent, .canPrevent, .canBePrevented: break
        case .simultaneous(let recognizer, let other):
            printAnswer(answer, .simultaneous, \.simultaneous, recognizer, other)
        case .requireFailure(let recognizer, let other):
            printAnswer(answer, .requireFailure, \.requireFailure, recognizer, other)
        case .requiredToFail(let recognizer, let other):
            printAnswer(answer, .requiredBy, \.requiredBy, recognizer, other)
        case .touchesShouldBegin(let view): printTouchesShould("Begin", in: view, answer)
        case .touchesShouldCancel(let view): printTouchesShould("Cancel", in: view, answer)
        }
    }

    private func printShouldBegin(_ recognizer: UIGestureRecognizer, _ answer: Bool, of object: AnyObject) {
        let path = scene.name(of: recognizer)
        if let view = object as? UIView, recognizer.asks(asTouched: view) {
            guard prints(.shouldBegin) else { return }
            print("shouldBegin \(path) ask=\(name)(view) -> \(yesNo(answer))", .gesture)
        } else if let spec = delegations.spec(recognizer), spec.shouldBegin != nil, spec.log.contains(.shouldBegin) {
            print("shouldBegin \(path) ask=\(spec.name)(delegate) -> \(yesNo(answer))", .gesture)
        }
    }

    private func printShouldReceive(_ recognizer: UIGestureRecognizer, _ touch: UITouch, _ answer: Bool) {
        guard let spec = delegations.spec(recognizer), spec.shouldReceive != nil else { return }
        let path = scene.name(of: recognizer)
        if spec.logRecognizers {
            print("recognizers \(scene.text(of: touch.gestureRecognizers)) before shouldReceive \(path)", .gesture)
        }
        if spec.log.contains(.shouldReceive) {
            print("shouldReceive \(path) by=\(spec.name) -> \(yesNo(answer))", .gesture)
        }
    }

    private func printAnswer(
        _ answer: Bool, _ question: GestureDelegateSpec.Question,
        _ key: KeyPath<GestureDelegateSpec, GestureDelegateSpec.Answer?>, _ recognizer: UIGestureRecognizer,
        _ other: UIGestureRecognizer
    ) {
        guard let spec = delegations.spec(recognizer), spec[keyPath: key] != nil, spec.log.contains(question) else {
            return
        }
        let (path, otherPath) = (scene.name(of: recognizer), scene.name(of: other))
        print("\(question) g=\(path) other=\(otherPath) by=\(spec.name) -> \(yesNo(answer))", .gesture)
    }

    private func printTouchesShould(_ what: String, in view: UIView, _ answer: Bool) {
        guard scene.printsTouchesShould else { return }
        print("touchesShould\(what) \(name) in=\(scene.name(of: view)) -> \(yesNo(answer))", .gesture)
    }

    private func yesNo(_ answer: Bool) -> String { answer ? "yes" : "no" }
}

// MARK: Delegates

/// A recognizer's delegate with the answers of a scene's object. It is part of a view's behavior
/// (`ResponderBehavior.delegate`), or an object of its own.
final class SceneDelegate: NSObject, UIGestureRecognizerDelegate {
    private let probe: Probe

    init(_ probe: Probe) { self.probe = probe }

    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.delegations.shouldBegin(gestureRecognizer) ?? true
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        probe.delegations.shouldReceive(gestureRecognizer)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { answer(\.simultaneous, gestureRecognizer, other) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { answer(\.requireFailure, gestureRecognizer, other) }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { answer(\.requiredBy, gestureRecognizer, other) }

    private func answer(
        _ key: KeyPath<GestureDelegateSpec, GestureDelegateSpec.Answer?>, _ recognizer: UIGestureRecognizer,
        _ other: UIGestureRecognizer
    ) -> Bool { probe.delegations.answer(key, recognizer, other, in: probe.scene) }
}
