// GestureMachine.swift: the protocol of all gesture machines.
//
// Station   gesture
// Input     UIKit/Engine/Gestures/MachineRecognizer.swift: samples, phase by phase, and passing time
// Output    Verdict
//
// A machine measures what its fingers did and looks up the meaning in one table, `transition`. It receives two times.
// The sample's own time is when the device saw the finger: speeds and durations use it. `now` is the time of the call:
// time-outs use it. So a late main thread makes time-outs late and never early. Samples that waited in the queue are
// handled before the timers that fell due meanwhile. (C5)
//
// Sources   invented

package import Basics

/// A state machine that recognizes one gesture.
package protocol GestureMachine: Sendable {
    associatedtype Rules: Equatable, Sendable

    init()
    /// Limits and required numbers. They may change between two calls.
    var rules: Rules { get set }
    /// The gesture's name in traces, for example `long press`.
    var kind: String { get }

    /// Handles samples of one phase.
    ///
    /// A machine that is done returns `unchanged`. It does the same for a finger that it does not count.
    mutating func handle(_ phase: SamplePhase, _ samples: [Sample], at now: Instant) -> Verdict
    /// Handles passing time. Only the time that `wakeAt` named, or a later one, changes the state.
    mutating func timePassed(at now: Instant) -> Verdict
    /// Follows an assignment of the recognizer's state, which an app's subclass may make.
    ///
    /// The call comes before each other call once the state is not `possible`. The current state changes nothing.
    mutating func assigned(_ state: RecognizerState)
    /// Removes a finger that the recognizer ignores, as if it had never landed.
    mutating func forget(_ finger: FingerID) -> Verdict
    /// Whether the machine counts the finger. An extra finger that the machine tolerates does not count.
    func counts(_ finger: FingerID) -> Bool
    /// Returns to the initial state and keeps the rules.
    mutating func reset()
}

extension GestureMachine {
    package mutating func timePassed(at now: Instant) -> Verdict { .unchanged }
    /// A discrete gesture has no state that an assignment could continue.
    package mutating func assigned(_ state: RecognizerState) {}
}

extension Verdict {
    /// Combines two verdicts of one call: the later one counts, unless it is `unchanged`.
    func combined(with next: Verdict) -> Verdict {
        if case .unchanged = next { self } else { next }
    }
}
