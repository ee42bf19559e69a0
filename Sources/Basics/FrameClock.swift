// FrameClock.swift: the due times of display frames.
//
// Station   loop, router
// Input     frame numbers and moments, from the app's MainLoop and from the system server
// Output    due times and frame numbers
//
// Frame n is due n/rate seconds after the clock's start, rounded down to a nanosecond, so that nothing drifts. The
// clocks of apps start at boot, so that every app of a group has the same frames. The server's clock starts with its
// epoch.
//
// Sources   invented  no vertical sync reaches this machine

/// The due times of frames at a constant rate.
public struct FrameClock: Sendable {
    /// Frames per second.
    public let rate: Int64
    /// The time at which frame 0 is due.
    public let start: Instant

    /// - Parameters:
    ///   - rate: At least one.
    ///   - start: The time of the first display frame.
    public init(rate: Int, from start: Instant = .boot) {
        precondition(rate > 0, "\(rate) frames in a second")
        (self.rate, self.start) = (Int64(rate), start)
    }

    /// The due time of a frame; `never` if it is later than every instant.
    public func time(of frame: Int64) -> Instant {
        guard frame <= Int64.max / 1_000_000_000 * rate else { return .never }
        return start.advanced(
            byNanoseconds: rate.dividingFullWidth(frame.multipliedFullWidth(by: 1_000_000_000)).quotient)
    }

    /// The first frame that is due at that moment or later; at least 0.
    public func frame(from moment: Instant) -> Int64 {
        let elapsed = max(0, start.duration(to: moment).nanoseconds)
        let product = elapsed.multipliedFullWidth(by: rate)
        let frame = Int64(1_000_000_000).dividingFullWidth(product).quotient
        return time(of: frame) < moment ? frame + 1 : frame
    }

    /// The due time of the first frame that is due after that moment.
    public func next(after moment: Instant) -> Instant { time(of: frame(from: moment.advanced(byNanoseconds: 1))) }

    /// The due time of the last frame that is due at that moment or before; the clock's start if there is none.
    public func last(until moment: Instant) -> Instant {
        let frame = frame(from: moment)
        let time = time(of: frame)
        return time <= moment || frame == 0 ? time : self.time(of: frame - 1)
    }
}
