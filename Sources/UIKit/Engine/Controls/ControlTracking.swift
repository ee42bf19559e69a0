// ControlTracking.swift: what a control makes of the one finger it follows.
//
// Station   action
// Fed by    UIControl, which has asked beginTracking and continueTracking and measured inside
// Feeds     Decision, which UIControl turns into highlights and control events
// Knows     whether the finger is inside. No views, no touches, no geometry.
//
//             began, accepted                     leaves by more than the margin
//     idle ───────────────────▶ inside ──────────────────────────────▶ outside
//       ▲                         │    ◀──────────────────────────────   │
//       └──── ended, cancelled, continueTracking says no ────────────────┘
//
// Sources   documented  the events and their names (UIControl.Event)
//           inferred    their order (B10.2 to B10.7, S72)

package struct ControlTracking: Equatable, Sendable {
    package enum State: Equatable, Sendable, CaseIterable { case idle, inside, outside }

    package enum Input: Equatable, Sendable {
        /// A finger landed: what beginTracking said, and whether it is a second or later tap.
        case began(accepted: Bool, repeated: Bool)
        /// It moved: what continueTracking said, and whether it is within the grown bounds.
        case moved(continues: Bool, inside: Bool)
        case ended(inside: Bool)
        case cancelled
    }

    package enum Decision: Equatable, Sendable {
        case nothing
        /// touchDown, and touchDownRepeat for a repeated one.
        case press(repeated: Bool)
        /// If it crossed the edge touchDragEnter or touchDragExit, then touchDragInside or touchDragOutside.
        case drag(inside: Bool, crossed: Bool)
        /// If it crossed the edge touchDragEnter or touchDragExit; endTracking; then touchUpInside or touchUpOutside.
        case release(inside: Bool, crossed: Bool)
        /// Over, and nobody is told.
        case stop
        /// cancelTracking, then touchCancel.
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

    /// The whole machine. Nil cannot happen: UIControl passes on only the finger it follows.
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
