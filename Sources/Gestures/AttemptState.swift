// AttemptState.swift: the state machine of a recognizer's attempt, from its first touch to its reset.
//
// Station   gesture
// Input     GestureEnvironment: accepted touches, assigned states, the outcome of each update
// Output    Effect, which GestureEnvironment carries out
// Knows     one recognizer's part in the arbitration. Not its state, which is RecognizerState.
//
//     idle ─joined─▶ watching ─assigned─▶ pending ─────acts────▶ acted ⟲
//                                            └─blocked─▶ waiting ──┘ │
//     any of them ─ended, cancelled, failed─▶ done ─reset─▶ idle
//
// Docs/Reference/Machines/AttemptState.md has the whole table.
//
// Sources   documented  an action is sent for each change; a failure requirement delays all of them
//           invented    a `began` that was not sent is sent later (B7.7); the last action ends an attempt (B16.1)

/// The state of a recognizer's attempt.
package enum AttemptState: Equatable, Sendable {
    /// The recognizer has no part in the environment.
    case idle
    /// The recognizer's state was not assigned yet.
    case watching
    /// The recognizer's state was assigned, and the action for it was not sent yet.
    case pending
    /// A recognizer that this one requires to fail is undecided. (B7.7)
    case waiting(hasUnsentBegan: Bool)
    /// An action was sent. From then on no other recognizer excludes this one. (B7.2)
    case acted(Report)
    /// The last action was sent, or none will be. (B16.1) A recognizer that was waiting keeps its touches until its reset.
    case done(wasWaiting: Bool)

    /// The actions that are still to be sent after the first one.
    package enum Report: Equatable, Sendable, CaseIterable { case nothing, pending, waiting }

    /// An event of an attempt.
    package enum Input: Equatable, Sendable {
        /// A touch, a press or a pointer was accepted.
        case joined
        /// The recognizer's state was assigned. A timer may also do this after the last reset.
        case assigned
        /// A recognizer that this one requires to fail is undecided. `ended`: this recognizer's state is `ended`.
        case blocked(ended: Bool)
        /// The recognizer's actions are sent now.
        case acts
        /// The recognizer's last action was sent.
        case ended
        case cancelled
        case failed
        case reset
    }

    /// What the environment does after an input.
    package enum Effect: Equatable, Sendable {
        case nothing
        /// Note in the trace that the recognizer starts to wait.
        case noteWait
        /// Send the first action.
        case actFirst
        /// Send the first action after a wait; a `began` may be due before it.
        case actAfterWait(hasUnsentBegan: Bool)
        /// Send a further action.
        case actAgain
        /// Send the action that reports the cancellation.
        case withdraw
    }

    /// The whole machine: every state and every input.
    package static func transition(from state: AttemptState, on input: Input) -> (AttemptState, Effect) {
        switch (state, input) {
        case (.idle, .joined): (.watching, .nothing)
        case (.idle, .assigned), (.watching, .assigned): (.pending, .nothing)
        case (.acted(.nothing), .assigned): (.acted(.pending), .nothing)

        case (.pending, .blocked(let ended)): (.waiting(hasUnsentBegan: !ended), .noteWait)
        case (.acted(.pending), .blocked): (.acted(.waiting), .noteWait)

        case (.pending, .acts): (.acted(.nothing), .actFirst)
        case (.waiting(let owesBegan), .acts): (.acted(.nothing), .actAfterWait(hasUnsentBegan: owesBegan))
        case (.acted(.pending), .acts), (.acted(.waiting), .acts): (.acted(.nothing), .actAgain)

        case (.acted(.waiting), .ended), (.acted(.waiting), .failed): (.done(wasWaiting: true), .nothing)
        case (.acted, .ended), (.acted, .failed): (.done(wasWaiting: false), .nothing)
        case (.acted(let report), .cancelled): (.done(wasWaiting: report == .waiting), .withdraw)
        case (.waiting, .ended), (.waiting, .cancelled), (.waiting, .failed): (.done(wasWaiting: true), .nothing)
        case (.watching, .ended), (.watching, .cancelled), (.watching, .failed), (.pending, .ended),
            (.pending, .cancelled), (.pending, .failed):
            (.done(wasWaiting: false), .nothing)

        case (.watching, .reset), (.pending, .reset), (.waiting, .reset), (.acted, .reset), (.done, .reset):
            (.idle, .nothing)

        // A further touch, or a further state before the first was handled.
        case (.watching, .joined), (.pending, .joined), (.waiting, .joined), (.acted, .joined), (.done, .joined),
            (.pending, .assigned), (.waiting, .assigned), (.acted(.pending), .assigned),
            (.acted(.waiting), .assigned), (.waiting, .blocked), (.acted(.waiting), .blocked):
            (state, .nothing)
        // There is no action to send.
        case (.watching, .blocked), (.watching, .acts), (.acted(.nothing), .blocked), (.acted(.nothing), .acts):
            (state, .nothing)
        // A finished attempt waits for its reset. An idle recognizer waits for a touch or a state.
        case (.done, .assigned), (.done, .blocked), (.done, .acts), (.done, .ended), (.done, .cancelled),
            (.done, .failed), (.idle, .blocked), (.idle, .acts), (.idle, .ended), (.idle, .cancelled),
            (.idle, .failed), (.idle, .reset):
            (state, .nothing)
        }
    }

    /// Whether the recognizer takes part in the environment.
    package var isActive: Bool { if case .idle = self { false } else { true } }

    /// Whether another recognizer may still exclude this one, because it has sent no action. (B7.2)
    package var isExcludable: Bool {
        switch self {
        case .idle, .watching, .pending, .waiting: true
        case .acted, .done: false
        }
    }

    package var isDone: Bool { if case .done = self { true } else { false } }

    /// Whether a recognizer that this one requires to fail blocked it at the last update.
    package var isWaiting: Bool {
        switch self {
        case .waiting, .acted(.waiting), .done(wasWaiting: true): true
        case .idle, .watching, .pending, .acted(.nothing), .acted(.pending), .done(wasWaiting: false): false
        }
    }

    /// Whether there is an action to send.
    package var hasReport: Bool {
        switch self {
        case .pending, .waiting, .acted(.pending), .acted(.waiting): true
        case .idle, .watching, .acted(.nothing), .done: false
        }
    }
}
