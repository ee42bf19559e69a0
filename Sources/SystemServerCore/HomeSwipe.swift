// HomeSwipe.swift: one finger that landed at the screen's lower edge: home, the app switcher, or the app's after all.
//
// Station   router
// Fed by    SystemGestures: what the finger's way amounts to, and time
// Feeds     GestureContest (yes, no), SystemGestures (what is to be done when the finger is done)
// Knows     words. No point, no clock, no app.
//
//     idle ──landed──▶ possible ──far enough in──▶ following ◀──in again── returning
//                         │                          │ │ └──back at the edge──▶ ┘
//                         │ along the edge, lifted,  │ └──held still──▶ over: the switcher
//                         └──too long──▶ over        └──lifted──▶ over: home
//
// Docs/Machines/HomeSwipe.md is the whole table.
//
// Sources   documented  swipe up for home, swipe up and hold for the app switcher (Apple, iPhone User Guide)
//           invented    a finger that comes back to the edge before it lifts has changed its mind

struct HomeSwipe: Equatable, Sendable {
    enum State: Equatable, Sendable, CaseIterable { case idle, possible, following, returning, over }

    private(set) var state = State.idle

    mutating func handle(_ step: SwipeStep) -> SwipeVerdict {
        let (next, verdict) = Self.transition(from: state, on: step)
        state = next
        return verdict
    }

    /// The whole machine: every state, every step, no default.
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

/// What a finger that landed at an edge has done, seen from that edge.
enum SwipeStep: Equatable, Sendable, CaseIterable {
    case landed
    /// It is neither far in nor far along.
    case wandered
    /// It is far enough in, and no further along.
    case crossed
    /// It is far along, and less far in.
    case strayed
    case lifted
    /// Its device took it back, or lists it no more.
    case cancelled
    /// It has had as long as a swipe has.
    case timeUp
    /// It has not moved for as long as a hold takes.
    case rested
}

/// What a recogniser at an edge says of its finger.
enum SwipeVerdict: Equatable, Sendable {
    case nothing
    /// It is this gesture: the finger is the system's, if its app lets it.
    case yes
    /// It is not, and never will be.
    case no
    /// It was, and is done.
    case home, switcher, pulled
    /// It was, and nothing comes of it.
    case abandoned
}
