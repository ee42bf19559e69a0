// TapCounter.swift: how many times a finger has come down on one place.
//
// Station   event
// Fed by    TouchTracker: landings and lifts, in order of time
// Feeds     UITouch.tapCount
//
// Sources   inferred    a landing within 0.35 s of a lift and 45 pt of its tap, in the same window, counts on (B1.6)

package import Foundation

package struct TapCounter {
    package struct Tap: Equatable {
        package var count: Int
        /// Where it landed, in its window's coordinates.
        package var place: CGPoint
        package var window: ObjectIdentifier
        /// Seconds since boot.
        package var liftedAt: TimeInterval

        package init(count: Int, place: CGPoint, window: ObjectIdentifier, liftedAt: TimeInterval) {
            (self.count, self.place, self.window, self.liftedAt) = (count, place, window, liftedAt)
        }
    }

    /// Seconds from lift to landing.
    package let interval: TimeInterval
    /// Points.
    package let radius: CGFloat
    /// Those a landing may still continue, oldest first.
    package private(set) var taps: [Tap] = []

    package init(interval: TimeInterval, radius: CGFloat) { (self.interval, self.radius) = (interval, radius) }

    /// - Returns: The new finger's count. The tap it continues is used up: two fingers cannot both continue it.
    package mutating func landed(at place: CGPoint, in window: ObjectIdentifier, time: TimeInterval) -> Int {
        // An hour-old tap is of no use, and neither is one a nanosecond too old; HID times are exact.
        taps.removeAll { time - $0.liftedAt > interval + 1e-9 }
        guard let index = taps.lastIndex(where: { $0.window == window && isNear($0.place, place) }) else { return 1 }
        return taps.remove(at: index).count + 1
    }

    /// Remembers a finger that lifted where it landed. One that strayed was no tap.
    package mutating func lifted(_ tap: Tap) { taps.append(tap) }

    package func isNear(_ a: CGPoint, _ b: CGPoint) -> Bool {
        let (x, y) = (a.x - b.x, a.y - b.y)
        return (x * x + y * y).squareRoot() <= radius
    }
}
