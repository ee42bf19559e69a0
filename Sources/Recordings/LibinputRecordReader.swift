// LibinputRecordReader.swift: reads the output of `libinput record`, version 1, line by line.
//
// Station   device
// Input     RecordingReader
// Output    EvdevDevices
//
// Sources   documented  libinput's tools/libinput-record.man; Docs/Spec/Input.md section 3.4
//           observed    a recording: lists that begin in the column of their key, comments between events

import Basics
import HID

/// Reads the format of `libinput record`.
///
///     version: 1
///     devices:
///     - node: /dev/input/event14              the dash in any column, the keys below it two columns further
///       evdev:
///         name: "…"
///         id: [3, 1739, 10600, 272]           bus, vendor, product, version, decimal
///         codes:
///           3: [0, 1, 47, 53]                 a type's codes
///         absinfo:
///           53: [0, 1051, 0, 0, 12]           an axis' minimum, maximum, fuzz, flat, resolution
///         properties: [0, 2]
///       events:
///       - evdev:                              other kinds of entries are skipped
///         - [  0,  89724,   3,  57,   80]     sec, usec, type, code, value
///
/// The format is YAML. This reader supports the part that libinput writes: keys by their indentation, flow lists over
/// any number of lines, quoted names, null, comments. Everything else is skipped. Docs/Decisions/LibinputYAML.md
/// explains why it uses no YAML library.
struct LibinputRecordReader: LineFormat {
    private var devices: EvdevDevices
    private var ignoredLines = 0
    /// The number of devices without a node, which are numbered here.
    private var deviceCount = 0
    /// Whether the current entry of `devices` is a known device.
    private var hasDevice = false

    /// The keys that enclose the current line, outermost first, with their columns.
    private var path: [(key: Key, column: Int)] = []
    /// The flow list that is still open, and its numbers.
    private var openList: (list: List, depth: Int)?
    /// The column of the key that the list belongs to.
    private var openColumn = 0
    private var numbers: [Int64] = []

    private enum Key: Equatable {
        case devices, evdev, codes, absinfo, events
        /// An entry of `events` with evdev events.
        case entry
        /// Nothing below it is read.
        case other
    }

    /// The meaning of a flow list.
    private enum List: Equatable {
        case identity, properties, event, other
        case codes(UInt16)
        case axis(UInt16)
    }

    /// More than the codes of any type.
    private static let numberLimit = 1024

    init(_ options: RecordingOptions = RecordingOptions()) { devices = EvdevDevices(options) }

    var facts: RecordingFacts {
        var facts = RecordingFacts()
        devices.add(to: &facts)
        facts.ignoredLines = ignoredLines
        return facts
    }

    mutating func finish(into frames: inout [ContactFrame]) throws(Complaint) -> ContactFrame? {
        if let list = openList?.list {
            throw Complaint(
                expected: list == .event ? "an event's closing bracket" : "a list's closing bracket",
                found: "the file's end")
        }
        return devices.finish(into: &frames)
    }

    mutating func abandon(into frames: inout [ContactFrame]) -> ContactFrame? { devices.finish(into: &frames) }

    mutating func readLine(_ line: Span<UInt8>, into frames: inout [ContactFrame]) throws(Complaint) {
        var fields = Fields(line)
        guard let first = fields.first, first != UInt8(ascii: "#") else { return }
        let column = fields.next
        if let list = openList?.list {
            guard list == .other, column <= openColumn, Self.beginsEntry(fields) else {
                return try parseList(&fields, into: &frames)
            }
            // The value only looked like a list.
            openList = nil
            ignoredLines += 1
        }
        guard first == UInt8(ascii: "-"), column + 1 == line.count || Fields.isBlank(line[column + 1]) else {
            while let last = path.last, last.column >= column { path.removeLast() }
            return try parseKey(&fields, into: &frames)
        }
        // A list may begin in the column of its key. The content of the previous dash has ended.
        while let last = path.last, last.column > column { path.removeLast() }
        _ = fields.skipIfNext(first)
        if path.last?.key == .devices { hasDevice = false }
        try parseKey(&fields, into: &frames)
    }

    /// Whether a line begins an entry: `- ` or `name:`.
    private static func beginsEntry(_ fields: Fields) -> Bool {
        var fields = fields
        let key = fields.readField()
        guard let last = key.last else { return false }
        return fields.equals(key, "-") || fields.line[last] == UInt8(ascii: ":")
    }

    /// Parses a key such as `name: "…"`, or a value without a key.
    private mutating func parseKey(_ fields: inout Fields, into frames: inout [ContactFrame]) throws(Complaint) {
        guard let first = fields.first else { return }
        let parent = path.last?.key
        if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") {
            return try beginList(parent == .entry ? .event : .other, &fields, into: &frames)
        }
        let column = fields.next
        let word = fields.readField()
        guard parent != .other else { return try skipList(&fields, into: &frames) }
        guard let colon = word.last, fields.line[colon] == UInt8(ascii: ":") else {
            // `---` begins a document.
            if !fields.equals(word, "---") { ignoredLines += 1 }
            return
        }
        let name = word.lowerBound..<colon
        var key = Key.other
        switch parent {
        case nil:
            if fields.equals(name, "devices") { key = .devices }
            if fields.equals(name, "version") { try parseVersion(&fields) }
        case .devices:
            if fields.equals(name, "evdev") { key = .evdev }
            if fields.equals(name, "events") { key = .events }
            if fields.equals(name, "node") { parseNode(&fields) }
        case .evdev:
            beginDevice()
            if fields.equals(name, "codes") { key = .codes }
            if fields.equals(name, "absinfo") { key = .absinfo }
            if fields.equals(name, "name") { parseName(&fields) }
            if fields.equals(name, "id") { return try beginList(.identity, &fields, into: &frames) }
            if fields.equals(name, "properties") { return try beginList(.properties, &fields, into: &frames) }
        case .codes: if let type = number(fields, name) { return try beginList(.codes(type), &fields, into: &frames) }
        case .absinfo: if let code = number(fields, name) { return try beginList(.axis(code), &fields, into: &frames) }
        case .events: if fields.equals(name, "evdev") { key = .entry }
        case .entry, .other: break
        }
        path.append((key, column))
        if key == .other { try skipList(&fields, into: &frames) }
    }

    private func parseVersion(_ fields: inout Fields) throws(Complaint) {
        let start = fields.next
        guard try fields.readDecimal("a version") == 1 else {
            throw fields.complaint("version 1 of libinput record", at: start)
        }
    }

    // MARK: Devices

    private mutating func parseNode(_ fields: inout Fields) {
        guard fields.skipIfNext("/dev/input/event"), let number = number(fields, fields.readField()) else { return }
        hasDevice = devices.select(Int(number))
    }

    /// Selects the current device, even without a node.
    private mutating func beginDevice() {
        guard !hasDevice else { return }
        deviceCount += 1
        hasDevice = devices.select(-deviceCount)
    }

    private mutating func parseName(_ fields: inout Fields) {
        let name: String
        switch fields.first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): name = Self.quotation(fields)
        default:
            let text = fields.restOfLine
            name = firstRange(of: " #", in: text).map { String(text[..<$0.lowerBound]) } ?? text
        }
        devices.describe { $0.name = name }
    }

    /// The text between quotation marks. In double marks a backslash escapes the next byte; in single marks the mark
    /// itself is doubled.
    private static func quotation(_ fields: borrowing Fields) -> String {
        let line = fields.line
        let quotationMark = line[fields.next]
        var bytes: [UInt8] = []
        var index = fields.next + 1
        while index < line.count {
            let (byte, isLast) = (line[index], index + 1 == line.count)
            if byte == quotationMark {
                guard quotationMark == UInt8(ascii: "'"), !isLast, line[index + 1] == quotationMark else { break }
                index += 1
            } else if byte == UInt8(ascii: "\\"), quotationMark == UInt8(ascii: "\""), !isLast {
                index += 1
            }
            bytes.append(line[index])
            index += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func number(_ fields: borrowing Fields, _ field: Range<Int>) -> UInt16? {
        var value = 0
        guard (1...5).contains(field.count) else { return nil }
        for index in field {
            let digit = fields.line[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        return UInt16(exactly: value)
    }

    // MARK: Flow lists

    /// Skips a value that is not read and may be a list of many lines.
    private mutating func skipList(_ fields: inout Fields, into frames: inout [ContactFrame]) throws(Complaint) {
        if fields.first == UInt8(ascii: "[") || fields.first == UInt8(ascii: "{") {
            try beginList(.other, &fields, into: &frames)
        }
    }

    private mutating func beginList(
        _ list: List, _ fields: inout Fields, into frames: inout [ContactFrame]
    ) throws(Complaint) {
        guard fields.first == UInt8(ascii: "[") || fields.first == UInt8(ascii: "{") else { return }
        (openList, openColumn) = ((list, 0), path.last?.column ?? 0)
        numbers.removeAll(keepingCapacity: true)
        try parseList(&fields, into: &frames)
    }

    /// Parses the part of the open list that is in this line.
    private mutating func parseList(_ fields: inout Fields, into frames: inout [ContactFrame]) throws(Complaint) {
        guard let list = openList?.list, var depth = openList?.depth else { return }
        while let byte = fields.first {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                _ = fields.skipIfNext(byte)
                depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                _ = fields.skipIfNext(byte)
                depth -= 1
                guard depth == 0 else { continue }
                openList = nil
                if list == .event { try fields.expectEnd() }
                return try closeList(list, fields, into: &frames)
            case UInt8(ascii: ","): _ = fields.skipIfNext(byte)
            case UInt8(ascii: "#"):
                openList = (list, depth)
                return
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                if list == .other { fields.skipWord() } else { try parseNumber(&fields) }
            case UInt8(ascii: "\""):
                _ = fields.skipIfNext(byte)
                fields.skip(past: byte)
            default:
                guard list == .other else { throw fields.complaint("a number", at: fields.next) }
                fields.skipWord()
            }
        }
        openList = (list, depth)
    }

    private mutating func parseNumber(_ fields: inout Fields) throws(Complaint) {
        guard numbers.count < Self.numberLimit else {
            throw Complaint(expected: "at most \(Self.numberLimit) numbers in a list", found: "one more")
        }
        numbers.append(try fields.readLong("a number"))
        fields.skipBlanks()
    }

    private mutating func closeList(
        _ list: List, _ fields: borrowing Fields, into frames: inout [ContactFrame]
    ) throws(Complaint) {
        switch list {
        case .event: try parseEvent(fields, into: &frames)
        case .identity:
            guard numbers.count == 4 else { return ignoredLines += 1 }
            let (bus, vendor) = (UInt16(clamping: numbers[0]), UInt16(clamping: numbers[1]))
            let (product, version) = (UInt16(clamping: numbers[2]), UInt16(clamping: numbers[3]))
            devices.describe {
                ($0.bus, $0.vendor) = (bus, vendor)
                ($0.product, $0.version) = (product, version)
            }
        case .properties: for property in numbers { devices.describe { $0.setProperty(Int(clamping: property)) } }
        case .codes(let type):
            for code in numbers { devices.describe { $0.list(code: UInt16(clamping: code), ofType: type) } }
        case .axis(let code):
            guard numbers.count >= 4 else { return ignoredLines += 1 }
            let axis = DeviceAxis(
                minimum: Int32(clamping: numbers[0]), maximum: Int32(clamping: numbers[1]),
                resolution: numbers.count > 4 ? Double(Int32(clamping: numbers[4])) : 0,
                fuzz: Int32(clamping: numbers[2]), flat: Int32(clamping: numbers[3]))
            devices.describe { $0.describe(axis: code, as: axis) }
        case .other: break
        }
    }

    private mutating func parseEvent(
        _ fields: borrowing Fields, into frames: inout [ContactFrame]
    ) throws(Complaint) {
        guard numbers.count == 5 else {
            throw Complaint(
                expected: "an event as [sec, usec, type, code, value]", found: "\(numbers.count) numbers")
        }
        guard (0...EvdevClock.secondLimit).contains(numbers[0]), (0...999_999).contains(numbers[1]) else {
            throw Complaint(
                expected: "a time as seconds of at most \(EvdevClock.secondLimit), microseconds of at most 999999",
                found: "\(numbers[0]), \(numbers[1])")
        }
        guard let type = UInt16(exactly: numbers[2]), let code = UInt16(exactly: numbers[3]),
            let value = Int32(exactly: numbers[4])
        else {
            throw Complaint(
                expected: "an event's type, code and value in their ranges",
                found: "\(numbers[2]), \(numbers[3]), \(numbers[4])")
        }
        beginDevice()
        devices.handle(
            type, code, value, stamp: numbers[0] &* 1_000_000_000 &+ numbers[1] &* 1000, into: &frames)
    }
}
