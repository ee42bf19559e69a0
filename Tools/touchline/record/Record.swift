// Record.swift: `touchline record`: the input of a live device, as a recording in a common format.

import ArgumentParser
import Basics
import Foundation
import Glibc
import HID
import Hosting
import Recordings
import ZeroMQHost

/// The command `touchline record`.
struct Record: CommandWithResult {
    static let configuration = CommandConfiguration(
        abstract: "Record the input of a touch device: as evemu for evdev, as hid-recorder text for hidraw.",
        discussion: """
            The file begins with the description of the device, so that evemu-device or hid-replay can create the same \
            device. The recording ends with Ctrl-C, with the device, or after --seconds. The file has whole scans only. \
            Fingers may be down before its first line and after its last.

            Without --grab other processes receive the device's events as well. `touchline devices` lists the devices.

            Exits 0 when the recording has ended, 2 when the device cannot be read or the file cannot be written.
            """)

    @Option(help: ArgumentHelp("The device: /dev/input/event3, /dev/hidraw0.", valueName: "file"))
    var device: String

    @Argument(help: ArgumentHelp("The recording; - is stdout.", valueName: "file"))
    var out: String

    @Option(help: ArgumentHelp("Stop after S seconds.", valueName: "seconds"))
    var seconds: Double?

    @Flag(help: "Keep the device's events from all other processes (evdev).")
    var grab = false

    @OptionGroup var result: ResultOptions

    func validate() throws {
        if out == "-", result.json || result.outputFile != nil {
            throw ValidationError("--json and --output: expected a file for the recording, found -")
        }
        if let seconds, !(seconds > 0 && seconds <= 86_400) {
            throw ValidationError("--seconds: expected more than 0 and at most 86400, found \(seconds)")
        }
    }

    func run() throws {
        let path = absolute(device)
        let interruption = try Interruption()
        let file: DeviceFile
        do throws(DeviceError) {
            file = try DeviceFile(path, grab: grab)
        } catch { throw Failure.badInput("\(error)") }
        var recording = DeviceRecording(of: file.facts)
        let output = try RecordingOutput(out)
        try output.write(recording.head)
        let name = file.facts.identity.name
        printError("recording \(path)\(name.isEmpty ? "" : ", \"\(name)\""); Ctrl-C ends it")

        let begun = monotonicNow()
        let end = seconds.map { begun.advanced(by: Duration(seconds: $0)) }
        var nextStatusTime = begun.advanced(by: .seconds(5))
        var reason: String?
        while reason == nil {
            let now = monotonicNow()
            if let end, now >= end {
                reason = "time is up"
                break
            }
            if now >= nextStatusTime {
                printError("\(recording.summary) in \(fixedText(begun.duration(to: now).seconds, digits: 0)) s")
                nextStatusTime = now.advanced(by: .seconds(5))
            }
            let left = now.duration(to: min(nextStatusTime, end ?? .never)).nanoseconds / 1_000_000 + 1
            if interruption.wait(for: file.descriptor, milliseconds: Int32(clamping: left)) {
                reason = "interrupted"
                break
            }
            // A FIFO without a writer yet would read as one with closed writers.
            var item = pollfd(fd: file.descriptor, events: Int16(POLLIN), revents: 0)
            guard file.hasEarlyPackets || poll(&item, 1, 0) > 0 else { continue }
            var findings: [DeviceFile.ReadResult] = []
            reason = file.read(into: &findings)
            let moment = monotonicNow()
            for case .bytes(let bytes) in findings { recording.add(bytes, at: moment) }
            try output.write(recording.removeText())
        }
        let length = begun.duration(to: monotonicNow())
        if result.json {
            try printJSON([
                "device": path, "name": name, "file": out, "events": recording.events, "scans": recording.scans,
                "seconds": length.seconds, "reason": reason ?? "",
            ])
            return
        }
        let printResult = out == "-" ? printError : printLine
        printResult("\(out): \(recording.summary) in \(fixedText(length.seconds, digits: 1)) s; \(reason ?? "")")
    }
}

/// The bytes of a device as lines, in whole scans.
struct DeviceRecording {
    private let facts: DeviceFacts
    private var text: [UInt8] = []
    /// The lines of the incomplete scan.
    private var scan: [UInt8] = []
    private var scanEvents = 0
    /// The time of the first event in nanoseconds.
    private var origin: Int64?
    private(set) var events = 0
    private(set) var scans = 0

    init(of facts: DeviceFacts) { self.facts = facts }

    var head: [UInt8] {
        switch facts {
        case .evdev(let facts): return Array(facts.evemuHead.utf8)
        case .hidraw(let facts):
            let identity = facts.identity
            func clean(_ text: String) -> String { text.filter { !$0.isNewline } }
            func hex(_ number: UInt16) -> String { String(number, radix: 16) }
            let lines = [
                "D: 0", "R: \(facts.descriptor.count) " + Self.hex(facts.descriptor), "N: \(clean(identity.name))",
                "P: \(clean(identity.physicalPath))",
                "I: \(hex(identity.bus)) \(hex(identity.vendor)) \(hex(identity.product))",
            ]
            return Array((lines.joined(separator: "\n") + "\n").utf8)
        }
    }

    var summary: String {
        switch facts {
        case .evdev: "\(events) events, \(scans) scans"
        case .hidraw: "\(events) reports"
        }
    }

    /// - Parameter moment: The moment of arrival. An event's own stamp has precedence.
    mutating func add(_ bytes: [UInt8], at moment: Instant) {
        switch facts {
        case .evdev: for start in stride(from: 0, to: bytes.count / 24 * 24, by: 24) { addEvent(bytes, start) }
        case .hidraw:
            guard !bytes.isEmpty else { return }
            let time = since(moment.nanoseconds, first: 0)
            text += Array("E: \(Self.stamp(time, digits: 6)) \(bytes.count) \(Self.hex(bytes))\n".utf8)
            (events, scans) = (events + 1, scans + 1)
        }
    }

    private mutating func addEvent(_ bytes: [UInt8], _ start: Int) {
        func number(_ offset: Int, _ count: Int) -> UInt64 {
            (0..<count).reduce(0) { $0 | UInt64(bytes[start + offset + $1]) << UInt64(8 * $1) }
        }
        let seconds = Int64(truncatingIfNeeded: min(number(0, 8), 9_000_000_000))
        let microseconds = Int64(truncatingIfNeeded: min(number(8, 8), 999_999))
        // evemu's first event is at one microsecond; none is at 0.
        let time = since(seconds * 1_000_000_000 + microseconds * 1000, first: 1000)
        let (type, code) = (UInt16(number(16, 2)), UInt16(number(18, 2)))
        let value = Int32(truncatingIfNeeded: number(20, 4))
        func four(_ number: UInt16) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 4 - text.count) + text
        }
        scan += Array("E: \(Self.stamp(time, digits: 6)) \(four(type)) \(four(code)) \(value)\n".utf8)
        scanEvents += 1
        guard (type, code) == (0, 0) else { return }
        text += scan
        scan.removeAll(keepingCapacity: true)
        (events, scans, scanEvents) = (events + scanEvents, scans + 1, 0)
    }

    private mutating func since(_ nanoseconds: Int64, first: Int64) -> Int64 {
        let origin = origin ?? nanoseconds - first
        self.origin = origin
        return max(0, nanoseconds - origin)
    }

    private static func stamp(_ nanoseconds: Int64, digits: Int) -> String {
        let fraction = String(nanoseconds % 1_000_000_000 / 1000)
        let seconds = String(nanoseconds / 1_000_000_000)
        return String(repeating: "0", count: max(0, digits - seconds.count)) + seconds + "."
            + String(repeating: "0", count: 6 - fraction.count) + fraction
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined(separator: " ")
    }

    /// Returns and removes the whole scans so far.
    mutating func removeText() -> [UInt8] {
        defer { text.removeAll(keepingCapacity: true) }
        return text
    }
}

/// The output of a recording, in whole writes.
final class RecordingOutput {
    private let name: String
    private let descriptor: Int32
    /// The bytes of whole scans in a file; nil for stdout, which cannot be truncated.
    private var wholeSize: off_t?

    /// - Parameter path: `-` is stdout.
    /// - Throws: `Failure` with exit code 2.
    init(_ path: String) throws {
        name = path == "-" ? "stdout" : path
        descriptor = path == "-" ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw failure() }
        if path != "-" { wholeSize = 0 }
        // A file size limit becomes an error of the write.
        signal(SIGXFSZ, SIG_IGN)
    }

    deinit { close(descriptor) }

    private func failure() -> Failure {
        .badInput("\(name): cannot be written: \(String(cString: strerror(errno)))")
    }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                let failure = failure()
                // A partial scan would be read as a whole one.
                if let wholeSize { _ = ftruncate(descriptor, wholeSize) }
                throw failure
            }
        }
        wholeSize = wholeSize.map { $0 + off_t(bytes.count) }
    }
}
