// ScanClock.swift: converts a touch device's wrapping clock to the time since its first report.
//
// Station   device
// Input     ContactTracker: each scan time of a report
// Output    the scan time of a frame
// Knows     one application's scan times. No contacts.
//
// Sources   documented  HID usage tables 16: Scan Time counts 100 µs and wraps

import Basics

/// The scan clock of one application.
struct ScanClock: Sendable {
    /// The last scan time in the device's ticks; nil before the first one.
    private(set) var value: Int64?
    /// Nanoseconds since the first scan, up to 292 years.
    private var elapsed: Int64?
    /// The time at which the last scan time was read.
    private var lastReadAt = Duration.zero

    /// The time since the first report; nil if no report had a scan time.
    var time: Duration? {
        guard let elapsed else { return nil }
        return Duration(
            secondsComponent: elapsed / 1_000_000_000, attosecondsComponent: elapsed % 1_000_000_000 * 1_000_000_000)
    }

    /// Handles the scan time of a report.
    ///
    /// - Returns: Whether the device's clock has moved.
    mutating func tick(to next: Int64, at time: Duration, _ plan: ReportPlan) -> Bool {
        let waited = time - lastReadAt
        lastReadAt = time
        guard let last = value else {
            (value, elapsed) = (next, 0)
            return true
        }
        guard next != last else { return false }
        value = next
        var ticks = next - last
        if ticks < 0 { ticks += plan.scanModulus }
        // The clock exceeds its range, or the scan time comes from another report's field.
        if ticks < 0 || ticks >= plan.scanModulus {
            ticks = (ticks % plan.scanModulus + plan.scanModulus) % plan.scanModulus
        }
        // The product is at most 2³² ticks of a millisecond: only sums can overflow.
        var passed = ticks * plan.scanTick
        if waited >= plan.halfRound { passed += plan.roundsMissed(in: waited, beside: passed) }
        let sum = (elapsed ?? 0).addingReportingOverflow(passed)
        elapsed = sum.overflow ? .max : sum.partialValue
        return true
    }
}
