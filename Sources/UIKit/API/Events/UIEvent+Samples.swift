// UIEvent+Samples.swift: positions that the device reported between two deliveries, and predicted positions.
//
// Station   event
// Input     TouchTracker, through TouchPath: a touch's merged samples and its trail
//
// Sources   documented  coalescedTouches: oldest first, the last equal to the touch itself; predictedTouches: after it
//           invented    no prediction for a touch that rests, lands or lifts (S95)

import Foundation

extension UIEvent {
    /// The samples of this touch since its last delivery, oldest first, the touch itself last. With immediate delivery the
    /// touch is the only one.
    ///
    /// - Returns: Nil if the touch does not belong to this event.
    public func coalescedTouches(for touch: UITouch) -> [UITouch]? {
        guard touches.contains(where: { $0 === touch }) else { return nil }
        return touch.path.merged.map { UITouch(touch, at: $0) } + [touch]
    }

    /// The positions that the touch may have until the next display frame. They are predictions, valid for one frame.
    ///
    /// - Returns: Nil if the touch does not belong to this event; an empty array if the touch does not move.
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
    /// One position of a touch that the device reported.
    struct Sample {
        /// In the coordinates of the window.
        var position: CGPoint
        var previousPosition: CGPoint
        var timestamp: TimeInterval
    }
}
