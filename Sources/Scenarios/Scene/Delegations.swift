// Delegations.swift: what one object answers as the delegate of recognisers, and the lines it prints.
//
// Station   gesture
// Fed by    the probe classes that are a delegate, and SceneDelegate, which is nothing else
// Knows     the keys of `delegate:`, recogniser by recogniser
//
// Sources   documented  SEMANTICS 0.2 (lines), SCENARIO.md (an absent key is a method that is not there)

import Trace
import UIKit

struct Delegations {
    private var entries: [(recognizer: ObjectIdentifier, spec: GestureDelegateSpec)] = []

    mutating func add(_ spec: GestureDelegateSpec, for recognizer: UIGestureRecognizer) {
        entries.append((ObjectIdentifier(recognizer), spec))
    }

    private func spec(_ recognizer: UIGestureRecognizer) -> GestureDelegateSpec? {
        entries.first { $0.recognizer == ObjectIdentifier(recognizer) }?.spec
    }

    func shouldReceive(_ recognizer: UIGestureRecognizer, _ touch: UITouch, of probe: Probe) -> Bool {
        guard let spec = spec(recognizer), let answer = spec.shouldReceive else { return true }
        let path = probe.scene.name(of: recognizer)
        if spec.logRecognizers {
            probe.print(
                "recognizers \(probe.scene.text(of: touch.gestureRecognizers)) before shouldReceive \(path)", .gesture)
        }
        if spec.log.contains(.shouldReceive) {
            probe.print("shouldReceive \(path) by=\(spec.name) -> \(word(answer))", .gesture)
        }
        return answer
    }

    /// - Returns: Nil where the delegate does not have the method.
    func shouldBeginAnswer(_ recognizer: UIGestureRecognizer) -> Bool? { spec(recognizer)?.shouldBegin }

    /// The same, said.
    func shouldBegin(_ recognizer: UIGestureRecognizer, of probe: Probe) -> Bool? {
        guard let spec = spec(recognizer), let answer = spec.shouldBegin else { return nil }
        if spec.log.contains(.shouldBegin) {
            let path = probe.scene.name(of: recognizer)
            probe.print("shouldBegin \(path) ask=\(spec.name)(delegate) -> \(word(answer))", .gesture)
        }
        return answer
    }

    func simultaneous(_ g: UIGestureRecognizer, _ other: UIGestureRecognizer, of probe: Probe) -> Bool {
        answer(\.simultaneous, .simultaneous, g, other, probe)
    }

    func requireFailure(_ g: UIGestureRecognizer, _ other: UIGestureRecognizer, of probe: Probe) -> Bool {
        answer(\.requireFailure, .requireFailure, g, other, probe)
    }

    func requiredBy(_ g: UIGestureRecognizer, _ other: UIGestureRecognizer, of probe: Probe) -> Bool {
        answer(\.requiredBy, .requiredBy, g, other, probe)
    }

    private func answer(
        _ key: KeyPath<GestureDelegateSpec, GestureDelegateSpec.Answer?>, _ question: GestureDelegateSpec.Question,
        _ g: UIGestureRecognizer, _ other: UIGestureRecognizer, _ probe: Probe
    ) -> Bool {
        guard let spec = spec(g), let rule = spec[keyPath: key] else { return false }
        let path = probe.scene.name(of: other)
        let answer =
            switch rule {
            case .always(let answer): answer
            case .naming(let names): names.contains(path) || (names.contains("twoTap") && other.needsTwoTaps)
            }
        if spec.log.contains(question) {
            probe.print(
                "\(question) g=\(probe.scene.name(of: g)) other=\(path) by=\(spec.name) -> \(word(answer))", .gesture)
        }
        return answer
    }

    private func word(_ answer: Bool) -> String { answer ? "yes" : "no" }
}

/// A delegate that is no view of the scene.
final class SceneDelegate: NSObject, UIGestureRecognizerDelegate {
    let probe: Probe

    init(_ probe: Probe) { self.probe = probe }

    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        probe.delegations.shouldBegin(gestureRecognizer, of: probe) ?? true
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
