// Glide.swift: released content that slows down and stops.
//
// Station   gesture
// Input     AxisMotion, with a position and a velocity, or with the position where the glide ends
// Output    the position and velocity after any number of seconds
// Knows     one axis. No bounds, no clock.
//
//     position(t) = from + velocity · reach · (1 − rate^(1000 t))        reach = rate / (1 − rate) / 1000
//
// The glide stops when velocity · rate^(1000 t) is the slowest speed. Its end is from + (velocity − slowest) · reach.
// The form is closed: a timer that fires late skips positions and changes none.
//
// Sources   documented  UIScrollView.DecelerationRate: the part of the speed that is left after a millisecond
//           observed    reach, the stop at 10 pt/s, and the proposed end: traces recorded on iOS 26.1 (B12.10)
//           inferred    a glide to a target has the velocity that ends there, and stops by the same law

package import Foundation

/// A deceleration without edges on one axis.
package struct Glide: Equatable, Sendable {
    /// Points.
    package let from: CGFloat
    /// Points per second, at the beginning.
    package let velocity: CGFloat
    /// The part of the speed that is left after a millisecond.
    package let rate: CGFloat
    /// The points per second at which the glide stops.
    package let slowest: CGFloat

    package init(from: CGFloat, velocity: CGFloat, rate: CGFloat, slowest: CGFloat) {
        (self.from, self.velocity, self.slowest) = (from, velocity, slowest)
        self.rate = Self.usable(rate)
    }

    /// The glide that stops exactly at `end`.
    package init(from: CGFloat, to end: CGFloat, rate: CGFloat, slowest: CGFloat) {
        let way = end - from
        let speed = abs(way) / Self.reach(Self.usable(rate)) + slowest
        self.init(from: from, velocity: way == 0 ? 0 : way < 0 ? -speed : speed, rate: rate, slowest: slowest)
    }

    /// Limits a rate: with 1 a glide would never stop, and with 0 it would not begin.
    private static func usable(_ rate: CGFloat) -> CGFloat { min(max(rate, 0.1), 0.999_9) }

    /// Seconds: the distance of a glide that never stops, for each point per second.
    private static func reach(_ rate: CGFloat) -> CGFloat { rate / (1 - rate) / 1000 }

    /// The exponent of the speed per second; negative.
    private var decay: CGFloat { 1000 * log(rate) }

    /// Whether the velocity is above the slowest speed.
    private var glides: Bool { abs(velocity) > slowest }
    /// The velocity that the glide loses until it stops.
    private var spent: CGFloat { glides ? velocity - (velocity < 0 ? -slowest : slowest) : 0 }

    /// The position at which the glide stops.
    package var end: CGFloat { from + spent * Self.reach(rate) }

    /// The end that `scrollViewWillEndDragging` receives. It is a little further, because it is an integral and `end`
    /// is a sum.
    package var proposedEnd: CGFloat { from - spent / decay }

    /// Seconds until the glide stops.
    package var duration: TimeInterval { glides ? log(slowest / abs(velocity)) / decay : 0 }

    package func position(after time: TimeInterval) -> CGFloat {
        time >= duration ? end : from + velocity * Self.reach(rate) * (1 - exp(decay * time))
    }

    /// The change of the position, in points per second.
    package func velocity(after time: TimeInterval) -> CGFloat {
        time >= duration ? 0 : -velocity * Self.reach(rate) * decay * exp(decay * time)
    }

    /// The rest of the glide after `time` seconds, from another position.
    package func remainder(after time: TimeInterval, from position: CGFloat) -> Glide {
        Glide(
            from: position, velocity: time >= duration ? 0 : velocity * exp(decay * time), rate: rate, slowest: slowest)
    }

    /// Seconds until the glide passes the position; nil if the glide stops earlier or goes in the other direction.
    package func time(reaching position: CGFloat) -> TimeInterval? {
        guard glides else { return nil }
        let left = 1 - (position - from) / (velocity * Self.reach(rate))
        guard left > 0, left <= 1 else { return nil }
        let time = log(left) / decay
        return time <= duration ? time : nil
    }
}
