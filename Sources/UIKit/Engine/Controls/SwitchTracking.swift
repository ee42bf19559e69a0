// SwitchTracking.swift: how a finger turns a switch.
//
// Station   action
// Input     UISwitch, which measures where the finger landed and how far it went along the track
// Output    Decision, which UISwitch turns into a position of the knob and a value
// Knows     whether the finger has the knob. No views, no geometry.
//
//                 on the knob            far along the track
//     idle ──────────────────────▶ held ─────────────────────▶ dragged
//       │                           │                             │
//       └── beside ──▶ pressed ─────┴── lifted inside: flips      └── lifted: the side of the knob
//
// Sources   documented  a tap turns a switch, and so does a drag of its knob
//           invented    a finger beside the knob can only tap; a drag begins after 10 pt along the track

/// The tracking of one touch by a switch.
package struct SwitchTracking: Equatable, Sendable {
    /// Whether the finger is down beside the knob, on it, or drags it.
    package enum State: Equatable, Sendable, CaseIterable { case idle, pressed, held, dragged }

    /// A change of the touch.
    package enum Input: Equatable, Sendable {
        case began(onKnob: Bool)
        /// The finger moved; `far` once it has moved further along the track than a tap may.
        case moved(far: Bool)
        case ended(inside: Bool)
        case cancelled
    }

    /// The change of the knob and of the value.
    package enum Decision: Equatable, Sendable {
        case nothing
        /// Moves the knob with the finger.
        case drag
        /// Turns on to off, and off to on.
        case flip
        /// Sets the value to the side that the knob is on.
        case setValueFromKnob
        /// Moves the knob back to the side of the value.
        case restoreKnob
    }

    package private(set) var state = State.idle

    package init() {}

    package mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        return decision
    }

    /// The whole machine. An app that overrides tracking methods may skip some, so every state accepts every input: a
    /// landing starts again, and without one nothing happens.
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
        case (.dragged, .ended): (.idle, .setValueFromKnob)
        case (.pressed, .cancelled), (.held, .cancelled): (.idle, .nothing)
        case (.dragged, .cancelled): (.idle, .restoreKnob)
        }
    }
}
