// Verdict.swift: the verdicts of machines, and the reasons of failures.
//
// Station   gesture
// Input     the machines
// Output    the recognizer's state; the text of verdicts in traces
//
// A failure has its measure and its limit, so that a trace answers "why was that no tap?".
//
// Sources   invented

package import Basics

/// What a machine decides after an input.
package enum Verdict: Equatable, Sendable {
    /// The machine's state has not changed.
    case unchanged
    /// The gesture is still possible. `wakeAt` is the time at which time alone decides; `never` if it cannot.
    case undecided(wakeAt: Instant)
    case began, changed, ended, cancelled
    case failed(Failure)
}

/// The reason of a failure: the measure, then the limit it broke.
package enum Failure: Equatable, Sendable {
    /// Points between the finger and its landing.
    case moved(Double, limit: Double)
    /// Points between the first tap and a later one.
    case landedAway(Double, limit: Double)
    case pressedFor(Duration, limit: Duration)
    /// The time after which the next tap was still missing.
    case waitedFor(Duration, limit: Duration)
    case tooManyFingers(Int, limit: Int)
    case tooFewFingers(Int, needs: Int)
    /// The press had no duration.
    case liftedAsItLanded
    /// The finger lifted after this time, before the timer was served.
    case liftedEarly(after: Duration, needs: Duration)
    /// Points on the longer axis, or along a swipe's direction.
    case liftedAfterTravel(Double, needs: Double)
    /// Points by which the distance of two fingers changed.
    case liftedAfterPinch(Double, needs: Double)
    /// Degrees by which two fingers turned.
    case liftedAfterTurn(Double, needs: Double)
    /// The time of a swipe since its finger's touch-down.
    case took(Duration, limit: Duration)
    /// Points behind the start of a swipe with one direction.
    case wentBack(Double, limit: Double)
    /// Points across a swipe's direction.
    case wentAcross(Double, limit: Double)
    /// Points between the landing and the nearest edge.
    case landedInside(Double, limit: Double)
    /// Points away from the edge, and along it.
    case ranAlongEdge(inward: Double, along: Double)
    case wrongButton(Int, needs: Int)
    /// The recognizer ignored the touches it had.
    case lostTouches
    case systemCancelled
}

extension Verdict: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unchanged: "unchanged"
        case .undecided(.never): "undecided"
        case .undecided(let wake): "undecided until \(wake)"
        case .began: "began"
        case .changed: "changed"
        case .ended: "ended"
        case .cancelled: "cancelled"
        case .failed(let failure): "failed: \(failure)"
        }
    }
}

extension Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .moved(let points, let limit): "moved \(pt(points, limit)), limit \(pt(limit, points))"
        case .landedAway(let points, let limit): "landed \(pt(points)) from the first tap, limit \(pt(limit))"
        case .pressedFor(let time, let limit): "pressed for \(time.milliseconds), limit \(limit.milliseconds)"
        case .waitedFor(let time, let limit): "no tap for \(time.milliseconds), limit \(limit.milliseconds)"
        case .tooManyFingers(let count, let limit): "\(fingers(count)), limit \(limit)"
        case .tooFewFingers(let count, let needs): "lifted with \(fingers(count)), needs \(needs)"
        case .liftedAsItLanded: "lifted as it landed: a press of 0.000 ms, needs more"
        case .liftedEarly(let after, let needs):
            after < needs
                ? "lifted after \(after.milliseconds), needs \(needs.milliseconds)"
                : "lifted after \(after.milliseconds), before the timer of \(needs.milliseconds) was served"
        case .liftedAfterTravel(let points, let needs):
            points < needs
                ? "lifted after \(pt(points, needs)), needs \(pt(needs, points))"
                : "lifted after \(pt(points)), needs \(pt(needs)) in a move before the lift"
        case .liftedAfterPinch(let points, let needs):
            "lifted after the distance changed by \(pt(points)), needs \(pt(needs))"
        case .liftedAfterTurn(let degrees, let needs):
            "lifted after a turn of \(fixedText(degrees, digits: 1))°, needs \(fixedText(needs, digits: 1))°"
        case .took(let time, let limit): "took \(time.milliseconds), limit \(limit.milliseconds)"
        case .wentBack(let points, let limit): "went \(pt(points, limit)) backwards, limit \(pt(limit, points))"
        case .wentAcross(let points, let limit): "went \(pt(points, limit)) across, limit \(pt(limit, points))"
        case .landedInside(.infinity, _): "no edge to come over"
        case .landedInside(let points, let limit): "landed \(pt(points)) from the edge, limit \(pt(limit))"
        case .ranAlongEdge(let inward, let along): "went \(pt(inward)) inward, needs the \(pt(along)) it went along"
        case .wrongButton(let mask, let needs): "button mask \(mask), needs \(needs)"
        case .lostTouches: "its touches were ignored"
        case .systemCancelled: "cancelled by the system"
        }
    }

    private func pt(_ points: Double, digits: Int = 1) -> String { "\(fixedText(points, digits: digits)) pt" }

    /// Formats the measure with as many digits as distinguish it from its limit.
    private func pt(_ points: Double, _ other: Double) -> String {
        let digits = [1, 3, 6].first { fixedText(points, digits: $0) != fixedText(other, digits: $0) }
        return pt(points, digits: digits ?? 1)
    }

    private func fingers(_ count: Int) -> String { count == 1 ? "1 finger" : "\(count) fingers" }
}
