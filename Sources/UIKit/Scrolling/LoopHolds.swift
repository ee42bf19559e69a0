// LoopHolds.swift: a timer and a mode of the main loop, held as long as somebody holds these.
//
// A scroll view may go at any moment, in the middle of a drag too. What it has asked of the loop goes with it.

import Basics
import Foundation

/// A timer that ends when this is let go.
final class HeldTimer {
    private weak var loop: (any MainLoopScheduling)?
    private var timer: UInt64?

    /// In the common modes.
    init(
        on loop: any MainLoopScheduling, at instant: Instant, every interval: Duration? = nil,
        _ fire: @escaping () -> Void
    ) {
        self.loop = loop
        timer = loop.schedule(at: instant, every: interval, modes: [.common], fire)
    }

    deinit {
        if let timer { loop?.invalidate(timer) }
    }
}

/// The loop is in a mode until this is let go.
final class HeldMode {
    private weak var loop: (any MainLoopScheduling)?
    private let mode: RunLoop.Mode

    init(_ mode: RunLoop.Mode, on loop: any MainLoopScheduling) {
        (self.loop, self.mode) = (loop, mode)
        loop.pushMode(mode)
    }

    deinit { loop?.popMode(mode) }
}
