// TouchTrail.swift: the last positions of one touch, and predictions from them.
//
// Station   event
// Input     TouchTracker, one sample for each time the device reported a move
// Output    UIEvent.predictedTouches
// Knows     positions and times. The caller gives the length of a frame.
//
// The memory is a fixed part of the touch: a sample is stored without an allocation.
//
// Sources   documented  predicted touches are guesses, to be replaced at the next frame (B15.2)
//           invented    the guess: a straight line at the speed of the last 50 ms (the window of B9.9), spaced like the
//                       last two samples, up to one frame ahead

package import Foundation

/// The recorded positions of one touch.
package struct TouchTrail {
    /// One recorded or predicted position.
    package struct Sample: Equatable {
        package var position: CGPoint
        /// Seconds since boot.
        package var time: TimeInterval

        package init(position: CGPoint, time: TimeInterval) { (self.position, self.time) = (position, time) }
    }

    /// Enough for the window at 320 Hz.
    package static let capacity = 16
    /// The seconds over which the speed is measured.
    package static let window: TimeInterval = 0.050
    /// Seconds. A shorter time between two samples gives no useful speed.
    package static let shortestInterval: TimeInterval = 0.001
    /// The greatest number of predictions, for fast devices.
    package static let predictionLimit = 8

    private var samples = InlineArray<16, Sample>(repeating: Sample(position: .zero, time: 0))
    private var count = 0

    package init() {}

    /// Adds a position. Only the last `capacity` positions are kept.
    @inline(__always)
    package mutating func append(_ position: CGPoint, at time: TimeInterval) {
        samples[count & (Self.capacity - 1)] = Sample(position: position, time: time)
        count &+= 1
    }

    /// Returns a recorded sample.
    ///
    /// - Parameter index: 0 is the newest.
    private func sample(_ index: Int) -> Sample { samples[(count - 1 - index) & (Self.capacity - 1)] }

    /// Predicts the next positions.
    ///
    /// - Parameter frame: The seconds that predictions may reach ahead.
    /// - Returns: The predictions, earliest first; none without two samples in the window.
    package func predictions(within frame: TimeInterval) -> [Sample] {
        let kept = min(count, Self.capacity)
        guard kept >= 2 else { return [] }
        let newest = sample(0)
        var oldest = newest
        for index in 1..<kept {
            // HID times are whole nanoseconds; converted to seconds they are rounded.
            guard newest.time - sample(index).time <= Self.window + 1e-9 else { break }
            oldest = sample(index)
        }
        let elapsed = newest.time - oldest.time
        guard elapsed >= Self.shortestInterval - 1e-9 else { return [] }
        let speed = (
            x: (newest.position.x - oldest.position.x) / elapsed, y: (newest.position.y - oldest.position.y) / elapsed
        )
        let spacing = min(frame, max(Self.shortestInterval, newest.time - sample(1).time))
        let steps = min(Self.predictionLimit, max(1, Int((frame / spacing + 1e-6).rounded(.down))))
        return (1...steps).map { step in
            let ahead = Double(step) * spacing
            return Sample(
                position: CGPoint(
                    x: newest.position.x + speed.x * ahead, y: newest.position.y + speed.y * ahead),
                time: newest.time + ahead)
        }
    }
}
