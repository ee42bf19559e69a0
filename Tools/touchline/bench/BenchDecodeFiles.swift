// BenchDecodeFiles.swift: recordings of any length, of five fingers, as each format's own tools write them.
//
// All five fingers move in every scan. After `stay` scans all lift, and others land. Their tracking ids do not affect
// the speed of a reader, but the number of digits does: positions have one to four.

import Foundation
import HID
import Recordings

/// The state of a panel, scan by scan.
struct BenchPanel {
    static let fingers = 5
    /// Scans from landing to lifting.
    static let scansOfStay = 250
    /// In microseconds.
    static let interval = 8000
    static let range: ClosedRange<Int32> = 0...4095

    private(set) var scan = 0

    var time: Int { scan * Self.interval }
    /// The scan within the stay: all land at 0, and all lift at the last one.
    var step: Int { scan % Self.scansOfStay }
    var isLanding: Bool { step == 0 }
    var isLifting: Bool { step == Self.scansOfStay - 1 }
    /// The tracking id of finger 0; the ids of the others follow.
    var trackingID: Int { (scan / Self.scansOfStay * Self.fingers) % 60_000 }
    /// A different position in every scan, over the whole panel.
    func x(_ finger: Int) -> Int { (scan * 7 + finger * 811) & 4095 }
    func y(_ finger: Int) -> Int { (scan * 3 + finger * 397) & 4095 }

    mutating func advance() { scan += 1 }
}

/// Text as bytes, without a String for each of millions of lines.
struct BenchText {
    private(set) var bytes: [UInt8] = []

    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ text: [UInt8]) { bytes += text }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// - Parameters:
    ///   - width: The least number of characters.
    ///   - pad: The character before the digits.
    mutating func append(_ number: Int, width: Int = 1, pad: UInt8 = 0x20, radix: Int = 10) {
        var digits = 1
        var power = radix
        while number.magnitude >= power {
            digits += 1
            power *= radix
        }
        let sign = number < 0 ? 1 : 0
        let padding = max(0, width - digits - sign)
        // Zeros come after the sign, blanks before it.
        if number < 0, pad == 0x30 { bytes.append(UInt8(ascii: "-")) }
        for _ in 0..<padding { bytes.append(pad) }
        if number < 0, pad != 0x30 { bytes.append(UInt8(ascii: "-")) }
        var rest = Int(number.magnitude)
        for _ in 0..<digits {
            power /= radix
            let digit = UInt8(rest / power)
            rest %= power
            bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }

    mutating func appendHex(_ number: Int, width: Int) { append(number, width: width, pad: 0x30, radix: 16) }

    /// Puts seconds with six digits: `12.008000`.
    mutating func appendSeconds(_ microseconds: Int, width: Int = 1) {
        append(microseconds / 1_000_000, width: width)
        append(".")
        append(microseconds % 1_000_000, width: 6, pad: 0x30)
    }
}

/// Writes a recording of one format.
struct BenchDecodeWriter {
    struct Written {
        var bytes = 0
        var events = 0
        var frames = 0
        var began = 0
    }

    private let format: BenchDecodeFormat
    private var panel = BenchPanel()
    private var text = BenchText()
    private var written = Written()
    private var journal = RecordingWriter(
        .journal, device: DeviceDescription(), ranges: AxisRanges(x: BenchPanel.range, y: BenchPanel.range))
    private var last = [(Int32, Int32)](repeating: (0, 0), count: BenchPanel.fingers)

    init(_ format: BenchDecodeFormat) { self.format = format }

    /// - Parameter size: The approximate size in bytes. Formats that are read as a whole are cut to their readers'
    ///   limits.
    consuming func write(_ size: Int, to file: NamelessFile) throws -> Written {
        switch format {
        case .reports: break
        case .script: writeScript(min(size, FingerScript.textLimit))
        case .webdriverActions: writeActions(min(size, Self.actionsSize))
        case .journal, .hidRecorder, .evemu, .evemuComments, .evtest, .getevent, .libinputRecord:
            writeHeader()
            // Whole stays, so that no finger is down at the end.
            while written.bytes + text.bytes.count < size || !panel.isLanding {
                writeScan()
                if text.bytes.count >= 1 << 20 { try flush(to: file) }
            }
            if format == .journal {
                var end: [UInt8] = []
                journal.finish(into: &end)
                text.append(end)
            }
        }
        try flush(to: file)
        return written
    }

    private mutating func flush(to file: NamelessFile) throws {
        try file.write(text.bytes)
        written.bytes += text.bytes.count
        text.clear()
    }

    private mutating func writeHeader() {
        switch format {
        case .hidRecorder:
            let descriptor = BenchReports.descriptor
            text.append("D: 0\nR: \(descriptor.count)")
            for byte in descriptor {
                text.append(" ")
                text.appendHex(Int(byte), width: 2)
            }
            text.append("\nN: Touchline bench panel\nP: bench\nI: 18 1234 5678\n")
        case .evemu, .evemuComments: text.append(BenchHeads.evemu)
        case .evtest: text.append(BenchHeads.evtest)
        case .getevent:
            text.append("add device 1: /dev/input/event2\n  name:     \"Touchline bench panel\"\n")
        case .libinputRecord: text.append(BenchHeads.libinputRecord)
        case .journal, .reports, .webdriverActions, .script: break
        }
    }

    private mutating func writeScan() {
        defer {
            panel.advance()
            written.frames += 1
        }
        if panel.isLanding { written.began += BenchPanel.fingers }
        switch format {
        case .hidRecorder: writeReport()
        case .journal: writeFrame()
        case .evemu, .evemuComments, .evtest, .getevent, .libinputRecord: writeEvents()
        case .reports, .webdriverActions, .script: break
        }
    }

    /// Writes with the product's own writer, which defines the format.
    private mutating func writeFrame() {
        let phase: ContactPhase = panel.isLanding ? .began : panel.isLifting ? .ended : .moved
        let contacts = (0..<BenchPanel.fingers).map { finger in
            // The coordinates of a lift are the last ones.
            let (x, y) = panel.isLifting ? last[finger] : (Int32(panel.x(finger)), Int32(panel.y(finger)))
            last[finger] = (x, y)
            return DeviceContact(id: Int64(panel.trackingID + finger), phase: phase, x: x, y: y)
        }
        let frame = ContactFrame(time: .microseconds(panel.time), contacts: contacts)
        var bytes: [UInt8] = []
        journal.write(frame, into: &bytes)
        text.append(bytes)
        written.events += 1
    }

    private mutating func writeReport() {
        text.append("E: ")
        text.appendSeconds(panel.time, width: 13)
        let report = BenchReports.report(of: panel)
        text.append(" \(report.count)")
        for byte in report {
            text.append(" ")
            text.appendHex(Int(byte), width: 2)
        }
        text.append("\n")
        written.events += 1
    }

    private mutating func writeEvents() {
        if format == .libinputRecord { text.append("  - evdev:\n") }
        for finger in 0..<BenchPanel.fingers {
            writeEvent(3, 47, finger)
            if panel.isLanding { writeEvent(3, 57, panel.trackingID + finger) }
            if panel.isLifting {
                writeEvent(3, 57, -1)
            } else {
                writeEvent(3, 53, panel.x(finger))
                writeEvent(3, 54, panel.y(finger))
                writeEvent(3, 58, 40 + panel.step % 20)
            }
        }
        writeEvent(4, 5, panel.time % 1_000_000_000)
        writeEvent(0, 0, 0)
    }

    /// One event, with the names of its type and code.
    private struct Event {
        let type, code, value: Int

        var kind: StaticString { type == 3 ? "EV_ABS" : type == 4 ? "EV_MSC" : "EV_SYN" }

        var name: StaticString {
            switch (type, code) {
            case (3, 47): "ABS_MT_SLOT"
            case (3, 53): "ABS_MT_POSITION_X"
            case (3, 54): "ABS_MT_POSITION_Y"
            case (3, 57): "ABS_MT_TRACKING_ID"
            case (3, 58): "ABS_MT_PRESSURE"
            case (4, _): "MSC_TIMESTAMP"
            default: "SYN_REPORT"
            }
        }
    }

    /// Writes one event in the format.
    private mutating func writeEvent(_ type: Int, _ code: Int, _ value: Int) {
        written.events += 1
        let event = Event(type: type, code: code, value: value)
        switch format {
        case .evemu, .evemuComments: writeEvemu(event)
        case .evtest: writeEvtest(event)
        case .getevent: writeGetevent(event)
        case .libinputRecord: writeLibinput(event)
        case .reports, .hidRecorder, .journal, .webdriverActions, .script: break
        }
        text.append("\n")
    }

    private mutating func writeEvemu(_ event: Event) {
        text.append("E: ")
        text.appendSeconds(panel.time)
        text.append(" ")
        text.appendHex(event.type, width: 4)
        text.append(" ")
        text.appendHex(event.code, width: 4)
        text.append(" ")
        text.append(event.value, width: 4, pad: 0x30)
        if format == .evemuComments {
            if event.type == 0 {
                text.append("\t# ------------ SYN_REPORT (0) ---------- +8ms")
            } else {
                text.append("\t# ")
                text.append(event.kind)
                text.append(" / ")
                text.append(event.name)
                text.append("   ")
                text.append(event.value, width: 5)
            }
        }
    }

    private mutating func writeEvtest(_ event: Event) {
        text.append("Event: time ")
        text.appendSeconds(panel.time)
        if event.type == 0 {
            text.append(", -------------- SYN_REPORT ------------")
        } else {
            text.append(", type ")
            text.append(event.type)
            text.append(" (")
            text.append(event.kind)
            text.append("), code ")
            text.append(event.code)
            text.append(" (")
            text.append(event.name)
            text.append("), value ")
            text.append(event.value)
        }
    }

    private mutating func writeGetevent(_ event: Event) {
        text.append("[")
        text.appendSeconds(panel.time, width: 8)
        text.append("] /dev/input/event2: ")
        text.append(event.kind)
        text.append("       ")
        text.append(event.name)
        for _ in event.name.utf8CodeUnitCount..<21 { text.append(" ") }
        text.appendHex(event.value & 0xFFFF_FFFF, width: 8)
        text.append("            ")
    }

    private mutating func writeLibinput(_ event: Event) {
        text.append("    - [")
        text.append(panel.time / 1_000_000, width: 3)
        text.append(", ")
        text.append(panel.time % 1_000_000, width: 6)
        text.append(", ")
        text.append(event.type, width: 3)
        text.append(", ")
        text.append(event.code, width: 3)
        text.append(", ")
        text.append(event.value, width: 7)
        text.append("] # ")
        text.append(event.kind)
        text.append(" / ")
        text.append(event.name)
        text.append("  ")
        text.append(event.value, width: 6)
    }

    private mutating func writeScript(_ size: Int) {
        func position(_ finger: Int) -> (Int, Int) { (panel.x(finger) % 393, panel.y(finger) % 852) }
        // Whole stays only, within the limit of the text.
        var longestStay = 0
        var begun = 0
        while true {
            if panel.isLanding {
                longestStay = max(longestStay, text.bytes.count - begun)
                begun = text.bytes.count
                if begun > 0, begun + longestStay + 1024 > size { break }
            }
            for finger in 0..<BenchPanel.fingers {
                text.append(panel.isLanding ? "down f" : panel.isLifting ? "up f" : "move f")
                text.append(finger + 1)
                if !panel.isLifting {
                    text.append(" (")
                    text.append(position(finger).0)
                    text.append(".5,")
                    text.append(position(finger).1)
                    text.append(")")
                }
                text.append(" @")
                text.appendSeconds(panel.time)
                text.append("\n")
                written.events += 1
            }
            if panel.isLanding { written.began += BenchPanel.fingers }
            panel.advance()
            written.frames += 1
        }
    }

    /// The approximate limit in bytes of an Actions file.
    private static let actionsSize = 16_000_000

    private mutating func writeActions(_ size: Int) {
        // About 78 bytes an item; a move lasts a tick of 8 ms.
        let stays = max(1, size / 78 / BenchPanel.fingers / BenchPanel.scansOfStay)
        text.append("{\"actions\":[")
        for finger in 0..<BenchPanel.fingers {
            if finger > 0 { text.append(",") }
            text.append(
                "\n{\"type\":\"pointer\",\"id\":\"finger\(finger)\",\"parameters\":{\"pointerType\":\"touch\"},")
            text.append("\"actions\":[")
            var panel = BenchPanel()
            for _ in 0..<stays {
                for _ in 0..<BenchPanel.scansOfStay {
                    if panel.scan > 0 { text.append(",") }
                    if panel.isLifting {
                        text.append("\n{\"type\":\"pointerUp\",\"button\":0}")
                    } else {
                        text.append("\n{\"type\":\"pointerMove\",\"duration\":8,\"origin\":\"viewport\",\"x\":")
                        text.append(panel.x(finger) % 320)
                        text.append(",\"y\":")
                        text.append(panel.y(finger) % 480)
                        text.append("}")
                        if panel.isLanding {
                            text.append(",\n{\"type\":\"pointerDown\",\"button\":0}")
                            written.events += 1
                        }
                    }
                    written.events += 1
                    panel.advance()
                }
            }
            text.append("]}")
        }
        text.append("]}\n")
        written.began = stays * BenchPanel.fingers
        written.frames = stays * BenchPanel.scansOfStay
    }
}

/// Reports of a panel with five contacts in one report of 34 bytes, the report id included.
enum BenchReports {
    static let contactBytes = 6
    static let size = 1 + BenchPanel.fingers * contactBytes + 2 + 1

    static let descriptor: [UInt8] = {
        var bytes: [UInt8] = [
            0x05, 0x0D,  // Usage Page: digitizer
            0x09, 0x04,  // Usage: touch screen
            0xA1, 0x01,  // Collection: application
            0x85, 0x01,  // Report ID 1
        ]
        for _ in 0..<BenchPanel.fingers {
            bytes += [
                0x05, 0x0D, 0x09, 0x22, 0xA1, 0x02,  // Finger, logical
                0x09, 0x42, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01, 0x81, 0x02,  // Tip switch
                0x75, 0x07, 0x81, 0x03,  // seven bits of nothing
                0x09, 0x51, 0x25, 0x7F, 0x75, 0x08, 0x81, 0x02,  // Contact identifier
                0x05, 0x01, 0x26, 0xFF, 0x0F, 0x75, 0x10,  // 0...4095 in 16 bits
                0x55, 0x0E, 0x65, 0x11, 0x35, 0x00, 0x46, 0x00, 0x08,  // 0...2048 hundredths of a centimetre
                0x09, 0x30, 0x81, 0x02, 0x09, 0x31, 0x81, 0x02,  // X, Y
                0xC0,
            ]
        }
        bytes += [
            0x05, 0x0D, 0x27, 0xFF, 0xFF, 0x00, 0x00, 0x75, 0x10, 0x09, 0x56, 0x81, 0x02,  // Scan time
            0x25, 0x7F, 0x75, 0x08, 0x09, 0x54, 0x81, 0x02,  // Contact count
            0x85, 0x02, 0x09, 0x55, 0x25, 0x05, 0xB1, 0x02,  // Feature: contact count maximum
            0xC0,
        ]
        return bytes
    }()

    static func report(of panel: BenchPanel) -> [UInt8] {
        func low(_ number: Int) -> UInt8 { UInt8(truncatingIfNeeded: number) }
        var bytes: [UInt8] = [1]
        bytes.reserveCapacity(size)
        for finger in 0..<BenchPanel.fingers {
            let (x, y) = (panel.x(finger), panel.y(finger))
            bytes += [panel.isLifting ? 0 : 1, low(finger), low(x), low(x >> 8), low(y), low(y >> 8)]
        }
        // 100 µs, 16 bits.
        let scanTime = panel.time / 100
        bytes += [low(scanTime), low(scanTime >> 8), UInt8(BenchPanel.fingers)]
        return bytes
    }
}
