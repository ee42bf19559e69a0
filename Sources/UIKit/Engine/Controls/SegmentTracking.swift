// SegmentTracking.swift: the segment that a finger selects.
//
// Station   action
// Input     UISegmentedControl, which measures the segment under the finger
// Output    Decision, which UISegmentedControl turns into a pressed segment and a selection
// Knows     indices of segments. No views, no geometry.
//
//     idle ──landed──▶ over(n) ◀──▶ outside        lifted over n: n is selected; lifted outside: none is
//       ▲                 │            │
//       └──ended, cancelled────────────┘
//
// Sources   inferred    the segment under the lift is selected, wherever the finger landed

/// The tracking of one touch by a segmented control.
package struct SegmentTracking: Equatable, Sendable {
    /// `outside`: the finger is off the control or over a disabled segment.
    package enum State: Equatable, Sendable { case idle, outside, over(Int) }

    /// A change of the touch, with the index of the enabled segment under it.
    package enum Input: Equatable, Sendable {
        case began(over: Int?)
        case moved(over: Int?)
        case ended(over: Int?)
        case cancelled
    }

    /// The change of the control.
    package enum Decision: Equatable, Sendable {
        case nothing
        /// Shows this segment as pressed, or none.
        case highlight(Int?)
        /// Shows no segment as pressed, and selects this one.
        case select(Int)
    }

    package private(set) var state = State.idle

    package init() {}

    package mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        return decision
    }

    /// The whole machine. An app that overrides tracking methods may skip some, so every state accepts every input.
    package static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (_, .began(over: let segment?)): (.over(segment), .highlight(segment))
        case (_, .began(over: nil)): (.outside, .nothing)
        case (.idle, .moved), (.idle, .ended), (.idle, .cancelled): (.idle, .nothing)
        case (.over(let old), .moved(over: let segment?)):
            (.over(segment), old == segment ? .nothing : .highlight(segment))
        case (.outside, .moved(over: let segment?)): (.over(segment), .highlight(segment))
        case (.over, .moved(over: nil)): (.outside, .highlight(nil))
        case (.outside, .moved(over: nil)): (.outside, .nothing)
        case (.over, .ended(over: let segment?)), (.outside, .ended(over: let segment?)): (.idle, .select(segment))
        case (.over, .ended(over: nil)), (.over, .cancelled): (.idle, .highlight(nil))
        case (.outside, .ended(over: nil)), (.outside, .cancelled): (.idle, .nothing)
        }
    }
}
