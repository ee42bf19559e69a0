import Basics
import Foundation
import HID
import Recordings
import Testbed
import Testing

/// The results of independent decoders for the HID recordings and descriptors of `shared/data`.
struct KnownHID: Decodable {
    struct Axis: Decodable, Equatable {
        var minimum, maximum: Int32
        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            (minimum, maximum) = (try values.decode(Int32.self), try values.decode(Int32.self))
        }
    }
    struct TouchReport: Decodable {
        var report_id: UInt8?
        var report_bytes, contacts_per_report: Int
        var application: String
        var usages: [String]
        var has_contact_count, has_scan_time: Bool
        var x, y: Axis
    }
    struct Maximum: Decodable { var logical_max: Int }
    struct Descriptor: Decodable {
        var rdesc_bytes: Int
        var touch_reports: [TouchReport]
        var contact_count_max: Maximum?
        var win8_blob: Bool
        var input_reports: [String: Int]
    }
    struct Contact: Decodable {
        var first, last: [Int32]
        var moved: Int
    }
    struct Kernel: Decodable {
        var contacts: [Contact]
        var open_at_eof: Int
        var fuzz_x: Int
    }
    struct Expected: Decodable {
        var began, ended, max_concurrent: Int
        var moved: Int?
    }
    struct Recording: Decodable {
        var name, mode, trust, contact_level: String
        var bus_vid_pid: [UInt16]
        var unparsed_lines, reports, touch_reports: Int
        var descriptor: Descriptor
        var expected: Expected
        var kernel: Kernel
    }
    struct Bare: Decodable { var expected: Descriptor }

    var hid_recordings: [String: Recording]
    var descriptors: [String: Bare]

    static func read(_ data: URL) throws -> KnownHID {
        try JSONDecoder().decode(KnownHID.self, from: Data(contentsOf: data.appending(path: "expected.json")))
    }
}

@Suite("Recordings of real HID devices")
struct SharedHIDTests {
    @Test(
        "14 real HID recordings have the contacts that Linux found",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func recordings() throws {
        let data = try #require(Repository.sharedData)
        let known = try KnownHID.read(data).hid_recordings.sorted { $0.key < $1.key }
        #expect(known.count == 14)
        for (path, recording) in known {
            let bytes = Array(try Data(contentsOf: data.appending(path: path)))
            var options = RecordingOptions()
            options.absentMeansLifted = recording.trust == "drop-rule"
            let played = try playHID(bytes, options, named: path)
            let (summary, expected) = (played.summary, recording.expected)
            expectRules(played.frames + (played.closing.map { [$0] } ?? []), path, isWhole: true)
            #expect(summary.began == expected.began, "\(path)")
            #expect(summary.ended == expected.ended, "\(path)")
            #expect(summary.maxConcurrent == expected.max_concurrent, "\(path)")
            #expect(summary.openAtEnd == recording.kernel.open_at_eof, "\(path)")
            if let moved = expected.moved { #expect(summary.moved == moved, "\(path)") }
            expectDescription(played.reader, recording, path)
            expectContacts(summary, recording, path)
            #expect(try playHID(bytes, options, cutEvery: 4099).frames == played.frames, "\(path) in pieces")
        }
    }

    private func expectDescription(_ reader: RecordingReader, _ recording: KnownHID.Recording, _ path: String) {
        #expect(reader.format == .hidRecorder, "\(path)")
        #expect(reader.contactProtocol == .hid, "\(path)")
        #expect(reader.deviceName == recording.name, "\(path)")
        #expect(reader.device.numbers.all.dropLast() == recording.bus_vid_pid[...], "\(path)")
        #expect(reader.ignoredLines == recording.unparsed_lines, "\(path)")
        #expect(reader.reportingMode == mode(recording.mode), "\(path)")
        let touch = recording.descriptor.touch_reports[0]
        #expect(reader.ranges.x == touch.x.minimum...touch.x.maximum, "\(path)")
        #expect(reader.ranges.y == touch.y.minimum...touch.y.maximum, "\(path)")
        #expect(reader.device.contactCount == recording.descriptor.contact_count_max?.logical_max, "\(path)")
        #expect(reader.timesBackwards == 0, "\(path)")
    }

    /// The mode by its name in the file of expectations.
    private func mode(_ text: String) -> ReportingMode? {
        switch text {
        case "serial (no contact count)": .serial
        case "single-finger hybrid/serial with contact count": .singleFinger
        default: ReportingMode(rawValue: text)
        }
    }

    private func expectContacts(_ summary: RecordingSummary, _ recording: KnownHID.Recording, _ path: String) {
        guard recording.contact_level == "ordered" else { return }
        #expect(summary.contacts.count == recording.kernel.contacts.count, "\(path)")
        for (ours, theirs) in zip(summary.contacts, recording.kernel.contacts) {
            #expect([ours.first.x, ours.first.y] == theirs.first, "\(path), contact \(ours.order)")
            #expect([ours.last.x, ours.last.y] == theirs.last, "\(path), contact \(ours.order)")
            #expect(ours.moved == theirs.moved, "\(path), contact \(ours.order)")
        }
    }

    @Test(
        "mirrored, reordered and slowed HID reports give mirrored, reordered, slowed frames",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func transformed() throws {
        let data = try #require(Repository.sharedData)
        for (path, recording) in try KnownHID.read(data).hid_recordings.sorted(by: { $0.key < $1.key }) {
            let bytes = Array(try Data(contentsOf: data.appending(path: path)))
            var options = RecordingOptions()
            options.absentMeansLifted = recording.trust == "drop-rule"
            let plain = try playHID(bytes, options)
            let touch = recording.descriptor.touch_reports[0]
            let descriptor = try ReportDescriptor(parsing: try reportDescriptor(of: bytes, path))
            let fields = ReportContacts(descriptor, reportID: touch.report_id)
            try #require(fields.contacts.count == touch.contacts_per_report, "\(path)")
            func isTouch(_ report: [UInt8]) -> Bool { fields.id == nil || report.first == fields.id }

            let acrossX = rewritingReports(of: bytes) { _, report in
                if isTouch(report) { mirror(fields.xs, touch.x, in: &report) }
            }
            let acrossY = rewritingReports(of: bytes) { _, report in
                if isTouch(report) { mirror(fields.ys, touch.y, in: &report) }
            }
            #expect(try playHID(acrossX, options).frames == plain.frames.map { mirrored($0, x: touch.x) }, "\(path)")
            #expect(try playHID(acrossY, options).frames == plain.frames.map { mirrored($0, y: touch.y) }, "\(path)")

            var frame = FrameCount(isWindows8: recording.descriptor.win8_blob)
            let turned = rewritingReports(of: bytes) { _, report in
                if isTouch(report) { fields.reverse(first: frame.take(report, fields), in: &report) }
            }
            #expect(turned != bytes, "\(path)")
            #expect(try playHID(turned, options).frames.map(sorted) == plain.frames.map(sorted), "\(path)")

            var first: Int64?
            let slow = rewritingReports(of: bytes) { time, _ in
                first = first ?? time
                time += (time - (first ?? time)) * 2
            }
            // The device's clock may have wrapped in longer pauses, so scan times are not compared.
            let slowed = plain.frames.map { ContactFrame(time: $0.time * 3, contacts: $0.contacts) }
            let told = try playHID(slow, options).frames.map { ContactFrame(time: $0.time, contacts: $0.contacts) }
            #expect(told == slowed, "\(path)")
        }
    }

    /// The number of contacts of a report that belong to its frame, as Docs/Spec/Input.md section 3.10 counts them.
    private struct FrameCount {
        let isWindows8: Bool
        private var expected = 0
        private var received = 0
        private var scanTime: Int64?

        init(isWindows8: Bool) { self.isWindows8 = isWindows8 }

        mutating func take(_ report: [UInt8], _ fields: ReportContacts) -> Int {
            let scan = fields.scanTime?.value(in: report)
            let count = Int(fields.count?.value(in: report) ?? 0)
            if count > 0 || isWindows8 && received == 0 && scan != scanTime { expected = count }
            scanTime = scan
            let all = fields.contacts.count
            let taken = fields.count == nil || all == 1 ? all : min(all, max(0, expected - received))
            received += taken
            if received >= expected { received = 0 }
            return taken
        }
    }

    private func mirror(_ fields: [ReportField], _ axis: KnownHID.Axis, in report: inout [UInt8]) {
        for field in fields {
            let value = field.value(in: report)
            guard (Int64(axis.minimum)...Int64(axis.maximum)).contains(value) else { continue }
            field.write(Int64(axis.minimum) + Int64(axis.maximum) - value, to: &report)
        }
    }

    private func mirrored(_ frame: ContactFrame, x: KnownHID.Axis? = nil, y: KnownHID.Axis? = nil) -> ContactFrame {
        func turn(_ value: Int32, _ axis: KnownHID.Axis?) -> Int32 {
            guard let axis, (axis.minimum...axis.maximum).contains(value) else { return value }
            return axis.minimum + axis.maximum - value
        }
        var frame = frame
        for index in frame.contacts.indices {
            frame.contacts[index].x = turn(frame.contacts[index].x, x)
            frame.contacts[index].y = turn(frame.contacts[index].y, y)
        }
        return frame
    }

    /// Contacts that land in one frame have no order.
    private func sorted(_ frame: ContactFrame) -> ContactFrame {
        var frame = frame
        frame.contacts.sort { ($0.id, $1.phase.rawValue) < ($1.id, $0.phase.rawValue) }
        return frame
    }

    @Test(
        "real HID recordings need no repair and stay on the panel",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func invariants() throws {
        let data = try #require(Repository.sharedData)
        for (path, recording) in try KnownHID.read(data).hid_recordings.sorted(by: { $0.key < $1.key }) {
            let bytes = Array(try Data(contentsOf: data.appending(path: path)))
            let played = try playHID(bytes)
            expectRules(played.frames + (played.closing.map { [$0] } ?? []), path, isWhole: true)
            #expect(played.summary.began == played.summary.ended + played.summary.cancelled, "\(path)")
            #expect(played.reader.ignoredContacts == 0, "\(path)")
            expectWholeEvents(played, path)
            let clocks = played.frames.compactMap(\.scanTime)
            #expect(clocks.count == (recording.descriptor.touch_reports[0].has_scan_time ? played.frames.count : 0))
            #expect(zip(clocks, clocks.dropFirst()).allSatisfy { $0 <= $1 }, "\(path)")
            var keeping = RecordingOptions()
            keeping.palms = .keep
            // No contact in these recordings ever touches without confidence, so both options read the same.
            #expect(try playHID(bytes, keeping).frames == played.frames, "\(path)")
        }
    }

    private func expectWholeEvents(_ played: PlayedHID, _ path: String) {
        var assembler = FrameAssembler(ranges: played.reader.ranges, senderID: 1, generationCount: 1)
        var faults: [ContactFault] = []
        var fingers: [DigitizerEvent] = []
        for frame in played.frames {
            let moment = Instant.boot.advanced(by: frame.time)
            fingers += assembler.assemble(frame, at: moment, faults: &faults)?.fingers ?? []
        }
        #expect(faults.isEmpty, "\(path): \(faults.prefix(3))")
        #expect(fingers.allSatisfy { (Fixed.zero...Fixed(1.0)).contains($0.position.x) }, "\(path)")
        #expect(fingers.allSatisfy { (Fixed.zero...Fixed(1.0)).contains($0.position.y) }, "\(path)")
    }

    @Test(
        "truncated HID recordings are read up to the cut and cancelled",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func cut() throws {
        let data = try #require(Repository.sharedData)
        var random = SeededGenerator(seed: 17)
        for path in try KnownHID.read(data).hid_recordings.keys.sorted() {
            let bytes = Array(try Data(contentsOf: data.appending(path: path)))
            let whole = try playHID(bytes).frames
            for _ in 0..<3 {
                var reader = RecordingReader(name: path, screen: screen)
                var frames: [ContactFrame] = []
                try reader.read(Array(bytes.prefix(Int.random(in: 4000..<bytes.count, using: &random))), into: &frames)
                do throws(RecordingError) {
                    if let closing = try reader.finish(into: &frames) {
                        #expect(closing.contacts.allSatisfy { $0.phase == .cancelled }, "\(path)")
                    }
                } catch {
                    #expect(error.line == reader.lineCount, "\(path)")
                }
                #expect(frames.dropLast() == whole.prefix(max(0, frames.count - 1)), "\(path)")
            }
        }
    }

    private func reportDescriptor(of bytes: [UInt8], _ path: String) throws -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let line = try #require(text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("R:") }, "\(path)")
        return line.split(separator: " ").dropFirst(2).compactMap { UInt8($0, radix: 16) }
    }

    @Test(
        "real descriptors have the contact layouts that other parsers found",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func descriptors() throws {
        let data = try #require(Repository.sharedData)
        let known = try KnownHID.read(data)
        #expect(known.descriptors.count == 7)
        for (path, bare) in known.descriptors.sorted(by: { $0.key < $1.key }) {
            try expect(Array(try Data(contentsOf: data.appending(path: path))), bare.expected, path)
        }
        for (path, recording) in known.hid_recordings.sorted(by: { $0.key < $1.key }) {
            let bytes = Array(try Data(contentsOf: data.appending(path: path)))
            try expect(try reportDescriptor(of: bytes, path), recording.descriptor, path)
        }
    }

    private func expect(_ bytes: [UInt8], _ known: KnownHID.Descriptor, _ path: String) throws {
        #expect(bytes.count == known.rdesc_bytes, "\(path)")
        let descriptor = try ReportDescriptor(parsing: bytes)
        let layouts = TouchReportLayouts(of: descriptor)
        #expect(layouts.isWindows8 == known.win8_blob, "\(path)")
        #expect(layouts.contactCountMax == known.contact_count_max?.logical_max, "\(path)")
        #expect(layouts.reports.count == known.touch_reports.count, "\(path): \(layouts.reports.map(\.reportID))")
        for (id, bytes) in known.input_reports {
            #expect(descriptor.reportBytes(.input, id: UInt8(id)) == bytes, "\(path), report \(id)")
        }
        for (ours, theirs) in zip(layouts.reports, known.touch_reports) {
            #expect(ours.reportID == theirs.report_id, "\(path)")
            #expect(ours.reportBytes == theirs.report_bytes, "\(path)")
            #expect(ours.application.rawValue == theirs.application, "\(path)")
            #expect(ours.contactsPerReport == theirs.contacts_per_report, "\(path)")
            #expect(ours.usages == theirs.usages, "\(path)")
            #expect(ours.hasContactCount == theirs.has_contact_count, "\(path)")
            #expect(ours.hasScanTime == theirs.has_scan_time, "\(path)")
            #expect([ours.x.minimum, ours.x.maximum] == [theirs.x.minimum, theirs.x.maximum], "\(path)")
            #expect([ours.y.minimum, ours.y.maximum] == [theirs.y.minimum, theirs.y.maximum], "\(path)")
        }
    }
}

/// Everything that a reader makes of a recording under some options.
struct PlayedHID {
    var frames: [ContactFrame] = []
    var closing: ContactFrame?
    var summary = RecordingSummary(keepsContacts: true)
    var reader: RecordingReader
}

func playHID(
    _ bytes: [UInt8], _ options: RecordingOptions = RecordingOptions(), cutEvery size: Int = .max,
    named name: String = "test"
) throws(RecordingError) -> PlayedHID {
    var played = PlayedHID(reader: RecordingReader(name: name, screen: screen, options: options))
    var start = 0
    while start < bytes.count {
        let end = size < bytes.count - start ? start + size : bytes.count
        try played.reader.read(Array(bytes[start..<end]), into: &played.frames)
        start = end
    }
    played.closing = try played.reader.finish(into: &played.frames)
    for frame in played.frames { played.summary.count(frame) }
    if let closing = played.closing { played.summary.count(closing: closing) }
    return played
}
