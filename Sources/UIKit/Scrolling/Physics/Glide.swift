// Glide.swift: content that nobody holds slows down.
//
// Station   gesture
// Fed by    AxisMotion
// Knows     one axis and one speed. No bounds, no clock: it is asked where it is after so many seconds.
//
//     position(t) = to + (from − to) · rate^(1000 t)
//
// The speed falls by `rate` every millisecond, so that a glide is told by where it starts and where it will end. Asked
// at any moments, in any number, it says the same: a late timer skips places and changes none.
//
// Sources   documented  UIScrollView.DecelerationRate: 0.998 and 0.99, of the speed that is left after a millisecond

package import Foundation

package struct Glide: Equatable, Sendable {
    /// Points.
    package let from, to: CGFloat
    /// Of the speed that is left after a millisecond.
    package let rate: CGFloat

    /// - Parameter velocity: Points per second.
    package init(from: CGFloat, velocity: CGFloat, rate: CGFloat) {
        let rate = Self.usable(rate)
        self.init(from: from, to: from - velocity / (1000 * log(rate)), rate: rate)
    }

    /// At the speed that ends there.
    package init(from: CGFloat, to: CGFloat, rate: CGFloat) {
        (self.from, self.to, self.rate) = (from, to, Self.usable(rate))
    }

    /// A rate of 1 would glide for ever and one of 0 not at all.
    private static func usable(_ rate: CGFloat) -> CGFloat { min(max(rate, 0.1), 0.999_9) }

    /// What is left of the way after so many seconds, 1 to 0.
    private func remains(after time: TimeInterval) -> CGFloat { exp(1000 * time * log(rate)) }

    package func position(after time: TimeInterval) -> CGFloat { to + (from - to) * remains(after: time) }

    /// Points per second.
    package func velocity(after time: TimeInterval) -> CGFloat {
        1000 * log(rate) * (from - to) * remains(after: time)
    }

    /// Seconds until it passes the place; nil when it never does.
    package func time(reaching place: CGFloat) -> TimeInterval? {
        guard from != to else { return nil }
        let left = (place - to) / (from - to)
        guard left > 0, left <= 1 else { return nil }
        return log(left) / (1000 * log(rate))
    }

    /// Seconds until no more than `resolution` points are left.
    package func duration(within resolution: CGFloat) -> TimeInterval {
        let way = abs(from - to)
        return way <= resolution ? 0 : log(resolution / way) / (1000 * log(rate))
    }
}
