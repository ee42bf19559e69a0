// MainLoopScheduling.swift: what UIKit asks of the loop that runs it.
//
// UIKit reads no clock and owns no timer. AppCore's main loop implements this; a test may do so with a list.

package import Basics
package import Foundation

package protocol MainLoopScheduling: AnyObject {
    /// Calls `fire` at `instant`, and then every `interval` if there is one, while the loop is in one of `modes`.
    ///
    /// - Returns: What `invalidate` takes.
    func schedule(
        at instant: Instant, every interval: Duration?, modes: [RunLoop.Mode], _ fire: @escaping () -> Void
    ) -> UInt64
    /// The timer never fires again. One that is no more is ignored.
    func invalidate(_ timer: UInt64)
    /// Runs the block in the loop's next turn in one of `modes` (CFRunLoopPerformBlock).
    func perform(modes: [RunLoop.Mode], _ block: @escaping () -> Void)
    /// Puts the block on the main queue, which is served in any common mode.
    func async(_ block: @escaping () -> Void)
    /// Somebody waits for the screen's next frame: display links are asked again then.
    func requestFrame()
    /// From the next turn on the loop is in this mode, until the matching `popMode`.
    func pushMode(_ mode: RunLoop.Mode)
    func popMode(_ mode: RunLoop.Mode)
    /// A nested run. Inside a core it serves what is pending and does not wait.
    func run(mode: RunLoop.Mode, before limit: Instant) -> MainLoopRun
}

/// How a run of the loop ended (CFRunLoopRunResult).
package enum MainLoopRun: Sendable { case finished, stopped, timedOut, handledSource }

extension MainLoopScheduling {
    /// A loop without a screen has no frames.
    package func requestFrame() {}
}
