// FrameClock.swift: when a screen shows its frames.
//
// Station   loop, router
// Fed by    the app's MainLoop, the system server
//
// Frame n is due n/rate seconds after the clock's start, to the nanosecond below, so that nothing drifts. Apps' clocks
// start at boot, so that every app of a group has the same frames; the server's starts with its epoch.
//
// Sources   invented  no vertical sync reaches this machine

public struct FrameClock: Sendable {
    /// Frames in a second.
    public let rate: Int64
    /// When frame 0 is due.
    public let start: Instant

    /// - Parameter rate: At least one.
    public init(rate: Int, from start: Instant = .boot) {
        precondition(rate > 0, "\(rate) frames in a second")
        (self.rate, self.start) = (Int64(rate), start)
    }

    public func time(of frame: Int64) -> Instant {
        // Past the end of time there is no frame.
        guard frame <= Int64.max / 1_000_000_000 * rate else { return .never }
        return start.advanced(
            byNanoseconds: rate.dividingFullWidth(frame.multipliedFullWidth(by: 1_000_000_000)).quotient)
    }

    /// The first one due at that moment or later; 0 is the first of all.
    public func frame(from moment: Instant) -> Int64 {
        let elapsed = max(0, start.duration(to: moment).nanoseconds)
        let product = elapsed.multipliedFullWidth(by: rate)
        let frame = Int64(1_000_000_000).dividingFullWidth(product).quotient
        return time(of: frame) < moment ? frame + 1 : frame
    }

    /// When the first is due that is due after that moment.
    public func next(after moment: Instant) -> Instant { time(of: frame(from: moment.advanced(byNanoseconds: 1))) }

    /// When the last was due that was due at that moment or before; the start before there was any.
    public func last(until moment: Instant) -> Instant {
        let frame = frame(from: moment)
        let time = time(of: frame)
        return time <= moment || frame == 0 ? time : self.time(of: frame - 1)
    }
}
