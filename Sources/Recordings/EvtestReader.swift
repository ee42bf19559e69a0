// EvtestReader.swift: reads the output of evtest and mtplot, line by line.
//
// Station   device
// Input     RecordingReader
// Output    EvdevRecording
//
// Sources   documented  Docs/Spec/Input.md section 3.2
//           observed    recordings: with or without header, `(?)` for names that evtest does not know

import Basics
import HID

/// Reads evtest's format.
///
///     Input driver version is 1.0.1
///     Input device ID: bus 0x18 vendor 0x0 product 0x0 version 0x1
///     Input device name: "…"
///     Supported events:
///       Event type 3 (EV_ABS)
///         Event code 53 (ABS_MT_POSITION_X)
///           Value  861                        and Min, Max, Fuzz, Flat, Resolution
///     Properties:
///       Property type 1 (INPUT_PROP_DIRECT)
///     Event: time 12.345678, type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value 861
///     Event: time 12.345678, -------------- SYN_REPORT ------------          EV_SYN, Report Sync: older ones
///     Event: time 12.345678, ++++++++++++++ SYN_MT_REPORT ++++++++++++
///     Event: time 12.345678, >>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<
///
/// Numbers are decimal, except in the ID line. Names are not read, except for synchronization events. A line with
/// another beginning is counted and skipped; a broken event is an error.
struct EvtestReader: LineFormat {
    private var ignoredLines = 0
    private var recording: EvdevRecording
    /// The type and the axis that indented header lines belong to.
    private var type: UInt16?
    private var axis: UInt16?

    init(_ options: RecordingOptions = RecordingOptions()) { recording = EvdevRecording(options) }

    var facts: RecordingFacts {
        var facts = RecordingFacts()
        recording.add(to: &facts)
        facts.ignoredLines = ignoredLines
        return facts
    }

    mutating func finish(into frames: inout [ContactFrame]) -> ContactFrame? { recording.finish(into: &frames) }

    mutating func abandon(into frames: inout [ContactFrame]) -> ContactFrame? { finish(into: &frames) }

    mutating func readLine(_ line: Span<UInt8>, into frames: inout [ContactFrame]) throws(Complaint) {
        var fields = Fields(line)
        if fields.skipIfNext("Event: time") {
            try parseEvent(&fields, into: &frames)
        } else if let first = fields.first, first != UInt8(ascii: "#") {
            try parseHeader(&fields)
        }
    }

    private mutating func parseEvent(_ fields: inout Fields, into frames: inout [ContactFrame]) throws(Complaint) {
        let stamp = try fields.readSeconds()
        fields.skipBlanks()
        guard fields.skipIfNext(UInt8(ascii: ",")) else {
            throw fields.complaint("a comma after the time", at: fields.next)
        }
        guard fields.skipIfNext("type ") else { return try parseSynchronisation(&fields, stamp, into: &frames) }
        let type = try parseNumber(&fields, "an event type")
        guard fields.skipIfNext("code ") else { throw fields.complaint("a code", at: fields.next) }
        let code = try parseNumber(&fields, "an event code")
        guard fields.skipIfNext("value ") else { throw fields.complaint("a value", at: fields.next) }
        // Scan codes and raw values are hexadecimal and not needed.
        let isNumber = type <= 3 || type == 4 && code == Code.timestamp
        let value = isNumber ? try fields.readDecimal("a value") : 0
        if isNumber { try fields.expectEnd() }
        recording.handle(type, code, value, stamp: stamp, into: &frames)
    }

    /// Parses a number with its name, such as `3 (EV_ABS),`.
    private func parseNumber(_ fields: inout Fields, _ what: StaticString) throws(Complaint) -> UInt16 {
        let start = fields.next
        let value = try fields.readDigits(what)
        guard let number = UInt16(exactly: value) else { throw fields.complaint("\(what) of 0 to 65535", at: start) }
        fields.skip(past: UInt8(ascii: ","))
        return number
    }

    private static let otherSynchronisation: UInt16 = 1

    private mutating func parseSynchronisation(
        _ fields: inout Fields, _ stamp: Int64, into frames: inout [ContactFrame]
    ) throws(Complaint) {
        let start = fields.next
        while let first = fields.first, "-+><".utf8.contains(first) { _ = fields.skipIfNext(first) }
        let code: UInt16
        if fields.skipIfNext("SYN_REPORT") || fields.skipIfNext("EV_SYN") || fields.skipIfNext("Report Sync") {
            code = Code.report
        } else if fields.skipIfNext("SYN_MT_REPORT") {
            code = Code.groupReport
        } else if fields.skipIfNext("SYN_DROPPED") {
            code = Code.dropped
        } else if fields.skipIfNext("SYN_CONFIG") || fields.skipIfNext("Config Sync") {
            code = Self.otherSynchronisation
        } else if fields.next > start {
            // evtest had no name for it either.
            code = Self.otherSynchronisation
            fields.skip(past: UInt8(ascii: "-"))
        } else {
            throw fields.complaint("a type or a synchronisation", at: start)
        }
        while let first = fields.first, "-+><".utf8.contains(first) { _ = fields.skipIfNext(first) }
        try fields.expectEnd()
        recording.handle(0, code, 0, stamp: stamp, into: &frames)
    }

    private mutating func parseHeader(_ fields: inout Fields) throws(Complaint) {
        if fields.skipIfNext("Event code ") {
            guard let type, let code = number(&fields) else { return ignoredLines += 1 }
            axis = type == 3 ? code : nil
            recording.describe { $0.list(code: code, ofType: type) }
        } else if fields.skipIfNext("Event type ") {
            type = number(&fields)
        } else if fields.skipIfNext("Input device name: ") {
            let name = fields.restOfLine
            recording.describe { $0.name = name.unquoted }
        } else if fields.skipIfNext("Input device ID: ") {
            parseNumbers(&fields)
        } else if fields.skipIfNext("Property type ") {
            guard let property = number(&fields) else { return ignoredLines += 1 }
            recording.describe { $0.setProperty(Int(property)) }
        } else if Self.isIgnorable(fields) {
            axis = nil
        } else if let axis {
            parseAxis(axis, &fields)
        } else if !fields.starts(with: "Value ") {
            ignoredLines += 1
        }
    }

    /// Whether a header line has no useful content and belongs to no axis.
    private static func isIgnorable(_ fields: borrowing Fields) -> Bool {
        fields.starts(with: "Input driver version is ") || fields.starts(with: "Supported events:")
            || fields.starts(with: "Properties:") || fields.starts(with: "Testing ...")
            || fields.starts(with: "Key repeat handling:") || fields.starts(with: "Repeat ")
            || fields.starts(with: "State ")
    }

    private func number(_ fields: inout Fields) -> UInt16? {
        do throws(Complaint) { return UInt16(exactly: try fields.readDigits("a number")) } catch { return nil }
    }

    private mutating func parseNumbers(_ fields: inout Fields) {
        var numbers: [UInt16] = []
        while !fields.isAtEnd {
            _ = fields.readField()
            guard fields.skipIfNext("0x") else { break }
            do throws(Complaint) { numbers.append(try fields.readHex("a number")) } catch { break }
        }
        guard numbers.count == 4 else { return ignoredLines += 1 }
        recording.describe {
            ($0.bus, $0.vendor) = (numbers[0], numbers[1])
            ($0.product, $0.version) = (numbers[2], numbers[3])
        }
    }

    private mutating func parseAxis(_ code: UInt16, _ fields: inout Fields) {
        let key = fields.readField()
        let value: Int32
        do throws(Complaint) { value = try fields.readDecimal("a number") } catch { return ignoredLines += 1 }
        var axis = recording.description.axis(code) ?? DeviceAxis(minimum: 0, maximum: 0)
        if fields.equals(key, "Min") {
            axis.minimum = value
        } else if fields.equals(key, "Max") {
            axis.maximum = value
        } else if fields.equals(key, "Fuzz") {
            axis.fuzz = value
        } else if fields.equals(key, "Flat") {
            axis.flat = value
        } else if fields.equals(key, "Resolution") {
            axis.resolution = Double(value)
        } else {
            if !fields.equals(key, "Value") { ignoredLines += 1 }
            return
        }
        recording.describe { $0.describe(axis: code, as: axis) }
    }
}

extension String {
    /// The text without surrounding quotation marks, if it has any.
    var unquoted: String {
        utf8.count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}
