// GeteventReader.swift: reads the output of Android's getevent with -t or -lt, line by line.
//
// Station   device
// Input     RecordingReader
// Output    EvdevDevices
//
// Sources   documented  Android's toolbox: getevent.c; Docs/Spec/Input.md section 3.3
//           observed    recordings: values in capitals, trailing blanks, CRLF

import HID

/// Reads getevent's format.
///
///     add device 1: /dev/input/event2             descriptions, with -p or for every device
///       name:     "…"
///         KEY (0001): BTN_TOUCH …
///         ABS (0003): ABS_MT_SLOT  : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
///                     0035         : value 0, min 0, max 719, …
///       input props:
///         INPUT_PROP_DIRECT
///     [   52032.679748] /dev/input/event2: EV_ABS  ABS_MT_POSITION_X  00000076
///     [   52032.679748] 0003 0035 00000076
///     52032-679748: /dev/input/event2: 0003 0035 00000076         before Android 4.1: no leading zeros
///     remove device 1: /dev/input/event2
///
/// Names are labels, or hexadecimal without -l and for codes without a label. Values are 32 bits in hexadecimal, or
/// DOWN, UP or REPEAT for a key. A report may end in ` rate 60`. The path is present with several devices. Other lines
/// are counted and skipped; an event that is broken or has no time is an error.
struct GeteventReader: LineFormat {
    private var ignoredLines = 0
    private var devices: EvdevDevices
    private var section = Section.none

    /// The section that indented lines belong to.
    private enum Section { case none, header, codes(UInt16), properties }

    init(_ options: RecordingOptions = RecordingOptions()) { devices = EvdevDevices(options) }

    var facts: RecordingFacts {
        var facts = RecordingFacts()
        devices.add(to: &facts)
        facts.ignoredLines = ignoredLines
        return facts
    }

    mutating func finish(into frames: inout [ContactFrame]) -> ContactFrame? { devices.finish(into: &frames) }

    mutating func abandon(into frames: inout [ContactFrame]) -> ContactFrame? { finish(into: &frames) }

    mutating func readLine(_ line: Span<UInt8>, into frames: inout [ContactFrame]) throws(Complaint) {
        var fields = Fields(line)
        switch fields.first {
        case UInt8(ascii: "["):
            _ = fields.skipIfNext(UInt8(ascii: "["))
            let stamp = try fields.readSeconds()
            fields.skipBlanks()
            guard fields.skipIfNext(UInt8(ascii: "]")) else {
                throw fields.complaint("a time as [ seconds.microseconds]", at: fields.next)
            }
            try parseEvent(&fields, stamp, into: &frames)
        case UInt8(ascii: "/"):
            if Self.isEvent(fields) {
                throw Self.missingTime
            }
            ignoredLines += 1
        case nil, UInt8(ascii: "#"): break
        case .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            let isIndented = fields.next > 0
            var event = fields
            guard !isIndented, let time = Self.parseDashedTime(&event) else {
                return try parseHeader(&fields, isIndented, into: &frames)
            }
            guard time.seconds <= EvdevClock.secondLimit, time.microseconds <= 999_999 else {
                throw fields.complaint(
                    "a time of at most \(EvdevClock.secondLimit) seconds and 999999 microseconds", at: fields.next)
            }
            try parseEvent(&event, time.seconds &* 1_000_000_000 &+ time.microseconds &* 1000, into: &frames)
        default:
            // Lines about a device are indented more than the device.
            let isIndented = fields.next > 0
            try parseHeader(&fields, isIndented, into: &frames)
        }
    }

    // MARK: Events

    private static let missingTime = Complaint(expected: "a time: record with getevent -lt", found: "none")

    /// Whether the fields are an event or begin as one: its type, its code and its value, with or without a path.
    static func isEvent(_ fields: Fields) -> Bool {
        var fields = fields
        if fields.first == UInt8(ascii: "/") {
            guard parsePath(&fields) != nil, fields.skipIfNext(UInt8(ascii: ":")) else { return false }
        }
        if fields.readFourDigits() == nil {
            guard fields.starts(with: "EV_") else { return false }
            _ = fields.readField()
        }
        if fields.readFourDigits() == nil {
            guard let first = fields.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
                return false
            }
            _ = fields.readField()
        }
        let value = fields.readField()
        return value.count == 8 && value.allSatisfy { Fields.hexDigit(fields.line[$0]) != nil }
            || fields.equals(value, "DOWN") || fields.equals(value, "UP") || fields.equals(value, "REPEAT")
            || value.count > 8 && fields.equals(value.prefix(8), "MT_TOOL_")
    }

    /// Whether the line lists a device, such as `/dev/input/event0:    Lid Switch`.
    static func isDevice(_ fields: Fields) -> Bool {
        var fields = fields
        return parsePath(&fields) != nil && fields.first == UInt8(ascii: ":")
    }

    /// Parses the old time format, such as `52032-679748:`.
    static func parseDashedTime(_ fields: inout Fields) -> (seconds: Int64, microseconds: Int64)? {
        guard let first = fields.first, first != UInt8(ascii: "-") else { return nil }
        do throws(Complaint) {
            let seconds = try fields.readLong("seconds")
            guard fields.skipIfNext(UInt8(ascii: "-")), fields.first != UInt8(ascii: "-") else { return nil }
            let microseconds = try fields.readLong("microseconds")
            return fields.skipIfNext(UInt8(ascii: ":")) ? (seconds, microseconds) : nil
        } catch { return nil }
    }

    private mutating func parseEvent(
        _ fields: inout Fields, _ stamp: Int64, into frames: inout [ContactFrame]
    ) throws(Complaint) {
        var isKnown = true
        if fields.first == UInt8(ascii: "/") {
            let start = fields.next
            guard let number = Self.parsePath(&fields), fields.skipIfNext(UInt8(ascii: ":")) else {
                throw fields.complaint("a device as /dev/input/event2:", at: start)
            }
            isKnown = devices.select(number)
        } else {
            isKnown = devices.select(EvdevDevices.onlyDevice)
        }
        let type = try parseType(&fields)
        let code = try parseCode(&fields, type)
        let value = try parseValue(&fields, type, code)
        if fields.skipIfNext("rate ") { _ = try fields.readDecimal("a rate") }
        try fields.expectEnd()
        guard isKnown else { return ignoredLines += 1 }
        devices.handle(type, code, value, stamp: stamp, into: &frames)
    }

    /// Parses a path such as `/dev/input/event2`.
    private static func parsePath(_ fields: inout Fields) -> Int? {
        guard fields.skipIfNext("/dev/input/event") else { return nil }
        do throws(Complaint) {
            let number = try fields.readDigits("a number")
            return number >= 0 ? Int(number) : nil
        } catch { return nil }
    }

    private func parseType(_ fields: inout Fields) throws(Complaint) -> UInt16 {
        guard fields.skipIfNext("EV_") else { return try fields.readHex("an event type") }
        let name = fields.readField()
        if fields.equals(name, "ABS") { return 3 }
        if fields.equals(name, "SYN") { return 0 }
        if fields.equals(name, "KEY") { return 1 }
        if fields.equals(name, "MSC") { return 4 }
        return Self.otherType
    }

    private func parseCode(_ fields: inout Fields, _ type: UInt16) throws(Complaint) -> UInt16 {
        if let code = fields.readFourDigits() { return code }
        guard let first = fields.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
            throw fields.complaint("an event code", at: fields.next)
        }
        return Self.code(labelled: fields, fields.readField(), type)
    }

    private func parseValue(
        _ fields: inout Fields, _ type: UInt16, _ code: UInt16
    ) throws(Complaint) -> Int32 {
        if type == 1 {
            if fields.skipIfNext("DOWN") { return 1 }
            if fields.skipIfNext("UP") { return 0 }
            if fields.skipIfNext("REPEAT") { return 2 }
        } else if type == 3, code == Code.toolType, fields.skipIfNext("MT_TOOL_") {
            let tool = fields.readField()
            return fields.equals(tool, "PEN") ? 1 : fields.equals(tool, "PALM") ? 2 : 0
        }
        return try fields.readHex32("a value")
    }

    /// Stands for all types, and codes, that are not read.
    private static let otherType: UInt16 = 0xFFFF
    private static let otherCode: UInt16 = 0xFFFF

    private static func code(labelled fields: borrowing Fields, _ label: Range<Int>, _ type: UInt16) -> UInt16 {
        switch type {
        case 0:
            if fields.equals(label, "SYN_REPORT") { return Code.report }
            if fields.equals(label, "SYN_MT_REPORT") { return Code.groupReport }
            if fields.equals(label, "SYN_DROPPED") { return Code.dropped }
        case 1:
            if fields.equals(label, "BTN_TOUCH") { return Code.touch }
            if fields.equals(label, "BTN_TOOL_PEN") { return Code.toolPen }
            if fields.equals(label, "BTN_TOOL_FINGER") { return Code.toolFinger }
        case 3:
            if label.count > 7, fields.equals(label.lowerBound..<(label.lowerBound + 7), "ABS_MT_") {
                return touchCode(fields, (label.lowerBound + 7)..<label.upperBound)
            }
            if fields.equals(label, "ABS_X") { return Code.x }
            if fields.equals(label, "ABS_Y") { return Code.y }
            if fields.equals(label, "ABS_PRESSURE") { return Code.pressure }
        case 4: if fields.equals(label, "MSC_TIMESTAMP") { return Code.timestamp }
        default: break
        }
        return otherCode
    }

    private static func touchCode(_ fields: borrowing Fields, _ label: Range<Int>) -> UInt16 {
        switch fields.line[label.lowerBound] {
        case UInt8(ascii: "P"):
            if fields.equals(label, "POSITION_X") { return Code.touchX }
            if fields.equals(label, "POSITION_Y") { return Code.touchY }
            if fields.equals(label, "PRESSURE") { return Code.touchPressure }
        case UInt8(ascii: "S"): if fields.equals(label, "SLOT") { return Code.slot }
        case UInt8(ascii: "T"):
            if fields.equals(label, "TRACKING_ID") { return Code.trackingID }
            if fields.equals(label, "TOUCH_MAJOR") { return Code.touchMajor }
            if fields.equals(label, "TOUCH_MINOR") { return Code.touchMinor }
            if fields.equals(label, "TOOL_TYPE") { return Code.toolType }
            if fields.equals(label, "TOOL_X") { return Code.touchAxes.upperBound - 1 }
            if fields.equals(label, "TOOL_Y") { return Code.touchAxes.upperBound }
        case UInt8(ascii: "O"): if fields.equals(label, "ORIENTATION") { return Code.orientation }
        case UInt8(ascii: "D"): if fields.equals(label, "DISTANCE") { return Code.touchDistance }
        // An axis of a contact that is not read.
        case UInt8(ascii: "W"), UInt8(ascii: "B"): return Code.touchWidth
        default: break
        }
        return otherCode
    }

    // MARK: Descriptions

    private mutating func parseHeader(
        _ fields: inout Fields, _ isIndented: Bool, into frames: inout [ContactFrame]
    ) throws(Complaint) {
        if fields.skipIfNext("add device ") {
            fields.skip(past: UInt8(ascii: ":"))
            section = .none
            guard let number = Self.parsePath(&fields), devices.select(number) else { return ignoredLines += 1 }
            section = .header
        } else if fields.skipIfNext("remove device ") {
            fields.skip(past: UInt8(ascii: ":"))
            section = .none
            guard let number = Self.parsePath(&fields) else { return ignoredLines += 1 }
            devices.unplug(number, into: &frames)
        } else if !isIndented {
            if Self.isEvent(fields) { throw Self.missingTime }
            ignoredLines += 1
        } else if fields.skipIfNext("name:") {
            let name = fields.restOfLine.unquoted
            devices.describe { $0.name = name }
        } else if fields.skipIfNext("events:") {
            section = .codes(Self.otherType)
        } else if fields.skipIfNext("input props:") {
            section = .properties
        } else {
            parseSection(&fields)
        }
    }

    private mutating func parseSection(_ fields: inout Fields) {
        switch section {
        case .none: ignoredLines += 1
        case .header: parseNumber(&fields)
        case .properties:
            if fields.skipIfNext("INPUT_PROP_DIRECT") { devices.describe { $0.setProperty(1) } }
            if fields.skipIfNext("INPUT_PROP_POINTER") { devices.describe { $0.setProperty(0) } }
        case .codes(var type):
            // `ABS (0003):` begins another type.
            var head = fields
            _ = head.readField()
            if head.skipIfNext(UInt8(ascii: "(")), let number = Self.hex(&head, until: UInt8(ascii: ")")) {
                type = number
                section = .codes(type)
                _ = head.skipIfNext(UInt8(ascii: ":"))
                fields = head
            }
            if type == 3 { parseAxis(&fields) } else { parseCodes(&fields, type) }
        }
    }

    /// Parses a number such as `bus:      0018`, with or without the colon.
    private mutating func parseNumber(_ fields: inout Fields) {
        let key = fields.readField()
        guard let number = Self.hex(&fields, until: nil) else { return }
        if fields.equals(key, "bus:") { devices.describe { $0.bus = number } }
        if fields.equals(key, "vendor") { devices.describe { $0.vendor = number } }
        if fields.equals(key, "product") { devices.describe { $0.product = number } }
        if fields.equals(key, "version") { devices.describe { $0.version = number } }
    }

    private static func hex(_ fields: inout Fields, until end: UInt8?) -> UInt16? {
        var value: UInt32 = 0
        var digits = 0
        while let byte = fields.first, let digit = Fields.hexDigit(byte), digits < 4 {
            value = value << 4 | digit
            digits += 1
            _ = fields.skipIfNext(byte)
        }
        guard digits > 0 else { return nil }
        if let end { return fields.skipIfNext(end) ? UInt16(value) : nil }
        return fields.first == nil ? UInt16(value) : nil
    }

    private mutating func parseCodes(_ fields: inout Fields, _ type: UInt16) {
        while fields.first != nil { parseListedCode(&fields, type) }
    }

    /// Parses one code of a list; a star marks it as held down.
    @discardableResult
    private mutating func parseListedCode(_ fields: inout Fields, _ type: UInt16) -> UInt16 {
        var field = fields.readField()
        while let last = field.last, fields.line[last] == UInt8(ascii: "*") || fields.line[last] == UInt8(ascii: ":") {
            field.removeLast()
        }
        var code = Self.otherCode
        let isHex = field.count == 4 && field.allSatisfy { Fields.hexDigit(fields.line[$0]) != nil }
        if isHex {
            code = field.reduce(0) { $0 << 4 | UInt16(Fields.hexDigit(fields.line[$1]) ?? 0) }
        } else if let first = field.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(fields.line[first]) {
            code = Self.code(labelled: fields, field, type)
        }
        if code != Self.otherCode { devices.describe { $0.list(code: code, ofType: type) } }
        return code
    }

    /// Parses an axis such as `ABS_MT_SLOT : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0`; older versions have
    /// no resolution.
    private mutating func parseAxis(_ fields: inout Fields) {
        let code = parseListedCode(&fields, 3)
        fields.skip(past: UInt8(ascii: ":"))
        var axis = DeviceAxis(minimum: 0, maximum: 0)
        while fields.first != nil {
            let key = fields.readField()
            let value: Int32
            do throws(Complaint) { value = try fields.readDigits("a number") } catch { return ignoredLines += 1 }
            fields.skipBlanks()
            _ = fields.skipIfNext(UInt8(ascii: ","))
            if fields.equals(key, "min") { axis.minimum = value }
            if fields.equals(key, "max") { axis.maximum = value }
            if fields.equals(key, "fuzz") { axis.fuzz = value }
            if fields.equals(key, "flat") { axis.flat = value }
            if fields.equals(key, "resolution") { axis.resolution = Double(value) }
        }
        if code != Self.otherCode { devices.describe { $0.describe(axis: code, as: axis) } }
    }
}
