// RecordingFile.swift: a recording from disk or stdin, with or without gzip, read to its end or to its first fault.
//
// Input     a path as typed
// Output    the verbs that read recordings without a group: decode, convert, and replay before it plays
//
// The file is read in pieces, so memory does not grow with the file, nor with the inflated size of a gzip file.

import Basics
import Glibc
import HID
import Recordings
import Settings
import ZeroMQHost

/// The bytes of a file, inflated if it is compressed.
final class ByteSource {
    /// The name in errors.
    let name: String
    /// Nil for a pipe.
    let size: Int64?
    /// The position in the file, before inflation.
    private(set) var position: Int64 = 0
    private let descriptor: Int32
    private var inflater: GzipInflater?
    /// The first bytes, which show whether the file is compressed.
    private var beginning: [UInt8]?

    private static let pieceSize = 1 << 18

    /// - Parameter path: `-` is stdin.
    /// - Throws: `Failure` with exit code 2.
    init(_ path: String) throws {
        name = path == "-" ? "stdin" : path
        let number = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { throw Self.failure(name, "opened") }
        var about = stat()
        guard fstat(number, &about) == 0, about.st_mode & S_IFMT != S_IFDIR else {
            close(number)
            throw Failure.badInput("\(name): expected a file, found a folder")
        }
        (descriptor, size) = (number, about.st_mode & S_IFMT == S_IFREG ? Int64(about.st_size) : nil)
        var first: [UInt8] = []
        while first.count < GzipInflater.magic.count {
            let more = try stored()
            if more.isEmpty { break }
            first += more
        }
        if first.starts(with: GzipInflater.magic) {
            inflater = GzipInflater()
            inflater?.addInput(first)
        } else {
            beginning = first
        }
    }

    deinit { close(descriptor) }

    private static func failure(_ name: String, _ call: String) -> Failure {
        .badInput("\(name): cannot be \(call): \(String(cString: strerror(errno)))")
    }

    /// Returns the next bytes, empty at the end.
    ///
    /// - Throws: `Failure` with exit code 2 and the position.
    func next() throws -> [UInt8] {
        guard let inflater else {
            defer { beginning = nil }
            return try beginning ?? stored()
        }
        while true {
            let bytes: [UInt8]
            do throws(GzipError) { bytes = try inflater.nextBytes(limit: Self.pieceSize) } catch {
                throw Failure.badInput("\(name): \(error)")
            }
            if !bytes.isEmpty || inflater.isAtEnd { return bytes }
            inflater.addInput(try stored())
        }
    }

    private func stored() throws -> [UInt8] {
        while true {
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
                let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                failure = result < 0 ? errno : 0
                count = max(0, result)
            }
            if failure == 0 {
                position += Int64(bytes.count)
                return bytes
            }
            errno = failure
            guard failure == EINTR else { throw Self.failure(name, "read") }
        }
    }
}

/// A recording that has been read.
struct RecordingFile {
    /// The reader at the file's end, or at its fault: format, device, ignored lines.
    let reader: RecordingReader
    /// Cancels of the contacts that were still down, which is no scan of the device. Nil without any.
    let closing: ContactFrame?
    /// The fault that ended the reading: one line with file and line. Nil without a fault.
    let fault: String?

    /// Reads a recording.
    ///
    /// - Parameters:
    ///   - path: As typed, for errors; `-` is stdin.
    ///   - format: Nil to detect it from the content.
    ///   - screen: The coordinate space of a script's points and WebDriver's pixels; nil for the group's.
    ///   - progress: Called about every 250 kB with the bytes read and the size, if it is known.
    ///   - events: Receives the IOHIDEvents of HID reports, if `options` keep them.
    ///   - take: Receives every scan in order, also the scans before a fault.
    /// - Throws: `Failure` with exit code 2 when nothing could be read: no file, no known format.
    init(
        _ path: String, format: RecordingFormat? = nil, options: RecordingOptions = RecordingOptions(),
        screen: ScreenGeometry? = nil, progress: ((_ read: Int64, _ of: Int64?) -> Void)? = nil,
        events: ((HIDEvent) throws -> Void)? = nil, _ take: (ContactFrame) throws -> Void
    ) throws {
        let source = try ByteSource(path)
        let settings = Settings()
        var reader = RecordingReader(
            name: source.name, format: format,
            screen: screen
                ?? ScreenGeometry(
                    width: settings[.screenWidth], height: settings[.screenHeight], rotation: 0),
            options: options)
        var frames: [ContactFrame] = []
        var last: ContactFrame?
        func hand() throws {
            for frame in frames { try take(frame) }
            if let events { for event in reader.removeIOHIDEvents() { try events(event) } }
            if let frame = frames.last { last = frame }
            frames.removeAll(keepingCapacity: true)
        }
        var closing: ContactFrame?
        var fault: String?
        do {
            while case let bytes = try source.next(), !bytes.isEmpty {
                try reader.read(bytes, into: &frames)
                try hand()
                progress?(source.position, source.size)
            }
            closing = try reader.finish(into: &frames)
            try hand()
        } catch let error as RecordingError {
            fault = "\(error)"
        } catch let failure as Failure where failure.code == 2 {
            fault = failure.line
        }
        if let fault {
            guard reader.format != nil else { throw Failure.badInput(fault) }
            let down = reader.abandon(into: &frames)
            try hand()
            closing = down ?? last?.cancellingDownContacts
        }
        (self.reader, self.closing, self.fault) = (reader, closing, fault)
    }
}

extension RecordingFile {
    /// The fault with a hint at --screen, for commands with that option.
    var faultNamingScreen: String? {
        // A body of actions contains no screen size, so only its positions show it.
        fault.map { $0.contains("(move target out of bounds)") ? "\($0): --screen WxH sets its size" : $0 }
    }
}

/// The progress of a long read, rewritten in place on a terminal and not shown elsewhere.
struct ReadingProgress {
    private let name: String
    private let begun = monotonicNow()
    private var shown = monotonicNow()
    private var isShown = false

    init(_ name: String) { self.name = name }

    mutating func update(_ read: Int64, of size: Int64?) {
        let now = monotonicNow()
        guard begun.duration(to: now) > .seconds(1), shown.duration(to: now) > .milliseconds(200),
            Output.isWatched
        else { return }
        (shown, isShown) = (now, true)
        let share = size.map { $0 > 0 ? ", \(read * 100 / $0) %" : "" } ?? ""
        progress("\(name): \(read >> 20) MiB read\(share)")
    }

    /// Removes the line.
    mutating func end() {
        if isShown { progress("") }
        isShown = false
    }
}
