// WakeTimer.swift: the timers of the core, and the alarm that wakes the process.
//
// Input     ZeroMQHost, when nothing is left to do
// Output    Poller: the alarm's descriptor
//
// Sources   invented, after Docs/Decisions/Waiting.md

import Basics
import CSystem
import Glibc

/// The sleep of a process until its next timer.
struct WakeTimer: ~Copyable {
    /// Whether the process polls continuously instead of sleeping.
    let spins: Bool
    var timers = Timers()
    /// The hold of the CPU while a finger is down; nil without host.awake.
    var touchHold: TouchHold?
    private let alarm: Descriptor
    private var alarmAt = Instant.never

    init(spins: Bool) throws(HostError) {
        self.spins = spins
        alarm = try Descriptor(system_timerfd_create(), from: "timerfd_create", "")
    }

    var descriptor: Int32 { alarm.number }

    /// Notes that the alarm went off. The descriptor is watched for edges and never read.
    ///
    /// - Returns: The time of the alarm.
    mutating func alarmFired() -> Instant {
        defer { alarmAt = .never }
        return alarmAt
    }

    /// Prepares the sleep before the next poll.
    ///
    /// - Parameter next: The time to wake up although nothing arrives; nil for no limit.
    /// - Returns: The timeout of the poll in milliseconds: 0, or -1 for no limit.
    mutating func sleep(until next: Instant?) -> Int32 {
        if spins {
            sched_yield()
            return 0
        }
        // An alarm that goes off early costs one turn of the loop; moving it would cost a system call every time.
        if let next, next < alarmAt {
            system_timerfd_set(alarm.number, next.nanoseconds)
            alarmAt = next
        }
        return -1
    }
}
