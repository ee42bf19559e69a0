// ScrollTracking.swift: the fingers on a scroll view, and their drag.
//
// Station   gesture
// Input     UIScrollView+Fingers.swift
// Output    isTracking; the offset that a drag gives the content

import Foundation

struct ScrollTracking {
    /// Whether a finger of the pan is down.
    private(set) var isTouched = false
    /// Whether a finger that is down has stopped moving content.
    private(set) var isCaught = false
    /// The movement of the finger from its landing to the beginning of the drag, in points.
    var movementBeforeDrag = CGPoint.zero
    var drag: ScrollDrag?

    /// Notes a landing.
    ///
    /// - Parameter catching: Whether the finger stops moving content.
    mutating func land(catching: Bool) {
        if catching { isCaught = true }
        isTouched = true
    }

    /// Notes that no finger is down any more.
    ///
    /// - Returns: Whether the fingers had stopped moving content.
    @discardableResult
    mutating func leave() -> Bool {
        defer { (isTouched, isCaught) = (false, false) }
        return isCaught
    }
}
