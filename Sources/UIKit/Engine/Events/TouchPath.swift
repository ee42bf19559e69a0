// TouchPath.swift: where one touch has been, from touch-down to lift.
//
// Station   event
// Input     TouchTracker: every position that the device reported
// Output    UITouch: position, coalesced and predicted touches, whether it may still be a tap
// Knows     positions in the touch's window, and times. No view, no phase.
//
// Nothing here is `private(set)`: what can only be read is read out of a copy of the whole path, and the trail is long.

import Foundation

struct TouchPath {
    /// Where the touch landed.
    var landing = CGPoint.zero
    /// As last delivered, and as delivered before.
    var position = CGPoint.zero
    var previousPosition = CGPoint.zero
    /// Whether the touch has been further from `landing` than a tap may.
    var hasStrayed = false
    /// What was merged into the event at hand, oldest first, itself aside. Empty with immediate delivery.
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

    /// A new frame: until it says otherwise, the touch stays where it is.
    @inline(__always)
    mutating func rest() { previousPosition = position }

    @inline(__always)
    mutating func move(to position: CGPoint) {
        previousPosition = self.position
        self.position = position
    }

    /// The device reported `position`: predictions start from what was recorded last.
    @inline(__always)
    mutating func record(_ position: CGPoint, at time: TimeInterval) { trail.append(position, at: time) }

    /// A position between two deliveries, which is delivered with the next one.
    mutating func merge(_ position: CGPoint, at time: TimeInterval) {
        let previous = merged.last?.position ?? previousPosition
        merged.append(UITouch.Sample(position: position, previousPosition: previous, timestamp: time))
        record(position, at: time)
    }

    /// The last merged sample, which is delivered by itself and not with the next one.
    mutating func takeLastMerged() -> UITouch.Sample? { merged.popLast() }

    /// The merged samples have been delivered.
    mutating func forgetMerged() { merged.removeAll(keepingCapacity: true) }

    /// Notes whether a touch that has been at `position` may still be a tap.
    @inline(__always)
    mutating func weigh(_ position: CGPoint, by taps: TapCounter) {
        if !taps.isNear(position, landing) { hasStrayed = true }
    }
}
