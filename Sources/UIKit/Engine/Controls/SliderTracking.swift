// SliderTracking.swift: when a slider sends valueChanged for the finger on its knob.
//
// Station   action
// Input     UISlider, which computes the value at the finger
// Output    Decision, which UISlider turns into valueChanged
// Knows     whether the knob is held, and whether a change is unreported. No views, no geometry.
//
//     idle ── on the knob ──▶ held ◀── reports each move, if continuous
//       ▲                      │ ▲
//       │                 moved▼ │reported
//       └── ended, cancelled ─ heldUnreported     (not continuous: reports when the finger is gone)
//
// Sources   documented  isContinuous: the slider reports while the knob moves, or once, at the lift
//           inferred    a continuous slider reports once more at the lift; code that looks for a touch in phase ended
//                       inside valueChanged relies on that
//           invented    a cancelled finger leaves the knob at its position, so an unreported change is reported

package import Foundation

/// The tracking of one touch by a slider.
package struct SliderTracking: Equatable, Sendable {
    /// Whether the knob is held. `heldUnreported`: it is held, and a change has not been reported.
    package enum State: Equatable, Sendable, CaseIterable { case idle, held, heldUnreported }

    /// A change of the touch.
    package enum Input: Equatable, Sendable {
        case began(onKnob: Bool)
        case moved(changes: Bool, isContinuous: Bool)
        case ended(isContinuous: Bool)
        case cancelled
    }

    /// The answer to a landing, or the event to send.
    package enum Decision: Equatable, Sendable {
        case nothing
        /// Tracks this finger.
        case track
        /// Ignores this finger.
        case ignore
        /// Sends valueChanged.
        case sendValueChanged
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
        case (_, .began(onKnob: true)): (.held, .track)
        case (_, .began(onKnob: false)): (.idle, .ignore)
        case (.idle, .moved), (.idle, .ended), (.idle, .cancelled): (.idle, .nothing)
        case (.held, .moved(changes: false, _)): (.held, .nothing)
        case (.heldUnreported, .moved(changes: false, _)): (.heldUnreported, .nothing)
        case (.held, .moved(changes: true, isContinuous: true)),
            (.heldUnreported, .moved(changes: true, isContinuous: true)):
            (.held, .sendValueChanged)
        case (.held, .moved(changes: true, isContinuous: false)),
            (.heldUnreported, .moved(changes: true, isContinuous: false)):
            (.heldUnreported, .nothing)
        case (.held, .ended(isContinuous: false)): (.idle, .nothing)
        case (.held, .ended(isContinuous: true)), (.heldUnreported, .ended): (.idle, .sendValueChanged)
        case (.held, .cancelled): (.idle, .nothing)
        case (.heldUnreported, .cancelled): (.idle, .sendValueChanged)
        }
    }
}

/// Converts between values and positions of the knob's center along the track.
package struct SliderTrack: Equatable, Sendable {
    /// The positions of the knob's center at the least and at the greatest value, in points along the track.
    package var first: CGFloat, last: CGFloat
    package var values: ClosedRange<Float>

    /// The value for a knob at `x`, limited to the ends. A track without length has the least value everywhere.
    package func value(at x: CGFloat) -> Float {
        guard first != last else { return values.lowerBound }
        let part = min(max(Double((x - first) / (last - first)), 0), 1)
        // The end itself, because the sum below may be rounded.
        if part == 1 { return values.upperBound }
        let span = Double(values.upperBound) - Double(values.lowerBound)
        return Float(Double(values.lowerBound) + part * span)
    }

    /// The value's distance from the first end, in parts of the track (0...1 for a value on the track).
    package func fraction(of value: Float) -> CGFloat {
        let span = Double(values.upperBound) - Double(values.lowerBound)
        guard span > 0 else { return 0 }
        return CGFloat((Double(value) - Double(values.lowerBound)) / span)
    }
}
