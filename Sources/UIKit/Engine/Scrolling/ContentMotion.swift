// ContentMotion.swift: the motion of content after a release or towards an offset that code asks for.
//
// Station   gesture
// Input     UIScrollView+Dragging.swift, which carries out the decisions of ScrollActivity
// Output    the motion under way, and the main loop's mode meanwhile
//
//     released ──▶ upcoming ──the delegate is called──▶ under way ──▶ over
//
// Sources   inferred    the loop is in tracking mode from the beginning of a drag to the end of its deceleration (C4)

import Basics
import Foundation

struct ContentMotion {
    private(set) var runningMotion: RunningMotion<ScrollMotion>?
    /// The motion of released content, until it is under way.
    private(set) var upcoming: ScrollMotion?
    /// The end of an animated scroll.
    var target = CGPoint.zero
    /// Whether the delegate was told that deceleration begins, and not yet that it ended.
    private var isAnnounced = false
    private var trackingMode: HeldMode?

    // MARK: Tracking mode

    mutating func holdTrackingMode(of loop: any MainLoopScheduling) { trackingMode = HeldMode(.tracking, on: loop) }

    mutating func leaveTrackingMode() { trackingMode = nil }

    // MARK: Deceleration

    /// Stores how released content moves on; nil if it stays.
    mutating func release(as motion: ScrollMotion?) { upcoming = motion }

    /// Stores the deceleration that the delegate is about to be told of.
    mutating func announce(_ motion: ScrollMotion) { (upcoming, isAnnounced) = (motion, true) }

    /// Moves the start of the upcoming motion: code has moved the content while the release was handled.
    mutating func moveUpcoming(by way: CGPoint, x: ScrollAxis, y: ScrollAxis) {
        upcoming = upcoming?.remainder(after: 0, movedBy: way, x: x, y: y)
    }

    mutating func takeUpcoming() -> ScrollMotion? {
        defer { upcoming = nil }
        return upcoming
    }

    /// Ends the announced deceleration.
    ///
    /// - Returns: Whether the delegate was told of it, and has to be told of its end.
    mutating func endAnnouncement() -> Bool {
        defer { isAnnounced = false }
        return isAnnounced
    }

    // MARK: Under way

    mutating func begin(_ motion: ScrollMotion, at now: Instant, ticker: HeldTimer) {
        runningMotion = RunningMotion(motion, since: now, ticker: ticker)
    }

    mutating func replaceMotion(with motion: ScrollMotion, at now: Instant) {
        runningMotion?.replaceMotion(with: motion, since: now)
    }

    mutating func stop() { runningMotion = nil }

    /// Ends everything without a call of the delegate, after the window is gone.
    mutating func abandon() { (runningMotion, trackingMode, isAnnounced) = (nil, nil, false) }
}
