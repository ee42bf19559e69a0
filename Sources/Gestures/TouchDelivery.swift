// TouchDelivery.swift: the state machine of one touch's delivery to its view.
//
// Station   gesture → responder
// Input     GestureEnvironment (cancels, releases) and the view phase (live touches)
// Output    touchesBegan … touchesCancelled of the touch's view
// Knows     whether the view has received the touch. Not which view, nor which recognizer withholds the touch.
//
//     unheard ──began──▶ heard ──ended, cancelled, taken by a recognizer──▶ over
//        └──────taken by a recognizer, or never the view's (withheld)─────────┘
//
// This table alone ensures that a view receives exactly one end for each beginning.
//
// Sources   documented  a touch that a recognizer takes is cancelled where it was delivered, and discarded where it
//                       was not (B8.2)
//           invented    a view that received no beginning receives no end

/// The delivery of one touch to its view.
package struct TouchDelivery: Equatable, Sendable {
    /// The state of the delivery.
    package enum State: Equatable, Sendable, CaseIterable { case unheard, heard, over }

    /// An event of the touch.
    package enum Input: Equatable, Sendable, CaseIterable {
        case began, moved, ended, cancelled
        /// A recognizer cancels the touch in its view, or the view may not receive the touch at all.
        case taken
    }

    /// What the environment does with the touch.
    package enum Decision: Equatable, Sendable {
        /// The view receives this phase.
        case tell
        /// The view receives `touchesCancelled`, whatever the finger does.
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

    /// The whole machine: every state and every input.
    package static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (.unheard, .began): (.heard, .tell)
        // An app's window may send one event twice.
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
