// RunLoop+Tracking.swift: the run-loop mode that is active while a touch drags a scroll view.

public import Foundation

extension RunLoop.Mode {
    /// The mode of the main loop while content follows a touch. Timers of the default mode wait until it ends. (C4)
    public static let tracking = RunLoop.Mode("UITrackingRunLoopMode")
}
