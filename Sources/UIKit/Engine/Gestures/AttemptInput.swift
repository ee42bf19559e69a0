// AttemptInput.swift: the touches, or the presses, of one recognizer in one attempt.
//
// Station   gesture
// Input     RecognizerCollection (accepted); UITouch and UIPress (over); UIGestureRecognizer (ignored, left)
// Output    UIGestureRecognizer: activeTouches, attemptTouches, activePresses, attemptPresses

struct AttemptInput<Input: AnyObject> {
    /// Accepted and not over, in order of acceptance.
    private(set) var active: [Input] = []
    /// All input of this attempt, over or not. Views receive a cancellation for it when the recognizer acts.
    private(set) var attempt: [Input] = []

    @inline(__always)
    mutating func accept(_ input: Input) {
        active.append(input)
        attempt.append(input)
    }

    @inline(__always)
    func isActive(_ input: Input) -> Bool { active.contains { $0 === input } }

    /// Whether this is the only input that is active.
    @inline(__always)
    func isActive(only input: Input) -> Bool { active.count == 1 && active[0] === input }

    /// Removes input that is over or that no recognizer receives any more. The attempt remembers it.
    @inline(__always)
    mutating func release(_ input: Input) {
        if active.last === input { active.removeLast() } else { active.removeAll { $0 === input } }
    }

    /// Removes input from the attempt as well.
    mutating func ignore(_ input: Input) {
        release(input)
        attempt.removeAll { $0 === input }
    }

    /// Removes inactive input that fits from the attempt.
    ///
    /// - Parameter forgotten: Called for each removed one.
    mutating func forgetInactive(where fits: (Input) -> Bool, _ forgotten: (Input) -> Void) {
        guard !attempt.isEmpty else { return }
        attempt.removeAll { input in
            guard fits(input), !active.contains(where: { $0 === input }) else { return false }
            forgotten(input)
            return true
        }
    }

    /// Removes all active input. The attempt remembers it.
    mutating func leaveActive() {
        while !active.isEmpty { active.removeLast() }
    }

    /// Forgets the attempt and keeps the memory for the next one.
    mutating func forgetAttempt() {
        while !attempt.isEmpty { attempt.removeLast() }
    }
}
