import Basics
import HID
import Recordings
import Testbed
import Testing

@Suite("hid-recorder's text")
struct HIDRecorderTests {
    /// A report of two contacts with tip and confidence, id, x and y, and their count; x and y reach 255.
    private static let panel: [UInt8] = {
        let finger: [UInt8] = [
            0x05, 0x0D, 0x09, 0x22, 0xA1, 0x02, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01, 0x09, 0x42, 0x81, 0x02,
            0x09, 0x47, 0x81, 0x02, 0x95, 0x06, 0x81, 0x03, 0x26, 0xFF, 0x00, 0x75, 0x08, 0x95, 0x01, 0x09, 0x51, 0x81,
            0x02, 0x05, 0x01, 0x09, 0x30, 0x81, 0x02, 0x09, 0x31, 0x81, 0x02, 0xC0,
        ]
        let head: [UInt8] = [0x05, 0x0D, 0x09, 0x04, 0xA1, 0x01, 0x85, 0x01]
        return head + finger + finger + [0x05, 0x0D, 0x09, 0x54, 0x81, 0x02, 0xC0]
    }()

    private static let keyboard: [UInt8] = [
        0x05, 0x01, 0x09, 0x06, 0xA1, 0x01, 0x05, 0x07, 0x19, 0xE0, 0x29, 0xE7, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01,
        0x95, 0x08, 0x81, 0x02, 0xC0,
    ]

    private static func line(_ key: String, _ bytes: [UInt8]) -> String {
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        return "\(key) \(bytes.count) \(hex)\n"
    }

    private static let head = line("R:", panel) + "N: Glass\nP: usb-1\nI: 3 6cb 1d10\n"

    private func frames(_ text: String, _ change: (inout RecordingOptions) -> Void = { _ in }) throws -> [String] {
        var options = RecordingOptions()
        change(&options)
        let played = try playHID(Array(text.utf8), options)
        return lines(played.frames + (played.closing.map { [$0] } ?? []))
    }

    @Test("a hid-recorder text is read as timed reports of its descriptor")
    func plain() throws {
        let text =
            Self.head + """
                E: 12.000000 10 01 03 05 0a 14 00 00 00 00 01
                E: 12.008000 10 01 03 05 0b 14 03 06 1e 28 02
                E: 12.016000 10 01 00 05 0b 14 03 06 1e 28 02
                """
        let played = try playHID(Array(text.utf8))
        #expect(
            lines(played.frames) == [
                "0.000 ms  5 began (10,20)", "8.000 ms  5 moved (11,20), 6 began (30,40)",
                "16.000 ms  5 ended (11,20), 6 stationary (30,40)",
            ])
        #expect(lines(played.closing.map { [$0] } ?? []) == ["16.000 ms  6 cancelled (30,40)"])
        let device = played.reader.device
        #expect(device.name == "Glass" && device.numbers.all == [3, 0x6CB, 0x1D10, 0])
        #expect((played.reader.format, played.reader.contactProtocol) == (.hidRecorder, .hid))
        #expect(played.reader.reportingMode == .parallel)
        #expect(played.reader.ranges == AxisRanges(x: 0...255, y: 0...255))
        #expect(played.reader.remarks == [])
        #expect(try playHID(Array(text.utf8), cutEvery: 1).frames == played.frames)
    }

    @Test("notes, comments, blanks and odd bytes in hid-recorder text are ignored")
    func notes() throws {
        let rest = """
            ss  \r
            # 1. Land a finger\r
            #E 12.000000 10 01 03 05 0a 14 00 00 00 00 01
              - and lift it\r
            Please follow these 3 steps:\r
            \r
            e: 1.000000 10 01
            E:1.000000 10 01
            E: 0.000000 10 01 03 05 0A 14 00 00 00 00 01 \r
            E: 0.500000 10 01 00 5 a 14 00 00 00 00 1 # lifted\r

            """
        var bytes = Array(Self.line("R:", Self.panel).utf8) + Array("N: \u{FFFD}Gl".utf8) + [0xE9, 0xFF]
        bytes += Array(rest.utf8)
        let played = try playHID(bytes)
        #expect(lines(played.frames) == ["0.000 ms  5 began (10,20)", "500.000 ms  5 ended (10,20)"])
        #expect(played.reader.ignoredLines == 4)
        #expect(played.reader.deviceName.hasSuffix("ss"))
        bytes.removeLast(2)
        #expect(try playHID(bytes).frames == played.frames)
    }

    @Test("hid-recorder lines with wrong lengths give the bytes they contain")
    func lengths() throws {
        let more = "E: 0.000000 10 01 03 05 0a 14 00 00 00 00 01 ff ff ff\n"
        let less = "E: 0.000000 64 01 03 05 0a 14 00 00 00 00 01\n"
        let short = "E: 0.000000 5 01 03 05 0a 14 00 00 00 00 01\n"
        for event in [more, less, short] {
            #expect(try frames(Self.head + event).first == "0.000 ms  5 began (10,20)")
        }
        #expect(try frames(Self.head + "E: 0.000000 0\n") == [])
    }

    @Test("the first device with touch is read, and others are named")
    func devices() throws {
        let touch = "E: 0.000000 10 01 03 05 0a 14 00 00 00 00 01\n"
        let text =
            "D: 0\n" + Self.line("R:", Self.keyboard) + "N: Keys\nI: 3 1 2\nD: 3\n" + Self.line("R:", Self.panel)
            + "N: Glass\nI: 3 3 4\nD: 4\n" + Self.line("R:", Self.panel) + "N: Pad\nD: 0\nE: 0.000000 1 ff\nD: 4\n"
            + touch + "D: 3\nE: 0.100000 10 01 03 07 01 02 00 00 00 00 01\n"
        let played = try playHID(Array(text.utf8))
        #expect(lines(played.frames) == ["100.000 ms  7 began (1,2)"])
        #expect((played.reader.deviceName, played.reader.device.numbers.product) == ("Glass", 4))
        #expect(
            played.reader.remarks == [
                "device 0 \"Keys\" is left out: it is not the first with touch",
                "device 4 \"Pad\" is left out: it is not the first with touch",
            ])
    }

    @Test("a device without touch gives a remark and no frames")
    func noTouch() throws {
        let text = Self.line("R:", Self.keyboard) + "N: Keys\nE: 0.000000 1 ff\n"
        let played = try playHID(Array(text.utf8))
        #expect(played.frames.isEmpty)
        #expect(played.closing == nil)
        #expect(played.reader.deviceName == "Keys")
        #expect(played.reader.reportingMode == nil)
        #expect(
            played.reader.remarks == [
                "no touch in \"Keys\": its descriptor holds keyboard (01:06), and no contact (X, Y and Tip Switch) in a "
                    + "touch screen (0D:04) or touch pad (0D:05)"
            ])
    }

    @Test("a broken descriptor is used up to its error")
    func brokenDescriptor() throws {
        let text = Self.line("R:", Self.panel + [0xC0]) + "E: 0.000000 10 01 03 05 0a 14 00 00 00 00 01\n"
        let played = try playHID(Array(text.utf8))
        #expect(lines(played.frames) == ["0.000 ms  5 began (10,20)"])
        #expect(
            played.reader.remarks == [
                "read as far as it goes: report descriptor, byte \(Self.panel.count): expected a Collection before its "
                    + "End Collection, found none open"
            ])
    }

    @Test("hid-recorder times never go back, and attempts are counted")
    func backwards() throws {
        let text =
            Self.head + """
                E: 5.0 10 01 03 05 0a 14 00 00 00 00 01
                E: 4.5 10 01 03 05 0b 14 00 00 00 00 01
                E: 5.25 10 01 03 05 0c 14 00 00 00 00 01
                """
        let played = try playHID(Array(text.utf8))
        #expect(played.frames.map(\.time) == [.zero, .zero, .milliseconds(250)])
        #expect(played.reader.timesBackwards == 1)
    }

    @Test("hid-recorder options decide about palms and missing contacts")
    func options() throws {
        let text =
            Self.head + """
                E: 0.0 10 01 03 05 0a 14 01 06 01 02 02
                E: 0.1 10 01 03 06 01 03 00 00 00 00 01

                """
        #expect(try frames(text).dropLast() == ["0.000 ms  5 began (10,20)", "100.000 ms  5 stationary (10,20)"])
        #expect(try playHID(Array(text.utf8)).reader.remarks == ["1 contact was a palm: cancelled"])
        for palms in [RecordingOptions.Palms.declared, .keep] {
            #expect(try frames(text) { $0.palms = palms }[0] == "0.000 ms  5 began (10,20), 6 began (1,2)")
        }
        #expect(try frames(text) { $0.absentMeansLifted = true }[1] == "100.000 ms  5 ended (10,20)")
    }

    @Test("hid-recorder remarks count omitted contacts and reports")
    func leftOut() throws {
        let text =
            Self.head + """
                E: 0.0 10 01 03 05 0a 14 03 05 01 02 02
                E: 0.1 7 01 00 05 0a 14 00 00
                E: 0.2 3 02 03 05
                E: 0.3 3 02 03 05

                """
        #expect(
            try playHID(Array(text.utf8)).reader.remarks == [
                "1 contact came again in its frame: left out",
                "1 report was shorter than declared: read as far as it goes",
                "2 reports were not of touch: left out",
            ])
    }

    private static let broken: [(String, String)] = [
        (head + "E: x 1 00", "5: expected a time as seconds.microseconds, found \"x\""),
        (head + "E: 1 1 00", "5: expected a time as seconds.microseconds, found \"1\""),
        (head + "E: 1.0", "5: expected a length in decimal, found the line's end"),
        (head + "E: 1.0 z 00", "5: expected a length in decimal, found \"z\""),
        (head + "E: 1.0 -1 00", "5: expected a length of at least 0, found \"-1\""),
        (head + "E: 1.0 3 00 0g 00", "5: expected a byte of the report in hexadecimal, found \"0g\""),
        (head + "E: 1.0 3 00 123 00", "5: expected a byte of the report in hexadecimal, found \"123\""),
        (head + "E: 1.0 99999999999 00", "5: expected a length of at most 32 bits, found \"99999999999\""),
        ("R: 3 05 0D zz", "1: expected a byte of the report descriptor in hexadecimal, found \"zz\""),
        (
            head + "D: 1\nE: 1.0 1 00",
            "6: expected a report descriptor (R: line) before the first report, found a report"
        ),
        (
            "N: Glass\nE: 1.0 1 00",
            "2: expected a report descriptor (R: line) before the first report, found a report"
        ),
        (
            "D: 0\nN: Glass\n",
            "2: expected a report descriptor (R: line) before the first report, found the file's end"
        ),
        (
            head + "E: 1.0 1 01\n" + line("R:", keyboard),
            "6: expected one report descriptor for each device, found another one"
        ),
        (
            head + (1...64).map { "D: \($0)\n" }.joined(),
            "68: expected at most 64 devices, found one more"
        ),
    ]

    @Test("hid-recorder free text may begin like a line", arguments: ["I: hello", "I: 3 zzz", "D: drag", "D: 0x"])
    func letters(text: String) throws {
        let event = "E: 1.0 10 01 03 05 0a 14 00 00 00 00 01\n"
        let (played, whole) = (
            try playHID(Array((Self.head + text + "\n" + event).utf8)), try playHID(Array((Self.head + event).utf8))
        )
        #expect(played.frames == whole.frames && played.reader.device == whole.reader.device)
        #expect(played.reader.ignoredLines == 1)
    }

    @Test("broken hid-recorder text is refused with line and reason", arguments: broken)
    func errors(_ text: String, _ complaint: String) throws {
        let error = #expect(throws: RecordingError.self) { try playHID(Array(text.utf8), named: "glass.hid") }
        #expect(error?.description == "glass.hid:\(complaint)")
    }

    @Test("a repeated descriptor of a device is accepted")
    func twice() throws {
        let event = "E: 1.0 10 01 03 05 0a 14 00 00 00 00 01\n"
        #expect(try frames(Self.head + event + Self.head + event).count == 3)
    }

    @Test("damaged hid-recorder text gives legal frames, with or without an error")
    func noise() {
        var text = Self.head
        for step in 0..<12 {
            let hex = String(step % 10)
            text += "E: \(step / 10).\(hex)00000 10 01 0\(step % 4) 05 \(hex)a 14 "
            text += "0\(step % 3) 06 1e \(hex)8 0\(step % 4)\n"
        }
        let whole = Array(text.utf8)
        var random = SeededGenerator(seed: 4711)
        for round in 0..<600 {
            var bytes = whole
            if round % 2 == 0 {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            } else {
                for _ in 0..<4 {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            }
            var reader = RecordingReader(name: "noise", format: .hidRecorder, screen: screen)
            var frames: [ContactFrame] = []
            do throws(RecordingError) {
                try reader.read(bytes, into: &frames)
                if let closing = try reader.finish(into: &frames) { frames.append(closing) }
                expectRules(frames, "round \(round)", isWhole: true)
            } catch {
                #expect(!error.found.isEmpty)
                expectRules(frames, "round \(round)", isWhole: false)
            }
        }
    }
}
