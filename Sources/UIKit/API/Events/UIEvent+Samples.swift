// UIEvent+Samples.swift: what the device saw between two deliveries, and what it will perhaps see.
//
// Station   event
// Fed by    TouchTracker, by way of TouchPath (a touch's merged samples, its trail)
//
// Sources   documented  coalescedTouches: oldest first, the last equal to the touch itself; predictedTouches: after it
//           invented    nothing is predicted for a finger that rests, lands or lifts (S95)

import Foundation

extension UIEvent {
    /// All the device saw of this touch since it was last delivered; with immediate delivery the touch alone.
    ///
    /// - Returns: Nil for a touch that is not this event's.
    public func coalescedTouches(for touch: UITouch) -> [UITouch]? {
        guard touches.contains(where: { $0 === touch }) else { return nil }
        return touch.path.merged.map { UITouch(touch, at: $0) } + [touch]
    }

    /// Where it may be until the next frame: guesses, good for this frame only.
    ///
    /// - Returns: Nil for a touch that is not this event's; none for one that does not move.
    public func predictedTouches(for touch: UITouch) -> [UITouch]? {
        guard touches.contains(where: { $0 === touch }) else { return nil }
        guard touch.phase == .moved, let application = touch.window?.application else { return [] }
        var previous = touch.position
        return touch.path.trail.predictions(within: 1 / Double(application.settings.display.frameRate)).map { guess in
            defer { previous = guess.position }
            return UITouch(
                touch,
                at: UITouch.Sample(position: guess.position, previousPosition: previous, timestamp: guess.time))
        }
    }
}

extension UITouch {
    /// One time the device saw the finger move.
    struct Sample {
        /// In the window's coordinates.
        var position: CGPoint
        var previousPosition: CGPoint
        var timestamp: TimeInterval
    }
}
