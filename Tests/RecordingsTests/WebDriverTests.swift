import Basics
import HID
import Recordings
import Testbed
import Testing

@Suite("WebDriver actions")
struct WebDriverTests {
    private func touch(_ id: String, _ items: String, type: String = "touch") -> String {
        #"{"type":"pointer","id":"\#(id)","parameters":{"pointerType":"\#(type)"},"actions":[\#(items)]}"#
    }
    private func actions(_ sources: String...) -> String { #"{"actions":[\#(sources.joined(separator: ","))]}"# }
    private func exact(_ sources: String...) -> String {
        #"{"touchline":{"axes":[0,0,1000,1000]},"actions":[\#(sources.joined(separator: ","))]}"#
    }
    private let down = #"{"type":"pointerDown","button":0}"#
    private let up = #"{"type":"pointerUp","button":0}"#
    private func move(_ x: Int, _ y: Int, _ more: String = "") -> String {
        #"{"type":"pointerMove","x":\#(x),"y":\#(y)\#(more)}"#
    }
    private func pause(_ duration: Int) -> String { #"{"type":"pause","duration":\#(duration)}"# }

    @Test("two WebDriver fingers pinch with interpolated moves and exact ends")
    func pinch() throws {
        let items = { (far: Int) in
            [
                move(500, 500, #","duration":0"#), down, pause(50), move(far, 0, #","duration":50,"origin":"pointer""#),
                up,
            ]
            .joined(separator: ",")
        }
        let played = try play(exact(touch("finger1", items(-100)), touch("finger2", items(100))))
        expectTrace(
            lines(played.frames),
            matches: """
                0.000 ms  0 began (500,500), 1 began (500,500)
                66.667 ms  0 moved (467,500), 1 moved (533,500)
                83.333 ms  0 moved (433,500), 1 moved (567,500)
                100.000 ms  0 moved (400,500), 1 moved (600,500)
                100.000 ms  0 ended (400,500), 1 ended (600,500)
                """)
        #expect(played.closing == nil)
    }

    @Test("a WebDriver tick lasts as long as its longest item")
    func ticks() throws {
        let played = try play(
            exact(
                touch("a", "\(move(10, 10)),\(down),\(move(40, 10)),\(up)"),
                #"{"type":"key","id":"k","actions":[{"type":"keyDown","value":"x"},{"type":"pause","duration":7},"#
                    + #"{"type":"pause","duration":30}]}"#,
                #"{"type":"wheel","id":"w","actions":[{"type":"pause"},{"type":"pause"},{"type":"pause"},"#
                    + #"{"type":"scroll","x":1,"y":1,"deltaX":0,"deltaY":5,"duration":40}]}"#,
                touch("b", "\(move(90, 90)),\(down)")))
        expectTrace(
            lines(played.frames),
            matches: """
                0.000 ms  0 began (10,10), 1 began (90,90)
                23.667 ms  0 moved (27,10), 1 stationary (90,90)
                37.000 ms  0 moved (40,10), 1 stationary (90,90)
                37.000 ms  0 ended (40,10), 1 stationary (90,90)
                """)
        // A contact that no action lifts is down until the last tick is over.
        #expect(played.closing?.time == .milliseconds(77))
        #expect(played.closing?.contacts.map(\.phase) == [.cancelled])
        #expect(played.remarks.count == 2)
    }

    @Test("WebDriver moves of different durations in one tick end in time")
    func lengths() throws {
        let played = try play(
            exact(
                touch("a", "\(move(0, 0)),\(down),\(move(100, 0, #","duration":20"#))"),
                touch("b", "\(move(500, 500)),\(down),\(move(500, 800, #","duration":30"#))")))
        expectTrace(
            lines(played.frames),
            matches: """
                0.000 ms  0 began (0,0), 1 began (500,500)
                16.667 ms  0 moved (83,0), 1 moved (500,667)
                20.000 ms  0 moved (100,0), 1 stationary (500,667)
                30.000 ms  0 stationary (100,0), 1 moved (500,800)
                """)
    }

    @Test("WebDriver positions are screen points by default")
    func points() throws {
        let played = try play(actions(touch("a", "\(move(375, 0)),\(down),\(move(0, 667)),\(up)")))
        #expect(played.ranges == FingerScript.ranges)
        expectTrace(
            lines(played.frames),
            matches: """
                0.000 ms  0 began (65536,0)
                0.000 ms  0 moved (0,65536)
                0.000 ms  0 ended (0,65536)
                """)
    }

    @Test("WebDriver actions are read alone and inside larger bodies")
    func wrappings() throws {
        let source = touch("a", "\(move(1, 1)),\(down),\(up)")
        for text in [
            "[\(source)]", "[\n\(source)\n]", #"{"sessionId":"x","actions":[\#(source)],"id":7}"#,
            #"{"command":"performActions","parameters":{"actions":[\#(source)]}}"#, "\u{FEFF}{\"actions\":[\(source)]}",
            #"{"actions":7,"actions":[\#(source)]}"#, "  \n\r\n\t{\"actions\" : [ \(source) ] } \n",
        ] {
            let played = try play(text)
            #expect(played.format == .webdriverActions)
            #expect(played.summary.began == 1 && played.summary.ended == 1)
        }
    }

    @Test("repeated downs and ups in WebDriver actions are ignored")
    func noOperations() throws {
        let played = try play(
            exact(
                touch(
                    "a",
                    [
                        up, move(5, 5), down, down, up, up, #"{"type":"pointerCancel"}"#, down,
                        #"{"type":"pointerCancel"}"#, #"{"type":"pointerDown","button":2}"#, move(9, 9), down,
                    ].joined(separator: ","))))
        expectTrace(
            lines(played.frames),
            matches: """
                0.000 ms  0 began (5,5)
                0.000 ms  0 ended (5,5)
                0.000 ms  1 began (5,5)
                0.000 ms  1 cancelled (5,5)
                0.000 ms  2 began (9,9)
                """)
        #expect(played.remarks.contains { $0.contains("buttons other than 0") })
    }

    @Test("WebDriver mice make no contacts, and pens have tilt")
    func pens() throws {
        let mouse = try play(actions(#"{"type":"pointer","id":"m","actions":[\#(down),\#(up)]}"#))
        #expect(mouse.summary.began == 0)
        #expect(mouse.remarks.count == 2)
        func pen(_ more: String) throws -> ContactAttributes {
            let down = #"{"type":"pointerDown","button":0,\#(more)}"#
            return try play(exact(touch("p", down, type: "pen"))).frames[0].contacts[0].attributes
        }
        let polar = try pen(#""altitudeAngle":1.2,"azimuthAngle":6,"pressure":0.5,"width":3,"height":9,"twist":359"#)
        #expect((polar.tiltX, polar.tiltY) == (20, -6))
        #expect((polar.azimuth, polar.pressure, polar.major, polar.minor) == (60000, 32768, 9, 3))
        #expect(polar.tool == .pen)
        let other = try pen(#""altitudeAngle":0.5,"azimuthAngle":1.8"#)
        #expect((other.tiltX, other.tiltY) == (-23, 61))
        let tilted = try pen(#""tiltX":-45,"tiltY":0,"tangentialPressure":-1"#)
        #expect((tilted.tiltX, tilted.tiltY, tilted.azimuth) == (-45, 0, nil))
        let flat = try pen(#""altitudeAngle":0,"azimuthAngle":4"#)
        #expect((flat.tiltX, flat.tiltY) == (-90, -90))
        let upright = try pen(#""altitudeAngle":1.5707963267948966"#)
        #expect((upright.tiltX, upright.tiltY) == (0, 0))
        let flatToTheFront = try pen(#""tiltX":90,"tiltY":-6"#)
        #expect((flatToTheFront.tiltX, flatToTheFront.tiltY, flatToTheFront.azimuth) == (90, -6, nil))
    }

    @Test("a WebDriver move keeps the attributes it does not set")
    func staying() throws {
        let played = try play(
            exact(touch("a", #"{"type":"pointerDown","button":0,"pressure":1,"width":4},\#(move(3, 3))"#)))
        #expect(played.frames.map { $0.contacts[0].attributes.pressure } == [65536, 65536])
        #expect(played.frames.map { $0.contacts[0].attributes.major } == [4, 4])
        #expect(played.frames.map { $0.contacts[0].attributes.minor } == [nil, nil])
    }

    @Test("WebDriver errors give line, column, expectation and finding")
    func errors() {
        func source(_ item: String) -> String { "{\"actions\":[\n\(touch("a", item))]}" }
        let before = touch("a", "").count
        let cases: [(String, String)] = [
            ("{", "test:2: expected a member's name, found the end in column 1"),
            ("{\"actions\":7}", "test:1: expected an array of action sources, found 7 in column 12"),
            ("{}", #"test:1: expected a member "actions", found an object without in column 1"#),
            ("[7]", "test: expected"),
            (
                source(#"{"type":"pause","duration":-1}"#),
                "test:2: expected a duration in milliseconds from 0 to 9007199254740991 (invalid argument), found -1 in "
                    + "column \(before - 1 + 27)"
            ),
            (
                source(#"{"type":"pause","duration":1.5}"#),
                "test:2: expected a duration in milliseconds, a whole number (invalid argument), found 1.5 in column "
                    + "\(before - 1 + 27)"
            ),
            (
                source(#"{"type":"pointerMove","x":1}"#),
                #"test:2: expected a member "y" (invalid argument), found a pointerMove without in column \#(before - 1)"#
            ),
            (
                source(#"{"type":"pointerMove","x":1,"y":700}"#),
                "test:2: expected a target within the viewport of 375.0 by 667.0 (move target out of bounds), found "
                    + #"(1.0,700.0) of "a", item 1, in column \#(before - 1)"#
            ),
            (
                source(#"{"type":"pointerMove","x":0,"y":0,"origin":{"element-6066-11e4-a52e-4f735466cecf":"e"}}"#),
                #"test:2: expected an origin of "viewport" or "pointer": there is no page here, found an element in "#
                    + "column \(before + 42)"
            ),
        ]
        for (text, expected) in cases {
            do {
                _ = try play(text)
                Issue.record("\(text) was read")
            } catch { #expect("\(error)".hasPrefix(expected), "\(error)") }
        }
    }

    @Test(
        "every invalid argument of the WebDriver specification is refused",
        arguments: [
            #"{"type":"pointerDown"}"#, #"{"type":"pointerDown","button":-1}"#, #"{"type":"pointerDown","button":0.5}"#,
            #"{"type":"pointerDown","button":"0"}"#, #"{"type":"pointerDown","button":0,"pressure":1.1}"#,
            #"{"type":"pointerDown","button":0,"tiltX":91}"#, #"{"type":"pointerDown","button":0,"tiltY":1.5}"#,
            #"{"type":"pointerDown","button":0,"twist":360}"#, #"{"type":"pointerDown","button":0,"width":-1}"#,
            #"{"type":"pointerDown","button":0,"altitudeAngle":1.6}"#,
            #"{"type":"pointerDown","button":0,"azimuthAngle":-0.1}"#,
            #"{"type":"pointerDown","button":0,"tangentialPressure":-1.01}"#, #"{"type":"keyDown","value":"x"}"#,
            #"{"type":"pointerMove","x":"1","y":2}"#, #"{"type":"pointerMove","x":1,"y":2,"origin":"page"}"#,
            #"{"type":"pointerMove","x":1,"y":2,"origin":null}"#, #"{"duration":1}"#, #"{"type":7}"#, "7", "null",
            #"{"type":"pause","duration":null}"#, #"{"type":"pause","duration":9007199254740993}"#,
        ])
    func invalid(item: String) {
        #expect(throws: RecordingError.self) { try play(exact(touch("a", item))) }
    }

    @Test("WebDriver time, frames and sources have limits")
    func absurd() {
        let glide = "\(move(0, 0)),\(down),\(move(1, 1, #","duration":9007199254740991"#))"
        #expect(throws: RecordingError.self) { try play(exact(touch("a", glide))) }
        let long = "\(down),\(move(1, 1, #","duration":9000000000"#))"
        #expect(throws: RecordingError.self) { try play(exact(touch("a", long))) }
        let many = (0..<40).map { touch("f\($0)", down) }.joined(separator: ",")
        #expect(throws: RecordingError.self) { try play(exact(many)) }
        let idle = (0..<257).map { #"{"type":"none","id":"\#($0)","actions":[]}"# }
        #expect(throws: Never.self) { try play(exact(idle.dropLast().joined(separator: ","))) }
        #expect(throws: RecordingError.self) { try play(exact(idle.joined(separator: ","))) }
        let twice = touch("a", down) + "," + touch("a", up)
        #expect(throws: RecordingError.self) { try play(exact(twice)) }
        #expect(throws: RecordingError.self) { try play(String(repeating: "[", count: 1_000_000)) }
        #expect(throws: RecordingError.self) { try play(String(repeating: #"{"a":"#, count: 100_000)) }
    }

    @Test("WebDriver actions are limited by contacts counted over all frames")
    func longStays() throws {
        // 20 minutes at 60 frames a second, in which one contact moves and the others rest.
        func stay(of fingers: Int) -> String {
            let glide = move(1, 1, #","duration":1200000"#)
            return exact(
                (0..<fingers).map { touch("f\($0)", $0 == 0 ? "\(down),\(glide)" : down) }.joined(separator: ","))
        }
        #expect(try play(stay(of: 1)).frames.count == 72_001)
        #expect {
            try play(stay(of: 32))
        } throws: { error in
            "\(error)"
                == "test:1: expected actions of at most 2000000 contacts, each counted in each frame, found more"
        }
    }

    @Test(
        "invalid JSON is refused with its column",
        arguments: [
            "{\"actions\":[}", "{\"actions\":[],}", "{\"actions\":[] \"x\":1}", "{actions:[]}", "{'actions':[]}",
            "{\"actions\":[]}x", "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}", "{\"a\":1e}", "{\"a\":-}", "{\"a\":+1}",
            "{\"a\":0x1}", "{\"a\":1e999}", "{\"a\":nan}", "{\"a\":tru}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12g4\"}",
            "{\"a\":\"\\u12", "{\"a\":\"tab\there\"}", "{\"a\":\"\u{1}\"}", "{\"a\":\"open", "{\"a\"", "{\"a\":",
            "{,}", "{\"a\":[1,]}", "{\"a\":[,1]}", "{\"a\":[1 2]}", "{\"a\":nul", "{\"a\":\"\\", "{\"a\":-01}",
        ])
    func noJSON(text: String) {
        do {
            _ = try play(text)
            Issue.record("\(text) was read")
        } catch { #expect("\(error)".contains(" in column "), "\(error)") }
    }

    @Test("JSON escapes in names are decoded, and lone surrogates replaced")
    func escapes() throws {
        func name(_ text: String) throws -> String {
            try play(#"{"touchline":{"name":"\#(text)"},"actions":[]}"#).name
        }
        #expect(try name(#"a\"\\\/\b\f\n\r\tz"#) == "a\"\\/\u{8}\u{C}\n\r\tz")
        #expect(try name(#"\u00e9\u65E5\ud83d\ude00"#) == "é日😀")
        #expect(try name(#"\ud83dx\ude00\ud83d\ud83d\ude00"#) == "\u{FFFD}x\u{FFFD}\u{FFFD}😀")
    }

    @Test("no bytes make the WebDriver reader trap")
    func noise() {
        var generator = SeededGenerator(seed: 12)
        let words = [
            "{", "}", "[", "]", ",", ":", #""actions""#, #""type""#, #""pointer""#, #""id""#, #""a""#, "0", "-1", "1e9",
            #""pause""#, #""duration""#, #""pointerDown","button":0"#, down, up, move(1, 2), pause(3), "\n", "\\", "\"",
            #""parameters":{"pointerType":"touch"}"#, #"{"type":"pointerCancel"}"#, "null", "1.5", "\u{0}", "é",
        ]
        for index in 0..<3000 {
            var text = index % 2 == 0 ? "{" : ""
            for _ in 0..<Int.random(in: 1...40, using: &generator) { text += words.randomElement(using: &generator)! }
            if index % 3 == 0 {
                let items = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                    [down, up, move(5, 5), move(9, 1, #","duration":40"#), pause(9), #"{"type":"pointerCancel"}"#]
                        .randomElement(using: &generator)!
                }
                text = exact(
                    touch("a", items.joined(separator: ",")), touch("b", items.reversed().joined(separator: ",")))
                if index % 2 == 0 { text = String(text.dropLast(Int.random(in: 0..<text.count, using: &generator))) }
            }
            var reader = RecordingReader(name: "noise", screen: screen)
            var frames: [ContactFrame] = []
            try? reader.read(Array(text.utf8), into: &frames)
            if let closing = try? reader.finish(into: &frames) { frames.append(closing) }
            expectRules(frames, text, isWhole: false)
        }
    }
}
