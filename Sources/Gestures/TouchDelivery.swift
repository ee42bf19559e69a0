// TouchDelivery.swift: the state machine of one touch's delivery to its view.
//
// Station   gesture → responder
// Input     GestureEnvironment (cancels, releases) and the view phase (live touches)
// Output    touchesBegan … touchesCancelled of the touch's view
// Knows     whether the view has received the touch. Not which view, nor which recognizer withholds the touch.
//
//     undelivered ──began──▶ delivered ──ended, cancelled, taken by a recognizer──▶ over
//        └──────taken by a recognizer, or never the view's (withheld)─────────────────┘
//
// This table alone ensures that a view receives exactly one end for each beginning.
//
// Sources   documented  a touch that a recognizer takes is cancelled where it was delivered, and discarded where it
//                       was not (B8.2)
//           invented    a view that received no beginning receives no end

/// The delivery of one touch to its view.
package struct TouchDelivery: Equatable, Sendable {
    /// The state of the delivery.
    package enum State: Equatable, Sendable, CaseIterable { case undelivered, delivered, over }

    /// An event of the touch.
    package enum Input: Equatable, Sendable, CaseIterable {
        case began, moved, ended, cancelled
        /// A recognizer cancels the touch in its view, or the view may not receive the touch at all.
        case taken
    }

    /// What the environment does with the touch.
    package enum Decision: Equatable, Sendable {
        /// The view receives this phase.
        case deliver
        /// The view receives `touchesCancelled`, whatever the finger does.
        case cancel
        case nothing
    }

    package private(set) var state = State.undelivered

    package init() {}

    package mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        return decision
    }

    /// The whole machine: every state and every input.
    package static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (.undelivered, .began): (.delivered, .deliver)
        // An app's window may send one event twice.
        case (.delivered, .began): (.delivered, .nothing)
        case (.delivered, .moved): (.delivered, .deliver)
        case (.delivered, .ended), (.delivered, .cancelled): (.over, .deliver)
        case (.delivered, .taken): (.over, .cancel)
        case (.undelivered, .moved): (.undelivered, .nothing)
        case (.undelivered, .ended), (.undelivered, .cancelled), (.undelivered, .taken): (.over, .nothing)
        case (.over, _): (.over, .nothing)
        }
    }
}
