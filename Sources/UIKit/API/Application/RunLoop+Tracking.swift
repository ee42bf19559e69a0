// RunLoop+Tracking.swift: the mode of the run loop in which a finger drags.

public import Foundation

extension RunLoop.Mode {
    /// The mode while a finger drags what follows it: timers of the default mode wait. (C4)
    public static let tracking = RunLoop.Mode("UITrackingRunLoopMode")
}
