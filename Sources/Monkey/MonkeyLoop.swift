// MonkeyLoop.swift: a main loop of virtual time, as small as UIKit needs one.
//
// Fed by    UIKit: timers, blocks, modes
// Feeds     MonkeyRun, which advances it from step to step of the script
//
// AppCore's loop is the real one and has its own tests; this one does what that one does for UIKit (timers that are
// due, then blocks, then what is done before waiting) and nothing else, some hundred times faster.

import Basics
import UIKit

final class MonkeyLoop: MainLoopScheduling {
    private struct Timer {
        var id: UInt64
        var at: Instant
        var interval: Duration?
        var modes: [RunLoop.Mode]
        var fire: () -> Void
    }

    private var timers: [Timer] = []
    private var blocks: [() -> Void] = []
    private var modes: [RunLoop.Mode] = [.default]
    private var lastID: UInt64 = 0

    var timerCount: Int { timers.count }
    var hasBlocks: Bool { !blocks.isEmpty }
    /// Of the next timer this mode serves.
    var nextTimer: Instant? { timers.filter(isServed).map(\.at).min() }

    private func isServed(_ timer: Timer) -> Bool {
        timer.modes.contains { $0 == .common || $0 == modes[modes.count - 1] }
    }

    /// Those due at `moment`, in order of their times and of being made.
    func fireTimers(until moment: Instant) {
        let due = timers.filter { isServed($0) && $0.at <= moment }.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
        for timer in due {
            guard let index = timers.firstIndex(where: { $0.id == timer.id }) else { continue }
            if let interval = timer.interval {
                timers[index].at = timer.at.advanced(by: interval)
            } else {
                timers.remove(at: index)
            }
            timer.fire()
        }
    }

    func runBlocks() {
        let waiting = blocks
        blocks = []
        for block in waiting { block() }
    }

    // MARK: MainLoopScheduling

    func schedule(
        at instant: Instant, every interval: Duration?, modes: [RunLoop.Mode], _ fire: @escaping () -> Void
    ) -> UInt64 {
        lastID += 1
        timers.append(Timer(id: lastID, at: instant, interval: interval, modes: modes, fire: fire))
        return lastID
    }

    func invalidate(_ timer: UInt64) { timers.removeAll { $0.id == timer } }
    func perform(modes: [RunLoop.Mode], _ block: @escaping () -> Void) { blocks.append(block) }
    func async(_ block: @escaping () -> Void) { blocks.append(block) }
    /// No world has a display link.
    func requestFrame() {}
    func pushMode(_ mode: RunLoop.Mode) { modes.append(mode) }

    func popMode(_ mode: RunLoop.Mode) {
        if let index = modes.lastIndex(of: mode), index > 0 { modes.remove(at: index) }
    }

    /// Nobody here runs a loop inside a callback.
    func run(mode: RunLoop.Mode, before limit: Instant) -> MainLoopRun { .finished }
}
