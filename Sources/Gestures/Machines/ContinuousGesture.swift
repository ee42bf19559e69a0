// ContinuousGesture.swift: the state machine that pans, pinches and rotations share.
//
// Station   gesture
// Input     PanMachine, PinchMachine and RotationMachine, each with its own measure and its own limits
// Output    Verdict: failed, or began, changed and ended
// Knows     amounts and numbers of fingers. Not what was measured.
//
//     idle ─landed─▶ tracking ─far enough─▶ begun ─all lifted─▶ ended
//                       │                    └─▶ cancelled
//      all lifted, too many fingers, cancelled
//                       ▼
//                     failed
//
// A pointing device passes the same states without fingers, and its first change begins the gesture.
// Docs/Reference/Machines/Pan.md, Pinch.md and Rotation.md have the whole table, each with the limits of one gesture.
//
// Sources   documented  UIGestureRecognizer: a continuous gesture begins, changes, and ends or is cancelled
//           inferred    an extra finger fails it until it has begun, and is ignored from then on (B9.3)
//           invented    nothing counts until enough fingers are down; pointing devices begin at once

import Basics

/// The state machine of continuous gestures.
package enum ContinuousGesture {
    /// The differences between the three gestures.
    package struct Limits: Equatable, Sendable {
        /// The measured amount, which selects the text of a failure.
        package enum Measure: Equatable, Sendable { case travel, pinch, turn }

        package var measure: Measure
        package var minFingers: Int
        package var maxFingers: Int
        /// Whether a finger beyond the maximum is ignored even before the gesture begins.
        package var ignoresExtraFingers: Bool
        /// Whether, after the beginning, a move of fewer fingers than the minimum is a change.
        var changesWithFewerFingers: Bool
        /// The amount at which the gesture begins: points, or radians for a turn.
        package var hysteresis: Double

        func failure(after amount: Double) -> Verdict {
            switch measure {
            case .travel: .failed(.liftedAfterTravel(amount, needs: hysteresis))
            case .pinch: .failed(.liftedAfterPinch(amount, needs: hysteresis))
            case .turn: .failed(.liftedAfterTurn(degrees(amount), needs: degrees(hysteresis)))
            }
        }
    }

    /// The state of a gesture.
    package enum State: Equatable, Sendable, CaseIterable {
        case idle
        /// Fingers are down, or a pointing device has announced a gesture.
        case tracking
        case begun
        case ended
        case cancelled
        case failed
    }

    /// An event of a gesture.
    package enum Input: Equatable, Sendable {
        /// The number of fingers with the new one. A finger beyond the maximum is not counted.
        case landed(fingers: Int)
        /// The amount since enough fingers were down, never negative, and the number of fingers.
        case moved(Double, fingers: Int)
        /// The amount, the number of fingers before the lift, and the number that are still down.
        case lifted(Double, fingers: Int, left: Int)
        /// A pointing device scrolled, pinched or turned.
        case pointer(SamplePhase, changes: Bool)
        case cancelled
        /// The recognizer ignored its last finger.
        case lost
        /// The recognizer's state was assigned from outside the machine.
        case assigned(RecognizerState)
    }

    /// The whole machine: every state, every input, no default. Inlined, so that each caller has the part for its input.
    @inline(__always)
    package static func transition(from state: State, on input: Input, _ limits: Limits) -> (State, Verdict) {
        switch (state, input) {
        case (.idle, .landed(let fingers)), (.tracking, .landed(let fingers)):
            if fingers <= limits.maxFingers { return (.tracking, .undecided(wakeAt: .never)) }
            if limits.ignoresExtraFingers { return (state, .unchanged) }
            return (.failed, .failed(.tooManyFingers(fingers, limit: limits.maxFingers)))
        case (.begun, .landed): return (.begun, .unchanged)

        case (.tracking, .moved(let amount, let fingers)):
            guard fingers >= limits.minFingers, amount >= limits.hysteresis else {
                return (.tracking, .undecided(wakeAt: .never))
            }
            return (.begun, .began)
        case (.begun, .moved(_, let fingers)):
            let changes = fingers >= limits.minFingers || limits.changesWithFewerFingers
            return (.begun, changes ? .changed : .unchanged)

        case (.tracking, .lifted(let amount, let fingers, let left)):
            guard left == 0 else { return (.tracking, .undecided(wakeAt: .never)) }
            guard fingers >= limits.minFingers else {
                return (.failed, .failed(.tooFewFingers(fingers, needs: limits.minFingers)))
            }
            return (.failed, limits.failure(after: amount))
        case (.begun, .lifted(_, _, let left)): return left == 0 ? (.ended, .ended) : (.begun, .unchanged)

        case (.idle, .pointer(.began, let changes)), (.tracking, .pointer(.began, let changes)),
            (.idle, .pointer(.moved, let changes)), (.tracking, .pointer(.moved, let changes)):
            return changes ? (.begun, .began) : (.tracking, .undecided(wakeAt: .never))
        case (.begun, .pointer(.began, _)), (.begun, .pointer(.moved, _)): return (.begun, .changed)
        // A notch of a wheel, or a step of a device without phases, is one whole gesture.
        case (.idle, .pointer(.ended, changes: true)), (.tracking, .pointer(.ended, changes: true)):
            return (.ended, .ended)
        case (.tracking, .pointer(.ended, changes: false)): return (.failed, limits.failure(after: 0))
        case (.begun, .pointer(.ended, _)): return (.ended, .ended)

        case (.tracking, .cancelled), (.tracking, .pointer(.cancelled, _)):
            return (.failed, .failed(.systemCancelled))
        case (.tracking, .lost): return (.failed, .failed(.lostTouches))
        case (.begun, .cancelled), (.begun, .pointer(.cancelled, _)), (.begun, .lost): return (.cancelled, .cancelled)

        case (.idle, .assigned(let stage)), (.tracking, .assigned(let stage)), (.begun, .assigned(let stage)):
            return (assigned(stage, from: state), .unchanged)

        // No finger is down: an app's subclass may report one nevertheless.
        case (.idle, .moved), (.idle, .lifted), (.idle, .cancelled), (.idle, .lost),
            (.idle, .pointer(.ended, changes: false)), (.idle, .pointer(.cancelled, _)):
            return (.idle, .unchanged)
        // The machine is done until its reset. The fingers may still be down.
        case (.ended, _), (.cancelled, _), (.failed, _): return (state, .unchanged)
        }
    }

    /// An app's subclass may begin the gesture or end it at any time.
    private static func assigned(_ stage: RecognizerState, from state: State) -> State {
        switch stage {
        case .possible: state
        case .began, .changed: .begun
        case .ended: .ended
        case .cancelled: state == .begun ? .cancelled : .failed
        case .failed: .failed
        }
    }
}

private func degrees(_ radians: Double) -> Double { radians.magnitude * 180 / Double.pi }
