// Spring.swift: content beyond its bounds comes back.
//
// Station   gesture
// Fed by    AxisMotion
// Knows     one axis. It is critically damped: as fast as can be without swinging through.
//
//     position(t) = to + (c₁ + c₂ t) · e^(−βt)      c₁ = from − to,  c₂ = velocity + β c₁
//
// Sources   invented    β = 10 per second: what looks like iOS's bounce, which takes about half a second

package import Foundation

package struct Spring: Equatable, Sendable {
    /// β, per second.
    package static let stiffness: CGFloat = 10

    /// Points.
    package let from, to: CGFloat
    /// Points per second, as it is let go.
    package let velocity: CGFloat

    package init(from: CGFloat, to: CGFloat, velocity: CGFloat) {
        (self.from, self.to, self.velocity) = (from, to, velocity)
    }

    private var away: CGFloat { from - to }
    private var push: CGFloat { velocity + Self.stiffness * away }

    package func position(after time: TimeInterval) -> CGFloat {
        to + (away + push * time) * exp(-Self.stiffness * time)
    }

    /// Points per second.
    package func velocity(after time: TimeInterval) -> CGFloat {
        (push - Self.stiffness * (away + push * time)) * exp(-Self.stiffness * time)
    }

    /// Seconds after which it is never again further than `resolution` points from where it ends.
    package func duration(within resolution: CGFloat) -> TimeInterval {
        // Each of the two terms is below half of it from then on; t·e^(−βt) ≤ (2/eβ)·e^(−βt/2).
        let first = log(max(1, 2 * abs(away) / resolution)) / Self.stiffness
        let second = 2 * log(max(1, 4 * abs(push) / (exp(1) * Self.stiffness * resolution))) / Self.stiffness
        return max(first, second)
    }
}
