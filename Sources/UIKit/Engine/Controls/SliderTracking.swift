// SliderTracking.swift: what a slider makes of the finger on its knob, and when it tells of it.
//
// Station   action
// Fed by    UISlider, which has worked out what value the finger stands for
// Feeds     Decision, which UISlider turns into valueChanged
// Knows     whether the knob is held and whether a change has not been told. No views, no geometry.
//
//     idle ── on the knob ──▶ held ◀── told as it moves, if continuous
//       ▲                      │ ▲
//       │                 moved▼ │told
//       └── ended, cancelled ─ owing     (not continuous: told when the finger is gone)
//
// Sources   documented  isContinuous: told while the knob moves, or once, when it is let go
//           inferred    a continuous slider tells once more as the finger lifts, which is what code that looks for
//                       a touch in phase ended inside valueChanged relies on
//           invented    a cancelled finger leaves the knob where it was, so a change that is owed is told

package import Foundation

package struct SliderTracking: Equatable, Sendable {
    package enum State: Equatable, Sendable, CaseIterable { case idle, held, owing }

    package enum Input: Equatable, Sendable {
        case began(onKnob: Bool)
        case moved(changes: Bool, isContinuous: Bool)
        case ended(isContinuous: Bool)
        case cancelled
    }

    package enum Decision: Equatable, Sendable {
        case nothing
        /// Follow this finger.
        case take
        /// Do not.
        case refuse
        /// Send valueChanged.
        case tell
    }

    package private(set) var state = State.idle

    package init() {}

    package mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        return decision
    }

    /// The whole machine. An app that overrides tracking methods may leave some out, so every input has its place in
    /// every state.
    package static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (_, .began(onKnob: true)): (.held, .take)
        case (_, .began(onKnob: false)): (.idle, .refuse)
        case (.idle, .moved), (.idle, .ended), (.idle, .cancelled): (.idle, .nothing)
        case (.held, .moved(changes: false, _)): (.held, .nothing)
        case (.owing, .moved(changes: false, _)): (.owing, .nothing)
        case (.held, .moved(changes: true, isContinuous: true)), (.owing, .moved(changes: true, isContinuous: true)):
            (.held, .tell)
        case (.held, .moved(changes: true, isContinuous: false)), (.owing, .moved(changes: true, isContinuous: false)):
            (.owing, .nothing)
        case (.held, .ended(isContinuous: false)): (.idle, .nothing)
        case (.held, .ended(isContinuous: true)), (.owing, .ended): (.idle, .tell)
        case (.held, .cancelled): (.idle, .nothing)
        case (.owing, .cancelled): (.idle, .tell)
        }
    }
}

/// Where on the track which value is, from the places of the knob's middle at either end.
package struct SliderTrack: Equatable, Sendable {
    /// The knob's middle at the least and at the greatest value, in points along the track.
    package var first: CGFloat, last: CGFloat
    package var values: ClosedRange<Float>

    /// The value a knob there stands for, never beyond an end. A track without length has the least value only.
    package func value(at x: CGFloat) -> Float {
        guard first != last else { return values.lowerBound }
        let part = min(max(Double((x - first) / (last - first)), 0), 1)
        // The ends exactly, whatever the sum in between comes to.
        if part == 1 { return values.upperBound }
        let span = Double(values.upperBound) - Double(values.lowerBound)
        return Float(Double(values.lowerBound) + part * span)
    }

    /// Of the way from the first end to the last.
    package func part(of value: Float) -> CGFloat {
        let span = Double(values.upperBound) - Double(values.lowerBound)
        guard span > 0 else { return 0 }
        return CGFloat((Double(value) - Double(values.lowerBound)) / span)
    }
}
