// DeviceClock.swift: a touch device's own clock, which evdev passes on as 32 bits of microseconds.
//
// Station   device
// Fed by    EvdevTracker: MSC_TIMESTAMP, and the kernel's stamp of each scan
// Feeds     ContactFrame.scanTime
// Knows     two clocks. No contacts.
//
// Sources   documented  kernel event-codes.rst: MSC_TIMESTAMP
//           observed    recordings: devices whose clock rests between touches, or begins again

import HID

/// MSC_TIMESTAMP: microseconds on the device's own clock, 32 bits of them, which begin again from time to time.
///
/// 32 bits are 71 minutes: how often they went round only the kernel's clock tells. The device's step is what agrees with
/// the kernel's; one that agrees nowhere is a clock that rested or began again, and then the kernel's counts.
struct DeviceClock: Sendable {
    /// Of the scan that has not been committed.
    var stamp: UInt32?
    private var last: (stamp: UInt32, time: Int64)?
    /// Nanoseconds since the first stamp.
    private var elapsed: Int64 = 0

    /// Nanoseconds until the stamps repeat.
    private static let round: Int64 = 1000 << 32
    /// Nanoseconds one step on the two clocks may differ by: a late kernel's, and a poor crystal's over hours.
    static let tolerance: Int64 = 60_000_000_000

    /// - Parameter time: The scan's, on the kernel's clock, in nanoseconds.
    /// - Returns: Since the first stamp; nil for a scan without one.
    mutating func takeScan(at time: Int64) -> Duration? {
        guard let stamp else { return nil }
        self.stamp = nil
        if let last {
            let (gone, hasOverflowed) = time.subtractingReportingOverflow(last.time)
            let kernels = hasOverflowed ? 0 : max(0, min(gone, Int64.max - Self.round))
            var step = Int64(stamp &- last.stamp) * 1000
            if kernels > step { step += (kernels - step + Self.round / 2) / Self.round * Self.round }
            let agrees = abs(step - kernels) <= Self.tolerance
            // Back at zero the clock has begun again, and only the kernel knows how long it rested.
            if !agrees || stamp == 0 && last.stamp != 0 { step = kernels }
            elapsed += min(step, Int64.max - elapsed)
        }
        last = (stamp, time)
        return .nanoseconds(elapsed)
    }
}
