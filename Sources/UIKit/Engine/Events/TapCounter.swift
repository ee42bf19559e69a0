// TapCounter.swift: the number of taps at one position, in a row.
//
// Station   event
// Input     TouchTracker: landings and lifts, in order of time
// Output    UITouch.tapCount
//
// Sources   inferred    a landing within 0.35 s of a tap's lift and 45 pt of its landing, in the same window, continues
//                       it (B1.6)

package import Foundation

/// Counts the taps of one application.
package struct TapCounter {
    /// A touch that has lifted and may be continued.
    package struct Tap: Equatable {
        package var count: Int
        /// Where the touch landed, in its window's coordinates.
        package var position: CGPoint
        package var window: ObjectIdentifier
        /// Seconds since boot.
        package var liftedAt: TimeInterval

        package init(count: Int, position: CGPoint, window: ObjectIdentifier, liftedAt: TimeInterval) {
            (self.count, self.position, self.window, self.liftedAt) = (count, position, window, liftedAt)
        }
    }

    /// Seconds from lift to landing.
    package let interval: TimeInterval
    /// Points between landings.
    package let radius: CGFloat
    /// Taps that a landing may continue, oldest first.
    package private(set) var taps: [Tap] = []

    package init(interval: TimeInterval, radius: CGFloat) { (self.interval, self.radius) = (interval, radius) }

    /// Counts a landing.
    ///
    /// - Returns: The tap count of the new touch. The tap that it continues is removed, so that two touches cannot both
    ///   continue it.
    package mutating func countLanding(at place: CGPoint, in window: ObjectIdentifier, time: TimeInterval) -> Int {
        // HID times are exact, and seconds in floating point are rounded: hence the nanosecond.
        taps.removeAll { time - $0.liftedAt > interval + 1e-9 }
        guard let index = taps.lastIndex(where: { $0.window == window && isNear($0.position, place) }) else { return 1 }
        return taps.remove(at: index).count + 1
    }

    /// Notes a touch that lifted near its landing. The caller leaves out touches that moved further.
    package mutating func recordLift(of tap: Tap) { taps.append(tap) }

    /// Whether two positions are at most `radius` apart.
    package func isNear(_ a: CGPoint, _ b: CGPoint) -> Bool {
        let (x, y) = (a.x - b.x, a.y - b.y)
        return (x * x + y * y).squareRoot() <= radius
    }
}
