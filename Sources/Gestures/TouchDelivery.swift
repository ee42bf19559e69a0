// TouchDelivery.swift: what a view has heard of one touch.
//
// Station   gesture → responder
// Fed by    GestureEnvironment (cancels, releases) and the view phase (what is live)
// Feeds     touchesBegan … touchesCancelled of the touch's view
// Knows     whether the view knows of the touch. Not which view, nor who keeps the touch from it.
//
//     unheard ──began──▶ heard ──ended, cancelled, taken by a recogniser──▶ over
//        └──────taken by a recogniser, or never the view's (withheld)─────────┘
//
// That a view hears exactly one end for each beginning is this table and nothing else.
//
// Sources   documented  a touch that a recogniser takes is cancelled where it was delivered, and discarded where it
//                       was not (B8.2)
//           invented    what a view never heard begin, it does not hear end

package struct TouchDelivery: Equatable, Sendable {
    package enum State: Equatable, Sendable, CaseIterable { case unheard, heard, over }

    package enum Input: Equatable, Sendable, CaseIterable {
        case began, moved, ended, cancelled
        /// A recogniser cancels it in its view; or the view may not have it at all.
        case taken
    }

    package enum Decision: Equatable, Sendable {
        /// The view is told this phase.
        case tell
        /// The view is told `touchesCancelled`, whatever the finger does.
        case cancel
        case nothing
    }

    package private(set) var state = State.unheard

    package init() {}

    package mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        return decision
    }

    /// The whole machine.
    package static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (.unheard, .began): (.heard, .tell)
        // An app's window sends one event twice.
        case (.heard, .began): (.heard, .nothing)
        case (.heard, .moved): (.heard, .tell)
        case (.heard, .ended), (.heard, .cancelled): (.over, .tell)
        case (.heard, .taken): (.over, .cancel)
        case (.unheard, .moved): (.unheard, .nothing)
        case (.unheard, .ended), (.unheard, .cancelled), (.unheard, .taken): (.over, .nothing)
        case (.over, _): (.over, .nothing)
        }
    }
}
