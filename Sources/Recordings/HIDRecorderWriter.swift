// HIDRecorderWriter.swift: writes contacts as hid-recorder's text, with a descriptor of a touch screen and its reports.
//
//     report 1   contacts × (tip, confidence, 6 bits of padding, identifier 8, [pressure 32,] x 32, y 32,
//                            [width 32,] [height 32]), contact count 8[, scan time 16]
//
// Station   device
// Input     RecordingWriter
// Output    a file in hid-recorder's format
//
// Sources   documented  Docs/Spec/Input.md sections 3.7 to 3.10
//           invented    the descriptor; that a cancelled contact becomes a palm; a report with an unknown id at 0, so
//                       that a recording with a later first frame keeps its times

import Basics
import HID

/// Writes hid-recorder's format.
///
/// The first report of a frame has the number of its contacts, further reports have 0. A lifted contact is listed once
/// more without a tip. A cancelled one is listed without confidence, and in the next frame without a tip. A report has
/// room for ten contacts. A frame without contacts lists an unused contact: a count of 0 would continue the previous
/// frame.
struct HIDRecorderWriter: FrameWriter {
    private let device: DeviceDescription
    private let ranges: AxisRanges
    private let contactsPerReport: Int
    private var numbers = FingerNumbers(limit: Int(Self.noContactID), holdsCancelled: true)
    /// The contacts that were cancelled in the previous frame, at their positions.
    private var cancelledContacts: [FingerNumbers.Step] = []
    private var hasScanTime: Bool?
    private var lastTime: Int64 = 0
    /// In units of 100 µs; the previous value, for a frame without one.
    private var ticks: Int64 = 0

    private static let reportLimit = 10
    /// The identifier of no contact.
    private static let noContactID: UInt8 = 255

    init(device: DeviceDescription, ranges: AxisRanges, contactsAtOnce: Int?) {
        (self.device, self.ranges) = (device, ranges)
        // With one contact in a report, a reader could not recognize an unused entry.
        contactsPerReport = max(2, min(contactsAtOnce ?? Self.reportLimit, Self.reportLimit))
    }

    /// Writes nothing: the first frame decides whether there is a scan time.
    func begin(into bytes: inout [UInt8]) {}

    mutating func write(_ frame: ContactFrame, into bytes: inout [UInt8]) {
        let isFirst = hasScanTime == nil
        appendHeading(ofDeviceWithScanTime: frame.scanTime != nil, to: &bytes)
        let steps = numbers.update(with: frame) + cancelledContacts
        cancelledContacts = steps.filter { $0.change == .cancel }.map { step in
            var step = step
            step.change = .lift
            return step
        }
        let nanoseconds = max(0, frame.time.nanoseconds)
        lastTime = max(lastTime, nanoseconds / 1000 + (nanoseconds % 1000 >= 500 ? 1 : 0))
        if isFirst, lastTime > 0 { bytes.append("E: 000000.000000 1 00\n") }
        for start in stride(from: 0, to: max(1, steps.count), by: contactsPerReport) {
            var report: [UInt8] = [1]
            for place in start..<start + contactsPerReport {
                append(place < steps.count ? steps[place] : nil, to: &report)
            }
            report.append(start == 0 ? UInt8(clamping: max(1, steps.count)) : 0)
            if hasScanTime == true {
                if let scanTime = frame.scanTime { ticks = scanTime.nanoseconds / 100_000 }
                report.append(UInt8(truncatingIfNeeded: ticks))
                report.append(UInt8(truncatingIfNeeded: ticks >> 8))
            }
            bytes.append("E: ")
            bytes.append(microseconds: lastTime, width: 6)
            append(report, to: &bytes)
        }
    }

    mutating func finish(at time: Duration?, into bytes: inout [UInt8]) {
        appendHeading(ofDeviceWithScanTime: false, to: &bytes)
    }

    private mutating func appendHeading(ofDeviceWithScanTime has: Bool, to bytes: inout [UInt8]) {
        guard hasScanTime == nil else { return }
        hasScanTime = has
        bytes.append("# written by touchline\n")
        if device.ranges == nil {
            bytes.append("# ")
            bytes.append(EvdevWriter.assumption)
            bytes.append("\n")
        }
        bytes.append("D: 0\nR:")
        append(descriptor(withScanTime: has), to: &bytes)
        bytes.append("N: ")
        bytes.append(name: device.name)
        bytes.append("\nP: \nI: ")
        bytes.append(text: String(device.numbers.bus, radix: 16))
        for number in [device.numbers.vendor, device.numbers.product] {
            bytes.append(" ")
            bytes.append(hex: UInt32(number), width: 4)
        }
        bytes.append("\n")
    }

    private func append(_ step: FingerNumbers.Step?, to report: inout [UInt8]) {
        guard let step else {
            report.append(0)
            report.append(Self.noContactID)
            report.append(contentsOf: repeatElement(0, count: contactBytes - 2))
            return
        }
        report.append((step.change == .lift ? 0 : 1) | (step.change == .cancel ? 0 : 2))
        report.append(UInt8(truncatingIfNeeded: step.number))
        if hasPressure { report.append(short: step.contact.attributes.pressure ?? 0) }
        report.append(short: step.contact.x)
        report.append(short: step.contact.y)
        if hasMajor { report.append(short: step.contact.attributes.major ?? 0) }
        if hasMinor { report.append(short: step.contact.attributes.minor ?? step.contact.attributes.major ?? 0) }
    }

    private var hasPressure: Bool { device.pressure?.range != nil }
    private var hasMajor: Bool { device.major?.range != nil }
    private var hasMinor: Bool { device.minor?.range != nil }
    private var contactBytes: Int { 10 + (hasPressure ? 4 : 0) + (hasMajor ? 4 : 0) + (hasMinor ? 4 : 0) }

    private func descriptor(withScanTime: Bool) -> [UInt8] {
        func number(_ item: UInt8, _ value: Int32) -> [UInt8] {
            var bytes = [item | 3]
            bytes.append(short: value)
            return bytes
        }
        func field(_ usage: UInt8, _ range: ClosedRange<Int32>) -> [UInt8] {
            [0x09, usage] + number(0x14, range.lowerBound) + number(0x24, range.upperBound) + [
                0x75, 32, 0x95, 1, 0x81, 2,
            ]
        }
        var contact: [UInt8] = [
            0x05, 0x0D, 0x09, 0x22, 0xA1, 0x02,
            0x09, 0x42, 0x15, 0, 0x25, 1, 0x75, 1, 0x95, 1, 0x81, 2,
            0x09, 0x47, 0x81, 2, 0x95, 6, 0x81, 3,
            0x09, 0x51, 0x26, 0xFF, 0x00, 0x75, 8, 0x95, 1, 0x81, 2,
        ]
        if hasPressure, let range = device.pressure?.range { contact += field(0x30, range) }
        contact += [0x05, 0x01] + field(0x30, ranges.x) + field(0x31, ranges.y) + [0x05, 0x0D]
        if let range = device.major?.range { contact += field(0x48, range) }
        if let range = device.minor?.range { contact += field(0x49, range) }
        contact.append(0xC0)

        var all: [UInt8] = [0x05, 0x0D, 0x09, device.kind == .touchpad ? 0x05 : 0x04, 0xA1, 0x01, 0x85, 0x01]
        for _ in 0..<contactsPerReport { all += contact }
        all += [0x05, 0x0D, 0x09, 0x54, 0x15, 0, 0x26, 0xFF, 0x00, 0x75, 8, 0x95, 1, 0x81, 2]
        if withScanTime { all += [0x09, 0x56, 0x27, 0xFF, 0xFF, 0, 0, 0x75, 16, 0x95, 1, 0x81, 2] }
        let count = UInt8(clamping: min(127, max(1, device.contactCount ?? contactsPerReport)))
        return all + [0x09, 0x55, 0x25, count, 0x75, 8, 0x95, 1, 0xB1, 2, 0xC0]
    }

    /// Appends ` 12 01 02 …` and the line break.
    private func append(_ data: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(" ")
        bytes.append(decimal: data.count)
        for byte in data {
            bytes.append(" ")
            bytes.append(hex: UInt32(byte), width: 2)
        }
        bytes.append("\n")
    }
}

extension [UInt8] {
    /// Appends four bytes, the lowest first.
    fileprivate mutating func append(short value: Int32) {
        for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(truncatingIfNeeded: value >> Int32(shift))) }
    }
}
