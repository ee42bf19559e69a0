// Waiting.swift: until when the process sleeps: the core's timers, and the alarm that wakes it.
//
// Fed by    ZeroMQHost, when nothing is left to do
// Feeds     Poller: the alarm's descriptor
//
// Sources   invented, after Docs/Decisions/Waiting.md

import Basics
import CSystem
import Glibc

struct Waiting: ~Copyable {
    /// Whether the process looks again and again instead of sleeping.
    let spins: Bool
    var timers = Timers()
    private let alarm: Descriptor
    private var alarmAt = Instant.never

    init(spins: Bool) throws(HostError) {
        self.spins = spins
        alarm = try Descriptor(system_timerfd_create(), from: "timerfd_create", "")
    }

    var descriptor: Int32 { alarm.number }

    /// The alarm has gone off.
    mutating func alarmRang() {
        system_timerfd_clear(alarm.number)
        alarmAt = .never
    }

    /// Prepares the sleep before the next look.
    ///
    /// - Parameter next: When to wake up though nothing arrives; nil for never.
    /// - Returns: How long the look may wait, in milliseconds: 0, or -1 for ever.
    mutating func sleep(until next: Instant?) -> Int32 {
        if spins {
            sched_yield()
            return 0
        }
        // An alarm that rings early costs one turn of the loop; moving it costs a system call every time.
        if let next, next < alarmAt {
            system_timerfd_set(alarm.number, next.nanoseconds)
            alarmAt = next
        }
        return -1
    }
}
