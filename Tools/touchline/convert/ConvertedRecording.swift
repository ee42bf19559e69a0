// ConvertedRecording.swift: a recording that has been read once, and can be read again and written.

import Basics
import Glibc
import HID
import Recordings

/// A recording that can be written in another format.
struct ConvertedRecording {
    let format: RecordingFormat
    let summary: RecordingSummary
    /// Remarks for a person: ignored, assumed and omitted contents.
    let remarks: [String]

    private let path: String
    private let options: RecordingOptions
    private let screen: ScreenGeometry?
    private let device: DeviceDescription
    /// The ranges of its positions.
    let ranges: AxisRanges
    private let contactsAtOnce: Int
    private let contactProtocol: ContactProtocol?
    private let mode: ReportingMode?
    private let duration: Duration
    /// The end of the recording, which its last frame does not show.
    private let end: Duration?
    private let hasOtherInputs: Bool
    /// The frames of a file that can be read only once.
    private let frames: [ContactFrame]?

    /// - Throws: `Failure` with exit code 2, also for a recording with a fault, and for one without a frame.
    init(
        _ path: String, format: RecordingFormat?, options: RecordingOptions, screen: ScreenGeometry?
    ) throws {
        var about = stat()
        let canBeReadAgain = path != "-" && stat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFREG
        var summary = RecordingSummary()
        var capacity = RecordingCapacity()
        var frames: [ContactFrame] = []
        var duration = Duration.zero
        var progress = ReadingProgress(path)
        defer { progress.end() }
        let file = try RecordingFile(
            path, format: format, options: options, screen: screen, progress: { progress.update($0, of: $1) }
        ) { frame in
            summary.count(frame)
            capacity.count(frame)
            duration = frame.time
            if !canBeReadAgain { frames.append(frame) }
        }
        progress.end()
        if let fault = file.faultNamingScreen { throw Failure.badInput(fault) }
        if let closing = file.closing { summary.count(closing: closing) }
        guard let format = file.reader.format, summary.frames > 0 else {
            let why = file.reader.remarks.first.map { ": \($0)" } ?? ""
            throw Failure.badInput("\(path): expected scans of a touch device, found none\(why)")
        }
        var device = file.reader.device
        if device.ranges == nil, let given = options.ranges {
            // The axes come from the command line.
            device.x = DeviceAxis(minimum: given.x.lowerBound, maximum: given.x.upperBound)
            device.y = DeviceAxis(minimum: given.y.lowerBound, maximum: given.y.upperBound)
        }
        var remarks = file.reader.remarks
        if device.ranges == nil {
            remarks.append("no description of the axes: 0 to 32767 is assumed; --range or --describe sets them")
        }
        (self.path, self.options, self.screen, self.format) = (path, options, screen, format)
        (self.summary, self.remarks, self.device, ranges) = (summary, remarks, device, file.reader.ranges)
        (self.contactsAtOnce, contactProtocol, mode) = (
            capacity.contactsAtOnce, file.reader.contactProtocol, file.reader.reportingMode
        )
        (self.duration, end, self.frames) = (duration, file.closing?.time, canBeReadAgain ? nil : frames)
        hasOtherInputs =
            file.reader.scriptReports?.contains { if case .device = $0 { true } else { false } } ?? false
    }

    /// - Parameters:
    ///   - screen: The coordinate space of the output; the panel's own units when nil.
    ///   - put: Receives the file in pieces, and empties each.
    /// - Returns: The contents that the format cannot express.
    func write(
        as format: RecordingFormat, on screen: ScreenGeometry?, _ put: (inout [UInt8]) throws -> Void
    ) throws -> RecordingTraits {
        if format == .script, duration > FingerScript.timeLimit {
            throw Failure.badInput(
                "\(path): expected at most \(FingerScript.timeLimit.seconds) s for a script, found "
                    + "\(duration.seconds) s: choose another format")
        }
        var options = RecordingWriter.Options()
        (options.screen, options.contactsAtOnce, options.contactProtocol, options.mode) = (
            screen, contactsAtOnce, contactProtocol, mode
        )
        var writer = RecordingWriter(format, device: device, ranges: ranges, options: options)
        var bytes: [UInt8] = []
        try forEachFrame { frame in
            writer.write(frame, into: &bytes)
            if bytes.count >= OutputFile.pieceSize { try put(&bytes) }
        }
        writer.finish(at: end, into: &bytes)
        try put(&bytes)
        return hasOtherInputs ? writer.losses.union(.otherInputs) : writer.losses
    }

    /// Reads all frames again from the first one.
    func forEachFrame(_ body: (ContactFrame) throws -> Void) throws {
        if let frames {
            for frame in frames { try body(frame) }
            return
        }
        let again = try RecordingFile(path, format: format, options: options, screen: screen, body)
        if let fault = again.fault { throw Failure.badInput(fault) }
    }
}
