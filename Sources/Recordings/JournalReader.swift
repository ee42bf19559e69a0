// JournalReader.swift: reads touchline's own journal: all data of a recording, exactly, a line at a time.
//
// Station   device
// Input     RecordingReader
// Output    ContactFrame
//
// Sources   invented

import Basics
import HID

/// Reads the format `touchline-journal`.
///
///     touchline-journal 1;
///     name Atmel maXTouch Touchscreen;             %XX for bytes that would end the line, and for % and ;
///     id 0018 03eb 8a03 0100;                      bus, vendor, product, version, hex
///     kind touchscreen;                            or touchpad
///     protocol B;                                  the device's protocol: A, B, S, hid
///     mode hybrid;                                 for HID: parallel, serial, hybrid, single-finger
///     contacts 10;                                 the device's number of contacts
///     axis x 0 4095 0 0 16.0;                      minimum, maximum, fuzz, flat, units a millimetre or 0
///     @0 s0 5b100,200/p30;                         a frame: nanoseconds, scan time (absent: none), contacts
///     @8333333 s8300000 5m101,200 7b9,9;           id, phase, and the values that changed since this id's last entry
///     @16666667 s16700000 5e 7s;
///     @25000000 s25000000 7s/p-;                   - removes an attribute
///     @33000000;                                   no contact
///     end 40000000 5;                              the end of the recording, and its number of frames
///
/// Phases are b began, m moved, s stationary, e ended, c cancelled. The tool t is 0 finger, 1 pen, 2 palm. The letters
/// of the other attributes are those of `ContactField` (RecordingTraits.swift). An id is free
/// again when its contact ends or is cancelled. Contacts that are down at the end were down when the recording ended.
/// `#` begins a comment line; blank lines are skipped.
///
/// A line is complete when it ends in `;`. From a broken line on, the file is ignored, as the tail of a truncated or
/// overwritten file. But a broken line before a complete one is an error.
struct JournalReader: LineFormat {
    private(set) var facts = RecordingFacts()
    private var hasVersion = false
    private var memory = JournalMemory()
    private var lastTime: Int64 = 0
    private var frameCount = 0
    private var hasEnded = false
    private var line = 0
    private var broken: Complaint?

    static let version = 1
    static let keywords = ["name", "id", "kind", "protocol", "mode", "contacts", "axis", "end"]

    init() {}

    mutating func readLine(_ line: Span<UInt8>, into frames: inout [ContactFrame]) throws(Complaint) {
        self.line += 1
        var cursor = JournalCursor(line)
        guard !cursor.isBlank(line) else { return }
        if let broken {
            // The broken line may be the file's tail; a complete line after it shows that it is not.
            var (other, more) = (self, [ContactFrame]())
            other.broken = nil
            var isWhole = true
            do throws(Complaint) { try other.parseLine(line, &cursor, into: &more) } catch { isWhole = false }
            if isWhole { throw broken }
            return
        }
        do throws(Complaint) {
            try parseLine(line, &cursor, into: &frames)
        } catch {
            guard hasVersion else { throw error }
            broken = Complaint(expected: error.expected, found: error.found, line: self.line)
        }
    }

    mutating func finish(into frames: inout [ContactFrame]) throws(Complaint) -> ContactFrame? {
        if let broken {
            facts.ignoredLines += 1
            facts.remarks.append(
                "the journal is damaged from line \(broken.line ?? line) on: expected \(broken.expected), "
                    + "found \(broken.found)")
        } else if !hasEnded {
            facts.remarks.append("the journal has no end line: its writer was cut short")
        }
        guard !memory.contacts.isEmpty else { return nil }
        return ContactFrame(
            time: .nanoseconds(lastTime),
            contacts: memory.contacts.map { DeviceContact(id: $0.id, phase: .cancelled, x: $0.x, y: $0.y) })
    }

    private mutating func parseLine(
        _ line: Span<UInt8>, _ cursor: inout JournalCursor, into frames: inout [ContactFrame]
    ) throws(Complaint) {
        guard cursor.isWhole else {
            throw Complaint(expected: "a line that ends in ;", found: quoted(line.bytes(from: 0)))
        }
        guard hasVersion else { return try parseVersion(line, &cursor) }
        guard !hasEnded else {
            throw Complaint(expected: "nothing after the end", found: quoted(line.bytes(from: 0)))
        }
        if cursor.skipIfNext(UInt8(ascii: "@"), line) {
            frames.append(try parseFrame(line, &cursor))
            frameCount += 1
            return
        }
        let keyword = cursor.readWord(line)
        guard keyword == "end" || frameCount == 0 else {
            throw Complaint(expected: "a frame as @time, or the end", found: quoted(keyword))
        }
        try parseHeading(keyword, line, &cursor)
        try cursor.expectEnd(line)
    }

    private mutating func parseVersion(_ line: Span<UInt8>, _ cursor: inout JournalCursor) throws(Complaint) {
        guard cursor.readWord(line) == "touchline-journal" else {
            throw Complaint(expected: "touchline-journal \(Self.version);", found: quoted(line.bytes(from: 0)))
        }
        let version = try cursor.readInteger(line, "a version", in: 0...Int64(Int32.max))
        guard version == Self.version else {
            throw Complaint(expected: "journal version \(Self.version)", found: "\(version)")
        }
        try cursor.expectEnd(line)
        hasVersion = true
    }

    private mutating func parseHeading(
        _ word: String, _ line: Span<UInt8>, _ cursor: inout JournalCursor
    ) throws(Complaint) {
        func choice<Choice: RawRepresentable<String>>(_ expected: String) throws(Complaint) -> Choice {
            let choiceText = cursor.readWord(line)
            guard let choice = Choice(rawValue: choiceText) else {
                throw Complaint(expected: expected, found: quoted(choiceText))
            }
            return choice
        }
        switch word {
        case "name": facts.device.name = try cursor.readName(line)
        case "id":
            facts.device.numbers.bus = try cursor.readHex(line, "a bus")
            facts.device.numbers.vendor = try cursor.readHex(line, "a vendor")
            facts.device.numbers.product = try cursor.readHex(line, "a product")
            facts.device.numbers.version = try cursor.readHex(line, "a version")
        case "kind": facts.device.kind = try choice("touchscreen or touchpad")
        case "protocol": facts.contactProtocol = try choice("A, B, S or hid")
        case "mode": facts.mode = try choice("parallel, serial, hybrid or single-finger")
        case "contacts":
            facts.device.contactCount = Int(try cursor.readInteger(line, "a count", in: 0...Int64(Int32.max)))
        case "axis": try parseAxis(line, &cursor)
        case "end":
            let time = try cursor.readInteger(line, "a time of at least \(lastTime)", in: lastTime...Int64.max)
            let count = try cursor.readInteger(line, "how many frames there were", in: 0...Int64.max)
            guard count == frameCount else {
                throw Complaint(expected: "\(frameCount) frames, as many as there are", found: "\(count)")
            }
            (lastTime, hasEnded) = (time, true)
        default:
            let near = nearestName(to: word, among: Self.keywords).map { ", did you mean \($0)?" } ?? ""
            throw Complaint(expected: "a frame as @time, or a word of the heading", found: quoted(word) + near)
        }
    }

    private mutating func parseAxis(_ line: Span<UInt8>, _ cursor: inout JournalCursor) throws(Complaint) {
        let name = cursor.readWord(line)
        guard let axis = JournalAxis(name: name) else {
            let near = nearestName(to: name, among: JournalAxis.allCases.map(\.name))
            throw Complaint(
                expected: "an axis's name", found: quoted(name) + (near.map { ", did you mean \($0)?" } ?? ""))
        }
        var described = DeviceAxis(
            minimum: try cursor.readShort(line, "a minimum"), maximum: try cursor.readShort(line, "a maximum"))
        described.fuzz = try cursor.readShort(line, "fuzz")
        described.flat = try cursor.readShort(line, "flat")
        let axisName = cursor.readWord(line)
        guard let resolution = Double(axisName), resolution.isFinite else {
            throw Complaint(expected: "units a millimetre", found: quoted(axisName))
        }
        described.resolution = resolution
        facts.device[keyPath: axis.path] = described
    }

    private mutating func parseFrame(
        _ line: Span<UInt8>, _ cursor: inout JournalCursor
    ) throws(Complaint) -> ContactFrame {
        let time = try cursor.readInteger(line, "a time of at least \(lastTime)", in: lastTime...Int64.max)
        var frame = ContactFrame(time: .nanoseconds(time), contacts: [])
        if cursor.skipIfNext(UInt8(ascii: "s"), line) {
            frame.scanTime = .nanoseconds(try cursor.readInteger(line, "a scan time", in: Int64.min...Int64.max))
        }
        let before = memory
        do throws(Complaint) {
            while !cursor.isAtEnd {
                let contact = try parseContact(line, &cursor)
                // A contact that has ended may begin again in the same scan; no other contact occurs in it twice.
                guard contact.phase == .began || !frame.contacts.contains(where: { $0.id == contact.id }) else {
                    throw Complaint(expected: "each contact once in a frame", found: "\(contact.id) again")
                }
                frame.contacts.append(contact)
            }
        } catch {
            memory = before
            throw error
        }
        lastTime = time
        return frame
    }

    private mutating func parseContact(
        _ line: Span<UInt8>, _ cursor: inout JournalCursor
    ) throws(Complaint) -> DeviceContact {
        let start = cursor.next
        func complain(_ expected: String) -> Complaint {
            Complaint(expected: expected, found: quoted(line.bytes(from: start)))
        }
        let id = try cursor.readDigits(line, "a contact's id", in: Int64.min...Int64.max)
        guard let letter = cursor.readByte(line), let phase = ContactPhase(letter: letter) else {
            throw complain("a phase: b, m, s, e or c")
        }
        let before = memory[id]
        guard (before == nil) == (phase == .began) else {
            throw complain(phase == .began ? "\(id) to leave before it begins again" : "\(id) to have begun")
        }
        guard before != nil || memory.contacts.count < HIDEvent.fingerLimit else {
            throw complain("at most \(HIDEvent.fingerLimit) contacts at once")
        }
        var contact = before ?? DeviceContact(id: id, phase: phase, x: 0, y: 0)
        contact.phase = phase
        if cursor.isAtNumber(line) {
            contact.x = try cursor.readDigits(line, "x", in: Int32.min...Int32.max)
            guard cursor.readByte(line) == UInt8(ascii: ",") else { throw complain("a position as 100,200") }
            contact.y = try cursor.readDigits(line, "y", in: Int32.min...Int32.max)
        } else if before == nil {
            throw complain("a position as 100,200")
        }
        while cursor.isAt(UInt8(ascii: "/"), line) {
            _ = cursor.readByte(line)
            guard let letter = cursor.readByte(line) else { throw complain("an attribute") }
            if letter == UInt8(ascii: "t") {
                let number = try cursor.readDigits(line, "a tool", in: UInt8.min...UInt8.max)
                guard let tool = ContactAttributes.Tool(rawValue: number) else { throw complain("a tool of 0, 1 or 2") }
                contact.attributes.tool = tool
                continue
            }
            guard let field = ContactField(letter: letter) else {
                throw complain("an attribute: t, \(ContactField.letters)")
            }
            if !cursor.isAtNumber(line, orMinusAlone: true) {
                _ = cursor.readByte(line)
                contact.attributes[keyPath: field.value] = nil
            } else {
                contact.attributes[keyPath: field.value] = try cursor.readDigits(
                    line, "an attribute's value", in: Int32.min...Int32.max)
            }
        }
        guard cursor.skipGap(line) else { throw complain("a blank after a contact") }
        memory.update(with: contact)
        return contact
    }
}

// MARK: The values of earlier lines

/// The contacts that are down, with their last values: values that a line omits are unchanged.
struct JournalMemory: Sendable {
    /// In order of touch-down.
    private(set) var contacts: [DeviceContact] = []

    subscript(id: Int64) -> DeviceContact? { contacts.first { $0.id == id } }

    mutating func update(with contact: DeviceContact) {
        let index = contacts.firstIndex { $0.id == contact.id }
        switch (contact.phase, index) {
        case (.ended, let index?), (.cancelled, let index?): contacts.remove(at: index)
        case (.ended, nil), (.cancelled, nil): break
        case (_, let index?): contacts[index] = contact
        case (_, nil): contacts.append(contact)
        }
    }
}

extension ContactPhase {
    var letter: UInt8 {
        switch self {
        case .began: UInt8(ascii: "b")
        case .moved: UInt8(ascii: "m")
        case .stationary: UInt8(ascii: "s")
        case .ended: UInt8(ascii: "e")
        case .cancelled: UInt8(ascii: "c")
        }
    }

    init?(letter: UInt8) {
        switch letter {
        case UInt8(ascii: "b"): self = .began
        case UInt8(ascii: "m"): self = .moved
        case UInt8(ascii: "s"): self = .stationary
        case UInt8(ascii: "e"): self = .ended
        case UInt8(ascii: "c"): self = .cancelled
        default: return nil
        }
    }
}

/// What a journal describes: the two axes of positions, then those of the fields.
enum JournalAxis: CaseIterable {
    case x, y
    case field(ContactField)

    static let allCases: [JournalAxis] = [.x, .y] + ContactField.allCases.map(JournalAxis.field)

    var name: String {
        switch self {
        case .x: "x"
        case .y: "y"
        case .field(let field): field.rawValue
        }
    }

    init?(name: String) {
        guard let axis = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = axis
    }

    var path: WritableKeyPath<DeviceDescription, DeviceAxis?> {
        switch self {
        case .x: \.x
        case .y: \.y
        case .field(let field): field.axis
        }
    }
}

extension ContactField {
    init?(letter: UInt8) {
        guard let field = Self.allCases.first(where: { $0.letter == letter }) else { return nil }
        self = field
    }

    /// `p, j, n, o, d, a, u or v`
    static let letters: String = {
        let letters = allCases.map { String(UnicodeScalar($0.letter)) }
        return letters.dropLast().joined(separator: ", ") + " or " + letters[letters.count - 1]
    }()
}

// MARK: One line

/// The position of a reader in a line. Each call receives the line itself.
struct JournalCursor {
    private(set) var next = 0
    /// The index of the `;`, or the end of the line.
    private let end: Int
    let isWhole: Bool

    init(_ line: Span<UInt8>) {
        var end = line.count
        while end > 0, Self.isBlank(line[end - 1]) { end -= 1 }
        isWhole = end > 0 && line[end - 1] == UInt8(ascii: ";")
        self.end = isWhole ? end - 1 : end
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    /// Whether the line is blank or a comment.
    mutating func isBlank(_ line: Span<UInt8>) -> Bool {
        while next < end, Self.isBlank(line[next]) { next += 1 }
        return next == end && !isWhole || next < end && line[next] == UInt8(ascii: "#")
    }

    var isAtEnd: Bool { next >= end }

    func isAt(_ byte: UInt8, _ line: Span<UInt8>) -> Bool { next < end && line[next] == byte }

    func isAtNumber(_ line: Span<UInt8>, orMinusAlone: Bool = false) -> Bool {
        guard next < end else { return false }
        if line[next] != UInt8(ascii: "-") { return (0x30...0x39).contains(line[next]) || orMinusAlone }
        return next + 1 < end && (0x30...0x39).contains(line[next + 1])
    }

    mutating func skipIfNext(_ byte: UInt8, _ line: Span<UInt8>) -> Bool {
        guard isAt(byte, line) else { return false }
        next += 1
        return true
    }

    mutating func readByte(_ line: Span<UInt8>) -> UInt8? {
        guard next < end else { return nil }
        defer { next += 1 }
        return line[next]
    }

    /// Skips blanks. False if the next byte is neither a blank nor the end.
    mutating func skipGap(_ line: Span<UInt8>) -> Bool {
        guard next < end else { return true }
        guard Self.isBlank(line[next]) else { return false }
        while next < end, Self.isBlank(line[next]) { next += 1 }
        return true
    }

    /// The bytes up to the next blank; empty at the end.
    mutating func readWord(_ line: Span<UInt8>) -> String {
        let start = next
        while next < end, !Self.isBlank(line[next]) { next += 1 }
        let word = String(decoding: line.bytes(from: start, to: next), as: UTF8.self)
        _ = skipGap(line)
        return word
    }

    mutating func expectEnd(_ line: Span<UInt8>) throws(Complaint) {
        guard next < end else { return }
        throw Complaint(expected: "the line's end", found: quoted(line.bytes(from: next, to: end)))
    }

    /// Parses a number, followed by any byte.
    mutating func readDigits<Number: FixedWidthInteger>(
        _ line: Span<UInt8>, _ what: @autoclosure () -> String, in range: ClosedRange<Number>
    ) throws(Complaint) -> Number {
        let start = next
        let isNegative = skipIfNext(UInt8(ascii: "-"), line)
        var value: Number = 0
        var digits = 0
        while next < end, (0x30...0x39).contains(line[next]) {
            let digit = Number(line[next] - 0x30)
            let (scaled, over) = value.multipliedReportingOverflow(by: 10)
            let (sum, overToo) =
                isNegative ? scaled.subtractingReportingOverflow(digit) : scaled.addingReportingOverflow(digit)
            guard !over, !overToo else {
                throw Complaint(expected: what(), found: quoted(line.bytes(from: start, to: end)))
            }
            value = sum
            digits += 1
            next += 1
        }
        guard digits > 0, range.contains(value) else {
            throw Complaint(expected: what(), found: quoted(line.bytes(from: start, to: end)))
        }
        return value
    }

    /// Parses a number that is a whole word.
    mutating func readInteger(
        _ line: Span<UInt8>, _ what: @autoclosure () -> String, in range: ClosedRange<Int64>
    ) throws(Complaint) -> Int64 {
        let start = next
        let value = try readDigits(line, what(), in: range)
        guard skipGap(line) else {
            throw Complaint(expected: what(), found: quoted(line.bytes(from: start, to: end)))
        }
        return value
    }

    mutating func readShort(_ line: Span<UInt8>, _ what: @autoclosure () -> String) throws(Complaint) -> Int32 {
        Int32(truncatingIfNeeded: try readInteger(line, what(), in: Int64(Int32.min)...Int64(Int32.max)))
    }

    mutating func readHex(_ line: Span<UInt8>, _ what: String) throws(Complaint) -> UInt16 {
        let word = readWord(line)
        guard word.utf8.count <= 4, let value = UInt16(word, radix: 16), word.utf8.first != UInt8(ascii: "+") else {
            throw Complaint(expected: "\(what) in hexadecimal", found: quoted(word))
        }
        return value
    }

    /// The rest of the line, with `%XX` decoded.
    mutating func readName(_ line: Span<UInt8>) throws(Complaint) -> String {
        var name: [UInt8] = []
        while let byte = readByte(line) {
            guard byte == UInt8(ascii: "%") else {
                name.append(byte)
                continue
            }
            let digits = String(decoding: line.bytes(from: next, to: min(next + 2, end)), as: UTF8.self)
            guard digits.utf8.count == 2, digits.utf8.first != UInt8(ascii: "+"), let value = UInt8(digits, radix: 16)
            else {
                throw Complaint(expected: "two hexadecimal digits after %", found: quoted(digits))
            }
            name.append(value)
            next += 2
        }
        return String(decoding: name, as: UTF8.self)
    }
}

extension Span<UInt8> {
    /// A part of the line, for an error or a word: never called for a frame.
    fileprivate func bytes(from start: Int, to end: Int? = nil) -> [UInt8] {
        (start..<Swift.max(start, end ?? count)).map { self[$0] }
    }
}
