// ControlTracking.swift: the highlights and events that a control makes of the touch it tracks.
//
// Station   action
// Input     UIControl, which calls beginTracking and continueTracking and measures `inside`
// Output    Decision, which UIControl turns into highlights and control events
// Knows     whether the finger is inside. No views, no touches, no geometry.
//
//             began, accepted                     leaves by more than the margin
//     idle ───────────────────▶ inside ──────────────────────────────▶ outside
//       ▲                         │    ◀──────────────────────────────   │
//       └──── ended, cancelled, continueTracking returns false ──────────┘
//
// Sources   documented  the events and their names (UIControl.Event)
//           inferred    their order (B10.2 to B10.7, S72)

/// The tracking of one touch by one control.
package struct ControlTracking: Equatable, Sendable {
    /// Whether the control tracks a touch, and whether the touch is inside.
    package enum State: Equatable, Sendable, CaseIterable { case idle, inside, outside }

    /// A change of the touch.
    package enum Input: Equatable, Sendable {
        /// A touch landed: the answer of beginTracking, and whether the tap count is 2 or more.
        case began(accepted: Bool, repeated: Bool)
        /// The touch moved: the answer of continueTracking, and whether the touch is within the grown bounds.
        case moved(continues: Bool, inside: Bool)
        case ended(inside: Bool)
        case cancelled
    }

    /// The events to send and the tracking methods to call.
    package enum Decision: Equatable, Sendable {
        case nothing
        /// Sends touchDown, and then touchDownRepeat for a repeated tap.
        case press(repeated: Bool)
        /// Sends touchDragEnter or touchDragExit if the touch crossed the edge, then touchDragInside or
        /// touchDragOutside.
        case drag(inside: Bool, crossed: Bool)
        /// Sends touchDragEnter or touchDragExit if the touch crossed the edge; calls endTracking; then sends
        /// touchUpInside or touchUpOutside.
        case release(inside: Bool, crossed: Bool)
        /// Ends tracking without an event.
        case stop
        /// Calls cancelTracking, then sends touchCancel.
        case cancel
    }

    package private(set) var state = State.idle

    package init() {}

    package mutating func handle(_ input: Input) -> Decision {
        guard let (next, decision) = Self.transition(from: state, on: input) else {
            preconditionFailure("a control's tracking cannot take \(input) while \(state)")
        }
        state = next
        return decision
    }

    /// The whole machine. Nil is impossible: UIControl passes on the touch that it tracks, and no other.
    package static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.idle, .began(accepted: true, let repeated)): (.inside, .press(repeated: repeated))
        case (.idle, .began(accepted: false, _)): (.idle, .nothing)
        case (.idle, .moved), (.idle, .ended), (.idle, .cancelled): nil
        case (.inside, .began), (.outside, .began): nil
        case (.inside, .moved(continues: true, inside: true)): (.inside, .drag(inside: true, crossed: false))
        case (.inside, .moved(continues: true, inside: false)): (.outside, .drag(inside: false, crossed: true))
        case (.outside, .moved(continues: true, inside: true)): (.inside, .drag(inside: true, crossed: true))
        case (.outside, .moved(continues: true, inside: false)): (.outside, .drag(inside: false, crossed: false))
        case (.inside, .moved(continues: false, _)), (.outside, .moved(continues: false, _)): (.idle, .stop)
        case (.inside, .ended(inside: true)): (.idle, .release(inside: true, crossed: false))
        case (.inside, .ended(inside: false)): (.idle, .release(inside: false, crossed: true))
        case (.outside, .ended(inside: true)): (.idle, .release(inside: true, crossed: true))
        case (.outside, .ended(inside: false)): (.idle, .release(inside: false, crossed: false))
        case (.inside, .cancelled), (.outside, .cancelled): (.idle, .cancel)
        }
    }
}
