// GestureContest.swift: whose a finger is that landed at an edge: the system's, or its app's.
//
// Station   router
// Fed by    SystemGestures: its recogniser's yes or no, what the finger's app says of it, the app's deadline
// Feeds     SystemGestures: to take the finger, to let the app have it, to wait for a second swipe
// Knows     two contenders' answers. No finger, no frame.
//
//     contender       maybe                 no                     yes
//     recogniser      it may be a swipe     it is none             it is one
//     app             has not answered      defers this edge       lets the system have it
//
// `hold` is what a recogniser's yes is while its app has not answered; a deadline makes a mute app's maybe a yes. So the
// app cannot keep the system from a decision, and the recogniser, whose time is limited, not the app from its touches.
//
// Docs/Machines/GestureContest.md is the whole table. Why it is like this: Docs/Decisions/SystemGestures.md.
//
// Sources   documented  deferring screen edges (preferredScreenEdgesDeferringSystemGestures), D8
//           invented    the answers' words, the deadline

struct GestureContest: Equatable, Sendable {
    enum State: Equatable, Sendable, CaseIterable {
        /// Recogniser maybe, app maybe.
        case asking
        /// Recogniser maybe, app yes.
        case allowed
        /// Recogniser maybe, app no.
        case deferred
        /// Recogniser yes, app maybe.
        case holding
        case taken
        /// The finger is the app's, and no gesture's.
        case left
    }

    enum Input: Equatable, Sendable, CaseIterable {
        /// The recogniser's yes.
        case swiped
        /// The recogniser's no.
        case failed
        /// The app's yes, and its no.
        case allowed, deferred
        /// The app has had as long as it has.
        case deadline
    }

    enum Decision: Equatable, Sendable {
        case nothing
        /// The finger is taken from its app.
        case take
        /// Its gates open.
        case leave
        /// The same, and the next swipe at this edge is the system's.
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

    /// The whole machine.
    static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (.asking, .swiped): (.holding, .nothing)
        case (.asking, .allowed), (.asking, .deadline): (.allowed, .nothing)
        case (.asking, .deferred): (.deferred, .nothing)

        case (.holding, .allowed), (.holding, .deadline): (.taken, .take)
        case (.holding, .deferred): (.left, .postpone)
        case (.holding, .swiped): (.holding, .nothing)

        case (.allowed, .swiped): (.taken, .take)
        // A second answer, or one that comes too late.
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
