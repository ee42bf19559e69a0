import Basics
import HID
@testable import Recordings
import Testbed
import Testing

@Suite("Evdev trackers")
struct EvdevTrackerTests {
    // MARK: Attributes of a contact

    @Test("a slot keeps its contact's attributes until they change")
    func attributes() throws {
        var tracker = EvdevTracker(contactProtocol: .slots)
        let frames = track(
            &tracker,
            """
            slot=0 id=1 x=10 y=20 p=50 major=8 minor=6 angle=-3 far=1
            x=11 p=51
            id=-1 p=0
            id=2 x=12
            """)
        var said = ContactAttributes()
        (said.pressure, said.major, said.minor, said.orientation, said.distance) = (50, 8, 6, -3, 1)
        #expect(frames[0].contacts[0].attributes == said)
        said.pressure = 51
        #expect(frames[1].contacts[0].attributes == said)
        #expect(frames[2].contacts == [DeviceContact(id: 1, phase: .ended, x: 11, y: 20, attributes: said)])
        said.pressure = 0
        #expect(frames[3].contacts == [DeviceContact(id: 2, phase: .began, x: 12, y: 20, attributes: said)])
    }

    @Test("a panel that reports no pressure has none, not zero")
    func silence() {
        var tracker = EvdevTracker(contactProtocol: .slots)
        #expect(track(&tracker, "id=1 x=1 y=1")[0].contacts[0].attributes == ContactAttributes())
    }

    @Test("synthetic: a pen in a slot is a contact with tool pen")
    func pen() {
        var tracker = EvdevTracker(contactProtocol: .slots)
        let frames = track(
            &tracker,
            """
            id=1 x=10 y=10 touch=1
            pen=1 X=500 Y=600 P=90
            slot=1 id=2 tool=1 x=70 y=80
            slot=0 id=-1 X=501
            """)
        #expect(frames[1].contacts == [DeviceContact(id: 1, phase: .stationary, x: 10, y: 10)])
        #expect(frames[2].contacts.map(\.attributes.tool) == [.finger, .pen])
        #expect(frames[3].contacts.map(\.phase) == [.ended, .stationary])
    }

    @Test("a single-touch tablet's pen is a contact with tool pen")
    func singlePen() {
        var tracker = EvdevTracker(contactProtocol: .single)
        let frames = track(&tracker, "pen=1 X=5 Y=6 P=7 touch=1\ntouch=0 pen=0\nX=1 Y=1 touch=1")
        #expect(frames.flatMap(\.contacts).map(\.attributes.tool) == [.pen, .pen, .finger])
        #expect(frames[0].contacts[0].attributes.pressure == 7)
    }

    // MARK: Palms

    private static let palms = """
        slot=0 id=1 x=1 y=1 slot=1 id=2 tool=2 x=9 y=9
        slot=0 x=2 slot=1 x=8
        slot=0 tool=2 x=3
        slot=0 tool=0 x=4 slot=1 id=-1
        slot=0 id=-1
        slot=0 id=3 slot=1 id=4
        """

    @Test(
        "palms never begin, and contacts that become palms are cancelled",
        arguments: [RecordingOptions.Palms.cancel, .declared])
    func palmsCancelled(palms: RecordingOptions.Palms) {
        var tracker = EvdevTracker(contactProtocol: .slots, palms: palms)
        let frames = track(&tracker, Self.palms)
        expectTrace(
            lines(frames),
            matches: """
                0.000 ms  1 began (1,1)
                10.000 ms  1 moved (2,1)
                20.000 ms  1 cancelled (2,1)
                30.000 ms  no contact
                40.000 ms  no contact
                50.000 ms  3 began (4,1)
                """)
        // The fourth contact is a palm too: its slot was never reported as a finger's again.
        #expect(tracker.palmCount == 3)
    }

    @Test("the option keep treats palms as contacts")
    func palmsKept() {
        var tracker = EvdevTracker(contactProtocol: .slots, palms: .keep)
        let frames = track(&tracker, Self.palms)
        #expect(frames.flatMap(\.contacts).count { $0.phase == .began } == 4)
        #expect(frames.flatMap(\.contacts).count { $0.phase == .cancelled } == 0)
        #expect(frames[0].contacts.map(\.attributes.tool) == [.finger, .palm])
        #expect(tracker.palmCount == 0)
    }

    @Test("a palm that lifts in the scan that declares it is cancelled")
    func palmsLifting() {
        let text = """
            slot=0 id=1 x=1 y=1 slot=1 id=2 x=9 y=9 slot=2 id=3 x=5 y=5
            slot=0 tool=2 id=-1 slot=1 tool=2 id=4 tool=0 slot=2 id=5 tool=2
            slot=0 id=6 tool=0 slot=1 id=-1 tool=2
            """
        var tracker = EvdevTracker(contactProtocol: .slots)
        expectTrace(
            lines(track(&tracker, text)),
            matches: """
                0.000 ms  1 began (1,1), 2 began (9,9), 3 began (5,5)
                10.000 ms  1 cancelled (1,1), 2 cancelled (9,9), 3 ended (5,5), 4 began (9,9)
                20.000 ms  4 ended (9,9), 6 began (1,1)
                """)
        #expect(tracker.palmCount == 3)
        var keeping = EvdevTracker(contactProtocol: .slots, palms: .keep)
        #expect(track(&keeping, text)[1].contacts.map(\.phase) == [.ended, .ended, .ended, .began, .began])
    }

    @Test("a palm in a group list is cancelled as in slots")
    func palmInGroups() {
        var tracker = EvdevTracker(contactProtocol: .groups)
        let frames = track(
            &tracker,
            """
            id=1 x=1 y=1 tool=0 end id=2 x=9 y=9 tool=2 end
            id=1 x=2 y=1 tool=2 end
            id=1 x=3 y=1 tool=2 end
            """)
        #expect(frames.map { $0.contacts.map(\.phase) } == [[.began], [.cancelled], []])
    }

    // MARK: The device's own clock

    @Test("the device clock handles wraps, restarts at zero and missing stamps")
    func deviceClock() {
        var tracker = EvdevTracker(contactProtocol: .slots)
        let frames = track(
            &tracker,
            """
            clock=4294967000 id=1
            clock=704
            x=4
            clock=1704
            clock=0
            clock=500
            """)
        #expect(
            frames.map(\.scanTime) == [
                .zero, .microseconds(1000), nil, .microseconds(2000), .microseconds(12_000), .microseconds(12_500),
            ])
    }

    @Test("the kernel's clock tells wraps of the device clock from restarts")
    func deviceClockApart() {
        let hour: Int64 = 3_600_000_000
        for (stamp, kernel, expected) in [
            // Microseconds: the stamp after 1 s, the kernel's step, and the expected step of the device's clock.
            (Int64(1_000_000), 0, Int64(0)), (21_000_000, 20_000_000, 20_000_000),
            (1_000_000 + 3 * hour, 3 * hour + 400_000, 3 * hour),
            (1_000_000 + 48 * hour, 48 * hour - 9_000_000, 48 * hour),
            // The clock restarted at 500 µs and at 3 s, after 20 s and after an hour.
            (500, 20_000_000, 20_000_000), (3_000_000, hour, hour), (500, 90_000_000, 90_000_000),
            // An event half a minute late in the kernel, and a stamp an hour ahead.
            (31_000_000, 10_000, 30_000_000), (1_000_000 + hour, 10_000, 10_000),
        ] {
            var tracker = EvdevTracker(contactProtocol: .slots)
            var frames: [ContactFrame] = []
            for (clock, time) in [(Int64(1_000_000), Int64(0)), (stamp, kernel * 1000)] {
                let value = Int32(truncatingIfNeeded: clock)
                tracker.handle(EvdevEvent(nanoseconds: time, type: 4, code: 5, value: value), into: &frames)
                tracker.handle(EvdevEvent(nanoseconds: time, type: 0, code: 0, value: 0), into: &frames)
            }
            #expect(frames[1].scanTime == .microseconds(expected), "\(stamp) after \(kernel)")
        }
        // Times that no clock gives.
        var tracker = EvdevTracker(contactProtocol: .slots)
        var frames: [ContactFrame] = []
        for time in [Int64.min, .max, .min, 0, .max] {
            tracker.handle(EvdevEvent(nanoseconds: time, type: 4, code: 5, value: 7), into: &frames)
            tracker.handle(EvdevEvent(nanoseconds: time, type: 0, code: 0, value: 0), into: &frames)
        }
        #expect(frames.count == 5)
    }

    // MARK: Lists

    @Test("a group with zero width or pressure is a lift", arguments: ["major", "p"])
    func withoutWidth(axis: String) {
        var tracker = EvdevTracker(contactProtocol: .groups)
        let frames = track(
            &tracker,
            """
            \(axis)=200 x=5 y=5 end \(axis)=90 x=90 y=5 end
            \(axis)=0 x=5 y=5 end \(axis)=90 x=91 y=5 end
            x=92 y=5 end
            \(axis)=0 x=92 y=5 end
            \(axis)=200 x=50 y=5 end
            """)
        #expect(
            frames.map { $0.contacts.map(\.phase) } == [
                [.began, .began], [.ended, .moved], [.moved], [.ended], [.began],
            ])
    }

    @Test("pressure matters only without width, and constant zeros end no contact")
    func zeroes() {
        for scan in ["major=7 p=0 x=X y=1 end", "major=0 x=X y=1 end", "p=0 x=X y=1 end", "major=0 p=3 x=X y=1 end"] {
            var tracker = EvdevTracker(contactProtocol: .groups)
            let frames = track(
                &tracker, scan.replacing("X", with: "1") + "\n" + scan.replacing("X", with: "2") + "\nend")
            #expect(frames.map { $0.contacts.map(\.phase) } == [[.began], [.moved], [.ended]], "\(scan)")
        }
    }

    @Test("groups without ids match the nearest contact without one")
    func nameless() {
        var tracker = EvdevTracker(contactProtocol: .groups)
        let frames = track(
            &tracker,
            """
            id=0 x=1 y=1 end x=9 y=9 end
            x=8 y=9 end x=2 y=1 end
            id=0 x=3 y=1 end
            end
            """)
        #expect(
            frames.map { $0.contacts.map(\.phase) } == [
                [.began, .began], [.moved, .moved], [.moved, .ended], [.ended],
            ])
        #expect(frames[1].contacts.map(\.x) == [2, 8])
    }

    @Test("an empty group scan lifts all contacts; other scans lift none")
    func emptyScan() {
        var tracker = EvdevTracker(contactProtocol: .groups)
        let frames = track(&tracker, "id=0 x=1 y=1 end\nclock=5\nX=7\n")
        #expect(frames.map { $0.contacts.map(\.phase) } == [[.began], [.stationary], [.stationary]])
        var time: [ContactFrame] = []
        tracker.handle(EvdevEvent(nanoseconds: 40_000_000, type: 0, code: 0, value: 0), into: &time)
        #expect(time.map { $0.contacts.map(\.phase) } == [[.ended]])
    }

    // MARK: Slots

    @Test("events for a slot beyond the panel's are ignored")
    func slotBeyond() {
        var tracker = EvdevTracker(contactProtocol: .slots, slotCount: 2)
        let frames = track(&tracker, "slot=2 id=7 x=1\nslot=-1 id=8\nslot=1 id=9 x=5 y=6")
        #expect(frames.map { $0.contacts.map(\.id) } == [[], [], [9]])
        #expect(tracker.ignoredContacts == 2)
    }

    @Test("a changed tracking id is a lift and a landing")
    func liftAndLand() {
        var tracker = EvdevTracker(contactProtocol: .slots)
        let frames = track(&tracker, "id=1 x=1 y=1\nid=2 x=2\nid=-1 id=3 x=3\nid=-1 id=4 id=-1")
        expectTrace(
            lines(frames),
            matches: """
                0.000 ms  1 began (1,1)
                10.000 ms  1 ended (1,1), 2 began (2,1)
                20.000 ms  2 ended (2,1), 3 began (3,1)
                30.000 ms  3 ended (3,1)
                """)
        #expect(tracker.ignoredContacts == 1)
    }

    @Test("a panel untouched at first is not taken for single-touch")
    func lateTouch() {
        var tracker = EvdevTracker()
        let hover = String(repeating: "X=5 Y=5\n", count: 40)
        let frames = track(&tracker, hover + "touch=1 slot=0 id=4 x=5 y=6\nslot=1 id=5\nX=9\ntouch=0 slot=0 id=-1")
        #expect(tracker.contactProtocol == .slots)
        #expect(frames.count == 44)
        #expect(
            frames.suffix(4).map { $0.contacts.map(\.phase) } == [
                [.began], [.stationary, .began], [.stationary, .stationary], [.ended, .stationary],
            ])
    }

    @Test("a scan with thousands of events keeps its last state")
    func endlessScan() {
        var tracker = EvdevTracker()
        let frames = track(&tracker, "id=3 " + String(repeating: "x=5 x=6 ", count: 3000) + "\nx=7")
        #expect(frames.map { $0.contacts.map(\.phase) } == [[.began], [.moved]])
    }

    // MARK: Contacts without ids

    /// The least sum there is, found by trying everything.
    private static func least(_ fingers: [(Int32, Int32)], _ places: [(Int32, Int32)]) -> Int128 {
        let isTurned = fingers.count > places.count
        let (rows, columns) = isTurned ? (places, fingers) : (fingers, places)
        func search(_ row: Int, _ taken: Int) -> Int128 {
            guard row < rows.count else { return 0 }
            var best = Int128.max
            for column in columns.indices where taken & 1 << column == 0 {
                let (a, b) = (rows[row], columns[column])
                let cost = Assignment.cost(
                    dx: Int64(a.0) - Int64(b.0), dy: Int64(a.1) - Int64(b.1), step: row - column)
                best = min(best, cost + search(row + 1, taken | 1 << column))
            }
            return best
        }
        return search(0, 0)
    }

    @Test("contact matching finds the least total distance")
    func assignment() {
        var generator = SeededGenerator(seed: 4)
        for round in 0..<1500 {
            // Small numbers make ties; large numbers make any arithmetic overflow that can.
            let range: ClosedRange<Int32> = round % 3 == 0 ? 0...3 : round % 3 == 1 ? 0...4095 : .min ... .max
            func points(_ limit: Int) -> [(Int32, Int32)] {
                (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
                    (Int32.random(in: range, using: &generator), Int32.random(in: range, using: &generator))
                }
            }
            let (fingers, places) = (points(6), points(6))
            var assignment = Assignment()
            assignment.begin()
            for (index, point) in fingers.enumerated() { assignment.addFinger(index, x: point.0, y: point.1) }
            for (index, point) in places.enumerated() { assignment.addPosition(index, x: point.0, y: point.1) }
            assignment.solve()
            let pairs = assignment.pairs
            #expect(pairs.count == min(fingers.count, places.count))
            #expect(Set(pairs.map(\.finger)).count == pairs.count && Set(pairs.map(\.place)).count == pairs.count)
            let sum = pairs.reduce(into: Int128(0)) { sum, pair in
                let (a, b) = (fingers[pair.finger], places[pair.place])
                sum += Assignment.cost(
                    dx: Int64(a.0) - Int64(b.0), dy: Int64(a.1) - Int64(b.1), step: pair.finger - pair.place)
            }
            #expect(sum == Self.least(fingers, places), "\(fingers) to \(places)")
        }
    }

    @Test("contacts that swap at a distance are read as resting")
    func swap() {
        var tracker = EvdevTracker(contactProtocol: .groups)
        let frames = track(
            &tracker,
            """
            x=0 y=0 end x=10 y=0 end
            x=10 y=0 end x=0 y=0 end
            x=5 y=5 end x=5 y=5 end
            """)
        #expect(frames[1].contacts.map(\.phase) == [.stationary, .stationary])
        #expect(frames[2].contacts.map(\.phase) == [.moved, .moved])
        // Nearest pairs would send the first to 4 and the second, left with 9, across the panel.
        var line = EvdevTracker(contactProtocol: .groups)
        let shifted = track(&line, "x=0 y=0 end x=5 y=0 end\nx=4 y=0 end x=9 y=0 end")
        #expect(shifted[1].contacts.map(\.x) == [4, 9])
    }

    @Test("a scan of 300 positions is matched and limited to 32")
    func crowd() {
        var tracker = EvdevTracker(contactProtocol: .groups)
        func scan(_ offset: Int) -> String {
            (0..<300).map { "x=\($0 * 20 + offset) y=\(($0 * 7919) % 1000) end" }.joined(separator: " ")
        }
        let frames = track(&tracker, scan(0) + "\n" + scan(3) + "\n" + scan(6))
        #expect(frames.map { $0.contacts.count { $0.phase != .ended } } == [32, 32, 32])
        expectRules(frames, "crowd", isWhole: false)
    }

    // MARK: Live devices

    @Test("an evdev device's bytes parse the same in pieces of any size")
    func structures() {
        let sent = [
            EvdevEvent(nanoseconds: 1_700_000_000_123_456_000, type: 3, code: 0x35, value: -7),
            EvdevEvent(nanoseconds: 1_700_000_000_123_999_000, type: 0, code: 0, value: 0),
            EvdevEvent(nanoseconds: 5000, type: 4, code: 5, value: .min),
        ]
        func bytes(_ event: EvdevEvent, type: UInt16) -> [UInt8] {
            func little<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
                (0..<(T.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            }
            return little(event.nanoseconds / 1_000_000_000) + little(event.nanoseconds % 1_000_000_000 / 1000)
                + little(type) + little(event.code) + little(event.value)
        }
        let all = bytes(sent[0], type: 3) + bytes(sent[1], type: 0) + bytes(sent[2], type: 4)
        for size in 1...80 {
            var parser = EvdevEvents()
            var parsed: [EvdevEvent] = []
            for start in stride(from: 0, to: all.count, by: size) {
                parser.parse(Array(all[start..<min(start + size, all.count)]), into: &parsed)
            }
            #expect(parsed == sent && parser.pendingBytes == 0, "\(size) bytes at a time")
            parser.parse([1, 2, 3], into: &parsed)
            #expect(parser.pendingBytes == 3)
        }
        // Stamps that no clock gives.
        var parser = EvdevEvents()
        var parsed: [EvdevEvent] = []
        parser.parse([UInt8](repeating: 0xFF, count: 24) + [UInt8](repeating: 0x7F, count: 24), into: &parsed)
        #expect(parsed.map(\.nanoseconds) == [0, 9_000_000_000_999_999_000])
    }

    @Test("recorded time begins at zero and never goes back")
    func clock() {
        var clock = EvdevClock()
        #expect([Int64.max, .min, .max, 5].map { clock.advance(to: $0) } == [0, 0, 0, 0])
        #expect(clock.timesBackwards == 2)
        var other = EvdevClock()
        #expect([100, 150, 120, 160].map { other.advance(to: $0) } == [0, 50, 50, 60])
        #expect(other.timesBackwards == 1)
    }

    @Test("a device description decides protocol, kind and touch support")
    func description() {
        func described(_ axes: [UInt16], keys: [UInt16] = [], properties: [Int] = [], listed: Bool = true)
            -> EvdevDescription
        {
            var description = EvdevDescription()
            for code in axes {
                description.describe(axis: code, as: DeviceAxis(minimum: 0, maximum: 9, resolution: 4))
                if listed { description.list(code: code, ofType: 3) }
            }
            for code in keys { description.list(code: code, ofType: 1) }
            for property in properties { description.setProperty(property) }
            return description
        }
        let slots = described([0, 1, 0x2F, 0x35, 0x36, 0x3A], keys: [0x14A], properties: [1])
        #expect(slots.contactProtocol == .slots && slots.isTouchDevice && slots.slotCount == 10)
        #expect(slots.device.kind == .touchscreen && slots.device.contactCount == 10)
        #expect(slots.device.x?.resolution == 4 && slots.device.pressure?.maximum == 9)
        let groups = described([0, 1, 0x35, 0x36], keys: [0x14A, 0x145])
        #expect(
            groups.contactProtocol == .groups && groups.device.kind == .touchpad && groups.device.contactCount == nil)
        #expect(described([0, 1], keys: [0x14A, 0x145], properties: [1]).device.kind == .touchscreen)
        #expect(
            described([0, 1], keys: [0x14A]).contactProtocol == .single
                && described([0, 1], keys: [0x14A]).isTouchDevice)
        #expect(!described([0, 1, 2]).isTouchDevice, "an accelerometer")
        #expect(described([0x35, 0x36], listed: false).contactProtocol == nil, "perhaps cut down")
        #expect(described([], keys: [30]).contactProtocol == nil && !described([], keys: [30]).isTouchDevice)
        // The bytes as EVIOCGBIT and EVIOCGPROP return them.
        var bytes = EvdevDescription()
        for index in 0..<96 { bytes.listNext(index == 0x14A / 8 ? 1 << (0x14A % 8) : 0, ofType: 1) }
        for index in 0..<8 { bytes.listNext(index == 0 ? 3 : index == 6 ? 0x60 : 0, ofType: 3) }
        for bits: UInt8 in [2, 0xFF] { bytes.setNextProperties(bits) }
        #expect(bytes.contactProtocol == .groups && bytes.isTouchDevice && bytes.device.kind == .touchscreen)
        bytes.describe(axis: 70, as: DeviceAxis(minimum: 0, maximum: 1))
        #expect(bytes.axis(70) == nil)
    }
}
