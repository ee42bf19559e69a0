import Basics
import Testbed
import Testing
import Trace

@testable import UIKit

@Suite("Timers of recognizers")
struct RecognizerTimerTests {
    /// A loop that holds the application, as an app's own loop does. The application does not hold the loop.
    private final class OwningLoop: MainLoopScheduling {
        let stage: Stage
        private(set) var armed: [UInt64: () -> Void] = [:]
        private var next: UInt64 = 0
        init(_ stage: Stage) { self.stage = stage }
        func schedule(
            at instant: Instant, every interval: Duration?, modes: [RunLoop.Mode], _ fire: @escaping () -> Void
        ) -> UInt64 {
            next += 1
            armed[next] = fire
            return next
        }
        func invalidate(_ timer: UInt64) { armed[timer] = nil }
        func perform(modes: [RunLoop.Mode], _ block: @escaping () -> Void) {}
        func async(_ block: @escaping () -> Void) {}
        func requestFrame() {}
        func pushMode(_ mode: RunLoop.Mode) {}
        func popMode(_ mode: RunLoop.Mode) {}
        func run(mode: RunLoop.Mode, before limit: Instant) -> MainLoopRun { .finished }
    }

    private final class Weak {
        weak var application: UIApplication?
        weak var window: UIWindow?
        weak var loop: OwningLoop?
    }

    private func tearDown(holding recognizer: UIGestureRecognizer) -> Weak {
        let loop = OwningLoop(Stage())
        loop.stage.app.mainLoop = loop
        loop.stage.view("R", 0, 0, 375, 667).addGestureRecognizer(recognizer)
        loop.stage.frame(.down(1, 100, 100), at: 0)
        #expect(loop.armed.count == 1)
        let left = Weak()
        (left.application, left.window, left.loop) = (loop.stage.app, loop.stage.window, loop)
        return left
    }

    @Test("an app released while a recognizer's timer runs is freed completely")
    func tornDown() {
        for make in [{ UITapGestureRecognizer() }, { UILongPressGestureRecognizer() }] as [() -> UIGestureRecognizer] {
            let left = tearDown(holding: make())
            #expect(left.application == nil && left.window == nil && left.loop == nil)
        }
    }
}
