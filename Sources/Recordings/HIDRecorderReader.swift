// HIDRecorderReader.swift: hid-recorder's text, line by line.
//
//     # comment
//     D: n                    the lines that follow are device n's; 0 until then
//     R: len bytes            the report descriptor: a decimal length, then bytes in hex
//     N: name                 the rest of the line
//     P: phys                 where it is plugged in
//     I: bus vendor product   hex
//     E: sec.usec len bytes   one input report
//
// What begins like none of these was left by a person or a tool: it is counted and skipped. Lengths may lie; what is
// there counts, up to the length. A broken E or R line is an error, since a lost report may strand a finger; a broken D
// or I line is somebody's words.
//
// Of several devices the first with touch is read. One without touch gives no frames, and a remark.
//
// Station   device
// Fed by    RecordingReader
// Feeds     TouchReportDecoder
//
// Sources   documented  hid-tools, man/hid-recorder.md
//           observed    recordings: CRLF, instructions between the events, lengths that disagree with the bytes

import Basics
import HID

struct HIDRecorderReader: LineFormat {
    private var known = RecordingFacts()

    private let options: TouchReportDecoder.Options
    private var devices: [Device] = []
    /// In `devices`, of the one the lines are about.
    private var current = 0
    /// In `devices`, of the one that is read; nil until one with touch has come.
    private var chosen: Int?
    private var decoder: TouchReportDecoder?
    private var hasEvents = false
    /// Nanoseconds: the first event's own stamp, and the last's since then.
    private var origin: Int64?
    private var last: Int64 = 0
    private var report: [UInt8] = []
    /// Nil unless IOHIDEvents are kept and the device has touch.
    private var driver: DigitizerDriver?
    private let keepsEvents: Bool
    private var events: [HIDEvent] = []

    private struct Device: Sendable {
        /// As D lines call it.
        var number: Int32
        var name = ""
        var bus: UInt16 = 0
        var vendor: UInt16 = 0
        var product: UInt16 = 0
        /// Nil until an R line.
        var bytes: [UInt8]?
        var contents = ""
        var fault: ReportDescriptorError?
    }

    /// No recording is of more devices.
    private static let deviceLimit = 64

    init(options: RecordingOptions) {
        self.options = TouchReportDecoder.Options(options)
        keepsEvents = options.keepsIOHIDEvents
        known.dialect = .hid
    }

    var facts: RecordingFacts {
        var facts = known
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

    mutating func take(_ line: Span<UInt8>, into frames: inout [ContactFrame]) throws(Complaint) {
        var fields = Fields(line)
        guard let key = Self.key(of: line), fields.takeKey(key) else {
            if !fields.isAtEnd { known.ignoredLines += 1 }
            return
        }
        switch key {
        case UInt8(ascii: "E"): try takeEvent(&fields, into: &frames)
        case UInt8(ascii: "R"): try takeDescriptor(&fields)
        case UInt8(ascii: "D"): try takeDevice(&fields)
        case UInt8(ascii: "N"):
            let name = fields.restOfLine
            change { $0.name = name }
        case UInt8(ascii: "I"): takeIdentity(&fields)
        default: return
        }
    }

    /// A letter of the format's, a colon and a blank, at the line's very beginning.
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
        let time = Duration.nanoseconds(last)
        return decoder?.cancelAll(at: time)
    }

    private func missingDescriptor(_ found: String) -> Complaint {
        Complaint(expected: "a report descriptor (R: line) before the first report", found: found)
    }

    // MARK: Description

    private mutating func change(_ body: (inout Device) -> Void) {
        if devices.isEmpty { devices.append(Device(number: 0)) }
        body(&devices[current])
        if chosen == current || chosen == nil && current == 0 { describe(devices[current]) }
        known.remarks = remarks()
    }

    /// The device that is read; until one is, the first, so that a person sees what the file is of.
    private mutating func describe(_ device: Device) {
        if let decoder { known.device = decoder.description }
        known.device.name = device.name
        (known.device.numbers.bus, known.device.numbers.vendor) = (device.bus, device.vendor)
        known.device.numbers.product = device.product
    }

    private mutating func takeDevice(_ fields: inout Fields) throws(Complaint) {
        // Somebody's words may begin with the letter too; who was never named has no reports.
        let number: Int32
        do throws(Complaint) { number = try fields.takeDecimal("a device's number") } catch {
            known.ignoredLines += 1
            return
        }
        if let index = devices.firstIndex(where: { $0.number == number }) {
            current = index
            return
        }
        guard devices.count < Self.deviceLimit else {
            throw Complaint(expected: "at most \(Self.deviceLimit) devices", found: "one more")
        }
        devices.append(Device(number: number))
        current = devices.count - 1
    }

    private mutating func takeIdentity(_ fields: inout Fields) {
        do throws(Complaint) {
            let bus = try fields.takeHex("a bus")
            let vendor = try fields.takeHex("a vendor")
            let product = try fields.takeHex("a product")
            change { ($0.bus, $0.vendor, $0.product) = (bus, vendor, product) }
        } catch { known.ignoredLines += 1 }
    }

    private mutating func takeDescriptor(_ fields: inout Fields) throws(Complaint) {
        try takeBytes(&fields, "a byte of the report descriptor")
        let bytes = report
        if devices.indices.contains(current), let before = devices[current].bytes {
            guard before != bytes else { return }
            guard !hasEvents else {
                throw Complaint(expected: "one report descriptor for each device", found: "another one")
            }
        }
        let descriptor = ReportDescriptor(asFarAsReadable: bytes)
        let candidate = TouchReportDecoder(descriptor, options: options)
        if chosen == nil || chosen == current {
            (decoder, chosen) = candidate.hasTouch ? (candidate, current) : (nil, nil)
            driver = keepsEvents && candidate.hasTouch ? DigitizerDriver(descriptor) : nil
            known.device = DeviceDescription()
        }
        change {
            ($0.bytes, $0.contents, $0.fault) = (bytes, descriptor.contents, descriptor.fault)
        }
    }

    /// What a person should know, once more after whatever line changed it.
    private func remarks() -> [String] {
        guard let chosen else { return devices.filter { $0.bytes != nil }.map { Self.remark(on: $0) } }
        var remarks: [String] = []
        if let fault = devices[chosen].fault { remarks.append("read as far as it goes: \(fault)") }
        for (index, device) in devices.enumerated() where index != chosen && device.bytes != nil {
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

    private mutating func takeEvent(
        _ fields: inout Fields, into frames: inout [ContactFrame]
    ) throws(Complaint) {
        let stamp = try fields.takeStamp()
        try takeBytes(&fields, "a byte of the report")
        guard devices.indices.contains(current), devices[current].bytes != nil else {
            throw missingDescriptor("a report")
        }
        hasEvents = true
        let start = origin ?? stamp
        origin = start
        // Both lie in 0...9e18.
        let time = stamp - start
        if time < last { known.timesBackwards += 1 }
        last = max(last, time)
        guard current == chosen else { return }
        decoder?.take(report, at: .nanoseconds(last), into: &frames)
        guard var driver = driver.take() else { return }
        var made: [HIDEvent] = []
        driver.take(report.span, at: Instant.boot.advanced(byNanoseconds: last), into: &made)
        events += made
        self.driver = driver
    }

    mutating func removeIOHIDEvents() -> [HIDEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// A decimal length and at most as many bytes, into `report`.
    private mutating func takeBytes(_ fields: inout Fields, _ what: StaticString) throws(Complaint) {
        let start = fields.next
        let length = try fields.takeDecimal("a length")
        guard length >= 0 else { throw fields.complaint("a length of at least 0", at: start) }
        report.removeAll(keepingCapacity: true)
        try fields.takeBytes(what, upTo: Int(length), into: &report)
    }
}

extension TouchReportDecoder.Options {
    init(_ options: RecordingOptions) {
        self.init()
        absentMeansLifted = options.absentMeansLifted
        switch options.palms {
        case .cancel: palms = .cancel
        // A report has no other word for a palm than Confidence.
        case .declared, .keep: palms = .keep
        }
    }
}
