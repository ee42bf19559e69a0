// Latencies.swift: histograms of the time that frames took to an app, with 32 bins per doubling.
//
// Input     Audit+App
// Output    law I5
//
// Sources   Docs/Spec/Pipeline.md section 3, I5; invented: the bins, as HdrHistogram's

import Basics

/// The latencies of frames to one app.
struct AppLatencies: Sendable {
    var calm = Latencies()
    /// The latencies while another app was disturbed.
    var disturbed = Latencies()
}

/// A histogram of durations.
struct Latencies: Sendable {
    private var bins: [UInt32] = []
    private(set) var count: UInt64 = 0

    /// The number of bins per doubling.
    private static let binsPerDoubling = 32

    mutating func add(_ duration: Int64) {
        if bins.isEmpty { bins = [UInt32](repeating: 0, count: 64 * Self.binsPerDoubling) }
        bins[Self.bin(of: UInt64(max(0, duration)))] &+= 1
        count += 1
    }

    /// The 99th percentile in nanoseconds; nil without values.
    var p99: Int64? {
        guard count > 0 else { return nil }
        var left = (count * 99 + 99) / 100
        for bin in bins.indices {
            guard UInt64(bins[bin]) < left else { return Int64(clamping: Self.top(of: bin)) }
            left -= UInt64(bins[bin])
        }
        return nil
    }

    private static func bin(of value: UInt64) -> Int {
        guard value >= UInt64(binsPerDoubling) else { return Int(value) }
        let doubling = 63 - value.leadingZeroBitCount
        let bin = Int(value >> UInt64(doubling - 5)) & (binsPerDoubling - 1)
        return (doubling - 4) * binsPerDoubling + bin
    }

    private static func top(of bin: Int) -> UInt64 {
        guard bin >= binsPerDoubling else { return UInt64(bin) }
        let doubling = bin / binsPerDoubling + 4
        let step = UInt64(1) << UInt64(doubling - 5)
        let bottom = (UInt64(binsPerDoubling + bin % binsPerDoubling)) << UInt64(doubling - 5)
        return bottom + (step - 1)
    }
}
