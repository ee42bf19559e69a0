import Basics
import HID
@testable import Recordings
import Testbed
import Testing

@Suite("Evdev recordings as text")
struct EvdevTextTests {
    private static let formats: [RecordingFormat] = [.evemu, .evtest, .getevent, .libinputRecord]

    @Test("every evdev text format gives the same touches and device", arguments: formats)
    func same(format: RecordingFormat) throws {
        let text = try #require(TwoFingers.all[format])
        let played = try play(text)
        expectTrace(lines(played.frames + [try #require(played.closing)]), matches: TwoFingers.frames)
        #expect(played.format == format && played.contactProtocol == .slots)
        #expect(played.frames[0].contacts[0].attributes.pressure == 50)
        let device = played.device
        #expect(device.name == "Two # fingers")
        #expect(device.numbers.all == [0x18, 0x4F3, 0x200A, 0x100])
        #expect(device.kind == .touchscreen)
        #expect(device.contactCount == 5)
        #expect(device.x == DeviceAxis(minimum: 0, maximum: 719, resolution: 12, fuzz: 2, flat: 1))
        #expect(device.y == DeviceAxis(minimum: 0, maximum: 1279, resolution: 12))
        #expect(device.pressure?.maximum == 255)
        #expect(played.ignoredLines == (format == .getevent ? 1 : 0))
        let others = format == .getevent || format == .libinputRecord
        #expect(
            played.remarks == (others ? [#"left out, for event2 is the touch device read: event0 "gpio-keys""#] : []))
    }

    @Test("pieces, line ends and blanks do not change an evdev recording", arguments: formats)
    func pieces(format: RecordingFormat) throws {
        let text = try #require(TwoFingers.all[format])
        let whole = try play(text)
        for size in [1, 2, 3, 7, 64, 100] { #expect(try play(Array(text.utf8), cutEvery: size) == whole) }
        #expect(try play(text.replacing("\n", with: "\r\n")) == whole)
        #expect(try play(text.replacing("\n", with: " \t \n")) == whole)
        #expect(try play("\u{FEFF}" + text) == whole)
        #expect(try play(String(text.dropLast())) == whole, "the last line needs no end")
        #expect(try play("\n\n# a note\n" + text).frames == whole.frames)
    }

    @Test(
        "an evdev recording cut anywhere is read up to the cut",
        arguments: formats)
    func truncated(format: RecordingFormat) throws {
        let bytes = Array(try #require(TwoFingers.all[format]).utf8)
        let whole = try play(bytes)
        for cut in bytes.indices {
            var reader = RecordingReader(name: "cut", format: format, screen: screen)
            var frames: [ContactFrame] = []
            do {
                try reader.read(Array(bytes[..<cut]), into: &frames)
                if let closing = try reader.finish(into: &frames) { frames.append(closing) }
                expectRules(frames, "\(format) cut at \(cut)", isWhole: true)
            } catch {
                #expect(error.line == reader.lineCount && error.line > 0, "cut at \(cut): \(error)")
                #expect(frames == Array(whole.frames.prefix(frames.count)), "cut at \(cut)")
                if let closing = frames.last?.cancellingDownContacts { frames.append(closing) }
                expectRules(frames, "\(format) cut at \(cut)", isWhole: true)
            }
        }
    }

    @Test("no bytes make an evdev text reader trap", arguments: formats)
    func noise(format: RecordingFormat) throws {
        let bytes = Array(try #require(TwoFingers.all[format]).utf8)
        let words = [
            "-1", "99999999999999999999", "0x", "[", "]", "{", ", ", "\n", "#", "\"", ": ", "- ", "\u{0}", "\u{FF}",
            "  ",
            "2147483648", "-2147483648", "00000000000000", "9000000000.999999999999", "65536", "ffffffff0", "EV_ABS ",
        ]
        var generator = SeededGenerator(seed: 5)
        for round in 0..<400 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let place = Int.random(in: 0..<changed.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: changed[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: changed.remove(at: place)
                case 2: changed.insert(contentsOf: words.randomElement(using: &generator)!.utf8, at: place)
                default:
                    let end = min(changed.count, place + Int.random(in: 1...60, using: &generator))
                    let piece = changed[place..<end]
                    changed.insert(contentsOf: piece, at: Int.random(in: 0...changed.count, using: &generator))
                }
            }
            // The bytes are read in their original format, and in the format that is guessed.
            for asked in [format, nil] {
                var reader = RecordingReader(name: "noise", format: asked, screen: screen)
                var frames: [ContactFrame] = []
                try? reader.read(changed, into: &frames)
                if let closing = try? reader.finish(into: &frames) { frames.append(closing) }
                expectRules(frames, "round \(round)", isWhole: false)
                _ = (reader.remarks, reader.device, reader.ranges)
            }
        }
    }

    @Test("the content decides a recording's format, after any introductory text")
    func guess() throws {
        for (format, text) in TwoFingers.all.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            #expect(try play("Recorded on Tuesday, with cold hands\n\n" + text).format == format)
        }
        for (first, format) in [
            ("E: 0.000001 0003 0035 12", RecordingFormat.evemu), ("E: 1.5 3 35 10", .evemu), ("A: 35 0 9 0 0", .evemu),
            ("Event: time 1.0, -------------- SYN_REPORT ------------", .evtest),
            ("[  12.345678] 0003 0035 00000001", .getevent), ("add device 1: /dev/input/event2", .getevent),
            ("[  12.345678] /dev/input/event7: 0003 0035 00000001", .getevent), ("devices:", .libinputRecord),
            ("- node: /dev/input/event14", .libinputRecord),
        ] {
            var reader = RecordingReader(name: "guess", screen: screen)
            var frames: [ContactFrame] = []
            try reader.read(Array((first + "\n").utf8), into: &frames)
            #expect(reader.format == format, "\(first)")
        }
        for (text, format) in [
            ("R: 4 05 0d 09 04", RecordingFormat.hidRecorder), ("D: 0", .hidRecorder), ("I: 3 6cb 1d10", .hidRecorder),
            ("E: 0.000000 34 01 03 00 00", .hidRecorder), ("{\"actions\": []}", .webdriverActions),
            ("  {", .webdriverActions), ("# touchline-journal 1", .journal), ("tap f1 (1,1) @0", .script),
        ] {
            #expect(FormatGuess(Array(text.utf8).span, after: nil) == .certain(format), "\(text)")
        }
        for text in ["", "# a comment", "\t"] { #expect(FormatGuess(Array(text.utf8).span, after: nil) == .comment) }
        for text in ["hello", "[1, 2]", "add device", "name: x", "E:", "R", "-"] where text != "E:" {
            #expect(FormatGuess(Array(text.utf8).span, after: nil) == .unknown, "\(text)")
        }
        #expect(FormatGuess(Array("N: Somebody".utf8).span, after: nil) == .likely(.evemu))
    }

    @Test("a tool's device list does not decide a recording's format", arguments: formats)
    func deviceList(format: RecordingFormat) throws {
        let text = try #require(TwoFingers.all[format])
        let list = (0..<80).map { "/dev/input/event\($0):\t\($0 == 3 ? "0003 Lid Switch" : "Panel")\n" }.joined()
        let asked =
            "No device specified, trying to scan all of /dev/input/event*\nAvailable devices:\n" + list
            + "Select the device event number [0-79]: 13\n"
        let (played, whole) = (try play(asked + text), try play(text))
        #expect(played.format == format && played.frames == whole.frames && played.device == whole.device)
        #expect(throws: RecordingError.self) { try play(asked) }
    }

    @Test("a line that only resembles a format decides nothing")
    func nearly() {
        for text in ["I: hello", "I: 3 zz 4", "I: 3 1", "D: drag", "5-42", "2013-04-05: warm", "5-42: Panel", "EV_ABS"]
        {
            #expect(FormatGuess(Array(text.utf8).span, after: nil) == .unknown, "\(text)")
        }
    }

    @Test("getevent times with a dash are read")
    func dashedTime() throws {
        for path in ["", "/dev/input/event2: "] {
            let text = """
                5-42: \(path)0003 0039 00000007
                5-42: \(path)0003 0035 00000076
                5-42: \(path)0000 0000 00000000
                5-100042: \(path)0003 0039 ffffffff
                6-42: \(path)0000 0000 00000000

                """
            let played = try play(text)
            #expect(played.format == .getevent && played.ignoredLines == 0)
            #expect(lines(played.frames) == ["0.000 ms  7 began (118,0)", "1000.000 ms  7 ended (118,0)"])
        }
        for (line, complaint) in [
            ("5-1000000: 0000 0000 00000000", "a time of at most 9000000000 seconds and 999999 microseconds"),
            ("9000000001-0: 0000 0000 00000000", "a time of at most 9000000000 seconds and 999999 microseconds"),
            ("5-42: 0003 0035", "a value in hexadecimal"), ("0003 0035 00000001", "a time: record with getevent -lt"),
            ("EV_ABS       ABS_MT_POSITION_X    00000001", "a time: record with getevent -lt"),
        ] {
            let error = #expect(throws: RecordingError.self) { try play("5-42: 0003 0039 00000007\n\(line)\n") }
            #expect(error?.expected == complaint && error?.line == 2)
        }
    }

    // MARK: Events before an error

    @Test("events before a broken line are read although undecided")
    func fault() throws {
        let single = """
            E: 0.000000 3 0 5
            E: 0.000000 3 1 5
            E: 0.000000 1 14a 1
            E: 0.000000 0 0 0
            E: 0.100000 3 0 9
            E: 0.100000 0 0 0

            """
        let (pen, panel) = ("/dev/input/event1: ", "/dev/input/event2: ")
        for (text, broken) in [
            (single, "E: 0.3 broken\n"),
            (EventText(single, in: .evemu).rewritten(to: .evtest), "Event: time 0.3, broken\n"),
            (EventText(single, in: .evemu).rewritten(to: .getevent), "[ 0.3] broken\n"),
            (EventText(single, in: .evemu).rewritten(to: .libinputRecord), "    - [1, 2, x]\n"),
            // A pen may touch too. The reader waits for a panel with contacts.
            (
                EventText("E: 0.000000 1 140 1\n" + single, in: .evemu).rewritten(to: .getevent)
                    .replacing("] ", with: "] \(pen)"),
                "[ 0.3] \(panel)broken\n"
            ),
        ] {
            var reader = RecordingReader(name: "broken", screen: screen)
            var frames: [ContactFrame] = []
            #expect(throws: RecordingError.self) { try reader.read(Array((text + broken).utf8), into: &frames) }
            #expect(frames.isEmpty)
            let closing = reader.abandon(into: &frames)
            expectTrace(
                lines(frames + [try #require(closing)]),
                matches: """
                    0.000 ms  0 began (5,5)
                    100.000 ms  0 moved (9,5)
                    100.000 ms  0 cancelled (9,5)
                    """)
            #expect(reader.contactProtocol == .single)
        }
    }

    @Test("a name alone is an evemu description without frames")
    func nameAlone() throws {
        let played = try play("N: only\n")
        #expect(played.format == .evemu && played.name == "only" && played.frames.isEmpty)
    }

    @Test(
        "evdev text errors give file, line, expectation and finding",
        arguments: [
            ("Event: time 1.0 type 3", "test:1: expected a comma after the time, found \"type\""),
            ("Event: time 1.0, type 3 (EV_ABS), value 7", "test:1: expected a code, found \"value\""),
            (
                "Event: time 1.0, type 3 (EV_ABS), code 53 (X), value x",
                "test:1: expected a value in decimal, found \"x\""
            ),
            (
                "Event: time 1.0, nothing",
                "test:1: expected a type or a synchronisation, found \"nothing\""
            ),
            ("Event: time x, type", "test:1: expected a time as seconds.microseconds, found \"x,\""),
            (
                "[ 1.0] EV_ABS ABS_MT_SLOT 100000000",
                "test:1: expected a value of at most eight digits, found \"100000000\""
            ),
            ("[ 1.0] EV_ABS -", "test:1: expected an event code, found \"-\""),
            ("[ 1.0] EV_KEY BTN_TOUCH", "test:1: expected a value in hexadecimal, found the line's end"),
            ("[ 1.0] 0003 0035 00000001 2", "test:1: expected the line's end, found \"2\""),
            (
                "/dev/input/event2: EV_ABS ABS_MT_SLOT 00000000",
                "test:1: expected a time: record with getevent -lt, found none"
            ),
            ("ndevices: 1\nversion: 2", "test:2: expected version 1 of libinput record, found \"2\""),
            (
                "devices:\n- node: /dev/input/event1\n  events:\n  - evdev:\n    - [1, 2, 3]",
                "test:5: expected an event as [sec, usec, type, code, value], found 3 numbers"
            ),
            (
                "devices:\n- node: /dev/input/event1\n  events:\n  - evdev:\n    - [1, 2, 3, x, 4]",
                "test:5: expected a number, found \"x,\""
            ),
            (
                "devices:\n- events:\n  - evdev:\n    - [1, 2, 3, 4",
                "test:4: expected an event's closing bracket, found the file's end"
            ),
            (
                "devices:\n- events:\n  - evdev:\n    - [1, 1000000, 3, 4, 5]",
                "test:4: expected a time as seconds of at most 9000000000, microseconds of at most 999999, "
                    + "found 1, 1000000"
            ),
        ])
    func errors(text: String, expected: String) {
        do {
            _ = try play(text)
            Issue.record("\(text) was read")
        } catch { #expect("\(error)" == expected) }
    }

    @Test("foreign lines are counted and skipped")
    func junk() throws {
        func junk(_ text: String, _ junk: String) throws -> Int {
            let junked = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n\(junk)\n")
            let (played, whole) = (try play(junked), try play(text))
            #expect(played.frames == whole.frames)
            return played.ignoredLines - whole.ignoredLines
        }
        #expect(try junk(TwoFingers.evemu, "Now lift one finger") > 20)
        #expect(try junk(TwoFingers.evtest, "^C") > 20)
        let events = TwoFingers.getevent.split(separator: "\n").filter { $0.hasPrefix("[") }.joined(separator: "\n")
        #expect(try junk(events, "Now lift one finger") > 15)
        #expect(try junk("[ 1.0] 0003 0039 00000001\n[ 1.0] 0000 0000 00000000", "$ ") == 1)
    }

    // MARK: libinput's YAML

    @Test("libinput recordings read the same with any indentation and wrapping")
    func indentation() throws {
        let whole = try play(TwoFingers.libinput)
        // Dashes are indented by two more, as in the manual, and so is everything below them.
        var inDevices = false
        let manual = TwoFingers.libinput.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            defer { if line == "devices:" { inDevices = true } }
            return inDevices && !line.isEmpty ? "  \(line)" : "\(line)"
        }.joined(separator: "\n")
        #expect(try play(manual) == whole)
        // Lists below `events:` are indented by two more.
        var inEvents = false
        let deeper = TwoFingers.libinput.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("- node:") { inEvents = false }
            defer { if line == "  events:" { inEvents = true } }
            return inEvents && !line.isEmpty ? "  \(line)" : "\(line)"
        }.joined(separator: "\n")
        #expect(try play(deeper) == whole)
        // Every flow list takes as many lines as it has numbers.
        let wrapped = TwoFingers.libinput.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.contains("[ ") && line.contains("- ") && !line.contains("#")
                ? String(line).replacing(", ", with: ",\n                ") : String(line)
        }.joined(separator: "\n")
        #expect(wrapped != TwoFingers.libinput)
        #expect(try play(wrapped) == whole)
        // The text has a document marker and unknown keys.
        let marked =
            "---\n" + TwoFingers.libinput.replacing("  quirks:", with: "  novelty:\n    inner: [1, [2, 3]]\n  quirks:")
        #expect(try play(marked) == whole)
        // The list of bytes is written as in the manual, and as a block list.
        let block = TwoFingers.libinput.replacing(
            "  hid: [\n    0x05, 0x0d, 0x09,\n    0x04\n  ]", with: "  hid:\n  - [5, 13, 9]\n  - 0x04")
        #expect(block != TwoFingers.libinput)
        #expect(try play(block) == whole)
        #expect(try play(TwoFingers.libinput.replacing("quirks: null", with: "quirks: []")) == whole)
        for name in ["'Two # fingers'", "\"Two # fingers\" # of one hand", "\"Two \\# fingers\"   "] {
            #expect(try play(TwoFingers.libinput.replacing("\"Two # fingers\"", with: name)) == whole, "\(name)")
        }
        for (written, name) in [
            ("Two fingers # of one hand", "Two fingers"), ("\"a \\\"b\\\" c\"", "a \"b\" c"), ("'it''s'", "it's"),
            ("\"open", "open"), ("\"", ""), ("", ""),
        ] {
            let text = TwoFingers.libinput.replacing("\"Two # fingers\"", with: written)
            #expect(try play(text).name == name, "\(written)")
        }
    }

    @Test("an unclosed list in libinput text hides no later line")
    func noList() throws {
        let whole = try play(TwoFingers.libinput)
        for text in ["[x", "{ x: [1", "[", "[\"open"] {
            let udev = try play(TwoFingers.libinput.replacing("- ID_INPUT=1\n", with: "- \(text)\n"))
            #expect(udev.frames == whole.frames && udev.device == whole.device && udev.ignoredLines == 1, "\(text)")
            let quirks = try play(TwoFingers.libinput.replacing("quirks: null", with: "quirks: \(text)"))
            #expect(quirks.frames == whole.frames && quirks.closing == whole.closing, "\(text)")
        }
        let error = #expect(throws: RecordingError.self) { try play("devices:\n- hid: [1,\n    2\n") }
        #expect(error?.description == "test:3: expected a list's closing bracket, found the file's end")
    }

    @Test("a libinput device without events is a description")
    func noEvents() throws {
        let header = TwoFingers.libinput.split(separator: "\n").prefix { !$0.contains("Current time") }
            .filter { !$0.contains("- [  6") }.joined(separator: "\n")
        for events in ["\n", " null\n", " []\n"] {
            let played = try play(header.replacing("  events:\n  - evdev:", with: "  events:") + events)
            #expect(played.frames.isEmpty && played.name == "Two # fingers")
            #expect(played.ranges.y == 0...1279 && played.contactProtocol == .slots)
        }
    }

    // MARK: Limits

    @Test("a line may have 1,048,576 bytes and no more")
    func longComment() throws {
        let text = "E: 0.0 0003 0039 1\nE: 0.0 0000 0000 0 # "
        let comment = String(repeating: "x", count: RecordingReader.lineLimit - 21)
        #expect(try play(text + comment + "\n").summary.began == 1)
        #expect(try play(Array((text + comment).utf8), cutEvery: 65_536).summary.began == 1)
        do {
            _ = try play(text + comment + "x\n")
            Issue.record("was read")
        } catch { #expect("\(error)" == "test:2: expected a line of at most 1048576 bytes, found a longer one") }
    }

    @Test("lists, devices and slots of evdev texts have limits")
    func absurd() throws {
        let numbers = String(repeating: "1, ", count: 5000)
        let error = #expect(throws: RecordingError.self) {
            try play("devices:\n- evdev:\n    properties: [\(numbers)]\n")
        }
        #expect(error?.expected == "at most 1024 numbers in a list")
        let ignored = try play("devices:\n- evdev:\n    novelty: [\(numbers)]\n  hid: [\(numbers)]\n")
        #expect(ignored.frames.isEmpty)
        var devices = ""
        for number in 0..<200 { devices += "[ 1.0] /dev/input/event\(number): 0001 0001 00000001\n" }
        #expect(try play(devices).ignoredLines == 136)
        #expect(
            try play("[ 1.0] 0003 002f 7fffffff\n[ 1.0] 0003 0039 00000001\n[ 1.0] 0000 0000 0\n").summary.began == 0)
    }

    @Test("a scan has the time of its SYN_REPORT")
    func stamps() throws {
        let played = try play("E: 1.0 3 39 5\nE: 1.5 3 35 7\nE: 2.25 0 0 0\n")
        #expect(played.frames.map(\.time) == [.milliseconds(1250)])
    }
}
