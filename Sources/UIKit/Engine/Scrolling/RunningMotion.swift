// RunningMotion.swift: a motion that has begun, and the timer of its frames.
//
// Station   gesture
// Input     UIScrollView+Dragging.swift and UIScrollView+Zooming.swift
// Knows     when the motion began. The motion itself is a closed form of time.

import Basics
import Foundation

struct RunningMotion<Motion> {
    private(set) var motion: Motion
    private(set) var start: Instant
    /// Fires at each frame while the motion is under way.
    let ticker: HeldTimer

    init(_ motion: Motion, since start: Instant, ticker: HeldTimer) {
        (self.motion, self.start, self.ticker) = (motion, start, ticker)
    }

    /// Seconds since the motion began.
    func time(at now: Instant) -> TimeInterval { start.duration(to: now).seconds }

    /// Begins another motion with the same timer.
    mutating func replaceMotion(with motion: Motion, since start: Instant) {
        (self.motion, self.start) = (motion, start)
    }
}
