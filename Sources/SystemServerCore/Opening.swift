// Opening.swift: one URL, from the request to the app's answer.
//
//     waiting ──linked──▶ sent ──answered──▶ over: opened
//        │                 │ ▲
//        │           unlinked│linked: the same process, or the next
//        │                 ▼ │
//        │                lost ──outlived: a third process──▶ over: died
//        └────────due, or failed, from waiting and lost────▶ over
//
// Station   app
// Input     URLOpener: apps that connect, disconnect and answer; time
// Output    Decision, which URLOpener turns into steps
// Knows     one URL's state. No app, no link, no clock.
//
// Sources   invented

import Wire

/// The progress of one URL, as a state machine.
struct Opening: Sendable {
    enum State: Hashable, Sendable {
        /// The app does not run yet, or has not answered for an earlier URL.
        case waiting
        /// The URL was sent to the running process.
        case sent
        /// The URL was sent to a process whose link is gone.
        case lost
        case over
    }

    enum Input: Hashable, Sendable {
        /// The app is linked, and no other URL precedes this one.
        case linked
        /// The app is linked, and two earlier processes may have received the URL.
        case outlived
        /// The link of the app is gone.
        case unlinked
        /// The link of the app has lost frames.
        case framesLost
        case answered
        /// The supervisor has given up starting the app.
        case failed
        /// The URL has waited too long.
        case due
    }

    enum Decision: Hashable, Sendable {
        case nothing, send
        /// Requests the start of the app.
        case launch
        case end(OpenAnswer.Outcome)
    }

    private(set) var state = State.waiting

    mutating func handle(_ input: Input) -> Decision {
        guard let (next, decision) = Self.transition(from: state, on: input) else {
            preconditionFailure("an opening cannot take \(input) while \(state)")
        }
        state = next
        return decision
    }

    /// The transition table. Nil: the input cannot happen, because an opening that is over is removed.
    static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.waiting, .linked), (.lost, .linked), (.sent, .linked): (.sent, .send)
        case (.sent, .framesLost): (.sent, .send)
        case (.waiting, .framesLost), (.lost, .framesLost): (state, .nothing)
        case (.sent, .unlinked): (.lost, .launch)
        case (.waiting, .unlinked), (.lost, .unlinked): (state, .nothing)
        case (.sent, .answered): (.over, .end(.opened))
        // The answer of an earlier process, or a repeated one.
        case (.waiting, .answered), (.lost, .answered): (state, .nothing)
        case (.waiting, .outlived), (.sent, .outlived), (.lost, .outlived): (.over, .end(.died))
        case (.waiting, .failed), (.lost, .failed): (.over, .end(.died))
        // The app has connected in the meantime.
        case (.sent, .failed): (.sent, .nothing)
        case (.waiting, .due), (.sent, .due), (.lost, .due): (.over, .end(.late))
        case (.over, _): nil
        }
    }
}
