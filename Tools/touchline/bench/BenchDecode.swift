// BenchDecode.swift: the speed of reading recordings, the growth of memory with them, and the cost of a HID report.
//
// For each format a file is written as the format's own tools write it (BenchDecodeFiles.swift). It is read as
// `touchline decode` reads it: file, reader, summary, on one thread. The file is unlinked from the start, so that no
// exit leaves it behind.
//
//     MB/s       10^6 bytes of the file
//     events/s   lines that carry an event: E: lines, pointer items, reports
//     frames/s   scans of five fingers
//     growth     of the process's peak memory, reset before each file; a streaming reader does not grow with the file
//
// `HID reports in memory` is the report decoder alone, without any text.

import ArgumentParser
import Basics
import CSystem
import Foundation
import HID
import Recordings

/// The command `touchline bench decode`.
struct BenchDecode: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Measure the speed and memory of reading recordings, for each format.",
        discussion: """
            Writes a recording of five fingers in every format to $TMPDIR, and reads it as `touchline decode` does. Finger \
            scripts and Actions files are as long as their readers allow, because these readers keep the whole file. The \
            aims are 2,000,000 HID reports per second from memory, and 150 MB/s of evemu. Build with \
            `swift build -c release` first.

            Exits 0 when the measurement is complete, 1 when a reader reads other contents than were written or a figure is \
            beyond a limit, 2 when an option cannot be used, 3 when no file can be made.
            """)

    @Option(help: ArgumentHelp("Size of each file in units of 1,000,000 bytes.", valueName: "number"))
    var megabytes = 100

    @Option(
        name: .customLong("format"), parsing: .upToNextOption,
        help: ArgumentHelp("The formats to measure (default: all).", valueName: "name"))
    var formats: [BenchDecodeFormat] = []

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Number of times to read each file; the median is printed.", valueName: "count"))
    var repeats = 3

    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--megabytes", megabytes, in: 1...100_000)
        try expect("--repeat", repeats, in: 1...100)
    }

    func run() throws {
        let judge = try figureOptions.judge()
        let chosen = BenchDecodeFormat.allCases.filter { formats.isEmpty || formats.contains($0) }
        var rows: [DecodeFigures.Row] = []
        var bar = ProgressBar(linesEvery: .seconds(10))
        for (index, format) in chosen.enumerated() {
            let progressLabel = "\(index + 1) of \(chosen.count): \(format.rawValue)"
            rows.append(
                try format == .reports ? measureReports(progressLabel, &bar) : measure(format, progressLabel, &bar))
        }
        bar.clear()
        let figures = DecodeFigures(megabytes: megabytes, repeats: repeats, rows: rows)
        try judge.finish(figures.figures, options: result, json: figures) { figures.text }
    }

    private func measure(
        _ format: BenchDecodeFormat, _ label: String, _ bar: inout ProgressBar
    ) throws -> DecodeFigures.Row {
        bar.show("\(label), writing")
        let file = try NamelessFile()
        let written = try BenchDecodeWriter(format).write(megabytes * 1_000_000, to: file)
        var times: [Double] = []
        let residentBytes = PeakMemory.reset()
        for _ in 0..<repeats {
            bar.show("\(label), reading")
            var summary = RecordingSummary()
            let start = system_clock()
            let recording = try RecordingFile(file.path) { summary.count($0) }
            if let closing = recording.closing { summary.count(closing: closing) }
            times.append(Double(system_clock() - start) / 1e9)
            guard recording.fault == nil, summary.frames == written.frames, summary.began == written.began,
                summary.began == summary.ended + summary.cancelled, recording.reader.format == format.recording
            else {
                throw Failure.negativeResult(
                    "\(format.rawValue): wrote \(written.frames) frames, \(written.began) fingers; read "
                        + "\(summary.frames), \(summary.began); \(recording.fault ?? "no fault")")
            }
        }
        return DecodeFigures.Row(
            format: format, bytes: written.bytes, events: written.events, frames: written.frames,
            times: times, growth: residentBytes.map { PeakMemory.peak - $0 })
    }

    private func measureReports(_ label: String, _ bar: inout ProgressBar) throws -> DecodeFigures.Row {
        // One stay of all five fingers repeats: it ends when all are lifted.
        var panel = BenchPanel()
        var reports: [[UInt8]] = []
        for _ in 0..<BenchPanel.scansOfStay {
            reports.append(BenchReports.report(of: panel))
            panel.advance()
        }
        let stays = max(1, megabytes * 1_000_000 / BenchReports.size / BenchPanel.scansOfStay)
        var times: [Double] = []
        let residentBytes = PeakMemory.reset()
        for _ in 0..<repeats {
            bar.show(label)
            var decoder = TouchReportDecoder(descriptor: BenchReports.descriptor)
            var frames: [ContactFrame] = []
            var (made, summary) = (0, RecordingSummary())
            let start = system_clock()
            for stay in 0..<stays {
                for (index, report) in reports.enumerated() {
                    let time = Duration.milliseconds((stay * BenchPanel.scansOfStay + index) * 8)
                    decoder.decode(report.span, at: time, into: &frames)
                }
                made += frames.count
                if stay < stays - 1 { frames.removeAll(keepingCapacity: true) }
            }
            times.append(Double(system_clock() - start) / 1e9)
            for frame in frames { summary.count(frame) }
            guard made == stays * BenchPanel.scansOfStay, summary.ended == BenchPanel.fingers else {
                throw Failure.negativeResult("reports: \(stays * BenchPanel.scansOfStay) made, \(made) frames decoded")
            }
        }
        let count = stays * BenchPanel.scansOfStay
        return DecodeFigures.Row(
            format: .reports, bytes: count * BenchReports.size, events: count, frames: count,
            times: times, growth: residentBytes.map { PeakMemory.peak - $0 })
    }
}

/// The subject of a measurement: a recording format as its tools write it, or the report decoder alone.
enum BenchDecodeFormat: String, CaseIterable, Encodable, ExpressibleByArgument {
    /// The report decoder alone.
    case reports = "hid-reports"
    case hidRecorder = "hid-recorder"
    case evemu
    /// As evemu-record writes it since 1.1, with a comment after every event.
    case evemuComments = "evemu-comments"
    case evtest, getevent
    case libinputRecord = "libinput-record"
    case journal = "touchline-journal"
    case webdriverActions = "webdriver-actions"
    case script = "touchline-script"

    /// The format that the reader must detect; nil when there is no file.
    var recording: RecordingFormat? {
        self == .evemuComments ? .evemu : RecordingFormat(rawValue: rawValue)
    }

    /// The aim: events a second, or 10^6 bytes a second.
    var aim: (reportsPerSecond: Double?, megabytesPerSecond: Double?) {
        switch self {
        case .reports: (2e6, nil)
        case .evemu: (nil, 150)
        default: (nil, nil)
        }
    }
}

/// The JSON output and the table.
struct DecodeFigures: Encodable {
    struct Row: Encodable {
        var format: BenchDecodeFormat
        /// The size of the file, or of the reports.
        var bytes: Int
        /// Event lines, items or reports.
        var events: Int
        var frames: Int
        /// The seconds of each repeat.
        var times: [Double]
        /// Bytes by which the peak of resident memory rose. Nil where the kernel does not reset it.
        var growth: Int?

        /// The median of the repeats.
        var seconds: Double { median(times) }
        var megabytesPerSecond: Double { Double(bytes) / 1e6 / seconds }
        var eventsPerSecond: Double { Double(events) / seconds }

        /// Nil without an aim.
        var meetsAim: Bool? {
            if let aim = format.aim.reportsPerSecond { return eventsPerSecond >= aim }
            return format.aim.megabytesPerSecond.map { megabytesPerSecond >= $0 }
        }

        enum Key: String, CodingKey {
            case format, bytes, events, frames, seconds, growth, megabytesPerSecond, eventsPerSecond
            case framesPerSecond, meetsAim
        }

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(format, forKey: .format)
            try object.encode(bytes, forKey: .bytes)
            try object.encode(events, forKey: .events)
            try object.encode(frames, forKey: .frames)
            try object.encode(seconds, forKey: .seconds)
            try object.encode(growth, forKey: .growth)
            try object.encode(megabytesPerSecond, forKey: .megabytesPerSecond)
            try object.encode(eventsPerSecond, forKey: .eventsPerSecond)
            try object.encode(Double(frames) / seconds, forKey: .framesPerSecond)
            try object.encode(meetsAim, forKey: .meetsAim)
        }
    }

    var megabytes: Int
    var repeats: Int
    var rows: [Row]

    var figures: [BenchFigure] {
        rows.flatMap { row in
            func figure(_ metric: String, _ unit: String, _ values: [Double]) -> BenchFigure {
                BenchFigure(group: "decode", name: row.format.rawValue, metric: metric, unit: unit, values: values)
            }
            return [
                figure("speed", "MB/s", row.times.map { Double(row.bytes) / 1e6 / $0 }),
                figure("events", "events/s", row.times.map { Double(row.events) / $0 }),
                figure("frames", "frames/s", row.times.map { Double(row.frames) / $0 }),
                figure("growth", "bytes", row.growth.map { [Double($0)] } ?? []),
            ].filter { !$0.values.isEmpty }
        }
    }

    var text: [String] {
        var table = [["format", "MB", "MB/s", "events/s", "frames/s", "growth MB", "aim"]]
        for row in rows {
            let aim: String =
                switch row.format.aim {
                case (let reports?, _): "\(Int(reports)) reports/s: "
                case (_, let megabytes?): "\(Int(megabytes)) MB/s: "
                case (nil, nil): ""
                }
            table.append([
                row.format.rawValue, fixedText(Double(row.bytes) / 1e6, digits: 1),
                fixedText(row.megabytesPerSecond, digits: 0), fixedText(row.eventsPerSecond, digits: 0),
                fixedText(Double(row.frames) / row.seconds, digits: 0),
                row.growth.map { fixedText(Double($0) / 1e6, digits: 1) } ?? "-",
                aim + (row.meetsAim.map { $0 ? "met" : "missed" } ?? ""),
            ])
        }
        return ["one thread, the median of \(repeats) readings", ""] + aligned(table)
    }
}

/// The peak of this process's resident memory, as the kernel counts it.
enum PeakMemory {
    /// In bytes.
    static var peak: Int { line("VmHWM:") }

    /// Resets the peak.
    ///
    /// - Returns: The resident bytes now; nil where the kernel has no such reset.
    static func reset() -> Int? {
        guard let file = fopen("/proc/self/clear_refs", "we") else { return nil }
        let isWritten = fputs("5", file) >= 0
        return fclose(file) == 0 && isWritten ? line("VmRSS:") : nil
    }

    private static func line(_ key: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let found = text.split(separator: "\n").first { $0.hasPrefix(key) }
        return (found?.split(whereSeparator: \.isWhitespace).dropFirst().first).flatMap { Int($0) }.map { $0 * 1024 }
            ?? 0
    }
}

/// An unlinked file in $TMPDIR. It disappears with this object or with the process.
final class NamelessFile {
    /// The path by which this process can open it.
    let path: String
    private let descriptor: Int32

    init() throws {
        let folder = FileManager.default.temporaryDirectory.path
        var template = Array("\(folder)/touchline-bench-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw Failure.group("\(folder): cannot create a file: \(String(cString: strerror(errno)))")
        }
        unlink(template)
        path = "/proc/self/fd/\(descriptor)"
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                throw Failure.group("the file cannot be written: \(String(cString: strerror(errno)))")
            }
            rest = rest.dropFirst(count)
        }
    }
}
