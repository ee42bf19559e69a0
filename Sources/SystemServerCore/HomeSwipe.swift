// HomeSwipe.swift: one finger that landed at the screen's lower edge: home, the app switcher, or a touch of the app.
//
// Station   router
// Input     SystemGestures: the steps of the finger's movement, and time
// Output    verdicts: yes or no for GestureContest, the gesture for SystemGestures when the finger lifts or rests
// Knows     steps. No position, no clock, no app.
//
//     idle ──landed──▶ possible ──far enough in──▶ following ◀──in again── returning
//                         │                          │ │ └──back at the edge──▶ ┘
//                         │ along the edge, lifted,  │ └──held still──▶ over: the switcher
//                         └──too long──▶ over        └──lifted──▶ over: home
//
// Docs/Reference/Machines/HomeSwipe.md is the whole table.
//
// Sources   documented  swipe up for home, swipe up and hold for the app switcher (Apple, iPhone User Guide)
//           invented    a finger that returns to the edge before it lifts abandons the gesture

/// The machine of a swipe from the lower edge.
struct HomeSwipe: Equatable, Sendable {
    enum State: Equatable, Sendable, CaseIterable { case idle, possible, following, returning, over }

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

        case (.possible, .crossed): (.following, .yes)
        case (.possible, .strayed), (.possible, .lifted), (.possible, .cancelled), (.possible, .timeUp): (.over, .no)
        case (.possible, .landed), (.possible, .wandered), (.possible, .rested): (.possible, .nothing)

        case (.following, .crossed), (.following, .strayed), (.following, .landed), (.following, .timeUp):
            (.following, .nothing)
        case (.following, .wandered): (.returning, .nothing)
        case (.following, .lifted): (.over, .home)
        case (.following, .rested): (.over, .switcher)
        case (.following, .cancelled): (.over, .abandoned)

        case (.returning, .crossed): (.following, .nothing)
        case (.returning, .lifted), (.returning, .cancelled): (.over, .abandoned)
        case (.returning, .landed), (.returning, .wandered), (.returning, .strayed), (.returning, .timeUp),
            (.returning, .rested):
            (.returning, .nothing)

        case (.over, .landed), (.over, .wandered), (.over, .crossed), (.over, .strayed), (.over, .lifted),
            (.over, .cancelled), (.over, .timeUp), (.over, .rested):
            (.over, .nothing)
        }
    }
}

/// One step of a finger that landed at an edge, measured from that edge.
enum SwipeStep: Equatable, Sendable, CaseIterable {
    case landed
    /// The finger is neither far from the edge nor far along it.
    case wandered
    /// The finger is far enough from the edge, and at most as far along it.
    case crossed
    /// The finger is far along the edge, and less far from it.
    case strayed
    case lifted
    /// The device cancelled the finger, or does not list it any more.
    case cancelled
    /// The time limit of a swipe has passed.
    case timeUp
    /// The finger has rested for the duration of a hold.
    case rested
}

/// The verdict of a recognizer at an edge on its finger.
enum SwipeVerdict: Equatable, Sendable {
    case nothing
    /// The finger makes this gesture. It belongs to the system unless the app defers.
    case yes
    /// The finger does not make this gesture, and never will.
    case no
    /// The gesture is complete.
    case home, switcher, pulled
    /// The gesture has ended without an effect.
    case abandoned
}
