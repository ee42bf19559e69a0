// LoopHolds.swift: a timer and a mode of the main loop that end when their owner is deallocated.
//
// A scroll view may be deallocated at any moment, even during a drag. Its timers and modes end with it.

import Basics
import Foundation

/// A timer of the main loop, until it is deallocated.
final class HeldTimer {
    private weak var loop: (any MainLoopScheduling)?
    private var timer: UInt64?

    /// Fires in the common modes.
    init(
        on loop: any MainLoopScheduling, at instant: Instant, every interval: Duration? = nil,
        _ fire: @escaping () -> Void
    ) {
        self.loop = loop
        timer = loop.schedule(at: instant, every: interval, modes: [.common], fire)
    }

    /// Fires at each following frame of the display, as `CADisplayLink` does.
    convenience init(
        eachFrameOf application: UIApplication, on loop: any MainLoopScheduling, _ fire: @escaping () -> Void
    ) {
        let rate = max(1, application.settings.display.refreshRate)
        self.init(
            on: loop, at: FrameClock(rate: rate).next(after: application.now),
            every: .nanoseconds(1_000_000_000 / Int64(rate)), fire)
    }

    deinit {
        if let timer { loop?.invalidate(timer) }
    }
}

/// A mode of the main loop, until it is deallocated.
final class HeldMode {
    private weak var loop: (any MainLoopScheduling)?
    private let mode: RunLoop.Mode

    init(_ mode: RunLoop.Mode, on loop: any MainLoopScheduling) {
        (self.loop, self.mode) = (loop, mode)
        loop.pushMode(mode)
    }

    deinit { loop?.popMode(mode) }
}
