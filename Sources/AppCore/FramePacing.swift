// FramePacing.swift: the display frame that the main loop waits for, and the one that has arrived.
//
// Station   source0
// Input     MainLoop: requests, and the timer of the awaited frame
// Output    the time to wait for; the frame to process
// Knows     frame numbers and moments. No timers, no events.
//
//     idle ──request──▶ awaited ──arrive──▶ arrived ──processed, or postponed──▶ idle, or awaited
//
// Sources   Docs/Spec/Semantics.md C6

import Basics
import UIKit

/// The display frames of one main loop.
struct FramePacing {
    /// Whether events wait for the screen's next frame.
    let isAligned: Bool
    /// Whether a landing is delivered without waiting for a frame, with every event queued before it.
    let deliversLandingsAtOnce: Bool
    let clock: FrameClock

    /// The number of the frame that has a timer.
    private(set) var awaited: Int64?
    /// The number of the last frame that arrived.
    private var last: Int64 = -1
    /// The frame that has arrived and is not processed yet.
    var arrived: DisplayFrame?
    /// Whether the queue holds an event that does not wait for a frame.
    var hasUrgentEvent = false

    init(isAligned: Bool, deliversLandingsAtOnce: Bool, clock: FrameClock) {
        (self.isAligned, self.deliversLandingsAtOnce, self.clock) = (isAligned, deliversLandingsAtOnce, clock)
    }

    /// Requests the screen's next frame.
    ///
    /// - Returns: The frame that needs a timer; nil if a frame is already awaited.
    mutating func request(at now: Instant) -> (number: Int64, moment: Instant)? {
        guard awaited == nil else { return nil }
        let number = max(clock.frame(from: now), last + 1)
        awaited = number
        return (number, clock.time(of: number))
    }

    /// Records that the awaited frame has arrived.
    mutating func arrive(_ number: Int64) {
        (awaited, last) = (nil, number)
        arrived = DisplayFrame(number: number, time: clock.time(of: number), rate: Double(clock.rate))
    }
}
