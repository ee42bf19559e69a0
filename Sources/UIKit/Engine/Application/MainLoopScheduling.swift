// MainLoopScheduling.swift: what UIKit needs of the loop that runs it.
//
// Station   app
// Input     UIKit's timers, blocks, modes and display links
// Output    AppCore's main loop, which implements the protocol; a test may implement it with a list
//
// UIKit reads no clock and owns no timer.

package import Basics
import Foundation

/// The main loop as UIKit uses it.
package protocol MainLoopScheduling: AnyObject {
    /// Schedules a timer that fires at `instant`, and then at each `interval` if there is one, while the loop is in one
    /// of `modes`.
    ///
    /// - Returns: The number of the timer, for `invalidate`.
    func schedule(
        at instant: Instant, every interval: Duration?, modes: [RunLoop.Mode], _ fire: @escaping () -> Void
    ) -> UInt64
    /// Ends a timer. A number whose timer has ended already is ignored.
    func invalidate(_ timer: UInt64)
    /// Runs the block in the loop's next turn in one of `modes` (CFRunLoopPerformBlock).
    func perform(modes: [RunLoop.Mode], _ block: @escaping () -> Void)
    /// Adds the block to the main queue, which runs in every common mode.
    func async(_ block: @escaping () -> Void)
    /// Requests the next frame of the screen, at which display links fire.
    func requestFrame()
    /// Puts the loop into this mode from the next turn on, until the matching `popMode`.
    func pushMode(_ mode: RunLoop.Mode)
    func popMode(_ mode: RunLoop.Mode)
    /// The mode in which the loop runs; nil if the loop has no modes.
    var currentMode: RunLoop.Mode? { get }
    /// Runs the loop nested. Inside a core, such a run handles what is pending and does not wait.
    func run(mode: RunLoop.Mode, before limit: Instant) -> MainLoopRun
}

/// How a run of the loop ended (CFRunLoopRunResult).
package enum MainLoopRun: Sendable { case finished, stopped, timedOut, handledSource }

extension MainLoopScheduling {
    /// Does nothing: a loop without a screen has no frames.
    package func requestFrame() {}
    package var currentMode: RunLoop.Mode? { nil }
}
