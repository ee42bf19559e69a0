import Basics
import HID
import Recordings
import Testbed
import Testing

@Suite("Journals of recordings")
struct JournalTests {
    @Test("a recording's journal keeps frames, attributes, ids and device exactly")
    func lossless() throws {
        var device = DeviceDescription()
        device.name = " 100% of; \"it\"\n"
        device.numbers = DeviceDescription.Numbers(bus: 0x18, vendor: 0xFFFF, product: 1)
        (device.kind, device.contactCount) = (.touchpad, 3)
        device.x = DeviceAxis(minimum: .min, maximum: .max, resolution: 0.1, fuzz: -4, flat: 9)
        device.y = DeviceAxis(minimum: 5, maximum: 6)
        device.tiltX = DeviceAxis(minimum: -90, maximum: 90, resolution: 180 / .pi)
        for seed in 0..<30 as Range<UInt64> {
            var kind = FrameSeed()
            kind.grain = 1
            kind.attributes = seed % 2 == 0 ? [] : [\.pressure, \.major, \.tiltY, \.azimuth]
            (kind.hasPens, kind.hasScanTime, kind.fingers) = (seed % 3 == 0, seed % 5 == 0, 9)
            var frames = kind.make(seed)
            // An attribute that is not reported any more.
            for frame in frames.indices where frame % 3 == 0 {
                for contact in frames[frame].contacts.indices { frames[frame].contacts[contact].attributes.major = nil }
            }
            var options = RecordingWriter.Options()
            (options.contactProtocol, options.mode) = (.hid, .hybrid)
            var writer = RecordingWriter(.journal, device: device, ranges: kind.ranges, options: options)
            var bytes: [UInt8] = []
            for frame in frames { writer.write(frame, into: &bytes) }
            let end = frames.last!.time + .nanoseconds(12345)
            writer.finish(at: end, into: &bytes)
            #expect(writer.losses.isEmpty)
            let played = try play(bytes)
            #expect(played.frames == frames)
            #expect(played.device == device)
            #expect(played.contactProtocol == .hid)
            #expect(played.remarks == [])
            #expect(played.closing?.time ?? end == end)
            // The frames that were read are written the same.
            var again = RecordingWriter(.journal, device: played.device, ranges: played.ranges, options: options)
            var copy: [UInt8] = []
            for frame in played.frames { again.write(frame, into: &copy) }
            again.finish(at: end, into: &copy)
            #expect(copy == bytes)
        }
    }

    @Test("a recording's journal is readable text")
    func text() throws {
        var device = DeviceDescription()
        device.name = "Panel"
        (device.x, device.y) = (
            DeviceAxis(minimum: 0, maximum: 99), DeviceAxis(minimum: 0, maximum: 9, resolution: 2.5)
        )
        var pressed = DeviceContact(id: 5, phase: .began, x: 1, y: 2)
        pressed.attributes.pressure = 30
        var rested = pressed
        rested.phase = .stationary
        rested.attributes.pressure = nil
        rested.attributes.tool = .pen
        let frames = [
            ContactFrame(time: .zero, contacts: [pressed], scanTime: .zero),
            ContactFrame(time: .nanoseconds(1), contacts: [rested]),
            ContactFrame(time: .seconds(2), contacts: []),
        ]
        let (bytes, _) = written(frames, as: .journal, of: device)
        expectTrace(
            String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init),
            matches: """
                touchline-journal 1;
                name Panel;
                axis x 0 99 0 0 0.0;
                axis y 0 9 0 0 2.5;
                @0 s0 5b1,2/p30;
                @1 5s/t1/p-;
                @2000000000;
                end 2000000000 3;
                """)
    }

    private static let sample = """
        touchline-journal 1;
        axis x 0 99 0 0 0;
        axis y 0 99 0 0 0;
        # a person's remark
        @0 1b5,5;
        @10000000 1m6,6 2b7,7;

        @20000000 1e 2s;
        @30000000 2e;
        end 30000000 4;

        """

    @Test("a journal cut anywhere is read up to its last whole line")
    func cut() throws {
        let bytes = Array(Self.sample.utf8)
        let whole = try play(bytes)
        #expect(whole.remarks == [])
        let heading = Self.sample.utf8.count - Self.sample.drop { $0 != ";" }.utf8.count
        for end in (heading + 1)..<bytes.count {
            let played = try play(Array(bytes[..<end]))
            #expect(played.frames == Array(whole.frames.prefix(played.frames.count)))
            let lines = bytes[..<end].count { $0 == UInt8(ascii: "@") }
            #expect(played.frames.count >= min(lines, 4) - 1)
            #expect(end >= bytes.count - 2 || !played.remarks.isEmpty, "cut at \(end)")
            expectRules(played.frames + (played.closing.map { [$0] } ?? []), "cut at \(end)", isWhole: true)
        }
    }

    @Test("an overwritten tail of a journal is left out")
    func overwritten() throws {
        let bytes = Array(Self.sample.utf8)
        for tail in [[UInt8](repeating: 0, count: 4096), Array("\u{FFFD}x\ny;\nz\n@5 1m1,1\n".utf8)] {
            let start = bytes.count - 30
            let played = try play(Array(bytes[..<start]) + tail)
            #expect(played.frames.count == 3)
            #expect(played.closing?.contacts.count == 1)
            #expect(played.remarks.count == 1)
        }
    }

    @Test(
        "a broken line before a whole one is an error with reason",
        arguments: [
            ("@10 1b5", #"test:3: expected a line that ends in ;, found "@10 1b5""#),
            ("@10 1x;", #"test:3: expected a phase: b, m, s, e or c, found "1x;""#),
            ("@10 1b5;", #"test:3: expected a position as 100,200, found "1b5;""#),
            ("@10 1b5,5/q1;", #"test:3: expected an attribute: t, p, j, n, o, d, a, u or v, found "1b5,5/q1;""#),
            ("@10 1b5,5/t3;", #"test:3: expected a tool of 0, 1 or 2, found "1b5,5/t3;""#),
            ("@10 1b5,5x;", #"test:3: expected a blank after a contact, found "1b5,5x;""#),
            ("@10 1m5,5;", #"test:3: expected 1 to have begun, found "1m5,5;""#),
            ("@10 9b1,1;", #"test:3: expected 9 to leave before it begins again, found "9b1,1;""#),
            ("@10 1b5,5 1m6,5;", "test:3: expected each contact once in a frame, found 1 again"),
            ("@4 9e;", #"test:3: expected a time of at least 5, found "4 9e""#),
            ("@10 1b5,99999999999;", #"test:3: expected y, found "99999999999""#),
            ("nmae x;", #"test:3: expected a frame as @time, or the end, found "nmae""#),
            ("end 10 7;", "test:3: expected 1 frames, as many as there are, found 7"),
        ])
    func broken(line: String, expected: String) {
        do {
            _ = try play("touchline-journal 1;\n@5 9b1,1;\n\(line)\n@20 9s;\n")
            Issue.record("\(line) was read")
        } catch { #expect("\(error)" == expected) }
    }

    @Test(
        "a wrong journal heading is refused",
        arguments: [
            ("touchline-journal 2;\n", #"test:1: expected journal version 1, found "2""#),
            ("touchline-journal one;\n", "test:1: expected a version, found \"one\""),
            ("touchline-journal 1; x\n", "test:1: expected a line that ends in ;"),
        ])
    func headings(text: String, expected: String) {
        do {
            _ = try play(text)
            Issue.record("\(text) was read")
        } catch { #expect("\(error)".hasPrefix(String(expected.prefix(40))), "\(error)") }
    }

    @Test("no bytes make the recording journal's reader trap")
    func noise() {
        var generator = SeededGenerator(seed: 13)
        let words = [
            "@", "0", "1", "-", "9223372036854775807", "b", "m", "s", "e", "c", ",", "5,5", "/", "/p", "/t1", " ",
            ";\n",
            "\n", ";", "end ", "name %4", "axis x 0 9 0 0 0;\n", "1b1,1", "@0 1b1,1;\n", "@1 1m2,2;\n", "@2 1e;\n", "#",
            "\u{0}", "id 1 2 3 4;\n", "contacts -1;\n", "%", "s0 ",
        ]
        for _ in 0..<3000 {
            var text = "touchline-journal 1;\n"
            for _ in 0..<Int.random(in: 1...40, using: &generator) { text += words.randomElement(using: &generator)! }
            var reader = RecordingReader(name: "noise", screen: screen)
            var frames: [ContactFrame] = []
            try? reader.read(Array(text.utf8), into: &frames)
            if let closing = try? reader.finish(into: &frames) { frames.append(closing) }
            expectRules(frames, text, isWhole: false)
        }
    }
}
