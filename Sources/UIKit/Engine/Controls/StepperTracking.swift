// StepperTracking.swift: what a stepper makes of the finger on one of its halves.
//
// Station   action
// Fed by    UIStepper, which has measured which half was pressed, and its timer
// Feeds     Decision, which UIStepper turns into steps and into the timer's next moment
// Knows     which half is pressed. No views, no clock, no values.
//
//             began: a step                leaves
//     idle ──────────────▶ pressed ◀──────────────▶ outside
//       ▲                   │  ▲ fired: a step        │
//       └── ended, cancelled┴──┴──────────────────────┘
//
// Sources   documented  autorepeat: holding a half repeats its step
//           inferred    the first step is taken as the finger lands; while the finger is off its half none is

package struct StepperTracking: Equatable, Sendable {
    package enum Half: Equatable, Sendable, CaseIterable { case minus, plus }
    package enum State: Equatable, Sendable { case idle, pressed(Half), outside(Half) }

    package enum Input: Equatable, Sendable {
        case began(Half)
        case moved(inside: Bool)
        case fired
        case ended
        case cancelled
    }

    package enum Decision: Equatable, Sendable {
        case nothing
        /// One step, and a timer for more.
        case start(Half)
        /// One step more, and a timer for the next.
        case again(Half)
        /// The timer stops, the finger is followed on.
        case pause
        /// The timer as at the start, without a step.
        case resume
        case stop
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
        case (_, .began(let half)): (.pressed(half), .start(half))
        case (.idle, .moved), (.idle, .fired), (.idle, .ended), (.idle, .cancelled): (.idle, .nothing)
        case (.pressed, .moved(inside: true)), (.outside, .moved(inside: false)): (state, .nothing)
        case (.pressed(let half), .moved(inside: false)): (.outside(half), .pause)
        case (.outside(let half), .moved(inside: true)): (.pressed(half), .resume)
        case (.pressed(let half), .fired): (.pressed(half), .again(half))
        case (.outside, .fired): (state, .nothing)
        case (.pressed, .ended), (.outside, .ended), (.pressed, .cancelled), (.outside, .cancelled): (.idle, .stop)
        }
    }
}

/// When a held stepper steps again.
package enum StepperRepeat {
    /// - Parameters:
    ///   - steps: Taken since the finger landed, the first one included.
    ///   - delay: Seconds from landing to the second step.
    ///   - interval: Seconds between later ones; half of it after ten of them.
    /// - Returns: Seconds from the last step to the next.
    /// - Source: inferred from the feel of it: slow, then faster, then fast.
    package static func wait(after steps: Int, delay: Double, interval: Double) -> Double {
        if steps <= 1 { return delay }
        return steps <= 10 ? interval : interval / 2
    }
}
