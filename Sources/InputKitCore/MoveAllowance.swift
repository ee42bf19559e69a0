// MoveAllowance.swift: how often one device may send a scan in which fingers only move.
//
// Nobody needs a thousand places of a finger a second, and a device that has eight thousand makes work for everybody: for
// the server, for the app it is in, for whoever shares a CPU with them. So each device has an allowance that fills at an
// even rate, and each scan of moves takes one of it. Without one, scans wait and become one (ScanQueue); the last place is
// never later than one period. What lands and leaves goes at once, and takes along what waits before it.
//
// Station   device
// Fed by    LiveDevices, before each scan of moves
// Knows     one device's moments. No finger, no queue, no credit: that is Admission's.
//
// Sources   documented  PIPELINE F21: an admission limit per device, moves coalesce, terminals pass
//           invented    the rate: twice what the fastest touch screens scan at; a sixteenth of a second at once

import Basics
import Settings

struct MoveAllowance: Sendable {
    /// Nil: as often as it likes.
    let period: Duration?
    let burst: Int64
    /// When it is full, if nothing more is taken: the one number that a bucket needs.
    private var full = Instant.boot

    init(_ settings: Settings) {
        let rate = settings[.deviceRate]
        period = rate > 0 ? .nanoseconds(Int64(1e9 / rate)) : nil
        burst = Int64(settings[.deviceBurst])
    }

    /// From when on one may be taken; boot for at any time.
    var next: Instant {
        guard let period else { return .boot }
        return full.advanced(byNanoseconds: -(period.nanoseconds * (burst - 1)))
    }

    /// - Returns: Whether there was one to take.
    mutating func take(at now: Instant) -> Bool {
        guard let period else { return true }
        guard next <= now else { return false }
        full = max(full, now).advanced(by: period)
        return true
    }
}
