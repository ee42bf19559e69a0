// ApplicationHost.swift: what the process that runs an application lends it.
//
// Input     AppCore and the executable `app`; a simulator or a replayed journal, which lends less

package import Foundation

package struct ApplicationHost {
    package weak var mainLoop: (any MainLoopScheduling)?
    /// Whether the application has a process of its own, which may end: not where a journal is played again, or in a
    /// simulation.
    package var hasOwnProcess = false
    /// Hands a notification to `NotificationCenter.default`, which is the whole process's. Where many apps are in one
    /// process, none hears.
    package var posts: (NSNotification.Name) -> Void = { _ in }
}
