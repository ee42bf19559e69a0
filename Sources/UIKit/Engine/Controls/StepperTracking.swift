// StepperTracking.swift: the steps that a stepper makes of a finger on one of its halves.
//
// Station   action
// Input     UIStepper, which measures the pressed half, and its timer
// Output    Decision, which UIStepper turns into steps and into the timer's next moment
// Knows     which half is pressed. No views, no clock, no values.
//
//             began: a step                leaves
//     idle ──────────────▶ pressed ◀──────────────▶ outside
//       ▲                   │  ▲ fired: a step        │
//       └── ended, cancelled┴──┴──────────────────────┘
//
// Sources   documented  autorepeat: a held half repeats its step
//           inferred    the stepper steps at the landing; it does not step while the finger is off its half

/// The tracking of one touch by a stepper.
package struct StepperTracking: Equatable, Sendable {
    /// One of the two buttons of a stepper.
    package enum Half: Equatable, Sendable, CaseIterable { case minus, plus }
    /// Whether a half is pressed. `outside`: the finger has left the half on which it landed.
    package enum State: Equatable, Sendable { case idle, pressed(Half), outside(Half) }

    /// A change of the touch, or of time: `fired` is the timer's.
    package enum Input: Equatable, Sendable {
        case began(Half)
        case moved(inside: Bool)
        case fired
        case ended
        case cancelled
    }

    /// The step to make, and the next state of the timer.
    package enum Decision: Equatable, Sendable {
        case nothing
        /// Steps once and starts the timer.
        case start(Half)
        /// Steps once more and sets the timer for the next step.
        case repeatStep(Half)
        /// Stops the timer; tracking continues.
        case pause
        /// Starts the timer as at the landing, without a step.
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

    /// The whole machine. An app that overrides tracking methods may skip some, so every state accepts every input.
    package static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (_, .began(let half)): (.pressed(half), .start(half))
        case (.idle, .moved), (.idle, .fired), (.idle, .ended), (.idle, .cancelled): (.idle, .nothing)
        case (.pressed, .moved(inside: true)), (.outside, .moved(inside: false)): (state, .nothing)
        case (.pressed(let half), .moved(inside: false)): (.outside(half), .pause)
        case (.outside(let half), .moved(inside: true)): (.pressed(half), .resume)
        case (.pressed(let half), .fired): (.pressed(half), .repeatStep(half))
        case (.outside, .fired): (state, .nothing)
        case (.pressed, .ended), (.outside, .ended), (.pressed, .cancelled), (.outside, .cancelled): (.idle, .stop)
        }
    }
}

/// The times at which a held stepper repeats.
package enum StepperRepeat {
    /// - Parameters:
    ///   - steps: The steps since the landing, the first one included.
    ///   - delay: Seconds from the landing to the second step.
    ///   - interval: Seconds between later steps; after ten steps, half of it.
    /// - Returns: Seconds from the last step to the next.
    /// - Source: inferred from how a stepper feels: slow, then faster, then fast.
    package static func wait(after steps: Int, delay: Double, interval: Double) -> Double {
        if steps <= 1 { return delay }
        return steps <= 10 ? interval : interval / 2
    }
}
