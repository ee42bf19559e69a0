// Playable.swift: a file that input-kit will be able to play, read here first.
//
// The same reader reads it there, so what is refused here would have been refused there, only later and with a
// group in the middle of it.

import Basics
import Glibc
import HID
import Hosting
import Recordings

struct Playable {
    let format: String
    /// To its last scan.
    let duration: Duration
    let recording: RecordingSummary
    /// Nobody says how far its axes go.
    let axesAreAssumed: Bool
    /// What describes them, when it lies beside the file.
    private let description: String?

    /// - Parameters:
    ///   - path: As the person wrote it; errors name it so.
    ///   - axes: Of a device whose recording does not describe them.
    ///   - screen: The group's, where points and pixels are; nil for that of a group nobody configured.
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

    /// - Throws: `Failure` with exit code 2 for a fault anywhere: what cannot be read whole is not played at all.
    private static func read(
        _ path: String, axes: AxisRanges?, screen: ScreenGeometry?, _ take: (ContactFrame) -> Void
    ) throws -> RecordingFile {
        var about = stat()
        guard stat(path, &about) == 0 else {
            throw Failure.badInput("\(path): cannot be opened: \(String(cString: strerror(errno)))")
        }
        // A pipe could be read once only, and input-kit would find it empty.
        guard about.st_mode & S_IFMT == S_IFREG else {
            throw Failure.badInput("\(path): expected a file, found something else")
        }
        let file = try RecordingFile(path, options: RecordingOptions(ranges: axes), screen: screen, take)
        if let fault = file.fault { throw Failure.badInput(fault) }
        return file
    }

    /// `evemu, 345 scans in 3.2 s, 9 touches, up to 2 at once`
    var summary: String {
        let touches = recording.began == 1 ? "1 touch" : "\(recording.began) touches"
        return "\(format), \(recording.frames) scans in \(fixedText(duration.seconds, digits: 1)) s, "
            + "\(touches), up to \(recording.maxConcurrent) at once"
    }

    /// What a person should know before they wonder where the touches went; nil when there is nothing.
    var remark: String? {
        guard axesAreAssumed else { return nil }
        let (x, y) = (RecordingReader.assumedRanges.x, RecordingReader.assumedRanges.y)
        return "its axes are described nowhere: x \(x.lowerBound) to \(x.upperBound), y \(y.lowerBound) to "
            + "\(y.upperBound) assumed; --describe \(description ?? "FILE") names their description"
    }
}
