// ScrollActivity.swift: what moves a scroll view's content just now: nothing, a finger, what is left of its speed.
//
// Station   gesture
// Fed by    UIScrollView+Dragging.swift: its pan, its timer, whoever sets its offset
// Feeds     UIScrollView+Dragging.swift, which carries the decisions out in order
// Knows     no distances. Whether content will move on, or lies beyond its bounds, is said with the input.
//
//     rest ──touched──▶ touched ──dragged──▶ dragging ──released, moving──▶ decelerating ──arrived──▶ rest
//      ▲                 │  ▲                    │                            │
//      ├──── fingers up ─┘  └──────── touched: caught ◀───────────────────────┘
//      └───────── released, still ───────────────┘
//
// Sources   documented  isTracking, isDragging, isDecelerating; the order of the delegate's calls (B12.5, B12.6)
//           inferred    a touch that stops moving content ends its deceleration there

package struct ScrollActivity: Equatable, Sendable {
    package enum State: Equatable, Sendable, CaseIterable {
        /// Nothing moves, nobody touches.
        case rest
        /// A finger is down and has not dragged.
        case touched
        case dragging
        /// Let go of, and moving: gliding, or on the way back from beyond an edge.
        case decelerating
        /// On the way to where code wants it.
        case animating
    }

    package enum Input: Equatable, Sendable, CaseIterable {
        case touched
        /// The pan has begun.
        case dragged
        /// The pan is over: the content moves on, or stays.
        case releasedMoving, releasedStill
        /// Fingers are up, or are no more this scroll view's, and there was no drag. The content is within its
        /// bounds, or beyond.
        case untouched, untouchedBeyond
        /// The content is where it was going.
        case arrived
        /// An animated scroll was asked for.
        case animated
        /// The content was put somewhere, which ends what moves it.
        case placed
        /// The scroll view left its window.
        case removed
    }

    package enum Decision: Equatable, Sendable {
        case beginDrag
        case endDrag(decelerates: Bool)
        case beginDeceleration, endDeceleration
        case beginAnimation, endAnimation
        /// Without an animation.
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

    /// The whole machine. Nil cannot happen.
    package static func transition(from state: State, on input: Input) -> (State, [Decision])? {
        switch (state, input) {
        case (.rest, .touched): (.touched, [])
        // A pan by a wheel or a trackpad comes without touches.
        case (.rest, .dragged), (.touched, .dragged): (.dragging, [.beginDrag])
        case (.rest, .animated): (.animating, [.beginAnimation])
        // The end of a drag that the scroll view has given up.
        case (.rest, .releasedMoving), (.rest, .releasedStill): (.rest, [])
        case (.rest, .untouched), (.rest, .placed), (.rest, .removed): (.rest, [])
        // Zooming may leave content there.
        case (.rest, .untouchedBeyond): (.decelerating, [.beginDeceleration])

        case (.touched, .touched), (.touched, .placed): (.touched, [])
        case (.touched, .releasedMoving), (.touched, .releasedStill): (.touched, [])
        case (.touched, .untouched), (.touched, .removed): (.rest, [])
        case (.touched, .untouchedBeyond): (.decelerating, [.beginDeceleration])
        case (.touched, .animated): (.animating, [.beginAnimation])

        case (.dragging, .touched), (.dragging, .placed): (.dragging, [])
        // The pan's own word is still to come.
        case (.dragging, .untouched), (.dragging, .untouchedBeyond): (.dragging, [])
        case (.dragging, .releasedMoving): (.decelerating, [.endDrag(decelerates: true), .beginDeceleration])
        case (.dragging, .releasedStill), (.dragging, .removed): (.rest, [.endDrag(decelerates: false)])
        case (.dragging, .animated): (.dragging, [.jump])

        case (.decelerating, .touched): (.touched, [.endDeceleration])
        case (.decelerating, .dragged): (.dragging, [.endDeceleration, .beginDrag])
        case (.decelerating, .arrived), (.decelerating, .placed), (.decelerating, .removed):
            (.rest, [.endDeceleration])
        case (.decelerating, .animated): (.animating, [.endDeceleration, .beginAnimation])
        case (.decelerating, .releasedMoving), (.decelerating, .releasedStill): (.decelerating, [])
        case (.decelerating, .untouched), (.decelerating, .untouchedBeyond): (.decelerating, [])

        case (.animating, .touched): (.touched, [.endAnimation])
        case (.animating, .dragged): (.dragging, [.endAnimation, .beginDrag])
        case (.animating, .arrived), (.animating, .placed), (.animating, .removed): (.rest, [.endAnimation])
        case (.animating, .animated): (.animating, [.endAnimation, .beginAnimation])
        case (.animating, .releasedMoving), (.animating, .releasedStill): (.animating, [])
        case (.animating, .untouched), (.animating, .untouchedBeyond): (.animating, [])

        // One pan begins once; and only what moves arrives.
        case (.dragging, .dragged), (.rest, .arrived), (.touched, .arrived), (.dragging, .arrived): nil
        }
    }
}
