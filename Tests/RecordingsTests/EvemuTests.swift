import Basics
import HID
import Recordings
import Testbed
import Testing

/// The formats that an unrecognized file could have been.
private let everything =
    "a recording (evemu, evtest, getevent -lt, libinput record, hid-recorder), WebDriver actions, a finger script or "
    + "a journal"

@Suite("Evemu recordings")
struct EvemuTests {
    @Test("slots keep unreported values, and coordinates of a lift are ignored")
    func slots() throws {
        let played = try play(ownRecording("slots.evemu"))
        #expect(played.contactProtocol == .slots)
        #expect(played.name == "Hand-written # slots")
        #expect(played.ranges == AxisRanges(x: 0...799, y: 0...479))
        #expect(played.ignoredLines == 1)
        expectTrace(
            lines(played.frames + [try #require(played.closing)]),
            matches: """
                0.010 ms  82 began (10,20)
                10.000 ms  82 stationary (10,20), 83 began (300,200)
                20.000 ms  82 moved (10,25), 83 stationary (300,200)
                30.000 ms  82 stationary (10,25), 83 ended (300,200), 90 began (310,200)
                40.000 ms  82 ended (10,25), 90 stationary (310,200)
                50.000 ms  90 stationary (310,200), 91 began (99,25)
                60.000 ms  90 cancelled (310,200), 91 cancelled (99,25)
                70.000 ms  no contact
                80.000 ms  92 began (50,100)
                90.000 ms  92 moved (51,100)
                100.000 ms  92 cancelled (51,100)
                """)
        #expect(played.summary.openAtEnd == 1)
    }

    @Test("a contact missing from a group list has lifted")
    func groups() throws {
        let played = try play(ownRecording("groups.evemu"))
        #expect(played.contactProtocol == .groups)
        #expect(played.closing == nil)
        expectTrace(
            lines(played.frames),
            matches: """
                0.000 ms  3 began (100,100)
                9.999 ms  3 moved (110,100), 5 began (500,600)
                14.999 ms  3 stationary (110,100), 5 stationary (500,600)
                19.999 ms  3 ended (110,100), 5 moved (500,610)
                29.999 ms  5 ended (500,610)
                """)
    }

    @Test("a single-touch panel is recognized without losing its first events")
    func single() throws {
        let played = try play(ownRecording("single.evemu"))
        #expect(played.contactProtocol == .single)
        #expect(played.ranges == RecordingReader.assumedRanges)
        expectTrace(
            lines(played.frames),
            matches: """
                0.000 ms  0 began (100,200)
                20.000 ms  0 moved (100,210)
                40.000 ms  0 ended (100,210)
                100.000 ms  1 began (999,210)
                120.000 ms  1 ended (999,210)
                """)
    }

    @Test("contacts without ids match the nearest positions")
    func nameless() throws {
        func scan(_ time: String, _ points: [(Int, Int)]) -> String {
            points.map { "E: \(time) 3 35 \($0.0)\nE: \(time) 3 36 \($0.1)\nE: \(time) 0 2 0\n" }.joined()
                + (points.isEmpty ? "E: \(time) 1 14a 0\n" : "") + "E: \(time) 0 0 0\n"
        }
        let played = try play(
            scan("0.0", [(100, 100), (900, 900)]) + scan("0.01", [(905, 900), (110, 100)])
                + scan("0.02", [(100, 100), (500, 500), (900, 900)]) + scan("0.03", [(501, 500)]) + scan("0.04", []))
        #expect(played.contactProtocol == .groups)
        expectTrace(
            lines(played.frames).map { $0.replacing("42949672", with: "#") },
            matches: """
                0.000 ms  #96 began (100,100), #97 began (900,900)
                10.000 ms  #96 moved (110,100), #97 moved (905,900)
                20.000 ms  #96 moved (100,100), #97 moved (900,900), #98 began (500,500)
                30.000 ms  #96 ended (100,100), #97 ended (900,900), #98 moved (501,500)
                40.000 ms  #98 ended (501,500)
                """)
    }

    @Test("an evemu recording reads the same in pieces", arguments: ["slots.evemu", "groups.evemu", "single.evemu"])
    func chunks(name: String) throws {
        let bytes = try ownRecording(name)
        let whole = try play(bytes)
        for size in [1, 2, 3, 7, 64, 100] { #expect(try play(bytes, cutEvery: size) == whole) }
        for cut in bytes.indices {
            var reader = RecordingReader(name: name, screen: screen)
            var frames: [ContactFrame] = []
            try reader.read(Array(bytes[..<cut]), into: &frames)
            try reader.read(Array(bytes[cut...]), into: &frames)
            let closing = try reader.finish(into: &frames)
            #expect(frames == whole.frames && closing == whole.closing)
        }
    }

    @Test("Windows line ends, trailing blanks and a BOM change nothing")
    func lineEnds() throws {
        let bytes = try ownRecording("slots.evemu")
        let whole = try play(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(try play(Array(text.replacing("\n", with: "\r\n").utf8)) == whole)
        #expect(try play(Array(text.replacing("\n", with: " \t\n").utf8)).frames == whole.frames)
        #expect(try play([0xEF, 0xBB, 0xBF] + bytes) == whole)
    }

    @Test("a truncated evemu recording keeps the rules of contacts")
    func truncation() throws {
        for name in ["slots.evemu", "groups.evemu", "single.evemu"] {
            let bytes = try ownRecording(name)
            for cut in bytes.indices {
                var reader = RecordingReader(name: name, screen: screen)
                var frames: [ContactFrame] = []
                try reader.read(Array(bytes[..<cut]), into: &frames)
                if let closing = try? reader.finish(into: &frames) { frames.append(closing) }
                expectRules(frames, "\(name) cut at \(cut)", isWhole: false)
            }
        }
    }

    @Test("no bytes make the evemu reader trap")
    func noise() {
        var generator = SeededGenerator(seed: 11)
        let words = [
            "E: ", "0.1 ", "0003 ", "0039 ", "002f ", "0035 ", "-1 ", "99999999999 ", "0000 ", "0002 ", "0003 ", "\n",
            "A: 2f 0 9 0 0\n", "A: 35 5 2 0 0\n", "B: 03 ff ff ff ff ff ff ff ff\n", "N: x\n", "#", "\u{0}", "1 ", "7 ",
            "E: 1.0 0000 0000 0\n", "E: 1.0 0000 0002 0\n", "E: 1.0 0003 0039 5\n", "E: 1.0 0000 0003 0\n",
        ]
        for _ in 0..<2000 {
            var text = "# EVEMU 1.3\n"
            for _ in 0..<Int.random(in: 1...60, using: &generator) { text += words.randomElement(using: &generator)! }
            var reader = RecordingReader(name: "noise", screen: screen)
            var frames: [ContactFrame] = []
            try? reader.read(Array(text.utf8), into: &frames)
            if let closing = try? reader.finish(into: &frames) { frames.append(closing) }
            expectRules(frames, text, isWhole: false)
        }
    }

    @Test("an evemu recording's number of slots has a limit")
    func absurdSlots() throws {
        let played = try play("E: 0.0 0003 002f 2000000000\nE: 0.0 0003 0039 1\nE: 0.0 0000 0000 0\n")
        #expect(played.summary.began == 0)
        let many = try play("A: 2f 0 100000 0 0\nE: 0.0 3 2f 256\nE: 0.0 3 39 1\nE: 0.0 0 0 0\n")
        #expect(many.summary.began == 0 && many.device.contactCount == EvdevTracker.slotLimit)
    }

    @Test(
        "an axis with an empty range counts as undescribed",
        arguments: [
            "A: 2f 0 -1 0 0", "A: 35 7 2 0 0", "A: 35 0 -1 0 0", "A: 40 0 9 0 0", "A: ffff 0 9 0 0",
        ])
    func noRange(axis: String) throws {
        let played = try play(axis + "\n" + Self.twoInSlots)
        #expect((played.summary.began, played.summary.moved, played.summary.ended) == (2, 1, 2))
        #expect(played.ranges == RecordingReader.assumedRanges && played.device.contactCount == nil)
    }

    @Test("contacts beyond the thirty-second are ignored")
    func tooManyFingers() throws {
        let landings = (0..<40).map { "E: 0.0 3 2f \($0)\nE: 0.0 3 39 \($0)\n" }.joined()
        let played = try play(landings + "E: 0.0 0 0 0\n")
        #expect(played.summary.began == 32)
        #expect(played.summary.openAtEnd == 32)
    }

    @Test(
        "evemu errors give file, line, expectation and finding",
        arguments: [
            (
                "E: 0.0 0003 0039 x\n",
                #"test:1: expected a value in decimal, found "x""#
            ),
            ("# EVEMU 1.3\n\nE: 0.0 0003\n", "test:3: expected an event code in hexadecimal, found the line's end"),
            ("# EVEMU 2.0\n", #"test:1: expected evemu version 1.0 to 1.3, found "2.0""#),
            ("A: 35 7 x 0 0\n", #"test:1: expected the axis maximum in decimal, found "x""#),
            ("E: 1 0003 0039 1\n", #"test:1: expected a time as seconds.microseconds, found "1""#),
            ("E: 1.0 0003 0039 1 2\n", #"test:1: expected the line's end, found "2""#),
            ("", "test: expected \(everything), found an empty file"),
            ("hello\nworld\n", "test: expected \(everything), found \"hello\""),
        ])
    func errors(text: String, expected: String) {
        do {
            _ = try play(text)
            Issue.record("\(text) was read")
        } catch { #expect("\(error)" == expected) }
    }

    @Test("a line without an end is refused at a limit")
    func endlessLine() {
        var reader = RecordingReader(name: "test", screen: screen)
        var frames: [ContactFrame] = []
        #expect(throws: RecordingError.self) {
            for _ in 0..<30 { try reader.read([UInt8](repeating: 0x41, count: 40_000), into: &frames) }
        }
    }

    /// Two contacts in slots 0 and 1, one after the other. The first lifts before the second moves.
    private static let twoInSlots = """
        E: 0.00 3 39 1
        E: 0.00 3 35 10
        E: 0.00 3 36 10
        E: 0.00 1 14a 1
        E: 0.00 3 00 10
        E: 0.00 0 0 0
        E: 0.01 3 2f 1
        E: 0.01 3 39 2
        E: 0.01 3 35 90
        E: 0.01 0 0 0
        E: 0.02 3 2f 0
        E: 0.02 3 39 -1
        E: 0.02 0 0 0
        E: 0.03 3 2f 1
        E: 0.03 3 36 11
        E: 0.03 0 0 0
        E: 0.04 3 39 -1
        E: 0.04 1 14a 0
        E: 0.04 0 0 0

        """

    @Test(
        "a partial description does not hide the slots in events",
        arguments: ["", "A: 35 0 99 0 0\nA: 36 0 99 0 0\n", "A: 00 0 99 0 0\nA: 01 0 99 0 0\n", "A: 28 0 -1 0 0\n"])
    func partialDescription(description: String) throws {
        let played = try play(description + Self.twoInSlots)
        #expect(played.contactProtocol == .slots)
        #expect(played.ranges.x == (description.contains("99") ? 0...99 : RecordingReader.assumedRanges.x))
        #expect((played.summary.began, played.summary.moved, played.summary.ended) == (2, 1, 2))
        #expect(played.summary.maxConcurrent == 2)
    }

    @Test("the slot chosen during lost events stays chosen")
    func slotWhileDropping() throws {
        let played = try play(
            """
            E: 0.0 3 39 1
            E: 0.0 3 2f 1
            E: 0.0 3 39 2
            E: 0.0 0 0 0
            E: 0.1 0 3 0
            E: 0.1 3 2f 0
            E: 0.1 3 35 7
            E: 0.1 0 0 0
            E: 0.2 3 39 3
            E: 0.2 0 0 0
            E: 0.3 3 2f 1
            E: 0.3 3 39 4
            E: 0.3 0 0 0
            E: 0.4 3 2f 0
            E: 0.4 3 39 -1
            E: 0.4 0 0 0

            """)
        expectTrace(
            lines(played.frames + [try #require(played.closing)]),
            matches: """
                0.000 ms  1 began (0,0), 2 began (0,0)
                100.000 ms  1 cancelled (0,0), 2 cancelled (0,0)
                200.000 ms  3 began (0,0)
                300.000 ms  3 stationary (0,0), 4 began (0,0)
                400.000 ms  3 ended (0,0), 4 stationary (0,0)
                400.000 ms  4 cancelled (0,0)
                """)
    }

    @Test("introductory text that begins with a verb makes no finger script")
    func wordsBeforeTheHeader() throws {
        let note = "tap with one finger, then press the button\nmove slowly\n"
        let played = try play(note + "# EVEMU 1.2\n" + Self.twoInSlots)
        #expect(played.summary.began == 2)
        #expect(played.ignoredLines == 2)
        #expect(throws: RecordingError.self) { try play("tap f1 (10,10)\n") }
    }

    @Test("an evemu description alone is a recording without frames")
    func descriptionOnly() throws {
        let played = try play("# EVEMU 1.3\nN: only\nA: 2f 0 9 0 0\nA: 35 0 10 0 0\nA: 36 0 10 0 0\n")
        #expect(played.frames == [])
        #expect(played.contactProtocol == .slots)
        #expect(played.name == "only")
    }

    @Test("the times of an evemu recording never go back")
    func timeBackwards() throws {
        let played = try play("E: 9.0 3 39 1\nE: 9.0 0 0 0\nE: 3.0 3 35 7\nE: 3.0 0 0 0\nE: 9.5 0 0 0\n")
        #expect(played.frames.map(\.time) == [.zero, .zero, .milliseconds(500)])
    }
}

/// Checks the rest of Docs/Spec/Input.md section 1.6: as events no contact breaks a rule, and each is somewhere on the
/// panel.
func expectPlaces(_ played: PlayedRecording, _ name: String) {
    var assembler = FrameAssembler(
        ranges: played.ranges, senderID: 1, generationCount: 1, device: played.device)
    var faults: [ContactFault] = []
    let panel = Fixed.zero...Fixed.one
    for frame in played.frames {
        let event = assembler.assemble(frame, at: Instant(nanoseconds: 0), faults: &faults)
        for finger in event?.fingers ?? [] {
            let (x, y) = (finger.position.x, finger.position.y)
            #expect(panel.contains(x) && panel.contains(y), "\(x), \(y) in \(name)")
        }
    }
    #expect(faults.isEmpty, "\(name)")
}

/// Checks Docs/Spec/Input.md section 1.6 on any frames that a reader made.
func expectRules(_ frames: [ContactFrame], _ name: String, isWhole: Bool) {
    var live: [Int64] = []
    var last = Duration.zero
    var (began, closed) = (0, 0)
    for frame in frames {
        #expect(frame.time >= last, "time went back in \(name)")
        last = frame.time
        for contact in frame.contacts {
            switch contact.phase {
            case .began:
                #expect(!live.contains(contact.id), "\(contact.id) began twice in \(name)")
                live.append(contact.id)
                began += 1
            case .moved, .stationary: #expect(live.contains(contact.id), "\(contact.id) never began in \(name)")
            case .ended, .cancelled:
                #expect(live.contains(contact.id), "\(contact.id) ended unbegun in \(name)")
                live.removeAll { $0 == contact.id }
                closed += 1
            }
        }
        #expect(live.count <= HIDEvent.fingerLimit)
    }
    if isWhole { #expect(began == closed, "\(began) began and \(closed) ended in \(name)") }
}
