// LatencyHistogram.swift: the latencies of touches, for the page.
//
// Input     TouchWays
// Output    count, percentiles, buckets
// Knows     durations. Histogram counts them.
//
// Sources   invented

import Basics
import Histogram
package import Page

/// A histogram of durations from 1 ns to 16 s, with two significant digits.
public struct LatencyHistogram: Sendable {
    private static let longest: UInt64 = 16_000_000_000

    private var histogram = Histogram<UInt64>(
        highestTrackableValue: LatencyHistogram.longest, numberOfSignificantValueDigits: .two)

    public init() {}

    public var count: UInt64 { histogram.totalCount }

    /// Adds a duration. A longer one than 16 s counts as 16 s.
    public mutating func add(_ duration: Duration) {
        histogram.record(min(UInt64(max(0, duration.nanoseconds)), Self.longest))
    }

    /// The duration that this share of all does not exceed; nil without any.
    public func percentile(_ share: Double) -> Duration? {
        guard count > 0 else { return nil }
        return .nanoseconds(Int64(clamping: histogram.valueAtPercentile(share * 100)))
    }

    /// `count`, `p50`, `p90`, `p99` in nanoseconds, and `buckets`: upper bound and number, from 1 µs on, eight in an octave.
    package var json: JSONText {
        func nanoseconds(_ share: Double) -> JSONText { percentile(share).map { .number($0.nanoseconds) } ?? .null }
        var buckets: [JSONText] = []
        if count > 0 {
            let steps = histogram.logarithmicBucketValues(valueUnitsInFirstBucket: 1000, logBase: Self.step)
            for bucket in steps where bucket.countAddedInThisIterationStep > 0 {
                let bound = JSONText.number(Int64(clamping: bucket.value))
                buckets.append(.array([bound, .int(bucket.countAddedInThisIterationStep)]))
            }
        }
        return .object([
            ("count", .int(count)), ("p50", nanoseconds(0.5)), ("p90", nanoseconds(0.9)), ("p99", nanoseconds(0.99)),
            ("buckets", .array(buckets)),
        ])
    }

    /// The eighth root of two.
    private static let step = 1.0905077326652577
}
