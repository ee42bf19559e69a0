// Pacing.swift: when each frame of a play is due.
//
//     times N    the recording's own times, N/1000 times as fast; a repeat begins a frame's length after the last
//     every d    frame k at k·d after the first, whatever the recording says
//     max        at once
//     closed     at once, when the last one's receipt is back
//
// A frame that is sent late keeps the moment it was due as its device stamp, so that a sender that is held up does
// not hide it (coordinated omission). `max` and `closed` have no schedule: theirs is the moment they are sent.
//
// Station   device
// Fed by    Play
// Knows     moments. No clock: `now` is told.

import Basics
import HID
import Recordings
import Wire

struct Pacing: Sendable {
    let pace: PlayOrder.Pace
    /// When the pass began, by the schedule.
    private var start: Instant?
    private var pass: UInt32 = 0
    private var lastDue = Instant.boot
    private var sent: UInt64 = 0

    /// Between the last frame of a pass and the recording's zero of the next, at its own speed.
    static let pause = Duration.nanoseconds(1_000_000_000 / 60)

    init(_ pace: PlayOrder.Pace) { self.pace = pace }

    /// When this frame is due; the first one asked about begins the schedule.
    mutating func due(_ item: FrameSource.Item, at now: Instant) -> Instant {
        let start = start ?? now
        self.start = start
        switch pace {
        case .max, .closedLoop: return now
        case .every(let nanoseconds):
            let (offset, isOver) = sent.multipliedReportingOverflow(by: nanoseconds)
            return isOver || offset > UInt64(Int64.max) ? .never : start.advanced(byNanoseconds: Int64(offset))
        case .times(let thousandths):
            if item.pass != pass {
                pass = item.pass
                self.start = lastDue.advanced(byNanoseconds: Self.scaled(Self.pause, thousandths))
            }
            return (self.start ?? start).advanced(byNanoseconds: Self.scaled(item.report.time, thousandths))
        }
    }

    /// Nothing was played for so long, and what was due then is due so much later.
    mutating func shift(by pause: Duration) {
        start = start?.advanced(by: pause)
        lastDue = lastDue.advanced(by: pause)
    }

    /// The frame due then has gone out.
    mutating func didSend(due: Instant) {
        lastDue = max(lastDue, due)
        sent += 1
    }

    /// A recording's duration as it is played.
    private static func scaled(_ time: Duration, _ thousandths: UInt32) -> Int64 {
        let nanoseconds = UInt64(max(0, time.nanoseconds))
        let speed = UInt64(max(1, thousandths))
        let (product, isOver) = (nanoseconds / speed).multipliedReportingOverflow(by: 1000)
        guard !isOver, product < UInt64(Int64.max) - 1_000_000 else { return .max }
        return Int64(product + nanoseconds % speed * 1000 / speed)
    }
}
