// UIKitFacts+Gestures.swift: the facts of recognizers, as a fold over the events of the environment and the machines.
//
// Station   gesture
// Input     UIKitFacts.swift
// Output    the application's trace
//
// A line names the recognizer, its change, and the recognizer that it was compared with. Names may be equal, so `d` is
// the recognizer's identity, which no template prints. If a fact names two recognizers, `c` is the identity of the
// second. Only the two warnings about requirements have no identity.

import Basics
import Foundation
import Gestures
import HID
import Trace

extension GestureEnvironment {
    func noteFacts(of event: UIKitEvent.Gesture) {
        switch event {
        case .received(let recognizer, let touch):
            note("touch {a} received by {b:n}", Int64(touch.id.rawValue), name(recognizer), 0, identity(of: recognizer))
        case .declined(let recognizer, let touch, let why):
            note(
                "touch {a} not received by {b:n}: {c:n}", Int64(touch.id.rawValue), name(recognizer),
                application.trace.intern(why.rawValue), identity(of: recognizer))
        case .judged(let recognizer, let verdict): note(verdict, of: recognizer)
        case .assignedItself(let recognizer):
            note(recognizer, "{a:n} on {b:n} set its own state: {c:n}", "\(recognizer.stage)")
        case .mayNotBegin(let recognizer):
            let why = recognizer.facts.refusal ?? "gestureRecognizerShouldBegin returned false"
            note(recognizer, "{a:n} on {b:n} failed: {c:n}", why)
        case .gaveUp(let recognizer):
            note(
                "{a:n} stops: it was disabled or removed", name(recognizer), 0, 0, identity(of: recognizer))
        case .lost(let recognizer, let winner):
            note(recognizer, winner, "{a:n} failed: it requires {b:n} to fail, which was recognized")
        case .waits(let recognizer, let other): note(recognizer, other, "{a:n} waits: {b:n} has not failed")
        case .excluded(let recognizer, let winner): note(recognizer, winner, "{a:n} failed: excluded by {b:n}")
        case .acts(let recognizer, let state):
            note(
                "{a:n} acts: {b:n}", name(recognizer), application.trace.intern("\(state)"), 0, identity(of: recognizer)
            )
        case .withheld(let touch, let recognizer):
            note(
                "touch {a} kept from its view by {b:n}", Int64(touch.id.rawValue), name(recognizer), 0,
                identity(of: recognizer))
        case .resets(let recognizer): note("{a:n} reset", name(recognizer), 0, 0, identity(of: recognizer))
        case .requiresItself(let recognizer):
            note("warning: {a:n} requires itself to fail; ignored", name(recognizer))
        case .requiresInRing(let ring):
            let names = ring.map(\.traceText).joined(separator: " → ")
            note("warning: failure requirements in a cycle: {a:n}", application.trace.intern(names))
        case .contentTouch(let touch, let recognizer): note(touch, of: recognizer)
        case .entered, .left, .ignored, .asked, .moved: break
        }
    }

    private func note(
        _ template: StaticString, _ a: Int64, _ b: Int64 = 0, _ c: Int64 = 0, _ d: Int64 = 0
    ) {
        application.trace.note(application.now, .gesture, template, a, b, c, d)
    }

    /// A number that no other recognizer of the application has. A recognizer gets it when it is made; one that was made
    /// outside of the application's turns, with its first fact or tree.
    func identity(of recognizer: UIGestureRecognizer) -> Int64 {
        if recognizer.facts.identity == 0 { recognizer.facts.identity = nextIdentity() }
        return recognizer.facts.identity
    }

    /// A number for a new recognizer.
    func nextIdentity() -> Int64 {
        lastIdentity += 1
        return lastIdentity
    }

    private func name(_ recognizer: UIGestureRecognizer) -> Int64 { application.trace.intern(recognizer.traceText) }

    private func note(_ recognizer: UIGestureRecognizer, _ template: StaticString, _ text: String) {
        note(
            template, application.trace.intern(recognizer.traceOwnName),
            recognizer.attachedView?.traceNameID(in: application) ?? application.trace.intern("no view"),
            application.trace.intern(text), identity(of: recognizer))
    }

    private func note(_ recognizer: UIGestureRecognizer, _ other: UIGestureRecognizer, _ template: StaticString) {
        note(template, name(recognizer), name(other), identity(of: other), identity(of: recognizer))
    }

    // MARK: Machines

    private func note(_ verdict: Verdict, of recognizer: UIGestureRecognizer) {
        let (a, b) = names(of: recognizer)
        let identity = identity(of: recognizer)
        switch verdict {
        case .unchanged: break
        case .undecided(.never): note("{a:n} on {b:n} undecided", a, b, 0, identity)
        case .undecided(let wake): note("{a:n} on {b:n} undecided until {c:m}", a, b, wake.nanoseconds, identity)
        case .began: note("{a:n} on {b:n} began", a, b, 0, identity)
        case .changed: note("{a:n} on {b:n} changed", a, b, 0, identity)
        case .ended: note("{a:n} on {b:n} ended", a, b, 0, identity)
        case .cancelled: note("{a:n} on {b:n} cancelled", a, b, 0, identity)
        case .failed(let failure):
            note("{a:n} on {b:n} failed: {c:n}", a, b, application.trace.intern("\(failure)"), identity)
        }
    }

    /// The numbers of the names, stored until the recognizer's reset, because a machine decides at every move.
    private func names(of recognizer: UIGestureRecognizer) -> (Int64, Int64) {
        if let names = recognizer.facts.names { return names }
        let names = (
            application.trace.intern(recognizer.traceOwnName),
            recognizer.view?.traceNameID(in: application) ?? application.trace.intern("no view")
        )
        recognizer.facts.names = names
        return names
    }

    // MARK: Touches withheld from a scroll view's content

    /// Notes the outcome of withheld touches. For one touch, `c` is the time for which it was held; no template prints
    /// it.
    private func note(_ touch: UIKitEvent.ContentTouch, of recognizer: UIGestureRecognizer) {
        let identity = identity(of: recognizer)
        switch touch {
        case .discarded(let touch, let view, let loss, let held):
            let template: StaticString =
                switch loss {
                case .stoppedScroll: "touch {a} discarded: it stopped {b:n} as it scrolled"
                case .refused: "touch {a} discarded: touchesShouldBegin of {b:n} returned false"
                case .oneFingerOnly: "touch {a} discarded: {b:n} accepts one touch"
                }
            note(template, Int64(touch.rawValue), view.traceNameID(in: application), held.nanoseconds, identity)
        case .allReleased(let time, let why):
            note(
                "{a:n} released its touches after {b:t}: {c:n}", name(recognizer), time.nanoseconds,
                application.trace.intern(why), identity)
        case .allDiscarded(let time, let why):
            note(
                "{a:n} discarded its touches after {b:t}: {c:n}", name(recognizer), time.nanoseconds,
                application.trace.intern(why), identity)
        }
    }
}
