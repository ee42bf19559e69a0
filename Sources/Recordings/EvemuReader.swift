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

struct EvemuReader: Sendable {
    private(set) var deviceName = ""
    private(set) var ignoredLines = 0
    private(set) var hasEvents = false
    /// Times a stamp lay before the one ahead of it; it is then taken for that one.
    private(set) var timesBackwards = 0
    private(set) var tracker = EvdevTracker()

    private var axes: [Axis] = []
    /// Codes of EV_ABS the description lists, as bits.
    private var absoluteBits: [UInt8] = []
    /// Nanoseconds: the first event's own stamp, and the last's since then.
    private var origin: Int64?
    private var last: Int64 = 0

    private struct Axis: Sendable {
        var code: UInt16
        var minimum, maximum: Int32
    }

    private static let axisLimit = 64
    private static let bitByteLimit = 128
    /// Seconds a stamp may count: the year 2255, and no product overflows.
    private static let secondLimit: Int64 = 9_000_000_000

    var dialect: EvdevProtocol? { tracker.dialect }

    /// What the description says of the two axes; nil when it says nothing, or nothing with any width.
    var ranges: AxisRanges? {
        func range(_ code: UInt16) -> ClosedRange<Int32>? {
            axes.last { $0.code == code && $0.maximum > $0.minimum }.map { $0.minimum...$0.maximum }
        }
        if let x = range(Code.touchX), let y = range(Code.touchY) { return AxisRanges(x: x, y: y) }
        if let x = range(Code.x), let y = range(Code.y) { return AxisRanges(x: x, y: y) }
        return nil
    }

    /// - Parameter line: Without its line end.
    mutating func take(_ line: ArraySlice<UInt8>, into frames: inout [ContactFrame]) throws(Complaint) {
        var fields = Fields(line)
        guard let letter = fields.first, letter != UInt8(ascii: "#") else {
            try takeComment(fields)
            return
        }
        guard fields.takeKey(letter) else {
            ignoredLines += 1
            return
        }
        switch letter {
        case UInt8(ascii: "E"): try takeEvent(&fields, into: &frames)
        case UInt8(ascii: "N"): deviceName = fields.restOfLine
        case UInt8(ascii: "I"): for _ in 0..<4 { _ = try fields.takeHex("bus, vendor, product and version") }
        case UInt8(ascii: "P"): while try fields.takeByte("property bits") != nil {}
        case UInt8(ascii: "B"): try takeBits(&fields)
        case UInt8(ascii: "A"): try takeAxis(&fields)
        case UInt8(ascii: "L"), UInt8(ascii: "S"): break
        default: ignoredLines += 1
        }
    }

    /// - Returns: Who is still down, cancelled.
    mutating func finish(into frames: inout [ContactFrame]) -> ContactFrame? {
        beginEvents()
        return tracker.finish(at: .nanoseconds(last), into: &frames)
    }

    private func takeComment(_ fields: Fields) throws(Complaint) {
        guard let version = fields.evemuVersion else { return }
        guard version.hasPrefix("1.") || version == "1" else {
            throw Complaint(expected: "evemu version 1.0 to 1.3", found: quoted(version))
        }
    }

    private mutating func takeBits(_ fields: inout Fields) throws(Complaint) {
        let type = try fields.takeHex("an event type")
        while let byte = try fields.takeByte("event code bits") {
            guard type == 3 else { continue }
            guard absoluteBits.count < Self.bitByteLimit else {
                throw Complaint(expected: "at most \(Self.bitByteLimit) bytes of axis bits", found: "more")
            }
            absoluteBits.append(byte)
        }
    }

    private mutating func takeAxis(_ fields: inout Fields) throws(Complaint) {
        let code = try fields.takeHex("an axis code")
        let minimum = try fields.takeDecimal("the axis minimum")
        let maximum = try fields.takeDecimal("the axis maximum")
        for what in ["fuzz", "flat"] { _ = try fields.takeDecimal(what) }
        // Devices describe axes they have no range for as 0 to −1; only those that say where and which matter.
        guard minimum <= maximum || !Code.described.contains(code) else {
            throw Complaint(expected: "a maximum of at least \(minimum)", found: "\(maximum)")
        }
        if code == Code.slot, !(0..<Int32(EvdevTracker.slotLimit)).contains(maximum) {
            throw Complaint(expected: "a last slot of 0 to \(EvdevTracker.slotLimit - 1)", found: "\(maximum)")
        }
        guard axes.count < Self.axisLimit else {
            throw Complaint(expected: "at most \(Self.axisLimit) axes", found: "one more")
        }
        // A description after the first event is another device's, or the same one's again.
        guard !hasEvents else { return }
        axes.append(Axis(code: code, minimum: minimum, maximum: maximum))
    }

    private mutating func takeEvent(_ fields: inout Fields, into frames: inout [ContactFrame]) throws(Complaint) {
        let stamp = try fields.takeStamp(limit: Self.secondLimit)
        let type = try fields.takeHex("an event type")
        let code = try fields.takeHex("an event code")
        let value = try fields.takeDecimal("a value")
        try fields.takeEnd()
        beginEvents()
        let start = origin ?? stamp
        origin = start
        // Both lie in 0...9e18.
        let time = stamp - start
        if time < last { timesBackwards += 1 }
        last = max(last, time)
        let event = EvdevEvent(time: .nanoseconds(last), type: type, code: code, value: value)
        tracker.take(event, into: &frames)
    }

    /// The description is complete, and says how the events are to be read, if it is the device's own list of codes.
    ///
    /// Axes alone may have been cut down to those somebody cared for: without a slot among them, the events decide.
    private mutating func beginEvents() {
        guard !hasEvents else { return }
        hasEvents = true
        func has(_ code: UInt16) -> Bool {
            let byte = Int(code / 8)
            return axes.contains { $0.code == code }
                || absoluteBits.indices.contains(byte) && absoluteBits[byte] & (1 << (code % 8)) != 0
        }
        let slotCount = axes.last { $0.code == Code.slot }.map { Int($0.maximum) + 1 } ?? EvdevTracker.slotLimit
        if has(Code.slot) {
            tracker = EvdevTracker(dialect: .slots, slotCount: slotCount)
        } else if absoluteBits.isEmpty {
            return
        } else if has(Code.touchX) {
            tracker = EvdevTracker(dialect: .groups)
        } else if has(Code.x) {
            tracker = EvdevTracker(dialect: .single)
        }
    }
}
