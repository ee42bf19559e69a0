// Playable.swift: a file that input-kit can play, read here first.
//
// input-kit uses the same reader. So a file that is refused here would be refused there as well, but later and in a
// running play.

import Basics
import Glibc
import HID
import Hosting
import Recordings

/// A file that input-kit can play.
struct Playable {
    let format: String
    /// The time to its last scan.
    let duration: Duration
    let recording: RecordingSummary
    /// Whether neither the recording nor the caller gives the ranges of its axes.
    let axesAreAssumed: Bool
    /// The description file beside the recording that `remark` suggests, if there is one.
    private let description: String?

    /// - Parameters:
    ///   - path: As typed, for errors.
    ///   - axes: The axes of a device, for a recording that does not describe them.
    ///   - screen: The coordinate space of points and pixels; nil for the default group's.
    /// - Throws: `Failure` with exit code 2.
    init(contentsOf path: String, axes: AxisRanges? = nil, screen: ScreenGeometry? = nil) throws {
        var recording = RecordingSummary()
        var duration = Duration.zero
        let file = try Self.read(path, axes: axes, screen: screen) { frame in
            recording.count(frame)
            duration = frame.time
        }
        if let closing = file.closing { recording.count(closing: closing) }
        guard recording.frames > 0 else {
            throw Failure.badInput("\(path): expected scans of a touch screen, found none")
        }
        (self.recording, self.duration, axesAreAssumed) = (recording, duration, file.reader.rangesAreAssumed)
        description = axesAreAssumed ? DeviceDescriptionFile.sibling(of: path) : nil
        format = file.reader.format?.rawValue ?? ""
    }

    /// - Throws: `Failure` with exit code 2 for a fault anywhere: a file with a fault is not played at all.
    private static func read(
        _ path: String, axes: AxisRanges?, screen: ScreenGeometry?, _ receive: (ContactFrame) -> Void
    ) throws -> RecordingFile {
        var about = stat()
        guard stat(path, &about) == 0 else {
            throw Failure.badInput("\(path): cannot be opened: \(String(cString: strerror(errno)))")
        }
        // A pipe can be read once only, and input-kit would find it empty.
        guard about.st_mode & S_IFMT == S_IFREG else {
            throw Failure.badInput("\(path): expected a file, found something else")
        }
        let file = try RecordingFile(path, options: RecordingOptions(ranges: axes), screen: screen, receive)
        if let fault = file.fault { throw Failure.badInput(fault) }
        return file
    }

    /// The summary: `evemu, 345 scans in 3.2 s, 9 touches, up to 2 at once`.
    var summary: String {
        let touches = recording.began == 1 ? "1 touch" : "\(recording.began) touches"
        return "\(format), \(recording.frames) scans in \(fixedText(duration.seconds, digits: 1)) s, "
            + "\(touches), up to \(recording.maxConcurrent) at once"
    }

    /// A remark on assumed axes, which may move touches; nil without assumption.
    var remark: String? {
        guard axesAreAssumed else { return nil }
        let (x, y) = (RecordingReader.assumedRanges.x, RecordingReader.assumedRanges.y)
        return "no description of the axes: x \(x.lowerBound) to \(x.upperBound), y \(y.lowerBound) to "
            + "\(y.upperBound) assumed; --describe \(description ?? "FILE") sets them"
    }
}
