// RecognizerRelations.swift: what GestureEnvironment asks of a recognizer about others.
//
// Station   gesture
// Input     GestureEnvironment: one recognizer, or two
// Output    whether they are related, and whether one requires the other in this attempt
// Knows     the views of the recognizers, their subclasses and their delegates. It changes nothing.
//
// Sources   documented  shouldRequireFailure, shouldBeRequiredToFail and their delegate forms (B7.6)

import Gestures

extension UIGestureRecognizer {
    /// Whether the two views are one view, or one contains the other.
    final func isRelated(to other: UIGestureRecognizer) -> Bool {
        guard let a = attachedView, let b = other.attachedView else { return false }
        return a === b || a.isInside(b) || b.isInside(a)
    }

    /// Whether the recognizer is in a final state, and the last update has left nothing to do with it.
    final var isReadyForReset: Bool { stage.isFinal && !attempt.needsUpdate }

    /// Whether the recognizer is undecided, and all its touches and presses are over.
    final var hasOnlyFinishedInput: Bool {
        guard case .possible = stage else { return false }
        return activeTouches.allSatisfy(\.isOver) && activePresses.allSatisfy(\.isOver)
    }

    /// Whether the recognizer acts before the other in an update. (B6.3a)
    final func precedes(_ other: UIGestureRecognizer) -> Bool {
        (attempt.depth, index) < (other.attempt.depth, other.index)
    }

    /// Whether the recognizer may still act for the first time.
    final var isUndecided: Bool { attempt.state.isExcludable && stage != .failed && stage != .cancelled }

    /// Whether a subclass or a delegate requires the other to fail in this attempt. One yes is enough. (B7.6)
    final func requiresInAttempt(_ other: UIGestureRecognizer, isObserved: Bool) -> Bool {
        guard !onlyHoldsTouches, !other.onlyHoldsTouches else { return false }
        return (isObserved ? watchRequiresFailure(of: other) : shouldRequireFailure(of: other))
            || delegateRequiresFailure(of: other)
            || (isObserved ? other.watchRequiresToFail(by: self) : other.shouldBeRequiredToFail(by: self))
            || other.delegateRequiresToFail(by: self)
    }

    /// Whether the recognizer requires another to fail, or another may require it.
    final var isConnected: Bool { requirements.isRequired || !requirements.isEmpty }

    /// Whether the recognizer or its delegate may answer about requirements. UIKit's own classes do not.
    final var mayAnswerAboutRequirements: Bool { isAppDefined || delegate != nil }
}
