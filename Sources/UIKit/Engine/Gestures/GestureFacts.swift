// GestureFacts.swift: what the environment says in the trace.
//
// Station   gesture
// Fed by    GestureEnvironment, at each decision
//
// A line names the recogniser, what became of it, and the one it was weighed against. Two recognizers may have one name:
// in each of these facts, and in those of MachineRecognizer, `d` is the recognizer's identity, which no template prints;
// where another recognizer is named too, `c` is that one's.

import Foundation
import Gestures
import HID
import Trace

extension GestureEnvironment {
    /// A number that no other recognizer of the application has.
    func identity(of recognizer: UIGestureRecognizer) -> Int64 {
        if recognizer.traceIdentity == 0 {
            lastIdentity += 1
            recognizer.traceIdentity = lastIdentity
        }
        return recognizer.traceIdentity
    }

    private func name(_ recognizer: UIGestureRecognizer) -> Int64 { application.trace.name(recognizer.traceText) }

    func noteHearing(of touch: UITouch, by recognizer: UIGestureRecognizer) {
        guard application.trace.isEnabled else { return }
        application.trace.note(
            application.now, .gesture, "touch {a} heard by {b:n}", Int64(touch.id.rawValue), name(recognizer),
            0, identity(of: recognizer))
    }

    func noteAction(of recognizer: UIGestureRecognizer, in state: RecognizerState) {
        guard application.trace.isEnabled else { return }
        application.trace.note(
            application.now, .gesture, "{a:n} acts: {b:n}", name(recognizer), application.trace.name("\(state)"),
            0, identity(of: recognizer))
    }

    func noteRefusal(of recognizer: UIGestureRecognizer) {
        guard application.trace.isEnabled else { return }
        note(recognizer, "{a:n} on {b:n} failed: {c:n}", recognizer.refusal ?? "gestureRecognizerShouldBegin said no")
    }

    /// Its own code assigned the state.
    func noteAssignment(of recognizer: UIGestureRecognizer) {
        guard application.trace.isEnabled else { return }
        note(recognizer, "{a:n} on {b:n} set its own state: {c:n}", "\(recognizer.stage)")
    }

    func noteGivingUp(of recognizer: UIGestureRecognizer) {
        guard application.trace.isEnabled else { return }
        application.trace.note(
            application.now, .gesture, "{a:n} gives up: it was disabled or removed", name(recognizer), 0, 0,
            identity(of: recognizer))
    }

    private func note(_ recognizer: UIGestureRecognizer, _ template: StaticString, _ word: String) {
        application.trace.note(
            application.now, .gesture, template, application.trace.name(recognizer.traceOwnName),
            recognizer.attachedView?.traceName(in: application) ?? application.trace.name("no view"),
            application.trace.name(word), identity(of: recognizer))
    }

    func noteRefusal(of recognizer: UIGestureRecognizer, by winner: UIGestureRecognizer) {
        guard application.trace.isEnabled else { return }
        application.trace.note(
            application.now, .gesture, "{a:n} failed: it requires {b:n} to fail, which was recognised",
            name(recognizer), name(winner), identity(of: winner), identity(of: recognizer))
    }

    func noteBlock(of recognizer: UIGestureRecognizer, by other: UIGestureRecognizer) {
        guard application.trace.isEnabled else { return }
        application.trace.note(
            application.now, .gesture, "{a:n} waits: {b:n} has not failed", name(recognizer), name(other),
            identity(of: other), identity(of: recognizer))
    }

    func noteExclusion(of recognizer: UIGestureRecognizer, by winner: UIGestureRecognizer) {
        guard application.trace.isEnabled else { return }
        application.trace.note(
            application.now, .gesture, "{a:n} failed: excluded by {b:n}", name(recognizer), name(winner),
            identity(of: winner), identity(of: recognizer))
    }

    func noteHold(of touch: UITouch, by recognizer: UIGestureRecognizer) {
        guard application.trace.isEnabled else { return }
        application.trace.note(
            application.now, .gesture, "touch {a} kept from its view by {b:n}", Int64(touch.id.rawValue),
            name(recognizer), 0, identity(of: recognizer))
    }

    func noteReset(of recognizer: UIGestureRecognizer) {
        guard application.trace.isEnabled else { return }
        application.trace.note(
            application.now, .gesture, "{a:n} reset", name(recognizer), 0, 0, identity(of: recognizer))
    }

    func noteRequirementOnItself(_ recognizer: UIGestureRecognizer) {
        application.trace.note(
            application.now, .gesture, "warning: {a:n} requires itself to fail; ignored", name(recognizer))
    }

    /// Those that wait for each other in a ring can all recognise only if one of them fails.
    func noteCycle(closedBy recognizer: UIGestureRecognizer, requiring other: UIGestureRecognizer) {
        guard let path = path(from: other, to: recognizer, seen: []) else { return }
        let names = ([recognizer] + path).map(\.traceText).joined(separator: " → ")
        application.trace.note(
            application.now, .gesture, "warning: failure requirements in a ring: {a:n}", application.trace.name(names))
    }

    private func path(
        from start: UIGestureRecognizer, to end: UIGestureRecognizer, seen: [UIGestureRecognizer]
    ) -> [UIGestureRecognizer]? {
        if start === end { return [start] }
        guard !seen.contains(where: { $0 === start }) else { return nil }
        for requirement in start.failureRequirements + start.dynamicRequirements {
            guard let next = requirement.recognizer else { continue }
            if let rest = path(from: next, to: end, seen: seen + [start]) { return [start] + rest }
        }
        return nil
    }
}
