// ApplicationHost.swift: what an application receives from the process that runs it.
//
// Station   app
// Input     AppCore and the executable `app`; a simulator or a replayed journal, which provide less
// Output    UIApplication.host

package import Foundation

/// The main loop, the process and the notification center of an application.
package struct ApplicationHost {
    package weak var mainLoop: (any MainLoopScheduling)?
    /// Whether the application has a process of its own, which may end. False in a simulation and in a replayed
    /// journal.
    package var hasOwnProcess = false
    /// Posts a notification to `NotificationCenter.default`, which belongs to the whole process. With several
    /// applications in one process, no notification is posted.
    package var postNotification: (NSNotification.Name) -> Void = { _ in }
}
