import Basics
import HID
import Recordings
import Testbed
import Testing

@Suite("Finger scripts")
struct FingerScriptTests {
    private func read(_ text: String) throws -> FingerScript { try FingerScript(parsing: text) }

    @Test("a script's acts survive parsing and writing")
    func acts() throws {
        let text = """
            down f1 (187.5,333.5) @0.000000000
            move f1 (-0.1,20.25) @0.016000000
            up f1 @0.080000000
            interrupt call @0.100000000
            resume @0.200000000
            launch app2 @0.300000000
            foreground app2 @0.400000000
            home @0.500000000
            crash app1 @0.600000000
            lock @0.700000000
            unlock @0.750000000
            split app1 app2 @0.760000000
            overlay app3 (20.0,-40.0) (320.0,480.5) @0.770000000
            suspend app2 @0.780000000
            terminate app3 @0.785000000
            alert @0.790000000
            keyboard 216.0 @0.791000000
            display off @0.792000000
            display on @0.793000000
            orientation app2 landscapeRight @0.794000000
            set Y.hidden true @0.800000000
            set A.B.frame (1,2) (3,4) @0.850000000
            remove Y @0.900000000
            disable R.pan @1.000000000
            press menu down @1.100000000
            press menu up @1.200000000
            shake @1.300000000
            key a down @1.400000000
            key a up @1.500000000
            remote nextTrack @1.600000000
            scroll (10.0,20.0) by (0.0,-12.5) @1.700000000
            scroll end @1.800000000
            wheel (10.0,20.0) by (0.0,3.0) @1.900000000
            hover (10.0,20.0) @2.000000000
            hover end @2.100000000
            transform (10.0,20.0) scale 1.5 rotate -30.0 @2.200000000
            transform end @2.300000000

            """
        let script = try read(text)
        #expect("\(script)" == text)
        #expect(script.lines.count == 37)
        #expect(script.inputs.lines.count == 16)
        #expect(script.lines[21].act == .set(name: "A.B", property: "frame", value: "(1,2) (3,4)"))
        #expect(try read("\(script)") == script)
    }

    @Test("points that are written with an exponent survive parsing and writing")
    func exponents() throws {
        let script = try read("down f1 (1e-05,-2.5e-7) @0\nmove f1 (3e+16,1E2) @0.00003425")
        #expect(script.lines[0].act == .down(finger: 1, Point(0.00001, -0.00000025)))
        #expect("\(script)".hasPrefix("down f1 (1e-05,-2.5e-07) @0.000000000\n"))
        #expect(script.lines[1].time == .nanoseconds(34_250))
        #expect(try read("\(script)") == script)
    }

    @Test(
        "other words are no numbers",
        arguments: ["1e", "e5", "1e999", "1e5.5", "--1e5", "1-2", "0x1p3", "1e5e5", "inf", "nan", "1e-", "."])
    func notNumbers(word: String) {
        #expect(throws: RecordingError.self) { try read("down f1 (\(word),1) @0") }
    }

    @Test("key and pointer lines become device reports between contact frames")
    func devices() throws {
        let screen = ScreenGeometry(width: 100, height: 200, rotation: 0)
        let reports = try read(
            """
            down f1 (50,100) @0
            key a down @0
            up f1 @0
            scroll (50,100) by (1,2) @0.1
            scroll end @0.2
            transform (50,100) scale 2 rotate 180 @0.3
            """
        ).reports(on: screen)
        let words = reports.map { report in
            switch report {
            case .contacts(let frame): "\(frame.contacts.map(\.phase))"
            case .device(let time, let input): "\(time.milliseconds) \(input)"
            }
        }
        #expect(words.count == 6)
        #expect(words[1] == "0.000 ms key hidden began")
        guard case .device(_, let scroll) = reports[3], case .device(_, let transform) = reports[5] else {
            Issue.record("\(words)")
            return
        }
        let middle = Point<DigitizerSpace>(0.5, 0.5)
        #expect(scroll == DeviceInput(.began, .scroll(middle, dx: .one, dy: Fixed(2))))
        #expect(transform == DeviceInput(.began, .transform(middle, scale: Fixed(2), rotation: Fixed(Double.pi))))
    }

    @Test("a script's unknown buttons, keys and commands are refused with suggestions")
    func unknownNames() {
        for (text, complaint) in [
            ("press meny down @0", "expected a button, found \"meny\", did you mean menu?"),
            ("key delte down @0", "expected a key, found \"delte\", did you mean delete?"),
            ("remote plai @0", "expected a command, found \"plai\", did you mean play?"),
            ("press menu @0", "expected down or up, found \"@0\""),
            ("scroll (1,2) (3,4) @0", "expected by, found \"(3,4)\""),
            ("transform (1,2) scale 0 rotate 1 @0", "expected a scale from 0.01 to 100.0, found \"0\""),
        ] {
            #expect(throws: RecordingError.self, "\(text)") { try read(text) }
            do { _ = try read(text) } catch { #expect("\(error)" == "script:1: \(complaint)") }
        }
    }

    @Test("script taps and strokes expand to steps and may overlap")
    func expansion() throws {
        expectTrace(
            try read(
                """
                # two taps, the second while the first is down
                tap f1 (10,20) @0   # at once

                tap f2 (30,40) @0.05
                stroke f1 (0,0) (10,20) @1 1.1 step 0.025
                """
            ).lines,
            matches: """
                down f1 (10.0,20.0) @0.000000000
                down f2 (30.0,40.0) @0.050000000
                up f1 @0.080000000
                up f2 @0.130000000
                down f1 (0.0,0.0) @1.000000000
                move f1 (2.5,5.0) @1.025000000
                move f1 (5.0,10.0) @1.050000000
                move f1 (7.5,15.0) @1.075000000
                move f1 (10.0,20.0) @1.100000000
                up f1 @1.125000000
                """)
    }

    @Test("script steps of a sixtieth of a second do not drift")
    func sixtieths() throws {
        let lines = try read("stroke f1 (0,0) (60,0) @0 1").lines
        #expect(lines.count == 62)
        #expect(lines[30].time == .nanoseconds(500_000_000))
        #expect(lines[30].act == .move(finger: 1, Point(30, 0)))
        #expect(lines[60].act == .move(finger: 1, Point(60, 0)))
        #expect(lines[61].time == .nanoseconds(1_016_666_667))
    }

    @Test("script lines of one time form one frame, except a finger's repeats")
    func frames() throws {
        let script = try read(
            """
            down f1 (0,0) @0
            down f2 (375,667) @0
            move f1 (187.5,333.5) @0.1
            up f1 @0.1
            up f2 @0.2
            down f2 (0,0) @0.2
            home @0.3
            up f2 @0.3
            """)
        expectTrace(
            lines(script.reports(on: screen).compactMap { if case .contacts(let frame) = $0 { frame } else { nil } }),
            matches: """
                0.000 ms  0 began (0,0), 1 began (65536,65536)
                100.000 ms  0 moved (32768,32768), 1 stationary (65536,65536)
                100.000 ms  0 ended (32768,32768), 1 stationary (65536,65536)
                200.000 ms  1 ended (65536,65536), 2 began (0,0)
                300.000 ms  2 ended (0,0)
                """)
    }

    @Test(
        "script errors give line, expectation and finding",
        arguments: [
            ("down f1 (1,2)", "script:1: expected a time as @0.080, found the line's end"),
            (
                "\ndwon f1 (1,2) @0",
                #"script:2: expected down, move, up, tap, stroke or another act, found "dwon", did you mean down?"#
            ),
            ("down 1 (1,2) @0", #"script:1: expected a finger as f1, found "1""#),
            ("down f1 (1;2) @0", #"script:1: expected a point as (187.5,333.5), found "(1;2)""#),
            ("down f1 (1,inf) @0", #"script:1: expected a point as (187.5,333.5), found "(1,inf)""#),
            ("down f1 (1,2 @0", #"script:1: expected a point's closing bracket, found "(1,2 @0""#),
            ("down f1 (1,2) @-1", #"script:1: expected seconds from 0 to 86400, found "-1""#),
            ("up f1 @0", "script:1: expected f1 to be down, found an end without a beginning"),
            (
                "down f1 (1,2) @0\ndown f1 (1,2) @1",
                "script:2: expected f1 to lift before it lands again, found a second down"
            ),
            ("home @0 now", #"script:1: expected the line's end, found "now""#),
            ("stroke f1 (0,0) (1,1) @1 1", #"script:1: expected a stroke that takes time, found "1""#),
            (
                "stroke f1 (0,0) (1,1) @0 86400 step 0.000000001/1000000",
                "script:1: expected at most 200000 steps, found 200003 in one stroke"
            ),
        ])
    func errors(text: String, expected: String) {
        do {
            _ = try FingerScript(parsing: text)
            Issue.record("\(text) was read")
        } catch { #expect("\(error)" == expected) }
    }

    @Test("a finger script's first act decides its format; open contacts are counted")
    func file() throws {
        let played = try play("# a finger\n\ndown f1 (187.5,333.5) @0\r\nmove f1 (0,0) @0.5\r\n")
        #expect(played.ranges == FingerScript.ranges)
        #expect(played.summary.began == 1)
        #expect(played.summary.openAtEnd == 1)
        #expect(throws: RecordingError.self) { try play("down f1 (1,2) @0\nhome @1\n") }
    }

    @Test("a script's points keep their digits")
    func exactPoints() throws {
        for text in ["234.67", "482.67", "0.015625", "1000000.125", ".5", "-3."] {
            let line = try #require(try read("down f1 (\(text),0) @0").lines.first)
            let value = text == ".5" ? 0.5 : text == "-3." ? -3 : try #require(Double(text))
            #expect(line.act == .down(finger: 1, Point(value, 0)))
        }
    }
}
