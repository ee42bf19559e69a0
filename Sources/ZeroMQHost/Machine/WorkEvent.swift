// WorkEvent.swift: the descriptor by which other threads wake the host's loop.
//
// Input     any thread
// Output    Poller, as PollSource.work
//
// Sources   documented  eventfd(2)

import CSystem
import Glibc

/// An event that any thread may signal.
final class WorkEvent: Sendable {
    /// Readable when the event was signaled.
    let descriptor: Int32

    init() throws(HostError) {
        descriptor = try Descriptor(system_eventfd_create(), from: "eventfd", "").release()
    }

    // Another thread may keep the function that signals, so the descriptor stays open as long as the event.
    deinit { close(descriptor) }

    func signal() { system_eventfd_signal(descriptor) }
    func clear() { system_eventfd_clear(descriptor) }
}
