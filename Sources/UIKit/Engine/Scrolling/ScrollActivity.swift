// ScrollActivity.swift: what moves a scroll view's content: nothing, a finger, a deceleration, or an animation.
//
// Station   gesture
// Input     UIScrollView+Dragging.swift: its pan, its timer, code that sets the offset
// Output    UIScrollView+Dragging.swift, which carries out the decisions in order
// Knows     no distances. The input says whether content moves on, or is beyond its bounds.
//
//     rest ──touched──▶ touched ──dragged──▶ dragging ──released, moving──▶ decelerating ──arrived──▶ rest
//      ▲                 │  ▲                    │                            │
//      ├──── fingers up ─┘  └──────── touched: caught ◀───────────────────────┘
//      └───────── released, still ───────────────┘
//
// Sources   documented  isTracking, isDragging, isDecelerating; the order of the delegate's calls (B12.5, B12.6)
//           inferred    a touch that stops moving content ends its deceleration there

/// The activity of one scroll view.
package struct ScrollActivity: Equatable, Sendable {
    /// What moves the content, or touches it.
    package enum State: Equatable, Sendable, CaseIterable {
        /// Content rests, and no finger is down.
        case rest
        /// A finger is down and has not dragged.
        case touched
        case dragging
        /// Content was released and moves: it glides, or returns from beyond an edge.
        case decelerating
        /// Content moves to an offset that code asked for.
        case animating
    }

    /// A change that may start, end or replace a motion.
    package enum Input: Equatable, Sendable, CaseIterable {
        case touched
        /// The pan has begun.
        case dragged
        /// The pan has ended: the content moves on, or stays.
        case releasedMoving, releasedStill
        /// All fingers have lifted or belong to another recognizer, and there was no drag. The content is within its
        /// bounds, or beyond.
        case untouched, untouchedBeyond
        /// The content has reached the end of its motion.
        case arrived
        /// Code asked for an animated scroll.
        case animated
        /// Code set the offset, which ends the present motion.
        case offsetSet
        /// The scroll view left its window.
        case removed
    }

    /// One step of a transition. The steps are carried out in order.
    package enum Decision: Equatable, Sendable {
        case beginDrag
        case endDrag(decelerates: Bool)
        case beginDeceleration, endDeceleration
        case beginAnimation, endAnimation
        /// Sets the offset without an animation.
        case jump
    }

    package private(set) var state = State.rest

    package init() {}

    package mutating func handle(_ input: Input) -> [Decision] {
        guard let (next, decisions) = Self.transition(from: state, on: input) else {
            preconditionFailure("a scroll view cannot take \(input) while \(state)")
        }
        state = next
        return decisions
    }

    /// The whole machine. Nil is impossible.
    package static func transition(from state: State, on input: Input) -> (State, [Decision])? {
        switch (state, input) {
        case (.rest, .touched): (.touched, [])
        // A pan by a wheel or a trackpad has no touches.
        case (.rest, .dragged), (.touched, .dragged): (.dragging, [.beginDrag])
        case (.rest, .animated): (.animating, [.beginAnimation])
        // The end of a drag that the scroll view has given up.
        case (.rest, .releasedMoving), (.rest, .releasedStill): (.rest, [])
        case (.rest, .untouched), (.rest, .offsetSet), (.rest, .removed): (.rest, [])
        // A zoom may leave content beyond its bounds.
        case (.rest, .untouchedBeyond): (.decelerating, [.beginDeceleration])

        case (.touched, .touched), (.touched, .offsetSet): (.touched, [])
        case (.touched, .releasedMoving), (.touched, .releasedStill): (.touched, [])
        case (.touched, .untouched), (.touched, .removed): (.rest, [])
        case (.touched, .untouchedBeyond): (.decelerating, [.beginDeceleration])
        case (.touched, .animated): (.animating, [.beginAnimation])

        case (.dragging, .touched), (.dragging, .offsetSet): (.dragging, [])
        // The end of the pan is still to come.
        case (.dragging, .untouched), (.dragging, .untouchedBeyond): (.dragging, [])
        case (.dragging, .releasedMoving): (.decelerating, [.endDrag(decelerates: true), .beginDeceleration])
        case (.dragging, .releasedStill), (.dragging, .removed): (.rest, [.endDrag(decelerates: false)])
        case (.dragging, .animated): (.dragging, [.jump])

        case (.decelerating, .touched): (.touched, [.endDeceleration])
        case (.decelerating, .dragged): (.dragging, [.endDeceleration, .beginDrag])
        case (.decelerating, .arrived), (.decelerating, .offsetSet), (.decelerating, .removed):
            (.rest, [.endDeceleration])
        case (.decelerating, .animated): (.animating, [.endDeceleration, .beginAnimation])
        case (.decelerating, .releasedMoving), (.decelerating, .releasedStill): (.decelerating, [])
        case (.decelerating, .untouched), (.decelerating, .untouchedBeyond): (.decelerating, [])

        case (.animating, .touched): (.touched, [.endAnimation])
        case (.animating, .dragged): (.dragging, [.endAnimation, .beginDrag])
        case (.animating, .arrived), (.animating, .offsetSet), (.animating, .removed): (.rest, [.endAnimation])
        case (.animating, .animated): (.animating, [.endAnimation, .beginAnimation])
        case (.animating, .releasedMoving), (.animating, .releasedStill): (.animating, [])
        case (.animating, .untouched), (.animating, .untouchedBeyond): (.animating, [])

        // A pan begins once, and only moving content arrives.
        case (.dragging, .dragged), (.rest, .arrived), (.touched, .arrived), (.dragging, .arrived): nil
        }
    }
}
