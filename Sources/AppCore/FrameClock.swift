// FrameClock.swift: when the screen shows its frames.
//
// Station   loop
// Fed by    MainLoop
//
// Frame n is due n/rate seconds after boot, to the nanosecond below, so that nothing drifts and every app of a group has
// the same frames.
//
// Sources   invented  no vertical sync reaches this machine

import Basics

struct FrameClock {
    /// Frames in a second.
    let rate: Int64

    /// - Parameter rate: At least one.
    init(rate: Int) {
        precondition(rate > 0, "\(rate) frames in a second")
        self.rate = Int64(rate)
    }

    func time(of frame: Int64) -> Instant {
        // Past the end of time there is no frame.
        guard frame <= Int64.max / 1_000_000_000 * rate else { return .never }
        return Instant(nanoseconds: rate.dividingFullWidth(frame.multipliedFullWidth(by: 1_000_000_000)).quotient)
    }

    /// The first one due at that moment or later.
    func frame(from moment: Instant) -> Int64 {
        let product = max(0, moment.nanoseconds).multipliedFullWidth(by: rate)
        let frame = Int64(1_000_000_000).dividingFullWidth(product).quotient
        return time(of: frame) < moment ? frame + 1 : frame
    }
}
