import Basics
import Foundation
import HID
import Testbed
import Testing

/// Descriptors and reports of Apple's unit tests, and recordings of real panels, with the results of an independent port.
@Suite("Apple's digitizer event driver")
struct DigitizerDriverTests {
    private struct Known: Decodable {
        struct Vector: Decodable {
            struct Report: Decodable, Equatable {
                struct Child: Decodable, Equatable {
                    var index: UInt32
                    var type: UInt8
                    var touch, range: Bool
                    var mask: UInt32
                    var x, y: Int32
                }
                var mask: UInt32
                var touch, range: Bool
                var children: [Child]
            }
            struct Expected: Decodable {
                var digitizer_events: Int
                var parent_eventMask_cancel: [Bool]?
                var events_with_touch_changed: Int?
                var events_with_range_changed: Int?
            }
            var apple_expected: Expected
            var port_per_report: [Report?]
        }
        struct Recording: Decodable { var apple_collection_port: Counts? }
        struct Counts: Decodable, Equatable {
            var collection_events = 0
            var children = 0
            var children_touch_changed = 0
            var children_range_changed = 0
            var children_position_changed = 0
        }
        var apple_vectors: [String: Vector]
        var hid_recordings: [String: Recording]
    }
    private struct Vectors: Decodable {
        struct Vector: Decodable {
            var name, descriptor: String
            var reports: [String]
        }
        var vectors: [Vector]
    }

    private func known(_ data: URL) throws -> Known {
        try JSONDecoder().decode(Known.self, from: Data(contentsOf: data.appending(path: "expected.json")))
    }

    private func bytes(_ hex: some StringProtocol) -> [UInt8] {
        let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count & ~1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private func report(_ event: HIDEvent?) -> Known.Vector.Report? {
        guard let event else { return nil }
        return Known.Vector.Report(
            mask: event.hand.mask.rawValue, touch: event.hand.isTouching, range: event.hand.isInRange,
            children: event.fingers.map { child in
                .init(
                    index: child.index, type: child.transducer.rawValue, touch: child.isTouching,
                    range: child.isInRange, mask: child.mask.rawValue, x: child.position.x.rawValue,
                    y: child.position.y.rawValue)
            })
    }

    @Test(
        "the digitizer driver meets Apple's expectations for each report of Apple's vectors",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func vectors() throws {
        let data = try #require(Repository.sharedData)
        let known = try known(data)
        let file = data.appending(path: "apple/apple-iohid-vectors.json")
        let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file)).vectors
        #expect(vectors.count == 4)
        for vector in vectors {
            let expected = try #require(known.apple_vectors[vector.name])
            let descriptor = try ReportDescriptor(parsing: bytes(vector.descriptor))
            var driver = DigitizerDriver(descriptor, dispatch: .collection)
            let events = vector.reports.map { driver.handle(bytes($0), at: .boot) }
            #expect(events.map(report) == expected.port_per_report, "\(vector.name)")
            let told = events.compactMap(\.self)
            let apple = expected.apple_expected
            #expect(told.count == apple.digitizer_events, "\(vector.name)")
            if let cancels = apple.parent_eventMask_cancel {
                #expect(told.map { $0.hand.mask.contains(.cancel) } == cancels)
            }
            if let count = apple.events_with_touch_changed {
                #expect(told.count { $0.hand.mask.contains(.touch) } == count)
            }
            if let count = apple.events_with_range_changed {
                #expect(told.count { $0.hand.mask.contains(.range) } == count)
            }
            for event in told { expectShape(event) }
            // Apple's rule of the collection: a child that touched is in the next event in any case.
            for (before, after) in zip(told, told.dropFirst()) {
                for child in before.fingers where child.isTouching {
                    #expect(after.fingers.contains { $0.index == child.index }, "\(vector.name)")
                }
            }
        }
    }

    @Test(
        "the digitizer driver counts as an independent port does on real recordings",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func recordings() throws {
        let data = try #require(Repository.sharedData)
        let recordings = try known(data).hid_recordings.sorted { $0.key < $1.key }
        #expect(recordings.count == 14)
        for (path, recording) in recordings {
            let text = String(decoding: try Data(contentsOf: data.appending(path: path)), as: UTF8.self)
            var driver: DigitizerDriver?
            var counts = Known.Counts()
            for line in text.split(whereSeparator: \.isNewline) {
                let words = line.split(separator: " ")
                if line.hasPrefix("R: ") {
                    let descriptor = ReportDescriptor(asFarAsReadable: bytes(words.dropFirst(2).joined()))
                    driver = DigitizerDriver(descriptor, dispatch: .collection)
                } else if line.hasPrefix("E: ") {
                    let event = driver?.handle(bytes(words.dropFirst(3).joined()), at: .boot)
                    guard let event else { continue }
                    expectShape(event)
                    counts.collection_events += 1
                    // The port ignores pens, and one of these panels has a pen.
                    for finger in event.fingers where finger.transducer != .stylus {
                        counts.children += 1
                        if finger.mask.contains(.touch) { counts.children_touch_changed += 1 }
                        if finger.mask.contains(.range) { counts.children_range_changed += 1 }
                        if finger.mask.contains(.position) { counts.children_position_changed += 1 }
                    }
                }
            }
            #expect(counts == recording.apple_collection_port, "\(path)")
        }
    }

    /// Checks that the parent is a finger and a collection, and combines the masks and states of its children.
    private func expectShape(_ event: HIDEvent) {
        #expect(event.hand.transducer == .finger && event.hand.index == 0 && event.hand.identity == 2)
        #expect(event.hand.options.contains([.isAbsolute, .isCollection]))
        #expect(event.hand.mask == event.fingers.reduce(into: []) { $0.formUnion($1.mask) })
        #expect(event.hand.isTouching == event.fingers.contains(where: \.isTouching))
        #expect(event.hand.isInRange == event.fingers.contains(where: \.isInRange))
        for child in event.fingers { #expect(!child.options.contains(.isCollection)) }
    }

    // MARK: Descriptors written for these tests

    /// Two fingers with confidence, and the panel's clock.
    private static let twoFingers: [UInt8] =
        [0x05, 0x0D, 0x09, 0x04, 0xA1, 0x01, 0x85, 0x07] + finger + finger + [
            0x05, 0x0D, 0x09, 0x56, 0x15, 0x00, 0x27, 0xFF, 0xFF, 0x00, 0x00, 0x75, 0x10, 0x95, 0x01, 0x81, 0x02, 0xC0,
        ]
    private static let finger: [UInt8] = [
        0x05, 0x0D, 0x09, 0x22, 0xA1, 0x02,  // Finger, logical
        0x09, 0x42, 0x09, 0x47, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x02, 0x81, 0x02,  // tip, confidence
        0x95, 0x06, 0x81, 0x03,  // padding
        0x09, 0x51, 0x25, 0x7F, 0x75, 0x08, 0x95, 0x01, 0x81, 0x02,  // contact
        0x05, 0x01, 0x09, 0x30, 0x09, 0x31, 0x26, 0x80, 0x00, 0x95, 0x02, 0x81, 0x02, 0xC0,  // x, y of 128
    ]

    private func twoFingers() throws -> DigitizerDriver {
        DigitizerDriver(
            try ReportDescriptor(parsing: Self.twoFingers), dispatch: .collection, senderID: 4, generationCount: 2)
    }

    @Test("the hand is at the center of touching fingers and stays there")
    func centroid() throws {
        var driver = try twoFingers()
        let down = driver.handle([7, 3, 1, 32, 32, 3, 2, 96, 64, 0, 0], at: .boot)
        #expect(down?.hand.position == Point(0.5, 0.375))
        let one = driver.handle([7, 2, 1, 0, 0, 3, 2, 96, 64, 0, 0], at: .boot)
        #expect(one?.hand.position == Point(0.75, 0.5))
        #expect(one?.fingers.map(\.mask) == [[.touch, .range], []])
        let none = driver.handle([7, 2, 1, 0, 0, 2, 2, 0, 0, 0, 0], at: .boot)
        #expect(none?.hand.position.x == Fixed(0.75) && none?.hand.isTouching == false)
        #expect(none?.fingers.map(\.index) == [2])
        #expect(down?.senderID == 4 && down?.generationCount == 2)
    }

    @Test("a contact with confidence is a finger, and others are hands")
    func confidence() throws {
        var driver = try twoFingers()
        let event = driver.handle([7, 3, 1, 32, 32, 1, 2, 96, 64, 0, 0], at: .boot)
        #expect(event?.fingers.map(\.transducer) == [.finger, .hand])
        #expect(event?.fingers.map(\.identity) == [2, 0])
        #expect(event?.fingers.map(\.majorRadius) == [Fixed(5), .zero])
        #expect(event?.fingers.map(\.orientation.kind) == [.quality, .tilt])
    }

    @Test("the driver passes the panel's clock on and omits unchanged reports")
    func scanTime() throws {
        var driver = try twoFingers()
        #expect(driver.handle([7, 2, 0, 0, 0, 2, 0, 0, 0, 0x34, 0x12], at: .boot) == nil)
        let event = driver.handle([7, 3, 1, 32, 32, 2, 0, 0, 0, 0x35, 0x12], at: .boot)
        #expect(event?.scanTime == DigitizerScanTime(ticks: 0x1235, width: 2))
        let resting = driver.handle([7, 3, 1, 32, 32, 2, 0, 0, 0, 0x36, 0x12], at: .boot)
        // A finger that touches is reported without a change, too.
        #expect(resting?.hand.mask == [] && resting?.hand.isTouching == true)
        #expect(driver.handle([8, 3, 1, 32, 32, 2, 0, 0, 0, 0x36, 0x12], at: .boot)?.fingers.map(\.mask) == [[]])
    }

    /// A pen on a phone with in range, tip, pressure, x and y. It has no Untouch.
    private static let pen: [UInt8] = [
        0x05, 0x0D, 0x09, 0x02, 0xA1, 0x01, 0x09, 0x20, 0xA1, 0x00,
        0x09, 0x32, 0x09, 0x42, 0x09, 0x3C, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x03, 0x81, 0x02,
        0x95, 0x05, 0x81, 0x03,
        0x09, 0x30, 0x25, 0x40, 0x75, 0x08, 0x95, 0x01, 0x81, 0x02,
        0x05, 0x01, 0x09, 0x30, 0x09, 0x31, 0x95, 0x02, 0x81, 0x02, 0xC0, 0xC0,
    ]

    @Test("a pen on a phone makes transducer events with range and touch")
    func transducer() throws {
        var driver = DigitizerDriver(try ReportDescriptor(parsing: Self.pen))
        #expect(driver.dispatch == .transducer && driver.hasTransducers)
        func take(_ report: [UInt8]) -> String {
            guard let event = driver.handle(report, at: .boot), let child = event.fingers.first else {
                return "nothing"
            }
            #expect(
                event.hand.mask == child.mask && event.hand.position.x == child.position.x
                    && event.hand.transducer == .stylus)
            #expect(event.hand.options == child.options.union(.isCollection))
            return
                "\(child.mask.rawValue) \(child.isInRange) \(child.isTouching) \(child.buttonMask) \(child.position.x)"
        }
        #expect(take([1, 0, 16, 16]) == "33 true false 0 0.250", "range and identity, and no position")
        #expect(take([1, 0, 32, 16]) == "4 true false 0 0.500")
        #expect(take([3, 0, 32, 16]) == "2 true true 1 0.500")
        #expect(take([1, 9, 32, 16]) == "0 true true 0 0.500", "pressure touches, too")
        #expect(take([0, 9, 32, 16]) == "3 false false 0 0.500", "out of range nothing is pressed")
        #expect(take([0, 9, 32, 16]) == "nothing")
        #expect(take([5, 0, 32, 16]) == "33 true false 0 0.500")
    }

    @Test("3,000 damaged descriptors and random reports never trap the digitizer driver")
    func damage() {
        var chance = SeededGenerator(seed: 12)
        for round in 0..<3000 {
            var descriptor = round % 2 == 0 ? Self.twoFingers : Self.pen
            for _ in 0..<Int.random(in: 1...8, using: &chance) {
                descriptor[Int.random(in: 0..<descriptor.count, using: &chance)] = UInt8.random(
                    in: 0...255, using: &chance)
            }
            var driver = DigitizerDriver(
                ReportDescriptor(asFarAsReadable: descriptor), dispatch: round % 3 == 0 ? .transducer : .collection)
            for _ in 0..<10 {
                let report = (0..<Int.random(in: 0...20, using: &chance)).map { _ in
                    UInt8.random(in: 0...255, using: &chance)
                }
                let event = driver.handle(report, at: .boot)
                #expect((event?.fingers.count ?? 1) <= HIDEvent.fingerLimit)
            }
        }
    }
}
