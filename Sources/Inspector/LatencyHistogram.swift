// LatencyHistogram.swift: latencies in logarithmic buckets, sixteen in an octave: a percentile is exact to 4.5 %.
//
// Input     LiveRecord
// Output    count, percentiles, buckets
// Knows     durations. Not what they measure.
//
// Sources   invented

import Basics
package import Page

/// A histogram of durations from 1 µs to 16 s.
public struct LatencyHistogram: Sendable {
    private static let bucketsInOctave = 16.0
    private static let bucketCount = 24 * 16
    private static let unit = 1000.0

    private var counts = [UInt64](repeating: 0, count: LatencyHistogram.bucketCount)
    public private(set) var count: UInt64 = 0

    public init() {}

    /// Adds a duration. A shorter one than 1 µs counts as 1 µs, a longer one than 16 s as 16 s.
    public mutating func add(_ duration: Duration) {
        counts[Self.bucket(of: duration)] += 1
        count += 1
    }

    private static func bucket(of duration: Duration) -> Int {
        // The first bucket whose upper bound is not below the duration.
        var (low, high) = (0, bucketCount - 1)
        let wanted = Double(duration.nanoseconds)
        while low < high {
            let middle = (low + high) / 2
            if bounds[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The upper bound of each bucket in nanoseconds.
    private static let bounds: [Double] = {
        // The sixteenth root of two, so that an octave is exact.
        let step = 1.0442737824274138
        var bounds: [Double] = []
        for octave in 0..<(bucketCount / 16) {
            var bound = unit * Double(UInt64(1) << UInt64(octave))
            for _ in 0..<Int(bucketsInOctave) {
                bounds.append(bound)
                bound *= step
            }
        }
        return bounds
    }()

    /// The duration that this share of all does not exceed; nil without any.
    public func percentile(_ share: Double) -> Duration? {
        guard count > 0 else { return nil }
        let wanted = UInt64(max(1, (share * Double(count)).rounded(.up)))
        var sum: UInt64 = 0
        for (index, number) in counts.enumerated() {
            sum += number
            if sum >= wanted { return .nanoseconds(Int64(clamping: Self.bounds[index])) }
        }
        return nil
    }

    /// `count`, `p50`, `p90`, `p99` in nanoseconds, and `buckets`: the upper bound and the number of each that is not empty.
    package var json: JSONText {
        func nanoseconds(_ share: Double) -> JSONText { percentile(share).map { .number($0.nanoseconds) } ?? .null }
        let buckets = counts.enumerated().filter { $0.element > 0 }.map { index, number in
            JSONText.array([.number(Int64(clamping: Self.bounds[index])), .int(number)])
        }
        return .object([
            ("count", .int(count)), ("p50", nanoseconds(0.5)), ("p90", nanoseconds(0.9)), ("p99", nanoseconds(0.99)),
            ("buckets", .array(buckets)),
        ])
    }
}
