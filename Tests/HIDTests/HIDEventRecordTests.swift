import Basics
import HID
import Testbed
import Testing

@Suite("IOKit's record of an event")
struct HIDEventRecordTests {

    @Test("3,000 random event records decode to what was encoded")
    func roundTrip() throws {
        var chance = SeededGenerator(seed: 312)
        for _ in 0..<3000 {
            let record = HIDEventRecord.random(using: &chance)
            let bytes = record.encoded()
            #expect(try HIDEventRecord(parsing: bytes) == record)
            let scanTime = record.event.scanTime.map { 28 + Int($0.width) } ?? 0
            #expect(bytes.count == 28 + record.attributes.count + 104 * (1 + record.event.fingers.count) + scanTime)
        }
    }

    @Test("a truncated event record is refused, naming expected and found bytes")
    func truncation() throws {
        let bytes = sample.encoded()
        for length in 0..<bytes.count {
            let error = #expect(throws: HIDEventRecordError.self) {
                try HIDEventRecord(parsing: Array(bytes[..<length]))
            }
            guard case .bytes(let wanted) = error?.expected else {
                Issue.record("\(length) bytes: \(String(describing: error))")
                continue
            }
            #expect(error?.found == UInt64(length - (error?.offset ?? 0)))
            #expect(wanted > Int(error?.found ?? 0))
        }
    }

    @Test(
        "an invalid record field is refused with offset, expected and found value",
        arguments: [
            (7, 0x80, "byte 0: expected time stamp of at most 9223372036854775807, found 9223372036854775813"),
            (21, 0xFF, "byte 20: expected attribute length of at most 4096, found 65283"),
            (24, 0, "byte 24: expected event count of at most 34, found 0"),
            (24, 35, "byte 24: expected event count of at most 34, found 35"),
            (31, 100, "byte 31: expected size 104, found 100"),
            (35, 12, "byte 35: expected type 11, found 12"),
            (43, 1, "byte 43: expected depth 0, found 1"),
            (44, 9, "byte 44: expected reserved byte 0, found 9"),
            (63, 4, "byte 63: expected transducer type of at most 3, found 4"),
            (95, 3, "byte 95: expected orientation type of at most 2, found 3"),
            (135 + 12, 0, "byte 147: expected depth 1, found 0"),
            (239, 31, "byte 239: expected size 30, found 31"),
            (255, 0x0C, "byte 255: expected usage page 13, found 12"),
            (257, 0x55, "byte 257: expected usage 86, found 85"),
            (259, 1, "byte 259: expected version 0, found 1"),
            (263, 5, "byte 263: expected length of the scan time of at most 4, found 5"),
            (263, 0, "byte 263: expected length of the scan time of at most 4, found 0"),
            (24, 2, "byte 239: expected the end, found 30 more bytes"),
            (24, 4, "byte 269: expected records after the scan time 0, found 1"),
        ])
    func lies(place: Int, value: UInt8, message: String) {
        var bytes = sample.encoded()
        bytes[place] = value
        let error = #expect(throws: HIDEventRecordError.self) { try HIDEventRecord(parsing: bytes) }
        #expect(error?.description == message)
    }

    @Test("an event record with 33 fingers is refused")
    func crowd() {
        var event = sample.event
        event.scanTime = nil
        event.fingers = [DigitizerEvent](repeating: event.hand, count: 32)
        var bytes = HIDEventRecord(event).encoded()
        bytes += bytes[(28 + 32 * 104)...]
        bytes[24] = 34
        let error = #expect(throws: HIDEventRecordError.self) { try HIDEventRecord(parsing: bytes) }
        #expect(error?.description == "byte 24: expected event count of at most 33, found 34")
    }

    @Test("a tilt record ignores values in words that belong to radii")
    func leftovers() throws {
        var event = sample.event
        event.hand.orientation = .tilt(.init(x: Fixed(1), y: Fixed(2)))
        var bytes = HIDEventRecord(event).encoded()
        let words = 28 + 68
        for place in (words + 12)..<(words + 24) where place % 4 == 2 { bytes[place] = 3 }
        #expect(try HIDEventRecord(parsing: bytes).event == event)
    }

    @Test("20,000 damaged event records never trap the reader")
    func damage() throws {
        var chance = SeededGenerator(seed: 5)
        var refused = 0
        for _ in 0..<20_000 {
            var bytes = sample.encoded()
            for _ in 0..<Int.random(in: 1...3, using: &chance) {
                bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
            }
            do {
                let record = try HIDEventRecord(parsing: bytes)
                #expect(try HIDEventRecord(parsing: record.encoded()) == record)
            } catch { refused += 1 }
        }
        #expect(refused > 4_000)
    }

    @Test("Docs/Reference/HIDEventRecord.md matches the encoder")
    func document() {
        var out = """
            # IOKit's record of an event

            The bytes in which IOKit passes a digitizer event to a client, as `Sources/HID/HIDEventRecord.swift` writes and reads them.
            `touchline decode --as iohid` prints such records. All numbers are little-endian, and no byte is padding.

            A test writes this page from the encoder. The sample has three bytes of attributes, a hand, one finger and the device's scan
            time. Each further finger is one more record like the second. The offsets are those of the sample.

            | offset | size | field |
            | --- | --- | --- |

            """
        let bytes = sample.encoded()
        var end = 0
        for field in sample.layout() {
            #expect(field.offset == end, "\(field.name)")
            end = field.offset + field.size
            let record: String? =
                switch field.offset {
                case 0: "queue element"
                case 28: "attributes"
                case 31: "hand"
                case 135: "finger"
                case 239: "scan time"
                default: nil
                }
            if let record { out += "| | | **\(record)** |\n" }
            out += "| \(field.offset) | \(field.size) | \(field.name) |\n"
        }
        #expect(end == bytes.count)
        out += "\nThe sample as bytes:\n\n```\n"
        for start in stride(from: 0, to: bytes.count, by: 16) {
            let row = bytes[start..<min(bytes.count, start + 16)].map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            let offset = String(start, radix: 16)
            out += String(repeating: "0", count: 4 - offset.count) + offset + "  " + row.joined(separator: " ") + "\n"
        }
        out += "```\n"
        expectDocument("Docs/Reference/HIDEventRecord.md", equals: out)
    }
}

private let sample: HIDEventRecord = {
    let hand = DigitizerEvent(
        transducer: .hand, index: 0, identity: 0, mask: [.range, .touch, .identity],
        options: [.isAbsolute, .isCollection, .range, .touch, .displayIntegrated], at: Point(0.5, 0.25),
        generationCount: 2)
    var finger = hand
    (finger.transducer, finger.index, finger.identity) = (.finger, 1, 1)
    (finger.mask, finger.pressure) = ([.range, .touch], Fixed(0.75))
    finger.options.remove(.isCollection)
    finger.orientation = .quality(.init(majorRadius: Fixed(5.5), minorRadius: Fixed(4.5)))
    let event = HIDEvent(
        timeStamp: Instant(nanoseconds: 5), senderID: 7, hand: hand, fingers: [finger],
        scanTime: DigitizerScanTime(ticks: 0x1234, width: 2))
    return HIDEventRecord(event, options: 0, attributes: [0xA1, 0xA2, 0xA3])
}()

extension HIDEventRecord {
    fileprivate static func random(using chance: inout SeededGenerator) -> HIDEventRecord {
        let count = Int.random(in: 0...6, using: &chance)
        var fingers: [DigitizerEvent] = []
        for _ in 0..<count { fingers.append(.random(using: &chance)) }
        var event = HIDEvent(
            timeStamp: Instant(nanoseconds: Int64.random(in: 0...Int64.max, using: &chance)),
            senderID: UInt64.random(in: 0...UInt64.max, using: &chance), hand: .random(using: &chance),
            fingers: fingers)
        let width = UInt8.random(in: 0...4, using: &chance)
        if width > 0 {
            let most: UInt32 = width == 4 ? .max : (1 << (8 * UInt32(width))) - 1
            event.scanTime = DigitizerScanTime(ticks: UInt32.random(in: 0...most, using: &chance), width: width)
        }
        let attributes = (0..<Int.random(in: 0...20, using: &chance)).map { _ in
            UInt8.random(in: 0...255, using: &chance)
        }
        return HIDEventRecord(event, options: UInt32.random(in: 0...UInt32.max, using: &chance), attributes: attributes)
    }
}

extension DigitizerEvent {
    fileprivate static func random(using chance: inout SeededGenerator) -> DigitizerEvent {
        func bits() -> UInt32 { UInt32.random(in: 0...UInt32.max, using: &chance) }
        func fixed() -> Fixed { Fixed(rawValue: Int32(bitPattern: bits())) }
        let orientations: [DigitizerOrientation] = [
            .tilt(.init(x: fixed(), y: fixed())),
            .polar(
                .init(
                    altitude: fixed(), azimuth: fixed(), quality: fixed(), density: fixed(), majorRadius: fixed(),
                    minorRadius: fixed())),
            .quality(
                .init(
                    quality: fixed(), density: fixed(), irregularity: fixed(), majorRadius: fixed(),
                    minorRadius: fixed(), accuracy: fixed())),
        ]
        var event = DigitizerEvent(
            transducer: DigitizerTransducer.allCases[Int(bits() % 4)], index: bits(), identity: bits(),
            mask: DigitizerEventMask(rawValue: bits()), options: DigitizerOptions(rawValue: bits()),
            at: Point(fixed(), fixed()), pressure: fixed(), orientation: orientations[Int(bits() % 3)],
            generationCount: bits())
        (event.z, event.barrel.pressure, event.barrel.twist, event.buttonMask) = (fixed(), fixed(), fixed(), bits())
        event.childMask = DigitizerEventMask(rawValue: bits())
        event.corrections.expected = DigitizerUpdateMask(rawValue: bits())
        event.corrections.made = DigitizerUpdateMask(rawValue: bits())
        return event
    }
}
