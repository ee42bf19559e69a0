import Basics
import Foundation
import Recordings
import Runs
import Testbed
import Testing
import Trace
import Wire

@testable import Scenarios

@Suite("Dials of a scene's text")
struct SceneTextTests {
    private static let scenes: [String] =
        ((try? FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: "Config/Scenes").path)) ?? []).filter { $0.hasSuffix(".yaml") }
        .sorted()

    private func scene(_ name: String) throws -> SceneText {
        try SceneText(contentsOf: Repository.root.appending(path: "Config/Scenes/\(name)").path)
    }

    /// A scene with every style of YAML.
    private static let styles = """
        # A comment: stays.
        title: "styles"
        screen: [375, 667]
        windows:
          - name: window
            view:
              name: root
              frame: [0, 0, 375, 667]
              gestures: [{ name: tap, class: Tap }, { class: Pan, name: pan, minimumTouches: '2' }]
              subviews:
                - name: card
                  frame:
                    - 10
                    - 20.5
                    - "100"
                    - 50
                  alpha: 0.5   # half
                  gestures:
                    - name: press
                      class: LongPress
                      minimumPressDuration: 0.25
                - { name: tile, frame: [1, 2, 3, 4] }
                - scroll
        views:
          scroll: { class: UIScrollView, frame: [0, 300, 375, 300], contentSize: [375, 900] }
        """

    @Test("the scenes are there")
    func all() { #expect(Self.scenes.count >= 9) }

    @Test("a changed dial is in the parsed text, and all else is equal", arguments: scenes)
    func roundTrip(name: String) throws { try expectRoundTrip(of: try scene(name)) }

    @Test("numbers in every style of YAML can be changed")
    func styles() throws {
        let text = try SceneText(parsing: Self.styles, file: "styles.yaml")
        try expectRoundTrip(of: text)
        let ids = text.dials.map(\.id)
        for id in [
            "gesture/root.tap/taps", "gesture/root.pan/minimumTouches", "gesture/card.press/minimumPressDuration",
            "gesture/card.press/allowableMovement", "setting/tap.maxDuration", "setting/pan.hysteresis",
            "setting/longPress.minDuration", "view/card/frame width", "view/card/alpha", "view/tile/frame height",
            "view/scroll/contentSize height", "setting/scroll.contentTouchDelay",
        ] {
            #expect(ids.contains(id), "\(id) is missing in \(ids)")
        }
        let changed = try text.setting("gesture/root.tap/taps", to: 2).setting("setting/tap.maxInterval", to: 0.5)
            .setting("setting/tap.maxInterval", to: 0.75).setting("view/card/frame width", to: 120)
        #expect(changed.text.contains("# A comment: stays.") && changed.text.contains("alpha: 0.5   # half"))
        #expect(changed.text.contains("gestures: [{ taps: 2, name: tap, class: Tap }"), "\(changed.text)")
        #expect(changed.thresholds.map { "\($0.key)=\($0.value)" } == ["tap.maxInterval=0.75"])
        // One line for the setting, and nothing else, is new.
        #expect(changed.text.split(separator: "\n").count == text.text.split(separator: "\n").count + 1)
    }

    @Test("a text with CR LF and one without a last line break keep their lines")
    func lineBreaks() throws {
        let text = Self.styles.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        try expectRoundTrip(of: try SceneText(parsing: text, file: "crlf.yaml"))
    }

    @Test("a number that two views share by an anchor is refused")
    func anchor() throws {
        let text = try SceneText(
            parsing: """
                windows:
                  - name: window
                    view:
                      name: root
                      frame: [0, 0, 375, 667]
                      subviews:
                        - { name: a, frame: &f [1, 2, 3, 4] }
                        - { name: b, frame: *f }
                """, file: "anchor.yaml")
        #expect(throws: DialError.shared("a frame x")) { try text.setting("view/a/frame x", to: 7) }
        #expect(try text.setting("view/root/frame width", to: 300).text.contains("[0, 0, 300, 667]"))
    }

    @Test("an unknown dial and a value outside its range are refused with measure and limit")
    func refused() throws {
        let text = try scene("TT.yaml")
        #expect(throws: DialError.unknown("view/none/frame x")) { try text.setting("view/none/frame x", to: 1) }
        let error = #expect(throws: DialError.self) { try text.setting("gesture/Back.tap/taps", to: 11) }
        #expect(error.map { "\($0)" } == "Back.tap taps: expected 1 to 10, found 11.0")
        #expect(throws: DialError.self) { try text.setting("gesture/Back.tap/taps", to: .nan) }
    }

    @Test("thresholds of an app without a text are settings")
    func thresholds() throws {
        let dials = ThresholdDials([])
        let tap = try #require(dials.dials.first { $0.id == "setting/tap.maxDuration" })
        #expect(tap.value == 1.5 && tap.unit == "seconds")
        let changed = try dials.setting(tap.id, to: 0.3)
        #expect(changed.map { "\($0.key)=\($0.value)" } == ["tap.maxDuration=0.3"])
        #expect(ThresholdDials(changed).dials.first { $0.id == tap.id }?.value == 0.3)
        #expect(throws: DialError.unknown("view/a")) { try dials.setting("view/a", to: 1) }
    }

    private func expectRoundTrip(
        of text: SceneText, at location: SourceLocation = #_sourceLocation
    ) throws {
        let dials = text.dials
        #expect(!dials.isEmpty && dials.count < SceneText.dialLimit, sourceLocation: location)
        #expect(Set(dials.map(\.id)).count == dials.count, "ids are unique", sourceLocation: location)
        for dial in dials {
            #expect(dial.range.contains(dial.value), "\(dial)", sourceLocation: location)
            // The end that is farther away, so that the value is another one.
            let isLow = dial.value - dial.range.lowerBound > dial.range.upperBound - dial.value
            let end = isLow ? dial.range.lowerBound : dial.range.upperBound
            let value = (end / dial.step).rounded(isLow ? .up : .down) * dial.step
            let changed = try text.setting(dial.id, to: value)
            let others = changed.dials.filter { $0.id != dial.id && !depends($0, on: dial) }
            let found = try #require(changed.dials.first { $0.id == dial.id }, sourceLocation: location)
            #expect(abs(found.value - value) < 0.001, "\(dial.id) \(value): \(found.value)", sourceLocation: location)
            for other in others {
                let before = dials.first { $0.id == other.id }
                #expect(before?.value == other.value, "\(dial.id): \(other.id)", sourceLocation: location)
            }
            // Set back, everything is as before.
            let back = try changed.setting(dial.id, to: dial.value)
            #expect(back.dials.map(\.value) == dials.map(\.value), "\(dial.id)", sourceLocation: location)
        }
    }

    /// A long press without a duration of its own has that of the setting.
    private func depends(_ other: SceneDial, on dial: SceneDial) -> Bool {
        dial.id.hasPrefix("setting/longPress") && other.id.hasPrefix("gesture/")
    }
}

@Suite("Fingers of the last interaction")
struct LastFingersTests {
    /// The facts of a scenario's run, as a group's processes note them.
    private func facts(_ script: String, isSecure: Bool = false) throws -> [String: [ResolvedFact]] {
        let text = """
            id: last
            title: last
            windows:
              - { name: window, secure: \(isSecure ? "yes" : "no"), view: { name: Y, frame: [0, 0, 375, 667], gestures: [{ name: tap, class: Tap }] } }
            script: |
            \(script.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
            """
        let run = try ObservedRun(of: try Scenario(parsing: text, file: "last.yaml", isDraft: true))
        return Dictionary(grouping: run.facts) { $0.process }
    }

    /// Adds the facts in an order of processes that a page of a running group may have.
    private func script(_ facts: [String: [ResolvedFact]], _ order: [String]) throws -> String? {
        var fingers = LastFingers()
        for process in order { fingers.add(facts[process] ?? []) }
        return try fingers.script()
    }

    @Test(
        "the last interaction is repeated from its landing, whichever process's facts arrive first",
        arguments: [["input-kit", "system-server", "app1"], ["app1", "system-server", "input-kit"]])
    func last(order: [String]) throws {
        let facts = try facts(
            """
            down f1 (10,20) @0.0
            up f1 @0.1
            down f1 (100,200) @2.0
            move f1 (110,200) @2.1
            down f2 (50,60) @2.15
            up f1 @2.2
            up f2 @2.3
            """)
        let script = try #require(try script(facts, order))
        let lines = script.split(separator: "\n").map(String.init)
        #expect(lines.count == 5, "\(script)")
        #expect(
            lines[0] == "down f1 (100.0,200.0) @0.000000000" && lines[1].hasPrefix("move f1 (110.0,200.0) @0."),
            "\(script)")
        #expect(lines[2].hasPrefix("down f2 (50.0,60.0) @0.1"), "\(script)")
        #expect(lines[3].hasPrefix("up f1 @0.") && lines[4].hasPrefix("up f2 @0."), "\(script)")
    }

    @Test("fingers that land some microseconds apart are repeated")
    func nearby() throws {
        let facts = try facts("down f1 (10,20) @0\ndown f2 (30,40) @0.00003425\nup f1 @1\nup f2 @1.00001")
        let script = try #require(try script(facts, ["input-kit", "system-server", "app1"]))
        let lines = try FingerScript(parsing: script).lines
        #expect(lines.count == 4, "\(script)")
        #expect(lines[1].time == .nanoseconds(34_250) && lines[3].time > lines[2].time, "\(script)")
    }

    @Test("two taps in quick succession are one interaction")
    func doubleTap() throws {
        let facts = try facts("tap f1 (10,20) @0\ntap f1 (12,20) @0.25")
        let script = try #require(try script(facts, ["input-kit", "system-server", "app1"]))
        #expect(script.split(separator: "\n").count == 4, "\(script)")
    }

    @Test("without an interaction there is no script, and a finger that is down is refused")
    func refused() throws {
        #expect(try LastFingers().script() == nil)
        var facts = try facts("down f1 (10,20) @0\nup f1 @0.5")
        // The app's and the panel's facts of the lift have not arrived.
        for process in facts.keys {
            facts[process] = facts[process]?.filter {
                !$0.template.contains(" up at ") && !$0.template.contains(" ended at ")
            }
        }
        #expect(throws: UnrepeatableRun.self) { try script(facts, ["input-kit", "system-server", "app1"]) }
    }

    @Test("an interaction on a secure window is refused, and a later one elsewhere is repeated")
    func secure() throws {
        var fingers = LastFingers()
        for facts in try facts("tap f1 (10,20) @0", isSecure: true).values { fingers.add(facts) }
        #expect(throws: UnrepeatableRun.self) { try fingers.script() }
        for facts in try facts("tap f1 (30,40) @5").values { fingers.add(facts) }
        let repeated = try #require(try fingers.script())
        #expect(repeated.hasPrefix("down f1 (30.0,40.0) @0"), "\(repeated)")
    }

    @Test("a finger that was down when its group ended is forgotten")
    func group() throws {
        var fingers = LastFingers()
        for facts in try facts("down f1 (10,20) @0").values { fingers.add(facts) }
        fingers.beginGroup()
        #expect(try fingers.script() == nil)
        for facts in try facts("tap f1 (30,40) @0").values { fingers.add(facts) }
        fingers.beginGroup()
        #expect(try fingers.script()?.hasPrefix("down f1 (30.0,40.0) @0") == true)
    }
}
