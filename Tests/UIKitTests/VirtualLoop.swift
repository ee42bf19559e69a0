// VirtualLoop.swift: the main loop of UIKit's own tests, without an app around it.

import Basics
import Foundation
import UIKit

/// A main loop on virtual time. Due timers fire in order if the current mode is one of theirs.
final class VirtualLoop: MainLoopScheduling {
    private struct Timer {
        var id: UInt64
        var at: Instant
        var every: Duration?
        var modes: [Foundation.RunLoop.Mode]
        var fire: () -> Void
    }

    private var timers: [Timer] = []
    private var nextID: UInt64 = 1
    private(set) var modes: [Foundation.RunLoop.Mode] = [.default]
    /// Every change of mode.
    var changes: [String] = []

    var count: Int { timers.count }

    func schedule(
        at instant: Instant, every interval: Duration?, modes: [Foundation.RunLoop.Mode], _ fire: @escaping () -> Void
    ) -> UInt64 {
        defer { nextID += 1 }
        timers.append(Timer(id: nextID, at: instant, every: interval, modes: modes, fire: fire))
        return nextID
    }
    func invalidate(_ timer: UInt64) { timers.removeAll { $0.id == timer } }
    func perform(modes: [Foundation.RunLoop.Mode], _ block: @escaping () -> Void) { block() }
    func async(_ block: @escaping () -> Void) { block() }
    func requestFrame() {}
    func pushMode(_ mode: Foundation.RunLoop.Mode) {
        modes.append(mode)
        changes.append("push \(mode == .tracking ? "tracking" : mode.rawValue)")
    }
    func popMode(_ mode: Foundation.RunLoop.Mode) {
        guard let index = modes.lastIndex(of: mode), index > 0 else { return }
        modes.remove(at: index)
        changes.append("pop \(mode == .tracking ? "tracking" : mode.rawValue)")
    }
    func run(mode: Foundation.RunLoop.Mode, before limit: Instant) -> MainLoopRun { .finished }

    /// Returns the next timer that is due by `limit` and may fire, after it was removed or set to its next moment.
    func removeNextTimer(by limit: Instant) -> (at: Instant, fire: () -> Void)? {
        let mode = modes.last!
        let due = timers.enumerated()
            .filter { $1.at <= limit && ($1.modes.contains(.common) || $1.modes.contains(mode)) }
            .min { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        guard let (index, timer) = due.map({ ($0.offset, $0.element) }) else { return nil }
        if let interval = timer.every {
            timers[index].at = timer.at.advanced(by: interval)
        } else {
            timers.remove(at: index)
        }
        return (timer.at, timer.fire)
    }

    /// Fires each timer due until `seconds` at its moment, and updates gestures after each, as a main loop does.
    func run(_ stage: Stage, until seconds: Double) {
        while let timer = removeNextTimer(by: Instant(seconds: seconds)) {
            stage.app.now = timer.at
            UIApplication.run(as: stage.app) {
                timer.fire()
                stage.app.updateGestures()
            }
        }
    }
}
