// ScanClock.swift: the clock of a touch device, which counts few bits and begins again, as time since its first report.
//
// Station   device
// Input     ContactTracker: each scan time that a report carries
// Output    the scan time of a frame
// Knows     one application's scan times. No contacts.
//
// Sources   documented  HID usage tables 16: Scan Time counts 100 µs and wraps

import Basics

struct ScanClock: Sendable {
    /// The last scan time, as the device counts; nil before the first one.
    private(set) var value: Int64?
    /// Nanoseconds since the first scan, up to 292 years.
    private var elapsed: Int64?
    /// When the last scan time came.
    private var heard = Duration.zero

    /// Since the first report; nil when no report had a scan time.
    var time: Duration? {
        guard let elapsed else { return nil }
        return Duration(
            secondsComponent: elapsed / 1_000_000_000, attosecondsComponent: elapsed % 1_000_000_000 * 1_000_000_000)
    }

    /// Takes a report's scan time.
    ///
    /// - Returns: Whether the device's clock has moved.
    mutating func tick(to next: Int64, at time: Duration, _ plan: ReportPlan) -> Bool {
        let waited = time - heard
        heard = time
        guard let last = value else {
            (value, elapsed) = (next, 0)
            return true
        }
        guard next != last else { return false }
        value = next
        var ticks = next - last
        if ticks < 0 { ticks += plan.scanModulus }
        // The clock counts beyond its range, or the scan time comes from another report's field.
        if ticks < 0 || ticks >= plan.scanModulus {
            ticks = (ticks % plan.scanModulus + plan.scanModulus) % plan.scanModulus
        }
        // At most 2³² ticks of a millisecond: only the sums can be too much.
        var passed = ticks * plan.scanTick
        if waited >= plan.halfRound { passed += plan.roundsMissed(in: waited, beside: passed) }
        let sum = (elapsed ?? 0).addingReportingOverflow(passed)
        elapsed = sum.overflow ? .max : sum.partialValue
        return true
    }
}
