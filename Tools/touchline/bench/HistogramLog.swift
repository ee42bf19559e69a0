// HistogramLog.swift: histograms as the files that HdrHistogram's own tools read.
//
//     .hgrm    the percentile distribution as text: the plotter of HdrHistogram, and the page of `bench all`
//     .hlog    the histogram log, format version 1.3, with the counts in the encoding V2: HistogramLogAnalyzer
//
// hdrhistogram-swift writes the first and not the second. The counts of an entry are in a zlib stream of stored blocks: a
// log has one entry for each series, so compression would save a few kilobytes.
//
// Sources   documented  HdrHistogram, AbstractHistogram.encodeIntoByteBuffer, ZigZagEncoding, HistogramLogWriter;
//                       RFC 1950 and RFC 1951, the zlib stream and its stored blocks

import Basics
import Foundation
import Histogram

/// The counts of one histogram as an entry of a log.
struct HistogramLog {
    /// The counts by value, ascending: a value is any one of its bucket.
    var counts: [(value: UInt64, count: UInt64)]
    var highestTrackableValue: UInt64

    /// Three significant digits need 2 × 10^3 exact values, so 2^11 in the first bucket.
    private static let (significantDigits, halfMagnitude): (Int32, Int) = (3, 10)

    /// Returns the index of a value's counter: exact values first, then half a bucket for each doubling.
    static func index(of value: UInt64) -> Int {
        let bucket = 64 - halfMagnitude - 1 - (value | ((2 << UInt64(halfMagnitude)) - 1)).leadingZeroBitCount
        return ((bucket + 1) << halfMagnitude) + Int(value >> UInt64(bucket)) - (1 << halfMagnitude)
    }

    /// The histogram in the encoding V2, compressed, as base64.
    var encoded: String {
        var payload: [UInt8] = []
        var next = 0
        for (value, count) in counts where count > 0 {
            let index = Self.index(of: value)
            // A run of zeros is its negated length.
            if index > next { Self.appendZigZag(Int64(next - index), to: &payload) }
            Self.appendZigZag(Int64(clamping: count), to: &payload)
            next = index + 1
        }
        var bytes: [UInt8] = []
        Self.append(UInt32(0x1C84_9313), to: &bytes)
        Self.append(UInt32(payload.count), to: &bytes)
        Self.append(UInt32(0), to: &bytes)
        Self.append(UInt32(bitPattern: Self.significantDigits), to: &bytes)
        Self.append(UInt64(1), to: &bytes)
        Self.append(highestTrackableValue, to: &bytes)
        Self.append(Double(1).bitPattern, to: &bytes)
        let stream = Self.zlib(bytes + payload)
        var entry: [UInt8] = []
        Self.append(UInt32(0x1C84_9314), to: &entry)
        Self.append(UInt32(stream.count), to: &entry)
        return Data(entry + stream).base64EncodedString()
    }

    /// One series of a log.
    struct Entry {
        /// The name of the series. A tag has no commas and no blanks: others become hyphens.
        var tag: String
        var log: HistogramLog
        /// The greatest value, in nanoseconds; the log says it in milliseconds.
        var maximum: UInt64
    }

    /// Returns a whole log.
    ///
    /// - Parameters:
    ///   - start: Seconds since 1970.
    ///   - seconds: The length of the measurement.
    static func text(of entries: [Entry], start: Double, seconds: Double) -> String {
        var text = """
            #[Histogram log format version 1.3]
            #[StartTime: \(fixedText(start, digits: 3)) (seconds since epoch)]
            "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"

            """
        for entry in entries {
            let tag = String(entry.tag.map { $0 == "," || $0.isWhitespace ? "-" : $0 })
            let milliseconds = fixedText(Double(entry.maximum) / 1e6, digits: 6)
            text += "Tag=\(tag),0.000,\(fixedText(seconds, digits: 3)),\(milliseconds),\(entry.log.encoded)\n"
        }
        return text
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    /// Appends a number in seven bits a byte, least significant first, the ninth byte with eight. The sign is the lowest
    /// bit.
    static func appendZigZag(_ number: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
        for _ in 0..<8 {
            guard rest >= 0x80 else { return bytes.append(UInt8(rest)) }
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Returns a zlib stream of stored blocks.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        // 32 KiB window, no dictionary, a check that makes the head divisible by 31.
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            let length = UInt16(block.count)
            for number in [length, ~length] { withUnsafeBytes(of: number.littleEndian) { stream += $0 } }
            stream += block
        } while !rest.isEmpty
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        append(high << 16 | low, to: &stream)
        return stream
    }
}

extension HistogramLog {
    init(_ latencies: Latencies) {
        self.init(
            counts: latencies.histogram.recordedValues().map { ($0.value, $0.count) },
            highestTrackableValue: latencies.histogram.highestTrackableValue)
    }
}

extension Latencies {
    /// Writes these latencies as `CASE.SERIES.hgrm`, in microseconds, and as `CASE.SERIES.hlog`, in nanoseconds.
    ///
    /// - Parameters:
    ///   - folder: A folder that exists.
    ///   - seconds: The length of the measurement.
    /// - Throws: `Failure` with exit code 2 for a folder that cannot be written.
    func writeHistogram(_ name: String, _ series: String, to folder: String, seconds: Double) throws {
        guard count > 0 else { return }
        var distribution = ""
        histogram.outputPercentileDistribution(
            to: &distribution, outputValueUnitScalingRatio: 1000, percentileTicksPerHalfDistance: 5)
        let entry = HistogramLog.text(
            of: [HistogramLog.Entry(tag: series, log: HistogramLog(self), maximum: maximum)],
            start: Date().timeIntervalSince1970 - seconds, seconds: seconds)
        for (text, end) in [(distribution, "hgrm"), (entry, "hlog")] {
            let path = "\(folder)/\(name).\(series).\(end)"
            do { try Data(text.utf8).write(to: URL(filePath: path)) } catch {
                throw Failure.badInput("\(path): cannot be written: \(error.localizedDescription)")
            }
        }
    }
}

/// A percentile distribution, read from an .hgrm file.
struct PercentileCurve: Equatable {
    struct Step: Equatable {
        /// 0..<1.
        var percentile: Double
        var value: Double
    }

    var name: String
    /// By percentile, without the last one, 100 %, which has no place on a scale of nines.
    var steps: [Step]

    /// Reads the columns value and percentile. Lines that are no numbers are left out.
    init(name: String, distribution text: String) {
        self.name = name
        steps = text.split(separator: "\n").compactMap { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count >= 3, let value = Double(words[0]), let percentile = Double(words[1]), value.isFinite,
                (0..<1).contains(percentile)
            else { return nil }
            return Step(percentile: percentile, value: value)
        }
    }
}
