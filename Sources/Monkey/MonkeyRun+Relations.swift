// MonkeyRun+Relations.swift: the exclusions between recognizers, computed from their answers.
//
// Input     MonkeyRun+Events.swift, when an action is sent
// Output    the journal's entry of the action
// Knows     the rules of B7. Nothing of the gesture environment, which is under test.
//
// Sources   documented  Docs/Spec/Semantics.md B7, B16.9

import HID
import UIKit

extension MonkeyRun {
    func action(of recognizer: UIGestureRecognizer) -> JournalEntry.Action {
        let own = number(of: recognizer)
        var action = JournalEntry.Action(
            recognizer: own, state: recognizer.state, cancelsTouches: recognizer.cancelsTouchesInView)
        for touch in application.touchTracker.liveTouches
        where touch.gestureRecognizers?.contains(where: { $0 === recognizer }) == true {
            action.touches.append(Int(touch.id.rawValue))
        }
        for number in activity.active.sorted() where number != own {
            guard let other = self.recognizer(number) else { continue }
            if excludes(recognizer, other) { action.excludes.append(number) }
            if excludes(other, recognizer), !isWaiting(other) { action.excludedBy.append(number) }
            if requires(own, number), isUndecided(other) { action.waitsFor.append(number) }
        }
        return action
    }

    private func excludes(_ y: UIGestureRecognizer, _ x: UIGestureRecognizer) -> Bool {
        guard let a = y.view, let b = x.view, a.isDescendant(of: b) || b.isDescendant(of: a) else { return false }
        if !y.canPrevent(x) || !x.canBePrevented(by: y) { return false }
        if x.delegate?.gestureRecognizer(x, shouldRecognizeSimultaneouslyWith: y) == true { return false }
        if y.delegate?.gestureRecognizer(y, shouldRecognizeSimultaneouslyWith: x) == true { return false }
        return !mayRequire(y, x) && !wasReleased(y, after: x)
    }

    /// Whether x was recognized while y still had to wait. A waiting recognizer excludes no other (B7.1, B16.9).
    private func wasReleased(_ y: UIGestureRecognizer, after x: UIGestureRecognizer) -> Bool {
        guard x.state != .possible, isUndecided(x), let recognized = activity.lastMove[number(of: x)] else {
            return false
        }
        return activity.lastMove.contains { number, move in
            guard move > recognized, let other = self.recognizer(number) else { return false }
            return mayRequire(y, other) && !isUndecided(other)
        }
    }

    /// Whether a requires b to fail by `require(toFail:)`, which holds in any case.
    private func requires(_ a: Int, _ b: Int) -> Bool { requirements.contains { $0 == (a, b) } }

    /// Whether a may require b to fail, by `require(toFail:)` or by an answer, which holds where it was asked for.
    private func mayRequire(_ a: UIGestureRecognizer, _ b: UIGestureRecognizer) -> Bool {
        requires(number(of: a), number(of: b)) || a.shouldRequireFailure(of: b) || b.shouldBeRequiredToFail(by: a)
            || a.delegate?.gestureRecognizer(a, shouldRequireFailureOf: b) == true
            || b.delegate?.gestureRecognizer(b, shouldBeRequiredToFailBy: a) == true
    }

    private func isUndecided(_ recognizer: UIGestureRecognizer) -> Bool {
        recognizer.state != .failed && recognizer.state != .cancelled
    }

    private func isWaiting(_ recognizer: UIGestureRecognizer) -> Bool {
        for number in recognizers.indices + systemRecognizers.indices.map({ 100 + $0 }) {
            guard let other = self.recognizer(number), other !== recognizer, isAtWork(other, number) else { continue }
            if isUndecided(other), mayRequire(recognizer, other) { return true }
        }
        return false
    }

    /// Whether a recognizer is active. The journal does not have what a plain recognizer receives, so it is active
    /// while it has a touch.
    private func isAtWork(_ recognizer: UIGestureRecognizer, _ number: Int) -> Bool {
        if activity.active.contains(number) { return true }
        guard !isRecorded(number) else { return false }
        return application.touchTracker.liveTouches.contains { touch in
            touch.gestureRecognizers?.contains { $0 === recognizer } == true
        }
    }
}
