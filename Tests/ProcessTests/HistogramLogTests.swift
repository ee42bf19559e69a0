import Foundation
import Testing

@testable import touchline

@Suite("Histogram logs")
struct HistogramLogTests {
    @Test("the index of a counter has full precision up to 2,048 and half a bucket for each doubling")
    func indices() {
        let values: [UInt64] = [0, 1, 2047, 2048, 2049, 2050, 4095, 4096, 1_000_000_000]
        #expect(values.map(HistogramLog.index(of:)) == [0, 1, 2047, 2048, 2048, 2049, 3071, 3072, 21363])
    }

    @Test(
        "zigzag numbers have seven bits a byte, and eight in the ninth",
        arguments: [
            (0, [0]), (-1, [1]), (1, [2]), (63, [126]), (64, [128, 1]), (-300, [215, 4]),
            (.max, [254, 255, 255, 255, 255, 255, 255, 255, 255]),
            (.min, [255, 255, 255, 255, 255, 255, 255, 255, 255]),
        ] as [(Int64, [UInt8])])
    func zigzag(number: Int64, bytes: [UInt8]) {
        var written: [UInt8] = []
        HistogramLog.appendZigZag(number, to: &written)
        #expect(written == bytes)
    }

    @Test("a zlib stream has stored blocks of at most 65,535 bytes and a checksum")
    func zlib() {
        // The Adler-32 of "Wikipedia" is a published example.
        let bytes = HistogramLog.zlib(Array("Wikipedia".utf8))
        #expect(bytes == [0x78, 0x01, 1, 9, 0, 0xF6, 0xFF] + Array("Wikipedia".utf8) + [0x11, 0xE6, 0x03, 0x98])
        #expect(HistogramLog.zlib([UInt8](repeating: 7, count: 65_536)).count == 2 + 5 + 65_535 + 5 + 1 + 4)
        #expect(HistogramLog.zlib([]) == [0x78, 0x01, 1, 0, 0, 0xFF, 0xFF, 0, 0, 0, 1])
    }

    @Test("counts are encoded as the readers of HdrHistogram decode them")
    func encoded() {
        // HdrHistogram's reader for Python gives these counts for this text.
        let log = HistogramLog(
            counts: [(100, 2), (1500, 3), (2050, 1), (123_456, 7), (50_000_000, 1)],
            highestTrackableValue: 60_000_000_000)
        #expect(
            log.encoded == "HISTFAAAAEN4AQE4AMf/HISTEwAAABAAAAAAAAAAAwAAAAAAAAABAAAADfhHWAA/8AAAAAAAAMcBBO0VBscIAo1e"
                + "DtWJAQK/Mwkt")
    }

    @Test("a log has a head, and a tag without commas and blanks")
    func text() {
        let log = HistogramLog(counts: [(100, 2)], highestTrackableValue: 1000)
        let entries = ["a, b", "c"].map { HistogramLog.Entry(tag: $0, log: log, maximum: 100) }
        let lines = HistogramLog.text(of: entries, start: 1.5, seconds: 20).split(separator: "\n")
        #expect(lines.first == "#[Histogram log format version 1.3]")
        #expect(
            lines.suffix(2) == [
                "Tag=a--b,0.000,20.000,0.000100,\(log.encoded)", "Tag=c,0.000,20.000,0.000100,\(log.encoded)",
            ])
    }

    @Test("a percentile distribution is read without its last line and its remarks")
    func distribution() {
        let text = """
                   Value     Percentile TotalCount 1/(1-Percentile)

                  85.200 0.000000000000          1           1.00
                 120.500 0.900000000000         90          10.00
                 500.000 1.000000000000        100
            #[Mean    =       91.000, StdDeviation   =       10.000]
            """
        #expect(
            PercentileCurve(name: "c", distribution: text).steps == [
                PercentileCurve.Step(percentile: 0, value: 85.2), PercentileCurve.Step(percentile: 0.9, value: 120.5),
            ])
    }
}
