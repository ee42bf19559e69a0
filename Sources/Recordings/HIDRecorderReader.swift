// HIDRecorderReader.swift: reads hid-recorder's text, line by line.
//
//     # comment
//     D: n                    the following lines belong to device n; 0 until then
//     R: len bytes            the report descriptor: a decimal length, then bytes in hex
//     N: name                 the rest of the line
//     P: phys                 the physical path
//     I: bus vendor product   hex
//     E: sec.usec len bytes   one input report
//
// Station   device
// Input     RecordingReader
// Output    TouchReportDecoder
//
// Sources   documented  hid-tools, man/hid-recorder.md
//           observed    recordings: CRLF, instructions between the events, lengths that differ from the number of bytes

import Basics
import HID

/// Reads hid-recorder's format.
///
/// A line with another beginning is a note of a person or a tool: it is counted and skipped. A length may be wrong: the
/// bytes of the line count, up to the length. A broken E or R line is an error, because a lost report could leave a
/// contact down. A broken D or I line counts as a note.
///
/// The first device with touch is read. A device without touch gives no frames, and a remark.
struct HIDRecorderReader: LineFormat {
    private var knownFacts = RecordingFacts()

    private let options: TouchReportDecoder.Options
    private var devices: [Device] = []
    /// The index in `devices` of the device that the lines belong to.
    private var currentDevice = 0
    /// The index in `devices` of the device that is read; nil until there is one with touch.
    private var chosenDevice: Int?
    private var decoder: TouchReportDecoder?
    private var hasEvents = false
    /// Nanoseconds: the timestamp of the first event, and the time of the last one since then.
    private var origin: Int64?
    private var lastTime: Int64 = 0
    private var report: [UInt8] = []
    /// Nil unless IOHIDEvents are kept and the device has touch.
    private var driver: DigitizerDriver?
    private let keepsEvents: Bool
    private var events: [HIDEvent] = []

    private struct Device: Sendable {
        /// The number in D lines.
        var number: Int32
        var name = ""
        var bus: UInt16 = 0
        var vendor: UInt16 = 0
        var product: UInt16 = 0
        /// Nil before an R line.
        var bytes: [UInt8]?
        var contents = ""
        var fault: ReportDescriptorError?
    }

    /// The most devices of a recording.
    private static let deviceLimit = 64

    init(options: RecordingOptions) {
        self.options = TouchReportDecoder.Options(options)
        keepsEvents = options.keepsIOHIDEvents
        knownFacts.contactProtocol = .hid
    }

    var facts: RecordingFacts {
        var facts = knownFacts
        if let decoder {
            (facts.mode, facts.ignoredContacts) = (decoder.mode, decoder.ignoredContacts)
            func remark(_ count: Int, _ one: String, _ several: String) {
                if count > 0 { facts.remarks.append("\(count) \(count == 1 ? one : several)") }
            }
            remark(decoder.palms, "contact was a palm: cancelled", "contacts were palms: cancelled")
            remark(
                decoder.duplicates, "contact came again in its frame: left out",
                "contacts came again in their frames: left out")
            remark(
                decoder.shortReports, "report was shorter than declared: read as far as it goes",
                "reports were shorter than declared: read as far as they go")
            remark(decoder.foreignReports, "report was not of touch: left out", "reports were not of touch: left out")
        }
        return facts
    }

    mutating func readLine(_ line: Span<UInt8>, into frames: inout [ContactFrame]) throws(Complaint) {
        var fields = Fields(line)
        guard let key = Self.key(of: line), fields.skipKey(key) else {
            if !fields.isAtEnd { knownFacts.ignoredLines += 1 }
            return
        }
        switch key {
        case UInt8(ascii: "E"): try parseEvent(&fields, into: &frames)
        case UInt8(ascii: "R"): try parseDescriptor(&fields)
        case UInt8(ascii: "D"): try parseDevice(&fields)
        case UInt8(ascii: "N"):
            let name = fields.restOfLine
            change { $0.name = name }
        case UInt8(ascii: "I"): parseIdentity(&fields)
        default: return
        }
    }

    /// Parses a key at the very beginning of the line: a letter of the format, a colon and a blank.
    private static func key(of line: Span<UInt8>) -> UInt8? {
        guard line.count >= 2, line[1] == UInt8(ascii: ":"), line.count == 2 || Fields.isBlank(line[2]) else {
            return nil
        }
        switch line[0] {
        case UInt8(ascii: "E"), UInt8(ascii: "R"), UInt8(ascii: "D"), UInt8(ascii: "N"), UInt8(ascii: "P"),
            UInt8(ascii: "I"):
            return line[0]
        default: return nil
        }
    }

    mutating func finish(into frames: inout [ContactFrame]) throws(Complaint) -> ContactFrame? {
        guard devices.contains(where: { $0.bytes != nil }) else { throw missingDescriptor("the file's end") }
        let time = Duration.nanoseconds(lastTime)
        return decoder?.cancelAll(at: time)
    }

    private func missingDescriptor(_ found: String) -> Complaint {
        Complaint(expected: "a report descriptor (R: line) before the first report", found: found)
    }

    // MARK: Description

    private mutating func change(_ body: (inout Device) -> Void) {
        if devices.isEmpty { devices.append(Device(number: 0)) }
        body(&devices[currentDevice])
        if chosenDevice == currentDevice || chosenDevice == nil && currentDevice == 0 {
            describe(devices[currentDevice])
        }
        knownFacts.remarks = remarks()
    }

    /// Describes the device that is read. Before there is one, the first device is described for a person.
    private mutating func describe(_ device: Device) {
        if let decoder { knownFacts.device = decoder.description }
        knownFacts.device.name = device.name
        (knownFacts.device.numbers.bus, knownFacts.device.numbers.vendor) = (device.bus, device.vendor)
        knownFacts.device.numbers.product = device.product
    }

    private mutating func parseDevice(_ fields: inout Fields) throws(Complaint) {
        // A note may begin with the letter too; a device without a D line has no reports.
        let number: Int32
        do throws(Complaint) { number = try fields.readDecimal("a device's number") } catch {
            knownFacts.ignoredLines += 1
            return
        }
        if let index = devices.firstIndex(where: { $0.number == number }) {
            currentDevice = index
            return
        }
        guard devices.count < Self.deviceLimit else {
            throw Complaint(expected: "at most \(Self.deviceLimit) devices", found: "one more")
        }
        devices.append(Device(number: number))
        currentDevice = devices.count - 1
    }

    private mutating func parseIdentity(_ fields: inout Fields) {
        do throws(Complaint) {
            let bus = try fields.readHex("a bus")
            let vendor = try fields.readHex("a vendor")
            let product = try fields.readHex("a product")
            change { ($0.bus, $0.vendor, $0.product) = (bus, vendor, product) }
        } catch { knownFacts.ignoredLines += 1 }
    }

    private mutating func parseDescriptor(_ fields: inout Fields) throws(Complaint) {
        try parseBytes(&fields, "a byte of the report descriptor")
        let bytes = report
        if devices.indices.contains(currentDevice), let before = devices[currentDevice].bytes {
            guard before != bytes else { return }
            guard !hasEvents else {
                throw Complaint(expected: "one report descriptor for each device", found: "another one")
            }
        }
        let descriptor = ReportDescriptor(asFarAsReadable: bytes)
        let candidate = TouchReportDecoder(descriptor, options: options)
        if chosenDevice == nil || chosenDevice == currentDevice {
            (decoder, chosenDevice) = candidate.hasTouch ? (candidate, currentDevice) : (nil, nil)
            driver = keepsEvents && candidate.hasTouch ? DigitizerDriver(descriptor) : nil
            knownFacts.device = DeviceDescription()
        }
        change {
            ($0.bytes, $0.contents, $0.fault) = (bytes, descriptor.contents, descriptor.fault)
        }
    }

    /// The remarks for a person, made again after each change.
    private func remarks() -> [String] {
        guard let chosenDevice else { return devices.filter { $0.bytes != nil }.map { Self.remark(on: $0) } }
        var remarks: [String] = []
        if let fault = devices[chosenDevice].fault { remarks.append("read as far as it goes: \(fault)") }
        for (index, device) in devices.enumerated() where index != chosenDevice && device.bytes != nil {
            remarks.append(
                "device \(device.number) \(quoted(device.name)) is left out: it is not the first with touch")
        }
        let applications = decoder?.layouts.applicationCount ?? 0
        if applications > 1 {
            remarks.append("\(applications) touch applications in one descriptor, read as one device")
        }
        return remarks
    }

    private static func remark(on device: Device) -> String {
        let fault = device.fault.map { "; \($0)" } ?? ""
        return "no touch in \(quoted(device.name)): its descriptor holds \(device.contents), and no contact (X, Y and "
            + "Tip Switch) in a touch screen (0D:04) or touch pad (0D:05)\(fault)"
    }

    // MARK: Reports

    private mutating func parseEvent(
        _ fields: inout Fields, into frames: inout [ContactFrame]
    ) throws(Complaint) {
        let stamp = try fields.readStamp()
        try parseBytes(&fields, "a byte of the report")
        guard devices.indices.contains(currentDevice), devices[currentDevice].bytes != nil else {
            throw missingDescriptor("a report")
        }
        hasEvents = true
        let start = origin ?? stamp
        origin = start
        // Both lie in 0...9e18.
        let time = stamp - start
        if time < lastTime { knownFacts.timesBackwards += 1 }
        lastTime = max(lastTime, time)
        guard currentDevice == chosenDevice else { return }
        decoder?.decode(report, at: .nanoseconds(lastTime), into: &frames)
        guard var driver = driver.take() else { return }
        var newEvents: [HIDEvent] = []
        driver.handle(report.span, at: Instant.boot.advanced(byNanoseconds: lastTime), into: &newEvents)
        events += newEvents
        self.driver = driver
    }

    mutating func removeIOHIDEvents() -> [HIDEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// Parses a decimal length and at most that many bytes into `report`.
    private mutating func parseBytes(_ fields: inout Fields, _ what: StaticString) throws(Complaint) {
        let start = fields.next
        let length = try fields.readDecimal("a length")
        guard length >= 0 else { throw fields.complaint("a length of at least 0", at: start) }
        report.removeAll(keepingCapacity: true)
        try fields.readBytes(what, upTo: Int(length), into: &report)
    }
}

extension TouchReportDecoder.Options {
    init(_ options: RecordingOptions) {
        self.init()
        absentMeansLifted = options.absentMeansLifted
        switch options.palms {
        case .cancel: palms = .cancel
        // A report can mark a palm only by Confidence.
        case .declared, .keep: palms = .keep
        }
    }
}
