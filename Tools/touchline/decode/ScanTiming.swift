// ScanTiming.swift: the scan rate of a recording, its jitter and its gaps.
//
// Only the interval between two scans counts in which one contact is down in both: a panel without contacts reports nothing.
// A panel also reports nothing while a contact holds still, so a gap is not an error of the panel.
//
// Input     contact frames
// Output    `touchline decode`: text and JSON
// Knows     times. A histogram keeps the intervals, so a long recording needs no more memory.

import Basics
import Foundation
import HID
import Histogram

/// The times between scans.
struct ScanTiming {
    private var intervals = Latencies()
    /// The time of the last scan after which a contact was down.
    private var last: Duration?

    /// Counts one scan.
    mutating func count(_ frame: ContactFrame) {
        let wasDown = frame.contacts.contains { $0.phase != .began }
        if let last, wasDown { intervals.record((frame.time - last).nanoseconds) }
        let isDown = frame.contacts.contains { $0.phase != .ended && $0.phase != .cancelled }
        last = isDown ? frame.time : nil
    }

    var count: UInt64 { intervals.count }

    /// Milliseconds.
    var median: Double { milliseconds(50) }
    /// Scans per second.
    var rate: Double { median > 0 ? 1000 / median : 0 }
    /// The interval that a tenth of all exceeds, less the one that nine tenths exceed, in milliseconds.
    var jitter: Double { milliseconds(90) - milliseconds(10) }
    var longest: Double { Double(intervals.maximum) / 1e6 }
    /// The number of intervals of more than twice the median.
    var gaps: Int {
        let limit = 2 * intervals.percentile(50)
        return intervals.histogram.recordedValues().reduce(0) { $0 + ($1.value > limit ? Int(clamping: $1.count) : 0) }
    }

    private func milliseconds(_ percent: Double) -> Double { Double(intervals.percentile(percent)) / 1e6 }

    /// One line; nil without an interval.
    var text: String? {
        guard count > 0 else { return nil }
        func shown(_ number: Double) -> String { fixedText(number, digits: 1) }
        return "\(shown(rate)) scans a second: interval \(shown(median)) ms, jitter \(shown(jitter)) ms, "
            + "longest \(shown(longest)) ms, \(gaps) \(gaps == 1 ? "gap" : "gaps")"
    }

    /// Null without an interval.
    var json: Any {
        guard count > 0 else { return NSNull() }
        func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }
        return [
            "intervals": Int(clamping: count), "rate": rounded(rate), "medianInterval": rounded(median),
            "jitter": rounded(jitter), "longestInterval": rounded(longest), "gaps": gaps,
        ] as [String: Any]
    }
}
