// HIDEventRecord.swift: an event in IOKit's own bytes, as the queue of the HID event system holds it.
//
// Station   hid
// Input     an HIDEvent, or its bytes
// Output    bytes, or an HIDEvent, for tests that compare with IOKit's queue
// Knows     layouts. Not the meaning of an event.
//
//     ┌ 28 bytes ──────────────────────────────────────────────────┐
//     │ time stamp · sender · options · attribute length · events  │
//     ├────────────┬──────────────┬──────────────┬ ─ ─ ┬───────────┤
//     │ attributes │ hand, 104    │ finger, 104  │     │ scan time │
//     └────────────┴──────────────┴──────────────┴ ─ ─ ┴───────────┘
//       any length   depth 0        depth 1              28 + 1...4
//
// Every record starts with its size, type, options and depth (Docs/Reference/HIDEventRecord.md). It is little-endian and unaligned.
//
// Sources   documented  IOHIDFamily 1915.140.3: IOHIDEventData.h (queue element, base), IOHIDEventStructDefs.h
//           inferred    time stamps are nanoseconds; IOKit's mach_absolute_time units are the same at a timebase of 1/1
//           invented    what is refused: IOKit reads what it can

import Basics

/// An event and the other parts of a queue element. The panel's width is not in it, because it belongs to the sender.
public struct HIDEventRecord: Hashable, Sendable {
    public var event: HIDEvent
    /// The options of the queue element. IOKit uses none yet.
    public var options: UInt32
    /// The sender's attributes, opaque here.
    public var attributes: [UInt8]

    public init(_ event: HIDEvent, options: UInt32 = 0, attributes: [UInt8] = []) {
        (self.event, self.options, self.attributes) = (event, options, attributes)
    }

    /// The largest number of attribute bytes. A record that announces more is refused before any allocation.
    public static let attributeLimit = 4096

    static let digitizerSize = 104
    static let vendorSize = 28
    static let digitizerType: UInt32 = 11
    static let vendorType: UInt32 = 1
}

/// A record that IOKit would not write. At fault: its writer.
public struct HIDEventRecordError: Error, Hashable, Sendable {
    /// What the reader expected.
    public enum Expectation: Hashable, Sendable {
        /// This number of further bytes; `found` is the number that is left.
        case bytes(Int)
        /// Exactly this value of the field.
        case exactly(Field, UInt64)
        /// At most this value of the field.
        case atMost(Field, UInt64)
        /// The end; `found` is the number of bytes after it.
        case end
    }

    /// A field of the record, by the name that errors use.
    public enum Field: String, Hashable, Sendable {
        case timeStamp = "time stamp"
        case attributeLength = "attribute length"
        case eventCount = "event count"
        case size, type, depth
        case reserved = "reserved byte"
        case transducer = "transducer type"
        case orientation = "orientation type"
        case usagePage = "usage page"
        case usage, version
        case dataLength = "length of the scan time"
        case recordsAfterScanTime = "records after the scan time"
    }

    /// The offset of the field in the bytes.
    public var offset: Int
    public var expected: Expectation
    public var found: UInt64

    init(at offset: Int, _ expected: Expectation, found: UInt64) {
        (self.offset, self.expected, self.found) = (offset, expected, found)
    }
}

extension HIDEventRecordError: CustomStringConvertible {
    public var description: String {
        switch expected {
        case .bytes(let count): "byte \(offset): expected \(count) more bytes, found \(found)"
        case .exactly(let field, let value): "byte \(offset): expected \(field.rawValue) \(value), found \(found)"
        case .atMost(let field, let value):
            "byte \(offset): expected \(field.rawValue) of at most \(value), found \(found)"
        case .end: "byte \(offset): expected the end, found \(found) more bytes"
        }
    }
}

// MARK: Reading

extension HIDEventRecord {
    /// Reads one queue element.
    ///
    /// - Parameter bytes: Exactly one element. Bytes after it are refused.
    /// - Throws: The first error. No partial result exists, and nothing is allocated beyond what the bytes hold.
    public init(parsing bytes: [UInt8]) throws(HIDEventRecordError) {
        var reader = RecordReader(bytes: bytes)
        let time = try reader.readInteger(UInt64.self)
        guard time <= UInt64(Int64.max) else {
            throw HIDEventRecordError(at: 0, .atMost(.timeStamp, UInt64(Int64.max)), found: time)
        }
        let sender = try reader.readInteger(UInt64.self)
        options = try reader.readInteger(UInt32.self)
        let attributeLength = try reader.read(.attributeLength, atMost: UInt32(Self.attributeLimit))
        let countPlace = reader.offset
        // One of the records is the scan time.
        let count = try reader.read(.eventCount, atMost: UInt32(HIDEvent.fingerLimit) + 2)
        guard count > 0 else {
            throw HIDEventRecordError(at: countPlace, .atMost(.eventCount, UInt64(HIDEvent.fingerLimit) + 2), found: 0)
        }
        attributes = try reader.readBytes(Int(attributeLength))
        let hand = try Self.digitizer(depth: 0, from: &reader)
        var fingers: [DigitizerEvent] = []
        var scanTime: DigitizerScanTime?
        for number in 1..<max(1, count) {
            if try reader.peekType() == Self.vendorType {
                scanTime = try Self.scanTime(from: &reader)
                let rest = count - number - 1
                guard rest == 0 else {
                    throw HIDEventRecordError(
                        at: reader.offset, .exactly(.recordsAfterScanTime, 0), found: UInt64(rest))
                }
            } else {
                guard fingers.count < HIDEvent.fingerLimit else {
                    throw HIDEventRecordError(
                        at: countPlace, .atMost(.eventCount, UInt64(HIDEvent.fingerLimit) + 1), found: UInt64(count))
                }
                fingers.append(try Self.digitizer(depth: 1, from: &reader))
            }
        }
        guard reader.remaining == 0 else {
            throw HIDEventRecordError(at: reader.offset, .end, found: UInt64(reader.remaining))
        }
        event = HIDEvent(
            timeStamp: Instant(nanoseconds: Int64(time)), senderID: sender, hand: hand, fingers: fingers,
            scanTime: scanTime)
    }

    private static func digitizer(
        depth: UInt8, from reader: inout RecordReader
    ) throws(HIDEventRecordError) -> DigitizerEvent {
        try reader.expect(.size, UInt32(digitizerSize))
        try reader.expect(.type, digitizerType)
        let options = DigitizerOptions(rawValue: try reader.readInteger())
        try reader.expectDepth(depth)
        let position = Point<DigitizerSpace>(try reader.readFixed(), try reader.readFixed())
        let z = try reader.readFixed()
        let index = try reader.readInteger(UInt32.self)
        let transducer = try reader.read(.transducer, atMost: UInt32(DigitizerTransducer.hand.rawValue))
        let (identity, mask, childMask, buttons) = (
            try reader.readInteger(UInt32.self), try reader.readInteger(UInt32.self),
            try reader.readInteger(UInt32.self),
            try reader.readInteger(UInt32.self)
        )
        let (pressure, auxPressure, twist) = (try reader.readFixed(), try reader.readFixed(), try reader.readFixed())
        let kind = try reader.read(.orientation, atMost: UInt32(DigitizerOrientation.Kind.quality.rawValue))
        var words = InlineArray<6, Fixed>(repeating: .zero)
        for i in words.indices { words[i] = try reader.readFixed() }
        guard let transducer = DigitizerTransducer(rawValue: UInt8(transducer)),
            let kind = DigitizerOrientation.Kind(rawValue: UInt8(kind))
        else { preconditionFailure("transducer \(transducer), orientation \(kind), both checked") }
        var event = DigitizerEvent(
            transducer: transducer, index: index, identity: identity, mask: DigitizerEventMask(rawValue: mask),
            options: options, at: position, pressure: pressure,
            // A tilt uses two of the six words. IOKit's constructors leave radii in the others.
            orientation: DigitizerOrientation(kind, words: words), generationCount: try reader.readInteger())
        (event.z, event.childMask, event.buttonMask) = (z, DigitizerEventMask(rawValue: childMask), buttons)
        event.barrel = DigitizerEvent.Barrel(pressure: auxPressure, twist: twist)
        event.corrections.expected = DigitizerUpdateMask(rawValue: try reader.readInteger())
        event.corrections.made = DigitizerUpdateMask(rawValue: try reader.readInteger())
        return event
    }

    private static func scanTime(from reader: inout RecordReader) throws(HIDEventRecordError) -> DigitizerScanTime {
        let start = reader.offset
        let size = try reader.read(.size, atMost: UInt32(vendorSize) + 4)
        try reader.expect(.type, vendorType)
        _ = try reader.readInteger(UInt32.self)
        try reader.expectDepth(1)
        try reader.expect(.usagePage, DigitizerScanTime.usagePage)
        try reader.expect(.usage, DigitizerScanTime.usage)
        try reader.expect(.version, UInt32(0))
        let lengthPlace = reader.offset
        let length = try reader.read(.dataLength, atMost: 4)
        guard length > 0 else { throw HIDEventRecordError(at: lengthPlace, .atMost(.dataLength, 4), found: 0) }
        guard size == UInt32(vendorSize) + length else {
            throw HIDEventRecordError(
                at: start, .exactly(.size, UInt64(vendorSize) + UInt64(length)), found: UInt64(size))
        }
        var ticks: UInt32 = 0
        for i in 0..<length { ticks |= UInt32(try reader.readInteger(UInt8.self)) << (8 * i) }
        return DigitizerScanTime(ticks: ticks, width: UInt8(length))
    }
}

/// A reader of little-endian bytes, which never reads beyond the end.
private struct RecordReader {
    let bytes: [UInt8]
    private(set) var offset = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var remaining: Int { bytes.count - offset }

    mutating func readInteger<Value: FixedWidthInteger & UnsignedInteger>(
        _: Value.Type = Value.self
    ) throws(HIDEventRecordError) -> Value {
        let size = Value.bitWidth / 8
        guard remaining >= size else { throw HIDEventRecordError(at: offset, .bytes(size), found: UInt64(remaining)) }
        var value: Value = 0
        for i in 0..<size { value |= Value(bytes[offset + i]) << Value(8 * i) }
        offset += size
        return value
    }

    mutating func readFixed() throws(HIDEventRecordError) -> Fixed {
        Fixed(rawValue: Int32(bitPattern: try readInteger(UInt32.self)))
    }

    mutating func read(_ field: HIDEventRecordError.Field, atMost limit: UInt32) throws(HIDEventRecordError) -> UInt32 {
        let start = offset
        let value = try readInteger(UInt32.self)
        guard value <= limit else {
            throw HIDEventRecordError(at: start, .atMost(field, UInt64(limit)), found: UInt64(value))
        }
        return value
    }

    mutating func expect<Value: FixedWidthInteger & UnsignedInteger>(
        _ field: HIDEventRecordError.Field, _ value: Value
    ) throws(HIDEventRecordError) {
        let start = offset
        let found = try readInteger(Value.self)
        guard found == value else {
            throw HIDEventRecordError(at: start, .exactly(field, UInt64(value)), found: UInt64(found))
        }
    }

    mutating func expectDepth(_ depth: UInt8) throws(HIDEventRecordError) {
        try expect(.depth, depth)
        for _ in 0..<3 { try expect(.reserved, UInt8(0)) }
    }

    /// Returns the type of the record that begins here, without consuming it.
    func peekType() throws(HIDEventRecordError) -> UInt32 {
        var ahead = self
        _ = try ahead.readInteger(UInt32.self)
        return try ahead.readInteger(UInt32.self)
    }

    mutating func readBytes(_ count: Int) throws(HIDEventRecordError) -> [UInt8] {
        guard remaining >= count else { throw HIDEventRecordError(at: offset, .bytes(count), found: UInt64(remaining)) }
        defer { offset += count }
        return Array(bytes[offset..<(offset + count)])
    }
}

// MARK: Writing

/// One field of the encoded bytes: its offset, its size, its name.
public struct HIDEventRecordField: Equatable, Sendable {
    public let offset: Int
    public let size: Int
    public let name: String
}

extension HIDEventRecord {
    /// The bytes of the queue element.
    public func encoded() -> [UInt8] {
        var writer = RecordWriter(drawing: false)
        write(into: &writer)
        return writer.bytes
    }

    /// The fields that `encoded()` writes, in order and without gaps.
    public func layout() -> [HIDEventRecordField] {
        var writer = RecordWriter(drawing: true)
        write(into: &writer)
        return writer.fields
    }

    /// - Precondition: The lists are within their limits, as those of every event that was read or assembled.
    private func write(into writer: inout RecordWriter) {
        precondition(event.fingers.count <= HIDEvent.fingerLimit, "\(event.fingers.count) fingers")
        precondition(attributes.count <= Self.attributeLimit, "\(attributes.count) bytes of attributes")
        writer.write(UInt64(clamping: event.timeStamp.nanoseconds), "time stamp")
        writer.write(event.senderID, "sender: the service's registry entry")
        writer.write(options, "options")
        writer.write(UInt32(attributes.count), "length of the attributes")
        writer.write(UInt32(1 + event.fingers.count + (event.scanTime == nil ? 0 : 1)), "number of records")
        for byte in attributes { writer.write(byte, "attribute byte") }
        write(event.hand, depth: 0, into: &writer)
        for finger in event.fingers { write(finger, depth: 1, into: &writer) }
        if let scanTime = event.scanTime { write(scanTime, into: &writer) }
    }

    private func write(_ event: DigitizerEvent, depth: UInt8, into writer: inout RecordWriter) {
        writer.write(UInt32(Self.digitizerSize), "size: \(Self.digitizerSize)")
        writer.write(Self.digitizerType, "type: \(Self.digitizerType), digitizer")
        writer.write(event.options.rawValue, "options: the state of the contact")
        writer.writeDepth(depth)
        writer.write(event.position.x, "x, 16.16")
        writer.write(event.position.y, "y, 16.16")
        writer.write(event.z, "z, 16.16")
        writer.write(event.index, "transducer index")
        writer.write(UInt32(event.transducer.rawValue), "transducer type: 0 stylus, 1 puck, 2 finger, 3 hand")
        writer.write(event.identity, "identity")
        writer.write(event.mask.rawValue, "event mask: the properties that changed")
        writer.write(event.childMask.rawValue, "event mask of the children")
        writer.write(event.buttonMask, "button mask")
        writer.write(event.pressure, "pressure, 16.16")
        writer.write(event.barrel.pressure, "auxiliary pressure, 16.16")
        writer.write(event.barrel.twist, "twist, 16.16")
        writer.write(UInt32(event.orientation.kind.rawValue), "orientation type: 0 tilt, 1 polar, 2 quality")
        let words = event.orientation.words
        writer.write(words[0], "tilt x · altitude · quality, 16.16")
        writer.write(words[1], "tilt y · azimuth · density, 16.16")
        writer.write(words[2], "– · quality · irregularity, 16.16")
        writer.write(words[3], "– · density · major radius, 16.16")
        writer.write(words[4], "– · major radius · minor radius, 16.16")
        writer.write(words[5], "– · minor radius · accuracy, 16.16")
        writer.write(event.generationCount, "generation count")
        writer.write(event.corrections.expected.rawValue, "mask of the fields that a later event corrects: 1 << field")
        writer.write(event.corrections.made.rawValue, "mask of the fields that this event corrects: 1 << field")
    }

    private func write(_ scanTime: DigitizerScanTime, into writer: inout RecordWriter) {
        let length = UInt32(min(4, max(1, scanTime.width)))
        writer.write(UInt32(Self.vendorSize) + length, "size: \(Self.vendorSize) and the data")
        writer.write(Self.vendorType, "type: \(Self.vendorType), vendor defined")
        writer.write(UInt32(0), "options")
        writer.writeDepth(1)
        writer.write(DigitizerScanTime.usagePage, "usage page: 0x0D, digitizer")
        writer.write(DigitizerScanTime.usage, "usage: 0x56, relative scan time")
        writer.write(UInt32(0), "version")
        writer.write(length, "length of the data")
        for i in 0..<length { writer.write(UInt8(truncatingIfNeeded: scanTime.ticks >> (8 * i)), "data byte \(i)") }
    }
}

private struct RecordWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var fields: [HIDEventRecordField] = []
    private let isDrawing: Bool

    init(drawing: Bool) { isDrawing = drawing }

    mutating func write<Value: FixedWidthInteger>(_ value: Value, _ name: @autoclosure () -> String) {
        let size = Value.bitWidth / 8
        if isDrawing { fields.append(HIDEventRecordField(offset: bytes.count, size: size, name: name())) }
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ value: Fixed, _ name: @autoclosure () -> String) { write(value.rawValue, name()) }

    mutating func writeDepth(_ depth: UInt8) {
        write(depth, "depth: \(depth)")
        for i in 1...3 { write(UInt8(0), "reserved byte \(i)") }
    }
}
