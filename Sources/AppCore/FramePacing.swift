// FramePacing.swift: which of the screen's frames the main loop waits for, and which one has arrived.
//
// Station   source0
// Input     MainLoop: requests, and the timer of the awaited frame
// Output    the moment to wait for; the frame to serve
// Knows     frame numbers and moments. No timers, no events.
//
//     idle ──request──▶ awaited ──arrive──▶ arrived ──served, or put off──▶ idle, or awaited
//
// Sources   Docs/Spec/Semantics.md C6

import Basics
import UIKit

struct FramePacing {
    /// Whether events wait for the screen's next frame.
    let isAligned: Bool
    /// Whether a landing is delivered without waiting for a frame, with everything queued before it.
    let hurriesLandings: Bool
    let clock: FrameClock

    /// The number of the frame that a timer is set for.
    private(set) var awaited: Int64?
    /// The number of the last frame that arrived.
    private var last: Int64 = -1
    /// The frame that has arrived and is not processed yet.
    var arrived: DisplayFrame?
    /// Whether the queue holds an event that waits for no frame.
    var hasUrgentEvent = false

    init(isAligned: Bool, hurriesLandings: Bool, clock: FrameClock) {
        (self.isAligned, self.hurriesLandings, self.clock) = (isAligned, hurriesLandings, clock)
    }

    /// Awaits the screen's next frame.
    ///
    /// - Returns: The frame to set a timer for; nil if one is awaited already.
    mutating func request(at now: Instant) -> (number: Int64, moment: Instant)? {
        guard awaited == nil else { return nil }
        let number = max(clock.frame(from: now), last + 1)
        awaited = number
        return (number, clock.time(of: number))
    }

    mutating func arrive(_ number: Int64) {
        (awaited, last) = (nil, number)
        arrived = DisplayFrame(number: number, time: clock.time(of: number), rate: Double(clock.rate))
    }
}
