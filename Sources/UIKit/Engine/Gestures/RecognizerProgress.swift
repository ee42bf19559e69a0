// RecognizerProgress.swift: the state of one recognizer, and the question before it leaves `possible`.
//
// Station   gesture
// Input     UIGestureRecognizer.state and reset
// Output    the state; the question, which the recognizer asks its touches' views and its delegate
//
//     possible ──began, ended──▶ asked ──yes──▶ began, ended
//                                  ├──no──▶ failed
//                                  └──assigned or reset by the objects asked──▶ the answer is ignored
//
// The table of states is RecognizerState.swift.
//
// Sources   documented  `gestureRecognizerShouldBegin` is asked when the state is about to leave `possible` (B5.2)

import Gestures

struct RecognizerProgress {
    private(set) var state = RecognizerState.possible
    /// Whether `shouldBegin` is being asked.
    private var isAsking = false
    /// The number of resets so far.
    private var resets = 0

    /// An attempt to leave `possible`, until it is answered.
    struct Question {
        fileprivate let next: RecognizerState
        fileprivate let resets: Int
    }

    enum Outcome {
        case unchanged, moved
        case asks(Question)
    }

    mutating func handle(_ input: RecognizerState.Input) -> Outcome {
        let (next, decision) = RecognizerState.transition(from: state, on: input)
        switch decision {
        case .ignore, .rest: return .unchanged
        case .advance:
            state = next
            return .moved
        case .attempt:
            // The objects asked may assign the state. Such an assignment is no second attempt. (B5.3)
            guard !isAsking else { return .unchanged }
            isAsking = true
            return .asks(Question(next: next, resets: resets))
        }
    }

    /// Moves the recognizer as the answer says.
    ///
    /// - Returns: False if the answer is ignored, because the objects asked have changed the state or reset the
    ///   recognizer.
    mutating func settle(_ question: Question, mayBegin: Bool) -> Bool {
        isAsking = false
        guard state == .possible, resets == question.resets else { return false }
        state = mayBegin ? question.next : .failed
        return true
    }

    // MARK: Reset

    /// Counts a reset.
    ///
    /// - Returns: Whether the attempt was decided, so that `finishReset` has to follow.
    mutating func beginReset() -> Bool {
        resets += 1
        let (_, decision) = RecognizerState.transition(from: state, on: .reset)
        return decision == .rest
    }

    mutating func finishReset() { state = .possible }

    // MARK: Pretended states

    /// Replaces the state for one action that reports an earlier state late. (B7.7)
    ///
    /// - Returns: The real state, for `endPretending`.
    mutating func pretend(_ pretended: RecognizerState) -> RecognizerState {
        defer { state = pretended }
        return state
    }

    /// Restores the real state, unless the action has assigned another.
    mutating func endPretending(_ pretended: RecognizerState, real: RecognizerState) {
        if state == pretended { state = real }
    }
}
