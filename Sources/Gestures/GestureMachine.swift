// GestureMachine.swift: what all recognising machines have in common.
//
// Station   gesture
// Fed by    UIKit/Engine/Gestures/MachineRecognizer.swift: fingers, phase by phase, and the passing of time
// Feeds     Verdict
//
// A machine measures what its fingers did and asks one table, `transition`, what that means. It is told two times: a
// sample's own, when the device saw the finger, which speeds and durations are measured by; and `now`, when it is
// told, which its time-outs count from. So a late main thread makes time-outs late and never early, and what waited
// in the queue is heard before the timers that fell due meanwhile. (C5)

package import Basics

package protocol GestureMachine: Sendable {
    associatedtype Rules: Equatable, Sendable

    init()
    /// Limits and required numbers. They may change between two calls.
    var rules: Rules { get set }
    /// The word traces use: `long press`.
    var kind: String { get }

    /// What the samples' fingers did, all of one phase.
    ///
    /// A machine that is done answers `unchanged`, and so it does for a finger it does not count.
    mutating func handle(_ phase: SamplePhase, _ samples: [Sample], at now: Instant) -> Verdict
    /// The time that `wakeAt` named is here; or any other, which changes nothing.
    mutating func timePassed(at now: Instant) -> Verdict
    /// The recogniser is in this state, whoever put it there: an app's subclass may have.
    ///
    /// Told before each of the others, once it has left possible; one it is in already changes nothing.
    mutating func assigned(_ state: RecognizerState)
    /// The finger is nobody's business any more: as if it had never landed.
    mutating func forget(_ finger: FingerID) -> Verdict
    /// Whether the finger is one it counts. One too many that it tolerates is not.
    func counts(_ finger: FingerID) -> Bool
    /// Back to the beginning; the rules stay.
    mutating func reset()
}

extension GestureMachine {
    package mutating func timePassed(at now: Instant) -> Verdict { .unchanged }
    /// A gesture of one moment has nothing to go on from.
    package mutating func assigned(_ state: RecognizerState) {}
}

extension Verdict {
    /// What remains said when `next` is said after this.
    func then(_ next: Verdict) -> Verdict {
        if case .unchanged = next { self } else { next }
    }
}
