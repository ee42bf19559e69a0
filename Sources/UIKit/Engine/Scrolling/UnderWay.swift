// UnderWay.swift: a motion that has begun, and the timer that moves it on at each frame.
//
// Station   gesture
// Input     UIScrollView+Dragging.swift and UIScrollView+Zooming.swift
// Knows     when the motion began. The motion itself is a closed form of time.

import Basics
import Foundation

struct UnderWay<Motion> {
    private(set) var motion: Motion
    private(set) var start: Instant
    /// Fires as long as the motion is under way.
    let ticker: HeldTimer

    init(_ motion: Motion, since start: Instant, ticker: HeldTimer) {
        (self.motion, self.start, self.ticker) = (motion, start, ticker)
    }

    /// Seconds since the motion began.
    func time(at now: Instant) -> TimeInterval { start.duration(to: now).seconds }

    /// Another motion begins, at the frames of the same timer.
    mutating func goOn(as motion: Motion, since start: Instant) { (self.motion, self.start) = (motion, start) }
}
