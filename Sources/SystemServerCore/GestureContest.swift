// GestureContest.swift: decides whether a finger that landed at an edge belongs to the system or to its app.
//
// Station   router
// Input     SystemGestures: the recognizer's verdict, the app's answer for the finger, the app's deadline
// Output    to SystemGestures: take the finger, leave it to the app, or wait for a second swipe
// Knows     the answers of two contenders. No finger, no frame.
//
//     contender       maybe                 no                     yes
//     recognizer      it may be a swipe     it is not a swipe      it is a swipe
//     app             has not answered      defers this edge       lets the system have it
//
// In `holding` the recognizer has said yes and the app has not answered. A deadline turns a missing answer into a yes,
// so an app cannot block the system's decision. The recognizer's time is limited, so it cannot keep the touches from
// the app.
//
// Docs/Reference/Machines/GestureContest.md is the whole table; Docs/Decisions/SystemGestures.md gives the reasons.
//
// Sources   documented  deferring screen edges (preferredScreenEdgesDeferringSystemGestures), D8
//           invented    the names of the answers, the deadline

/// The contest between a system gesture and an app for one finger.
struct GestureContest: Equatable, Sendable {
    enum State: Equatable, Sendable, CaseIterable {
        /// Recognizer maybe, app maybe.
        case asking
        /// Recognizer maybe, app yes.
        case allowed
        /// Recognizer maybe, app no.
        case deferred
        /// Recognizer yes, app maybe.
        case holding
        /// The finger belongs to the gesture.
        case taken
        /// The finger belongs to the app, and no gesture follows it.
        case left
    }

    enum Input: Equatable, Sendable, CaseIterable {
        /// The recognizer's yes.
        case swiped
        /// The recognizer's no.
        case failed
        /// The app's yes, and the app's no.
        case allowed, deferred
        /// The app's time for an answer is over.
        case deadline
    }

    enum Decision: Equatable, Sendable {
        case nothing
        /// The system takes the finger from its app.
        case take
        /// The finger stays with its app: its gates open.
        case leave
        /// The finger stays with its app, and the next swipe at this edge is the system's.
        case postpone
    }

    private(set) var state: State

    init(_ state: State) { self.state = state }

    var isOver: Bool { state == .left }

    mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        return decision
    }

    /// The transition table, for every state and input.
    static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (.asking, .swiped): (.holding, .nothing)
        case (.asking, .allowed), (.asking, .deadline): (.allowed, .nothing)
        case (.asking, .deferred): (.deferred, .nothing)

        case (.holding, .allowed), (.holding, .deadline): (.taken, .take)
        case (.holding, .deferred): (.left, .postpone)
        case (.holding, .swiped): (.holding, .nothing)

        case (.allowed, .swiped): (.taken, .take)
        // A second answer, or a late one.
        case (.allowed, .allowed), (.allowed, .deferred), (.allowed, .deadline): (.allowed, .nothing)

        case (.deferred, .swiped): (.left, .postpone)
        case (.deferred, .allowed), (.deferred, .deferred), (.deferred, .deadline): (.deferred, .nothing)

        case (.asking, .failed), (.holding, .failed), (.allowed, .failed), (.deferred, .failed): (.left, .leave)

        case (.taken, .failed): (.left, .nothing)
        case (.taken, .swiped), (.taken, .allowed), (.taken, .deferred), (.taken, .deadline): (.taken, .nothing)
        case (.left, .swiped), (.left, .failed), (.left, .allowed), (.left, .deferred), (.left, .deadline):
            (.left, .nothing)
        }
    }
}
