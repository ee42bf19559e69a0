// AttemptInput.swift: the touches, or the presses, of one recognizer in one attempt.
//
// Station   gesture
// Input     RecognizerCollection (accepted); UITouch and UIPress (over); UIGestureRecognizer (ignored, left)
// Output    UIGestureRecognizer: activeTouches, attemptTouches and the same of presses

struct AttemptInput<Input: AnyObject> {
    /// Accepted and not over, in order of acceptance.
    private(set) var active: [Input] = []
    /// Every one of this attempt, over or not: what is canceled in views when the recognizer acts.
    private(set) var attempt: [Input] = []

    @inline(__always)
    mutating func accept(_ input: Input) {
        active.append(input)
        attempt.append(input)
    }

    /// It is over, or belongs to no recognizer; the attempt remembers it.
    @inline(__always)
    mutating func release(_ input: Input) { active.removeAll { $0 === input } }

    /// The attempt forgets it.
    mutating func ignore(_ input: Input) {
        release(input)
        attempt.removeAll { $0 === input }
    }

    /// The attempt forgets those that fit and are not active.
    ///
    /// - Parameter forgotten: Called for each of them.
    mutating func forgetInactive(where fits: (Input) -> Bool, _ forgotten: (Input) -> Void) {
        attempt.removeAll { input in
            guard fits(input), !active.contains(where: { $0 === input }) else { return false }
            forgotten(input)
            return true
        }
    }

    /// The recognizer receives none of them any more; the attempt remembers them.
    mutating func leaveActive() { active = [] }

    mutating func forgetAttempt() { attempt = [] }
}
