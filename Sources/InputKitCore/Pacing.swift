// Pacing.swift: the due time of each frame of a play.
//
// Station   device
// Input     Play
// Output    due times
// Knows     moments. No clock: `now` is a parameter.
//
//     times N    the recording's own times, N/1000 times as fast; a repetition begins one frame after the last
//     every d    frame k at k·d after the first, whatever the recording says
//     max        at once
//     closed     at once, when the receipt of the last one has arrived
//
// A late frame keeps its due time as its device stamp, so that a delayed sender does not hide the delay (coordinated
// omission). `max` and `closed` have no schedule: their stamp is the time of sending.
//
// Sources   invented

import Basics
import HID
import Recordings
import Wire

/// The schedule of a play.
struct Pacing: Sendable {
    let pace: PlayOrder.Pace
    /// The scheduled beginning of the pass.
    private var start: Instant?
    private var pass: UInt32 = 0
    private var lastDue = Instant.boot
    private var sent: UInt64 = 0

    /// The pause between the last frame of a pass and time zero of the next one, at the recording's speed.
    static let pause = Duration.nanoseconds(1_000_000_000 / 60)

    init(_ pace: PlayOrder.Pace) { self.pace = pace }

    /// The due time of this frame. The first call starts the schedule.
    mutating func due(_ slot: FrameSource.Slot, at now: Instant) -> Instant {
        let start = start ?? now
        self.start = start
        switch pace {
        case .max, .closedLoop: return now
        case .every(let nanoseconds):
            let (offset, isOver) = sent.multipliedReportingOverflow(by: nanoseconds)
            return isOver || offset > UInt64(Int64.max) ? .never : start.advanced(byNanoseconds: Int64(offset))
        case .times(let thousandths):
            if slot.pass != pass {
                pass = slot.pass
                self.start = lastDue.advanced(byNanoseconds: Self.scaled(Self.pause, thousandths))
            }
            return (self.start ?? start).advanced(byNanoseconds: Self.scaled(slot.time, thousandths))
        }
    }

    /// Moves the schedule after a suspension, so that frames that were due meanwhile are due later.
    mutating func shift(by pause: Duration) {
        start = start?.advanced(by: pause)
        lastDue = lastDue.advanced(by: pause)
    }

    /// Records that the frame with this due time was sent.
    mutating func didSend(due: Instant) {
        lastDue = max(lastDue, due)
        sent += 1
    }

    /// Scales a duration of the recording to the speed of the play, in nanoseconds.
    private static func scaled(_ time: Duration, _ thousandths: UInt32) -> Int64 {
        let nanoseconds = UInt64(max(0, time.nanoseconds))
        let speed = UInt64(max(1, thousandths))
        let (product, isOver) = (nanoseconds / speed).multipliedReportingOverflow(by: 1000)
        guard !isOver, product < UInt64(Int64.max) - 1_000_000 else { return .max }
        return Int64(product + nanoseconds % speed * 1000 / speed)
    }
}
