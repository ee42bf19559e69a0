import Basics
import HID
import Recordings
import Testbed
import Testing

@Suite("Finger scripts in a panel's own units")
struct ScriptAxesTests {
    @Test("a script with axes uses the panel's units exactly")
    func axes() throws {
        let played = try play(
            """
            axes (-100,0) (32767,2000)   # a panel
            down f1 (-100,2000) @0.5
            stroke f2 (0,0) (10,0) @0.5 0.6 step 0.05
            up f1 @1
            """)
        #expect(played.ranges == AxisRanges(x: -100...32767, y: 0...2000))
        expectTrace(
            lines(played.frames),
            matches: """
                500.000 ms  0 began (-100,2000), 1 began (0,0)
                550.000 ms  0 stationary (-100,2000), 1 moved (5,0)
                600.000 ms  0 stationary (-100,2000), 1 moved (10,0)
                650.000 ms  0 stationary (-100,2000), 1 ended (10,0)
                1000.000 ms  0 ended (-100,2000)
                """)
    }

    @Test("a scan line begins a frame, also at the same time")
    func scans() throws {
        let text = """
            axes (0,0) (100,100)
            down f1 (1,1) @0.000000000
            scan @0.000000000
            move f1 (2,2) @0.000000000
            down f2 (9,9) @0.000000000
            scan @0.010000000
            scan @0.010000000
            up f1 @0.020000000
            up f2 @0.020000000
            scan @0.030000000

            """
        expectTrace(
            lines(try play(text).frames),
            matches: """
                0.000 ms  0 began (1,1)
                0.000 ms  0 moved (2,2), 1 began (9,9)
                10.000 ms  0 stationary (2,2), 1 stationary (9,9)
                10.000 ms  0 stationary (2,2), 1 stationary (9,9)
                20.000 ms  0 ended (2,2), 1 ended (9,9)
                30.000 ms  no contact
                """)
        let script = try FingerScript(parsing: text)
        #expect(
            "\(script)"
                == text.replacing("(1,1)", with: "(1.0,1.0)").replacing("(2,2)", with: "(2.0,2.0)")
                .replacing("(9,9)", with: "(9.0,9.0)"))
        #expect(script.panelRanges == AxisRanges(x: 0...100, y: 0...100))
        #expect(script.inputs.axes == script.axes)
    }

    @Test(
        "invalid axes of a script are refused",
        arguments: [
            "axes (0,0) (0,9)", "axes (0,0)", "axes (0.5,0) (9,9)", "axes (0,0) (9,9) @1", "axes (0,0) (3000000000,9)",
            "axes (0,0) (9,9)\naxes (0,0) (9,9)", "down f1 (1,1) @0\naxes (0,0) (9,9)", "axes 0 9",
        ])
    func refused(text: String) { #expect(throws: RecordingError.self) { try FingerScript(parsing: text) } }

    @Test("script positions beyond the panel's numbers are clamped")
    func beyond() throws {
        let played = try play("axes (0,0) (9,9)\ndown f1 (99999999999,-99999999999) @0\n")
        #expect(played.frames[0].contacts.map { [$0.x, $0.y] } == [[.max, .min]])
    }
}
