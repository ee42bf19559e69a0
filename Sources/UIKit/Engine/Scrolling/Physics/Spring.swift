// Spring.swift: the return of content from beyond an edge.
//
// Station   gesture
// Input     AxisMotion, with a position, the edge, and a velocity
// Output    the position and velocity after any number of seconds
// Knows     one axis and one edge. No clock.
//
//     x(t) = x₀ · e^(−s t) + push · (e^(−s t) − e^(−f t)) / (f − s)        x is the distance from the edge
//
// s and f are the roots of an overdamped spring: 10 and 12 per second. dx/dt begins at push − s · x₀. The finger's
// velocity is the push of released content, so the content turns around at once.
//
// Sources   observed    both roots, the push, and the end at half a point: traces recorded on iOS 26.1 (B12.12)
//           inferred    a release without any velocity follows the same form

package import Foundation

/// A return to an edge on one axis.
package struct Spring: Equatable, Sendable {
    /// Points.
    package let from, to: CGFloat
    /// Points per second.
    package let push: CGFloat
    private let slow, fast: CGFloat

    /// - Parameter push: The velocity of the finger that releases the content.
    package init(from: CGFloat, to: CGFloat, push: CGFloat, _ laws: ScrollLaws) {
        (self.from, self.to, self.push) = (from, to, push)
        (slow, fast) = (laws.slowRoot, laws.fastRoot)
    }

    /// - Parameter velocity: The velocity of the position at the beginning.
    package init(from: CGFloat, to: CGFloat, velocity: CGFloat, _ laws: ScrollLaws) {
        self.init(from: from, to: to, push: velocity + laws.slowRoot * (from - to), laws)
    }

    /// The factors of the two exponentials.
    private var factors: (slow: CGFloat, fast: CGFloat) {
        let part = push / (fast - slow)
        return (from - to + part, -part)
    }

    package func position(after time: TimeInterval) -> CGFloat { to + distance(after: time) }

    private func distance(after time: TimeInterval) -> CGFloat {
        factors.slow * exp(-slow * time) + factors.fast * exp(-fast * time)
    }

    /// Points per second.
    package func velocity(after time: TimeInterval) -> CGFloat {
        -slow * factors.slow * exp(-slow * time) - fast * factors.fast * exp(-fast * time)
    }

    /// Seconds until the content is within `ScrollLaws.arrival` of the edge and stays there.
    package var duration: TimeInterval {
        // The distance turns at most once. Before and after the turn its size only grows or only shrinks.
        let turn = self.turn
        if abs(distance(after: turn)) >= ScrollLaws.arrival {
            var late = turn + 0.1
            while abs(distance(after: late)) >= ScrollLaws.arrival { late += late - turn }
            return lastOutside(between: turn, and: late)
        }
        return abs(from - to) >= ScrollLaws.arrival ? lastOutside(between: 0, and: turn) : 0
    }

    /// Seconds until the distance is largest, on the side of the edge on which it ends; 0 if it only shrinks.
    private var turn: TimeInterval {
        let (a, b) = factors
        let ratio = a == 0 ? 0 : -(fast * b) / (slow * a)
        return ratio > 1 ? log(ratio) / (fast - slow) : 0
    }

    /// The moment at which the distance falls below the arrival, which happens once between these two moments.
    private func lastOutside(between start: TimeInterval, and end: TimeInterval) -> TimeInterval {
        var (outside, inside) = (start, end)
        for _ in 0..<60 {
            let middle = (outside + inside) / 2
            if abs(distance(after: middle)) >= ScrollLaws.arrival { outside = middle } else { inside = middle }
        }
        return inside
    }
}
