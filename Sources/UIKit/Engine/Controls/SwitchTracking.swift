// SwitchTracking.swift: what a switch makes of the finger on it.
//
// Station   action
// Fed by    UISwitch, which has measured where the finger landed and how far it went along the track
// Feeds     Decision, which UISwitch turns into a knob's place and a value
// Knows     whether the finger has the knob. No views, no geometry.
//
//                 on the knob            far along the track
//     idle ──────────────────────▶ held ─────────────────────▶ dragged
//       │                           │                             │
//       └── beside ──▶ pressed ─────┴── lifted inside: the other  └── lifted: the side the knob is on
//
// Sources   documented  a switch is turned by a tap and by dragging its knob
//           invented    a finger beside the knob can only tap; a drag has begun after 10 pt along the track

package struct SwitchTracking: Equatable, Sendable {
    package enum State: Equatable, Sendable, CaseIterable { case idle, pressed, held, dragged }

    package enum Input: Equatable, Sendable {
        case began(onKnob: Bool)
        /// It moved; `far` once it has gone further along the track than a tap may.
        case moved(far: Bool)
        case ended(inside: Bool)
        case cancelled
    }

    package enum Decision: Equatable, Sendable {
        case nothing
        /// The knob goes with the finger.
        case drag
        /// On becomes off, off becomes on.
        case flip
        /// The switch is what the side of its knob says.
        case settle
        /// The knob goes back to where the switch says.
        case restore
    }

    package private(set) var state = State.idle

    package init() {}

    package mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        return decision
    }

    /// The whole machine. An app that overrides tracking methods may leave some out, so every input has its place in
    /// every state: a finger that lands begins anew, and without one nothing happens.
    package static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (_, .began(onKnob: true)): (.held, .nothing)
        case (_, .began(onKnob: false)): (.pressed, .nothing)
        case (.idle, .moved), (.idle, .ended), (.idle, .cancelled): (.idle, .nothing)
        case (.pressed, .moved): (.pressed, .nothing)
        case (.held, .moved(far: false)): (.held, .nothing)
        case (.held, .moved(far: true)), (.dragged, .moved): (.dragged, .drag)
        case (.pressed, .ended(inside: true)), (.held, .ended(inside: true)): (.idle, .flip)
        case (.pressed, .ended(inside: false)), (.held, .ended(inside: false)): (.idle, .nothing)
        case (.dragged, .ended): (.idle, .settle)
        case (.pressed, .cancelled), (.held, .cancelled): (.idle, .nothing)
        case (.dragged, .cancelled): (.idle, .restore)
        }
    }
}
