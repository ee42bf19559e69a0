// TouchTrail.swift: the last moves of one finger, and where they lead.
//
// Station   event
// Fed by    TouchTracker, one sample for each time the device saw the finger move
// Feeds     UIEvent.predictedTouches
// Knows     places and times. No frame but the length it is told.
//
// A fixed piece of memory in the touch: a sample is stored in place, and costs nothing else.
//
// Sources   documented  predicted touches are guesses of where the finger will be, to be thrown away next frame (B15.2)
//           invented    the guess: straight on, at the speed of the last 50 ms (B9.9's window), spaced like the last
//                       two samples, up to one frame ahead

package import Foundation

package struct TouchTrail {
    package struct Sample: Equatable {
        package var position: CGPoint
        /// Seconds since boot.
        package var time: TimeInterval

        package init(position: CGPoint, time: TimeInterval) { (self.position, self.time) = (position, time) }
    }

    /// Enough for the window at 320 Hz.
    package static let capacity = 16
    /// Seconds a speed looks back.
    package static let window: TimeInterval = 0.050
    /// A difference of times under this says nothing of speed.
    package static let shortest: TimeInterval = 0.001
    /// However fast the device, more guesses than this help nobody.
    package static let predictionLimit = 8

    private var samples = InlineArray<16, Sample>(repeating: Sample(position: .zero, time: 0))
    private var count = 0

    package init() {}

    @inline(__always)
    package mutating func append(_ position: CGPoint, at time: TimeInterval) {
        samples[count & (Self.capacity - 1)] = Sample(position: position, time: time)
        count &+= 1
    }

    /// - Parameter index: 0 is the newest.
    private func sample(_ index: Int) -> Sample { samples[(count - 1 - index) & (Self.capacity - 1)] }

    /// - Parameter frame: Seconds ahead that guesses may reach.
    /// - Returns: Oldest first; none without two samples in the window.
    package func predictions(within frame: TimeInterval) -> [Sample] {
        let kept = min(count, Self.capacity)
        guard kept >= 2 else { return [] }
        let newest = sample(0)
        var oldest = newest
        for index in 1..<kept {
            // HID times are whole nanoseconds; as seconds they are a little off.
            guard newest.time - sample(index).time <= Self.window + 1e-9 else { break }
            oldest = sample(index)
        }
        let elapsed = newest.time - oldest.time
        guard elapsed >= Self.shortest - 1e-9 else { return [] }
        let speed = (
            x: (newest.position.x - oldest.position.x) / elapsed, y: (newest.position.y - oldest.position.y) / elapsed
        )
        let spacing = min(frame, max(Self.shortest, newest.time - sample(1).time))
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
