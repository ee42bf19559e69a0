// AttemptState.swift: how far a recognizer is between its first touch and its reset, as the environment counts it.
//
// Station   gesture
// Input     GestureEnvironment: touches accepted, states assigned, the outcome of each update
// Output    Effect, which GestureEnvironment carries out
// Knows     one recognizer's part in the arbitration. Not its state, which is RecognizerState.
//
//     idle ─joined─▶ watching ─assigned─▶ pending ─────acts────▶ acted ⟲
//                                            └─blocked─▶ waiting ──┘ │
//     any of them ─ended, cancelled, failed─▶ done ─reset─▶ idle
//
// Docs/Machines/AttemptState.md is the whole table.
//
// Sources   documented  an action is sent for each change; a failure requirement delays all of them
//           invented    a began that was not sent is made up for (B7.7); the last action ends an attempt (B16.1)

package enum AttemptState: Equatable, Sendable {
    /// The recognizer has no part in the environment.
    case idle
    /// Its state has not been assigned.
    case watching
    /// Its state was assigned, and no action was sent for that.
    case pending
    /// Another recognizer, which it requires to fail, is undecided. (B7.7)
    case waiting(owesBegan: Bool)
    /// An action was sent; from then on no other recognizer excludes it. (B7.2)
    case acted(Report)
    /// The last action was sent, or none ever will be. (B16.1) One that was waiting keeps its touches until its reset.
    case done(wasWaiting: Bool)

    /// What there is to send after the first action.
    package enum Report: Equatable, Sendable, CaseIterable { case nothing, pending, waiting }

    package enum Input: Equatable, Sendable {
        /// A touch, a press or a pointer was accepted.
        case joined
        /// The recognizer's state was assigned, also by a timer after the last reset.
        case assigned
        /// A recognizer that it requires to fail is undecided. `ended`: it is recognized for good.
        case blocked(ended: Bool)
        /// Its actions are sent now.
        case acts
        /// Its last action was sent.
        case ended
        case cancelled
        case failed
        case reset
    }

    package enum Effect: Equatable, Sendable {
        case nothing
        /// The recognizer begins to wait: the trace is told.
        case noteWait
        /// Send the action, which is the first one.
        case actFirst
        /// Send the action, which is the first one and comes late; a `began` may be due before it.
        case actAfterWait(owesBegan: Bool)
        /// Send the action.
        case actAgain
        /// Send the action that takes back what was recognized.
        case withdraw
    }

    /// The whole table: every state, every input, no default.
    package static func transition(from state: AttemptState, on input: Input) -> (AttemptState, Effect) {
        switch (state, input) {
        case (.idle, .joined): (.watching, .nothing)
        case (.idle, .assigned), (.watching, .assigned): (.pending, .nothing)
        case (.acted(.nothing), .assigned): (.acted(.pending), .nothing)

        case (.pending, .blocked(let ended)): (.waiting(owesBegan: !ended), .noteWait)
        case (.acted(.pending), .blocked): (.acted(.waiting), .noteWait)

        case (.pending, .acts): (.acted(.nothing), .actFirst)
        case (.waiting(let owesBegan), .acts): (.acted(.nothing), .actAfterWait(owesBegan: owesBegan))
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

        // One more touch, or one more state before the first was looked at.
        case (.watching, .joined), (.pending, .joined), (.waiting, .joined), (.acted, .joined), (.done, .joined),
            (.pending, .assigned), (.waiting, .assigned), (.acted(.pending), .assigned),
            (.acted(.waiting), .assigned), (.waiting, .blocked), (.acted(.waiting), .blocked):
            (state, .nothing)
        // There is nothing to send.
        case (.watching, .blocked), (.watching, .acts), (.acted(.nothing), .blocked), (.acted(.nothing), .acts):
            (state, .nothing)
        // Done until reset; idle until something happens.
        case (.done, .assigned), (.done, .blocked), (.done, .acts), (.done, .ended), (.done, .cancelled),
            (.done, .failed), (.idle, .blocked), (.idle, .acts), (.idle, .ended), (.idle, .cancelled),
            (.idle, .failed), (.idle, .reset):
            (state, .nothing)
        }
    }

    package var isActive: Bool { if case .idle = self { false } else { true } }

    /// Another recognizer may still exclude it: no action was sent. (B7.2)
    package var isExcludable: Bool {
        switch self {
        case .idle, .watching, .pending, .waiting: true
        case .acted, .done: false
        }
    }

    package var isDone: Bool { if case .done = self { true } else { false } }

    /// A recognizer that it requires to fail held it up when it was last looked at.
    package var isWaiting: Bool {
        switch self {
        case .waiting, .acted(.waiting), .done(wasWaiting: true): true
        case .idle, .watching, .pending, .acted(.nothing), .acted(.pending), .done(wasWaiting: false): false
        }
    }

    /// There is an action to send.
    package var hasReport: Bool {
        switch self {
        case .pending, .waiting, .acted(.pending), .acted(.waiting): true
        case .idle, .watching, .acted(.nothing), .done: false
        }
    }
}
