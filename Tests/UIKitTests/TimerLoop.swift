import Basics
import Foundation
import UIKit

/// A main loop that only has timers, which fire in order of their moments.
final class TimerLoop: MainLoopScheduling {
    private var timers: [(id: UInt64, at: Instant, every: Duration?, fire: () -> Void)] = []
    private var nextID: UInt64 = 1

    /// The number of timers that will fire.
    var count: Int { timers.count }

    /// Fires each timer due until `seconds` at its moment, and updates gestures after each, as a main loop does.
    func run(_ stage: Stage, until seconds: Double) {
        let end = Instant(seconds: seconds)
        while let index = timers.indices.min(by: { timers[$0].at < timers[$1].at }), timers[index].at <= end {
            let timer = timers[index]
            if let every = timer.every {
                timers[index].at = timer.at.advanced(by: every)
            } else {
                timers.remove(at: index)
            }
            stage.app.now = timer.at
            UIApplication.run(as: stage.app) {
                timer.fire()
                stage.app.updateGestures()
            }
        }
    }

    func schedule(
        at instant: Instant, every interval: Duration?, modes: [Foundation.RunLoop.Mode], _ fire: @escaping () -> Void
    ) -> UInt64 {
        timers.append((nextID, instant, interval, fire))
        nextID += 1
        return nextID - 1
    }
    func invalidate(_ timer: UInt64) { timers.removeAll { $0.id == timer } }
    func perform(modes: [Foundation.RunLoop.Mode], _ block: @escaping () -> Void) {}
    func async(_ block: @escaping () -> Void) {}
    func requestFrame() {}
    func pushMode(_ mode: Foundation.RunLoop.Mode) {}
    func popMode(_ mode: Foundation.RunLoop.Mode) {}
    func run(mode: Foundation.RunLoop.Mode, before limit: Instant) -> MainLoopRun { .finished }
}
