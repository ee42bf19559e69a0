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

    /// - Parameters:
    ///   - path: As the person wrote it; errors name it so.
    ///   - axes: Of a device whose recording does not describe them.
    /// - Throws: `Failure` with exit code 2.
    init(contentsOf path: String, axes: AxisRanges? = nil) throws {
        var recording = RecordingSummary()
        var duration = Duration.zero
        let (reader, closing) = try Self.read(path, axes: axes) { frame in
            recording.count(frame)
            duration = frame.time
        }
        if let closing { recording.count(closing: closing) }
        guard recording.frames > 0 else {
            throw Failure.badInput("\(path): expected scans of a touch screen, found none")
        }
        (self.recording, self.duration, axesAreAssumed) = (recording, duration, reader.rangesAreAssumed)
        format = reader.format?.rawValue ?? ""
    }

    /// How far a device's axes go, by a file that describes it.
    ///
    /// - Throws: `Failure` with exit code 2, also for a file that says nothing of them.
    static func axes(describedBy path: String) throws -> AxisRanges {
        let (reader, _) = try read(path, axes: nil) { _ in }
        guard reader.format == .evemu, !reader.rangesAreAssumed else {
            throw Failure.badInput("\(path): expected a device's description with A: lines of x and y, found none")
        }
        return reader.ranges
    }

    /// - Returns: The reader at the file's end, and who was down there, cancelled.
    private static func read(
        _ path: String, axes: AxisRanges?, _ take: (ContactFrame) -> Void
    ) throws -> (RecordingReader, closing: ContactFrame?) {
        func cannot(_ call: String) -> Failure {
            .badInput("\(path): cannot be \(call): \(String(cString: strerror(errno)))")
        }
        var about = stat()
        guard stat(path, &about) == 0 else { throw cannot("opened") }
        // A pipe could be read once only, and input-kit would find it empty.
        guard about.st_mode & S_IFMT == S_IFREG else {
            throw Failure.badInput("\(path): expected a file, found something else")
        }
        guard let file = fopen(path, "re") else { throw cannot("opened") }
        defer { fclose(file) }

        let settings = Settings()
        var reader = RecordingReader(
            name: path,
            screen: ScreenGeometry(
                width: settings.number("screen.width"), height: settings.number("screen.height"), rotation: 0),
            ranges: axes)
        var frames: [ContactFrame] = []
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var closing: ContactFrame?
        do throws(RecordingError) {
            while true {
                let count = fread(&bytes, 1, bytes.count, file)
                if count == 0 { break }
                try reader.read(Array(bytes[..<count]), into: &frames)
                for frame in frames { take(frame) }
                frames.removeAll(keepingCapacity: true)
            }
            closing = try reader.finish(into: &frames)
            for frame in frames { take(frame) }
        } catch {
            throw Failure.badInput("\(error)")
        }
        guard ferror(file) == 0 else { throw cannot("read") }
        return (reader, closing)
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
            + "\(y.upperBound) assumed; --describe FILE names their description"
    }
}
