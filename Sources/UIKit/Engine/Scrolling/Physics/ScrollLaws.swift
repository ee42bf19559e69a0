// ScrollLaws.swift: the constants of scrolled content's motion after the lift.
//
// Station   gesture
// Input     UIScrollView+Dragging.swift, which makes one from GestureSettings for each motion
// Output    Glide, Spring, AxisMotion and ScrollAxis, which read it
// Knows     speeds, rates and lengths. No views, no clock.
//
// Sources   documented  UIScrollView.DecelerationRate.normal and .fast
//           observed    all other constants: scroll traces recorded on iOS 26.1 (B12.10 to B12.12)

package import Foundation
package import Gestures

/// The constants of one scroll view's motions.
package struct ScrollLaws: Equatable, Sendable {
    /// Points per second. A slower release does not glide.
    package var slowestRelease: CGFloat
    /// Points per second. A glide stops at this speed.
    package var slowestGlide: CGFloat
    /// The two rates at which the spring's two exponentials decay, per second; `slowRoot` is the smaller.
    package let slowRoot, fastRoot: CGFloat
    /// The points that show for the first point of a pull beyond an edge.
    package var rubberBand: CGFloat
    private let normalRate, fastRate: CGFloat

    /// Points. Content that is closer to its edge has arrived.
    package static let arrival: CGFloat = 0.5

    package init(_ settings: GestureSettings = GestureSettings()) {
        slowestRelease = CGFloat(settings.scroll.slowestRelease)
        slowestGlide = CGFloat(settings.scroll.slowestGlide)
        rubberBand = CGFloat(settings.scroll.rubberBand)
        (normalRate, fastRate) = (
            CGFloat(settings.scroll.normalDecelerationRate), CGFloat(settings.scroll.fastDecelerationRate)
        )
        // x″ + damping · x′ + stiffness · x = 0, for a mass of 1. A spring that would oscillate gets more damping. The
        // two roots differ by at least a thousandth, so that the closed form can divide by their difference.
        let (damping, stiffness) = (settings.scroll.springDamping, settings.scroll.springStiffness)
        let middle = max(damping, 2 * stiffness.squareRoot()) / 2
        let spread = max((middle * middle - stiffness).magnitude.squareRoot(), middle / 2000)
        (slowRoot, fastRoot) = (CGFloat(middle - spread), CGFloat(middle + spread))
    }

    /// The velocity of the glide after a release at this velocity: zero for a slow release.
    package func glideVelocity(ofRelease velocity: CGFloat) -> CGFloat {
        abs(velocity) >= slowestRelease ? velocity : 0
    }

    /// The part of the speed that is left after a millisecond.
    package func rate(of deceleration: UIScrollView.DecelerationRate) -> CGFloat {
        switch deceleration {
        case .normal: normalRate
        case .fast: fastRate
        default: deceleration.rawValue
        }
    }
}
