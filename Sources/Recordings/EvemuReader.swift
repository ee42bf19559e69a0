// EvemuReader.swift: evemu recordings, versions 1.0 to 1.3, line by line.
//
//     # EVEMU 1.3                         version; absent means 1.0. Every other # line is a comment
//     N: name                             the rest of the line, # included
//     I: bus vendor product version       hex
//     P: bytes                            device properties, hex
//     B: type bytes                       event codes of a type, hex, lines of one type append
//     A: code min max fuzz flat [res]     an axis: code hex, the rest decimal
//     L: code state    S: code state      lights and switches, from 1.3
//     E: sec.usec type code value         type and code hex, value decimal: 0082 is 82. A comment may follow
//
// A file may hold all of it, the E lines only, or the description only. A line that begins like none of these was
// left by a person or a tool: it is counted and skipped. One that begins like one and is broken is an error, since
// a lost event may strand a finger.
//
// Station   device
// Fed by    RecordingReader
// Feeds     EvdevTracker
//
// Sources   documented  evemu's README (whot/evemu)
//           observed    recordings: CRLF, trailing blanks, epoch times, times that differ inside a scan

import Basics
import HID

struct EvemuReader: LineFormat {
    private var ignoredLines = 0
    private var recording: EvdevRecording

    init(_ options: RecordingOptions = RecordingOptions()) { recording = EvdevRecording(options) }

    var facts: RecordingFacts {
        var facts = RecordingFacts()
        recording.add(to: &facts)
        facts.ignoredLines = ignoredLines
        return facts
    }

    mutating func take(_ line: Span<UInt8>, into frames: inout [ContactFrame]) throws(Complaint) {
        var fields = Fields(line)
        guard let letter = fields.first, letter != UInt8(ascii: "#") else {
            try takeComment(line)
            return
        }
        guard fields.takeKey(letter) else {
            ignoredLines += 1
            return
        }
        switch letter {
        case UInt8(ascii: "E"): try takeEvent(&fields, into: &frames)
        case UInt8(ascii: "N"):
            let name = fields.restOfLine
            recording.describe { $0.name = name }
        case UInt8(ascii: "I"): try takeNumbers(&fields)
        case UInt8(ascii: "P"):
            while let bits = try fields.takeByte("property bits") {
                recording.describe { $0.setNextProperties(bits) }
            }
        case UInt8(ascii: "B"):
            let type = try fields.takeHex("an event type")
            while let bits = try fields.takeByte("event code bits") {
                recording.describe { $0.listNext(bits, ofType: type) }
            }
        case UInt8(ascii: "A"): try takeAxis(&fields)
        case UInt8(ascii: "L"), UInt8(ascii: "S"): break
        default: ignoredLines += 1
        }
    }

    /// - Returns: Who is still down, cancelled.
    mutating func finish(into frames: inout [ContactFrame]) -> ContactFrame? { recording.finish(into: &frames) }

    mutating func abandon(into frames: inout [ContactFrame]) -> ContactFrame? { finish(into: &frames) }

    private func takeComment(_ line: Span<UInt8>) throws(Complaint) {
        var fields = Fields(line)
        guard let version = fields.takeEvemuVersion() else { return }
        guard version.hasPrefix("1.") || version == "1" else {
            throw Complaint(expected: "evemu version 1.0 to 1.3", found: quoted(version))
        }
    }

    private mutating func takeNumbers(_ fields: inout Fields) throws(Complaint) {
        let bus = try fields.takeHex("a bus")
        let vendor = try fields.takeHex("a vendor")
        let product = try fields.takeHex("a product")
        let version = try fields.takeHex("a version")
        recording.describe {
            ($0.bus, $0.vendor) = (bus, vendor)
            ($0.product, $0.version) = (product, version)
        }
    }

    /// A range that is none, as 0 to −1, is what a device says that does not know: it stays undescribed.
    private mutating func takeAxis(_ fields: inout Fields) throws(Complaint) {
        let code = try fields.takeHex("an axis code")
        let minimum = try fields.takeDecimal("the axis minimum")
        let maximum = try fields.takeDecimal("the axis maximum")
        let fuzz = try fields.takeDecimal("fuzz")
        let flat = try fields.takeDecimal("flat")
        let resolution = fields.isAtEnd ? 0 : try fields.takeDecimal("a resolution")
        recording.describe {
            $0.describe(
                axis: code,
                as: DeviceAxis(
                    minimum: minimum, maximum: maximum, resolution: Double(resolution), fuzz: fuzz, flat: flat))
        }
    }

    private mutating func takeEvent(_ fields: inout Fields, into frames: inout [ContactFrame]) throws(Complaint) {
        let stamp = try fields.takeStamp()
        let type = try fields.takeHex("an event type")
        let code = try fields.takeHex("an event code")
        let value = try fields.takeDecimal("a value")
        try fields.expectEnd()
        recording.take(type, code, value, stamp: stamp, into: &frames)
    }
}
