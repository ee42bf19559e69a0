// ContentMotion.swift: content that moves by itself, from the release or from code's wish to rest.
//
// Station   gesture
// Input     UIScrollView+Dragging.swift, which carries the decisions of ScrollActivity out
// Output    the motion under way; what is held of the main loop meanwhile
//
//     released ──▶ upcoming ──the delegate is told──▶ under way ──▶ over
//
// Sources   inferred    the loop is in tracking mode from the beginning of a drag to the end of its deceleration (C4)

import Basics
import Foundation

struct ContentMotion {
    private(set) var underWay: UnderWay<ScrollMotion>?
    /// The motion of content whose release is being handled.
    private(set) var upcoming: ScrollMotion?
    /// Where an animated scroll goes.
    var target = CGPoint.zero
    /// Whether the delegate was told that deceleration begins, and not yet that it ended.
    private var isAnnounced = false
    private var trackingMode: HeldMode?

    // MARK: Tracking mode

    mutating func holdTrackingMode(of loop: any MainLoopScheduling) { trackingMode = HeldMode(.tracking, on: loop) }

    mutating func leaveTrackingMode() { trackingMode = nil }

    // MARK: Deceleration

    /// The content has been released, and moves on like this, or not at all.
    mutating func release(as motion: ScrollMotion?) { upcoming = motion }

    /// The delegate is about to be told that the released content decelerates like this.
    mutating func announce(_ motion: ScrollMotion) { (upcoming, isAnnounced) = (motion, true) }

    /// The content was put elsewhere while the release was handled: it goes on from there.
    mutating func moveUpcoming(by way: CGPoint, x: ScrollAxis, y: ScrollAxis) {
        upcoming = upcoming?.remainder(after: 0, movedBy: way, x: x, y: y)
    }

    mutating func takeUpcoming() -> ScrollMotion? {
        defer { upcoming = nil }
        return upcoming
    }

    /// - Returns: Whether the delegate is to be told that the deceleration ended.
    mutating func endAnnouncement() -> Bool {
        defer { isAnnounced = false }
        return isAnnounced
    }

    // MARK: Under way

    mutating func begin(_ motion: ScrollMotion, at now: Instant, ticker: HeldTimer) {
        underWay = UnderWay(motion, since: now, ticker: ticker)
    }

    mutating func goOn(as motion: ScrollMotion, at now: Instant) { underWay?.goOn(as: motion, since: now) }

    mutating func stop() { underWay = nil }

    /// The window is gone, so that no delegate is called.
    mutating func abandon() { (underWay, trackingMode, isAnnounced) = (nil, nil, false) }
}
