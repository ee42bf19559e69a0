import Basics
import Foundation
import HID
import Recordings
import Testbed
import Testing

@Suite("Conversions between recording formats")
struct ConversionTests {
    /// Records an issue that describes the first frame that differs, if one differs.
    private func expectSame(
        _ frames: [ContactFrame], _ original: [ContactFrame], _ format: RecordingFormat, _ name: String
    ) {
        let keepsEmpty = format.traits().contains(.emptyScans)
        let expected = plain(keepsEmpty ? original : original.filter { !$0.contacts.isEmpty }, grain: format.grain)
        let found = plain(frames)
        guard found != expected else { return }
        let first = zip(lines(found), lines(expected)).enumerated().first { $0.element.0 != $0.element.1 }
        Issue.record(
            """
            \(name) through \(format.rawValue): \(found.count) frames of \(expected.count); the first that differs is \
            \(first.map { "#\($0.offset): \($0.element.0), expected \($0.element.1)" } ?? "missing")
            """)
    }

    @Test("any stream of contacts survives every recording format frame by frame", arguments: RecordingFormat.allCases)
    func streams(format: RecordingFormat) throws {
        for seed in 0..<40 as Range<UInt64> {
            var kind = FrameSeed()
            kind.fingers = [1, 2, 5, 12][Int(seed % 4)]
            kind.grain = format.grain
            let frames = kind.make(seed)
            let (bytes, _) = written(frames, as: format, ranges: kind.ranges)
            let played = try play(bytes, named: "seed \(seed)")
            #expect(played.format == format)
            expectSame(played.frames, frames, format, "seed \(seed)")
            #expect(played.closing?.contacts.count == frames.last?.cancellingDownContacts?.contacts.count)
            #expect(played.ranges == kind.ranges)
            expectRules(played.frames + (played.closing.map { [$0] } ?? []), format.rawValue, isWhole: true)
        }
    }

    @Test("a recording announcing exactly its number of contacts loses none", arguments: RecordingFormat.allCases)
    func tightRoom(format: RecordingFormat) throws {
        for seed in 100..<130 as Range<UInt64> {
            var kind = FrameSeed()
            (kind.fingers, kind.grain) = (12, format.grain)
            let frames = kind.make(seed)
            var room = RecordingCapacity()
            for frame in frames { room.count(frame) }
            var options = RecordingWriter.Options()
            options.contactsAtOnce = room.contactsAtOnce
            let (bytes, _) = written(frames, as: format, options: options)
            expectSame(try play(bytes).frames, frames, format, "seed \(seed)")
        }
    }

    @Test(
        "an empty frame begins and ends no contact in any format", arguments: RecordingFormat.allCases)
    func noContact(format: RecordingFormat) throws {
        func crowd(_ phase: ContactPhase) -> [DeviceContact] {
            (0..<12).map { DeviceContact(id: $0, phase: phase, x: Int32($0), y: 5) }
        }
        var one = crowd(.began)[0]
        one.id = 12
        var frames = [
            ContactFrame(time: .zero, contacts: crowd(.began)),
            ContactFrame(time: .milliseconds(10), contacts: crowd(.ended)),
            ContactFrame(time: .milliseconds(20), contacts: []),
            ContactFrame(time: .milliseconds(30), contacts: [one]),
        ]
        one.phase = .ended
        frames.append(ContactFrame(time: .milliseconds(40), contacts: [one]))
        for hasScanTime in [false, true] {
            if hasScanTime { for index in frames.indices { frames[index].scanTime = frames[index].time } }
            expectSame(try play(written(frames, as: format).bytes).frames, frames, format, "\(hasScanTime)")
        }
    }

    @Test("a contact that a frame of reports omits stays where it is")
    func unmentioned() throws {
        let down = DeviceContact(id: 0, phase: .began, x: 3, y: 4)
        let frames = [
            ContactFrame(time: .zero, contacts: [down]), ContactFrame(time: .milliseconds(10), contacts: []),
            ContactFrame(
                time: .milliseconds(20), contacts: [DeviceContact(id: 0, phase: .ended, x: 3, y: 4)]),
        ]
        let played = try play(written(frames, as: .hidRecorder).bytes)
        #expect(played.frames.map { $0.contacts.map(\.phase) } == [[.began], [.stationary], [.ended]])
    }

    @Test(
        "a lift and a landing in one frame stay two contacts", arguments: RecordingFormat.allCases)
    func liftAndLand(format: RecordingFormat) throws {
        let frames = [
            ContactFrame(time: .zero, contacts: [DeviceContact(id: 7, phase: .began, x: 10, y: 20)]),
            ContactFrame(
                time: .milliseconds(10),
                contacts: [
                    DeviceContact(id: 7, phase: .ended, x: 10, y: 20),
                    // The landing even has the same id.
                    DeviceContact(id: 7, phase: .began, x: 500, y: 600),
                ]),
            ContactFrame(
                time: .milliseconds(20),
                contacts: [
                    DeviceContact(id: 7, phase: .cancelled, x: 500, y: 600),
                    DeviceContact(id: 8, phase: .began, x: 900, y: 900),
                ]),
            ContactFrame(time: .milliseconds(30), contacts: [DeviceContact(id: 8, phase: .ended, x: 900, y: 900)]),
        ]
        expectTrace(
            lines(plain(try play(written(frames, as: format).bytes).frames)),
            matches: """
                0.000 ms  0 began (10,20)
                10.000 ms  0 ended (10,20), 1 began (500,600)
                20.000 ms  1 cancelled (500,600), 2 began (900,900)
                30.000 ms  2 ended (900,900)
                """)
    }

    @Test("contacts survive the conversion from any format to any other", arguments: RecordingFormat.allCases)
    func anyToAny(from: RecordingFormat) throws {
        var kind = FrameSeed()
        (kind.grain, kind.hasEmptyFrames, kind.fingers) = (1_000_000, false, 4)
        let frames = kind.make(77)
        let first = try play(written(frames, as: from).bytes)
        for to in RecordingFormat.allCases {
            let bytes = written(first.frames, as: to, of: first.device, ranges: first.ranges).bytes
            let second = try play(bytes)
            expectSame(second.frames, frames, to, "from \(from.rawValue)")
            #expect(second.ranges == kind.ranges, "\(from.rawValue) to \(to.rawValue)")
        }
    }

    @Test("a written recording reads the same in pieces of any size", arguments: RecordingFormat.allCases)
    func pieces(format: RecordingFormat) throws {
        let bytes = written(FrameSeed().make(5), as: format).bytes
        let whole = try play(bytes)
        for size in [1, 7, 100, 4096] { #expect(try play(bytes, cutEvery: size) == whole, "\(format) by \(size)") }
    }

    @Test("written times never go back, whatever the frames say", arguments: RecordingFormat.allCases)
    func timesBackwards(format: RecordingFormat) throws {
        let times: [Duration] = [.milliseconds(5), .milliseconds(3), .milliseconds(-4), .seconds(1)]
        let frames = times.enumerated().map { index, time in
            ContactFrame(
                time: time,
                contacts: [DeviceContact(id: 1, phase: index == 0 ? .began : .moved, x: Int32(index), y: 0)])
        }
        let played = try play(written(frames, as: format).bytes)
        #expect(played.frames.map(\.time) == [5, 5, 5, 1000].map { .milliseconds($0) })
    }

    @Test("frames that break the rules of contacts are repaired before writing")
    func repaired() throws {
        func contact(_ id: Int64, _ phase: ContactPhase, _ x: Int32) -> DeviceContact {
            DeviceContact(id: id, phase: phase, x: x, y: 0)
        }
        let frames = [
            ContactFrame(time: .zero, contacts: [contact(1, .moved, 1), contact(2, .ended, 2)]),
            ContactFrame(time: .milliseconds(1), contacts: [contact(1, .began, 3), contact(1, .moved, 9)]),
            ContactFrame(time: .milliseconds(2), contacts: [contact(1, .ended, 50), contact(1, .ended, 51)]),
        ]
        for format in RecordingFormat.allCases where format != .journal {
            expectTrace(
                lines(plain(try play(written(frames, as: format).bytes).frames)),
                matches: """
                    0.000 ms  0 began (1,0)
                    1.000 ms  0 moved (3,0)
                    2.000 ms  0 ended (3,0)
                    """)
        }
        // The journal keeps the position that a lift gives.
        expectTrace(
            lines(plain(try play(written(frames, as: .journal).bytes).frames)),
            matches: """
                0.000 ms  0 began (1,0)
                1.000 ms  0 moved (3,0)
                2.000 ms  0 ended (50,0)
                """)
    }

    @Test("an empty recording is written and read without frames", arguments: RecordingFormat.allCases)
    func nothing(format: RecordingFormat) throws {
        var device = DeviceDescription()
        device.name = "Unnamed"
        let (bytes, losses) = written([], as: format, of: device)
        let reader = try {
            var reader = RecordingReader(name: "test", format: format, screen: screen)
            var frames: [ContactFrame] = []
            try reader.read(bytes, into: &frames)
            #expect(try reader.finish(into: &frames) == nil)
            #expect(frames.isEmpty)
            return reader
        }()
        #expect(losses.contains(.name) || reader.deviceName == "Unnamed")
    }

    @Test("device names survive every format except for characters that end lines")
    func names() throws {
        let names = [
            "plain", "with \"quotes\" in it", "Müller's Gerät #3: x", "100% ; sure", "  blanks  inside", "日本語",
            "# hash", "a\u{1F600}b", "'single'", "tab\there", "key: value",
        ]
        for name in names {
            var device = DeviceDescription()
            device.name = name
            for format in RecordingFormat.allCases where format.traits().contains(.name) {
                let found = try play(written(FrameSeed().make(1), as: format, of: device).bytes).name
                // Formats of lines cannot express a tab, and none of them keeps blanks at the ends.
                let expected =
                    format == .journal || format == .webdriverActions ? name : name.replacing("\t", with: "?")
                if format == .journal || format == .webdriverActions {
                    #expect(found == expected, "\(format.rawValue)")
                } else {
                    let trimmed = expected.trimmingCharacters(in: .whitespaces)
                    #expect(found.trimmingCharacters(in: .whitespaces) == trimmed, "\(format.rawValue)")
                }
            }
        }
    }

    @Test("screen points convert to panel units and back within a step")
    func screenPoints() throws {
        var kind = FrameSeed()
        (kind.ranges, kind.grain, kind.hasEmptyFrames) = (AxisRanges(x: 0...4095, y: 0...4095), 1_000_000, false)
        let frames = kind.make(9)
        var options = RecordingWriter.Options()
        options.screen = screen
        for format in [RecordingFormat.script, .webdriverActions] {
            let (bytes, losses) = written(frames, as: format, ranges: kind.ranges, options: options)
            #expect(losses.contains(.units))
            let played = try play(bytes)
            #expect(played.ranges == FingerScript.ranges)
            #expect(played.frames.count == frames.count)
            for (found, expected) in zip(plain(played.frames), plain(frames)) {
                #expect(found.contacts.map(\.id) == expected.contacts.map(\.id))
                for (ours, theirs) in zip(found.contacts, expected.contacts) {
                    // A 64th of 375 points is 2.7 of 65536 steps; of the far edge, its last 64th.
                    #expect(abs(Double(ours.x) - Double(theirs.x) * 65536 / 4095) < 4)
                    #expect(abs(Double(ours.y) - Double(theirs.y) * 65536 / 4095) < 4)
                }
            }
        }
    }
}
