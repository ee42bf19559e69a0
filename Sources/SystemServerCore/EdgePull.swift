// EdgePull.swift: one finger that landed at the screen's upper edge: it pulls a center down, or stays with the app.
//
// Station   router
// Input     SystemGestures: the steps of the finger's movement, and time
// Output    a verdict for GestureContest
// Knows     steps. SystemGestures knows which center it is.
//
//     idle ──landed──▶ possible ──far enough in──▶ pulled ──lifted──▶ over
//                         └──along the edge, lifted, too long──▶ over: not a pull
//
// Docs/Reference/Machines/EdgePull.md is the whole table.
//
// Sources   documented  notifications from the upper edge, Control Centre from its right (Apple, iPhone User Guide)
//           invented    the center opens as soon as it is pulled; on a phone it follows the finger

/// The machine of a pull from the upper edge.
struct EdgePull: Equatable, Sendable {
    enum State: Equatable, Sendable, CaseIterable { case idle, possible, pulled, over }

    private(set) var state = State.idle

    mutating func handle(_ step: SwipeStep) -> SwipeVerdict {
        let (next, verdict) = Self.transition(from: state, on: step)
        state = next
        return verdict
    }

    /// The transition table, for every state and step.
    static func transition(from state: State, on step: SwipeStep) -> (State, SwipeVerdict) {
        switch (state, step) {
        case (.idle, .landed): (.possible, .nothing)
        case (.idle, .wandered), (.idle, .crossed), (.idle, .strayed), (.idle, .lifted), (.idle, .cancelled),
            (.idle, .timeUp), (.idle, .rested):
            (.idle, .nothing)

        case (.possible, .crossed): (.pulled, .yes)
        case (.possible, .strayed), (.possible, .lifted), (.possible, .cancelled), (.possible, .timeUp): (.over, .no)
        case (.possible, .landed), (.possible, .wandered), (.possible, .rested): (.possible, .nothing)

        case (.pulled, .lifted): (.over, .pulled)
        case (.pulled, .cancelled): (.over, .abandoned)
        case (.pulled, .landed), (.pulled, .wandered), (.pulled, .crossed), (.pulled, .strayed), (.pulled, .timeUp),
            (.pulled, .rested):
            (.pulled, .nothing)

        case (.over, .landed), (.over, .wandered), (.over, .crossed), (.over, .strayed), (.over, .lifted),
            (.over, .cancelled), (.over, .timeUp), (.over, .rested):
            (.over, .nothing)
        }
    }
}
