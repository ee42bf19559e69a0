// TouchPath.swift: the positions of one touch, from landing to lift.
//
// Station   event
// Input     TouchTracker: every position that the device reported
// Output    UITouch: position, coalesced and predicted touches, whether the touch may still be a tap
// Knows     positions in the touch's window, and times. No view, no phase.
//
// No property is `private(set)`: reading such a property copies the whole path, and the trail is long.

import Foundation

/// The path of one touch, in its window's coordinates.
struct TouchPath {
    /// Where the touch landed.
    var landing = CGPoint.zero
    /// The position that was delivered last, and the one before it.
    var position = CGPoint.zero
    var previousPosition = CGPoint.zero
    /// Whether the touch has been further from `landing` than a tap may.
    var hasStrayed = false
    /// Positions that were merged into the present event, oldest first, without the event's own. Empty with immediate
    /// delivery.
    var merged: [UITouch.Sample] = []
    var trail = TouchTrail()

    @inline(__always)
    mutating func land(at landing: CGPoint) {
        (self.landing, position, previousPosition) = (landing, landing, landing)
    }

    /// The path of an auxiliary touch, which ends at `sample`.
    mutating func land(at landing: CGPoint, endingAt sample: UITouch.Sample) {
        (self.landing, position, previousPosition) = (landing, sample.position, sample.previousPosition)
    }

    /// Begins a new frame, in which the touch has not moved yet.
    @inline(__always)
    mutating func beginFrame() { previousPosition = position }

    @inline(__always)
    mutating func move(to position: CGPoint) {
        previousPosition = self.position
        self.position = position
    }

    /// Records a position that the device reported. Predictions start from the last recorded one.
    @inline(__always)
    mutating func record(_ position: CGPoint, at time: TimeInterval) { trail.append(position, at: time) }

    /// Adds a position between two deliveries, which is delivered with the next event.
    mutating func merge(_ position: CGPoint, at time: TimeInterval) {
        let previous = merged.last?.position ?? previousPosition
        merged.append(UITouch.Sample(position: position, previousPosition: previous, timestamp: time))
        record(position, at: time)
    }

    /// Removes the last merged sample, which is then delivered in its own right.
    mutating func removeLastMerged() -> UITouch.Sample? { merged.popLast() }

    /// Removes the merged samples after their delivery.
    mutating func forgetMerged() { merged.removeAll(keepingCapacity: true) }

    /// Notes whether a touch at `position` may still be a tap.
    @inline(__always)
    mutating func noteStraying(at position: CGPoint, by taps: TapCounter) {
        if !taps.isNear(position, landing) { hasStrayed = true }
    }
}
