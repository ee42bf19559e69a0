// MonkeyLoop.swift: a main loop on virtual time, with only what UIKit needs.
//
// Input     UIKit: timers, blocks, modes
// Output    MonkeyRun, which advances it from step to step of the script
// Knows     MainLoopScheduling
//
// AppCore's loop is the real one and has its own tests. This one runs timers that are due, then blocks, then the work
// before waiting, as that one does for UIKit. It is some hundred times faster.
//
// Sources   invented

import Basics
import UIKit

/// A main loop for a monkey's run.
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
    /// The time of the next timer in the current mode.
    var nextTimer: Instant? { timers.filter(isServed).map(\.at).min() }

    private func isServed(_ timer: Timer) -> Bool {
        timer.modes.contains { $0 == .common || $0 == modes[modes.count - 1] }
    }

    /// Fires the timers that are due at `moment`, in the order of their times and then of their creation.
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
    /// Does nothing: no world has a display link.
    func requestFrame() {}
    func pushMode(_ mode: RunLoop.Mode) { modes.append(mode) }

    func popMode(_ mode: RunLoop.Mode) {
        if let index = modes.lastIndex(of: mode), index > 0 { modes.remove(at: index) }
    }

    /// Does nothing: no callback of a world runs a loop.
    func run(mode: RunLoop.Mode, before limit: Instant) -> MainLoopRun { .finished }
}
