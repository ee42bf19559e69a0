// DeviceClock.swift: a touch device's own clock, which evdev passes on as 32 bits of microseconds.
//
// Station   device
// Input     EvdevTracker: MSC_TIMESTAMP, and the kernel's timestamp of each scan
// Output    ContactFrame.scanTime
// Knows     two clocks. No contacts.
//
// Sources   documented  kernel event-codes.rst: MSC_TIMESTAMP
//           observed    recordings: devices with a clock that stops between touches, or restarts

import HID

/// Converts MSC_TIMESTAMP: microseconds on the device's own clock, in 32 bits that restart from time to time.
///
/// 32 bits last 71 minutes; only the kernel's clock tells how often they wrapped around. A device step that agrees with
/// the kernel's step, after whole wraparounds, counts. Otherwise the clock stopped or restarted, and the kernel's step
/// counts.
struct DeviceClock: Sendable {
    /// The timestamp of the scan that is not committed yet.
    var stamp: UInt32?
    private var last: (stamp: UInt32, time: Int64)?
    /// Nanoseconds since the first stamp.
    private var elapsed: Int64 = 0

    /// Nanoseconds until the timestamps repeat.
    private static let round: Int64 = 1000 << 32
    /// The nanoseconds by which a step may differ between the two clocks: a late kernel timestamp, and a poor crystal's
    /// drift over hours.
    static let tolerance: Int64 = 60_000_000_000

    /// Converts the timestamp of a scan.
    ///
    /// - Parameter time: The scan's time on the kernel's clock, in nanoseconds.
    /// - Returns: The time since the first timestamp; nil for a scan without one.
    mutating func convertScan(at time: Int64) -> Duration? {
        guard let stamp else { return nil }
        self.stamp = nil
        if let last {
            let (gone, hasOverflowed) = time.subtractingReportingOverflow(last.time)
            let kernels = hasOverflowed ? 0 : max(0, min(gone, Int64.max - Self.round))
            var step = Int64(stamp &- last.stamp) * 1000
            if kernels > step { step += (kernels - step + Self.round / 2) / Self.round * Self.round }
            let agrees = abs(step - kernels) <= Self.tolerance
            // A timestamp of zero means that the clock restarted; only the kernel knows how long it had stopped.
            if !agrees || stamp == 0 && last.stamp != 0 { step = kernels }
            elapsed += min(step, Int64.max - elapsed)
        }
        last = (stamp, time)
        return .nanoseconds(elapsed)
    }
}
