// ScrollTracking.swift: the fingers on a scroll view, and the drag they make.
//
// Station   gesture
// Input     UIScrollView+Fingers.swift
// Output    isTracking; where a drag moves the content

import Foundation

struct ScrollTracking {
    /// Whether a finger of the pan's is down.
    private(set) var isTouched = false
    /// Whether a finger that is down has stopped moving content.
    private(set) var isCaught = false
    /// The finger's way from touch-down to the beginning of the drag, in points.
    var wayToDrag = CGPoint.zero
    var drag: ScrollDrag?

    /// - Parameter catching: Whether the finger stops moving content.
    mutating func land(catching: Bool) {
        if catching { isCaught = true }
        isTouched = true
    }

    /// No finger is down any more.
    ///
    /// - Returns: Whether the fingers had stopped moving content.
    @discardableResult
    mutating func leave() -> Bool {
        defer { (isTouched, isCaught) = (false, false) }
        return isCaught
    }
}
