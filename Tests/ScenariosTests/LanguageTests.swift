import Basics
import Foundation
import Recordings
@testable import Scenarios
import Testbed
import Testing
import Wire

@Suite("Scenario files")
struct LanguageTests {
    /// Parses a scenario with only its required parts and `keys`.
    private func scenario(_ keys: String = "", windows: String? = nil, script: String = "tap f1 (1,1) @0") throws
        -> Scenario
    {
        let windows = windows ?? "windows:\n- name: window\n  view: {name: R, subviews: [Y]}\n"
        return try Scenario(
            parsing: "id: X\n\(windows)\(keys)\nscript: |\n  \(script)\nexpect: |\n  a\n", file: "X.yaml")
    }

    private func refusal(_ keys: String = "", windows: String? = nil, script: String = "tap f1 (1,1) @0") -> String {
        do {
            _ = try scenario(keys, windows: windows, script: script)
            return "accepted"
        } catch let error as ScenarioError { return "\(error)" } catch { return "another error" }
    }

    private static let everyViewKey = """
        views:
          Y:
            class: Button
            frame: [87.5, 233.5, 200, 200]
            bounds: [0, 0, 100, 100]
            transform: { rotate: 30, scale: [2, 1], translate: [5, 0] }
            alpha: 0.5
            hidden: off
            userInteractionEnabled: Yes
            multipleTouchEnabled: "true"
            exclusiveTouch: no
            clipsToBounds: on
            contentSize: [375, 2000]
            delaysContentTouches: no
            canCancelContentTouches: yes
            rows: 10
            rowHeight: 44
            enabled: yes
            probe: [hitTest, "pointInside>", touchesBegan, control, events, shouldBegin, chain, select]
            probePosition: after
            touches: consume
            hitInsets: [10, 10, 10, 10]
            passThrough: true
            pointInsideAlso: [R]
            shouldBegin: no
            beginTracking: no
            responds: [doIt]
            next: R
            drag: true
            on: { touchUpInside: click, touchDown: { action: doIt, target: nil }, touchCancel: { action: x, target: R } }
            gestures:
              - { name: g, class: UITapGestureRecognizer, touches: 1, enabled: no, cancelsTouchesInView: no,
                  delaysTouchesBegan: yes, delaysTouchesEnded: no, requireToFail: [Y.h], probe: true, logState: true,
                  pressTypes: [menu, select],
                  delegate: { is: R, log: true, shouldReceive: yes, shouldBegin: no, simultaneous: [Y.h],
                              requireFailure: [], requiredBy: twoTap } }
              - { name: h, class: Pan, minimumTouches: 1, maximumTouches: 2, action: false, probe: [touchesMoved, reset],
                  probePosition: before, logTranslation: yes, delegate: { log: [requireFailure] } }
              - { name: s, class: Swipe, direction: [left, right], action: swept }
              - { name: e, class: ScreenEdgePan, edges: [left, all] }
              - { name: x, class: Scripted, ignoresAfter: 2, sets: { touchesBegan: [began, failed], touchesEnded: ended } }
        """

    private func viewWithEveryKey() throws -> ViewSpec {
        try #require(try scenario(Self.everyViewKey).scene.windows[0].root?.subviews.first)
    }

    @Test("each key of a view is read with its type")
    func viewKeys() throws {
        let view = try viewWithEveryKey()
        #expect(view.className == "UIButton")
        #expect(view.frame == [87.5, 233.5, 200, 200])
        #expect(view.properties["bounds"] == .numbers([0, 0, 100, 100]))
        #expect(view.transform == TransformSpec(rotate: 30, scale: [2, 1], translate: [5, 0]))
        #expect(view.properties["alpha"] == .numbers([0.5]))
        #expect(view.properties["hidden"] == .flag(false))
        #expect(view.properties["userInteractionEnabled"] == .flag(true))
        #expect(view.properties["multipleTouchEnabled"] == .flag(true))
        #expect(view.properties["exclusiveTouch"] == .flag(false))
        #expect(view.properties["clipsToBounds"] == .flag(true))
        #expect(view.properties["contentSize"] == .numbers([375, 2000]))
        #expect(view.rows == 10)
        #expect(
            view.probe == [
                .hitTest, .pointInsideEntering, .touchesBegan, .control, .events, .shouldBegin, .chain, .select,
            ])
        #expect(view.probePosition == .after)
        #expect(view.answers.touches == .consume)
        #expect(view.answers.hitInsets == [10, 10, 10, 10])
        #expect(view.answers.passThrough)
        #expect(view.answers.pointInsideAlso == ["R"])
        #expect(view.answers.shouldBegin == false)
        #expect(view.answers.beginTracking == false)
        #expect(view.answers.next == "R")
        #expect(view.answers.drag)
        #expect(
            view.on == [
                ControlAction(event: "touchUpInside", action: "click", target: .own),
                ControlAction(event: "touchDown", action: "doIt", target: .chain),
                ControlAction(event: "touchCancel", action: "x", target: .named("R")),
            ])
    }

    @Test("each key of recognizers and their delegates is read with its type")
    func recognizerKeys() throws {
        let gestures = try viewWithEveryKey().gestures
        #expect(gestures.map(\.action) == ["g", nil, "swept", "e", "x"])
        #expect(gestures[0].probe == [.touches, .presses])
        #expect(gestures[0].probePosition == nil)
        #expect(gestures[0].properties["pressTypes"] == .words(["menu", "select"]))
        #expect(gestures[1].probe == [.touchesMoved, .reset])
        #expect(gestures[1].probePosition == .before)
        #expect(gestures[1].logTranslation)
        #expect(gestures[1].delegate?.log == [.requireFailure])
        #expect(gestures[3].properties["edges"] == .words(["left", "all"]))
        #expect(gestures[4].className == "ScriptedGestureRecognizer")
        #expect(gestures[4].ignoresAfter == 2)
        #expect(gestures[4].sets == [.touchesBegan: [.began, .failed], .touchesEnded: [.ended]])
        #expect(gestures[1].className == "UIPanGestureRecognizer")
        #expect(gestures[2].properties["direction"] == .words(["left", "right"]))
        let delegate = try #require(gestures[0].delegate)
        #expect(delegate.name == "R")
        #expect(delegate.log == GestureDelegateSpec.Question.allCases)
        #expect(delegate.shouldBegin == false)
        #expect(delegate.simultaneous == .naming(["Y.h"]))
        #expect(delegate.requireFailure == .naming([]))
        #expect(delegate.requiredBy == .naming(["twoTap"]))
    }

    @Test("apps of a scenario may have displays and schemes of their own")
    func appsAndDisplays() throws {
        let keys = """
            config: { screen.others: 800x600@2 }
            display: 2
            apps:
              app2: { display: 2, schemes: [one, two] }
            app: { sceneDelegate: yes }
            """
        let scenario = try scenario(keys, script: "open one:x @0")
        #expect(scenario.display == 2)
        #expect(scenario.appCount == 2)
        #expect(scenario.scene.app.hasSceneDelegate)
        let topology = scenario.settings.first { $0.key == "group.topology" }?.value
        #expect(topology == "1\n2\napp.display=2\napp.schemes=one two")
        #expect(scenario.script.lines.lines.map(\.act) == [.open("one:x")])
        #expect(scenario.reasonToSkip(in: .direct) == "apps and displays of their own need a system server")
        let opening = try self.scenario(script: "open one:x @0")
        #expect(opening.reasonToSkip(in: .direct) == "open one:x needs a system server")
    }

    @Test(
        "an unknown app, display or app key is refused with its position",
        arguments: [
            ("display: 2", "X.yaml:5:10: display: expected 1, found 2"),
            ("apps: { app2: { display: 2 } }", "X.yaml:5:7: display: expected 1, found 2"),
            ("apps: { second: {} }", "X.yaml:5:9: apps: expected an app from app1 to app128, found second"),
            (
                "apps: { app1: { unresponsive: 1 } }",
                "X.yaml:5:17: apps: app.unresponsive: this setting is called app.turnTimeout now"
            ),
            ("apps: { app1: { shemes: a } }", "X.yaml:5:17: unknown key shemes of an app; did you mean schemes?"),
            (
                "apps: { app1: { schemes: a }, app2: { schemes: a } }",
                "X.yaml:5:7: apps: app.schemes: expected each scheme once, found a of app 1 and of app 2"
            ),
        ])
    func misplacedApps(keys: String, expected: String) { #expect(refusal(keys) == expected) }

    @Test("a script that opens a text without a scheme is refused")
    func noURL() {
        #expect(
            refusal(script: "open hello @0")
                == "X.yaml:7:3: script: a URL begins with a scheme as touchline-demo:, found none")
    }

    @Test("a controller's deferred edges are read, and unknown edges are refused")
    func deferredEdges() throws {
        func controller(_ edges: String) throws -> ControllerSpec? {
            let windows = "windows: [{ name: w, controller: { name: c, defers: \(edges) } }]\n"
            return try scenario(windows: windows).scene.windows[0].controller
        }
        #expect(try controller("[bottom, top]")?.defers == [.bottom, .top])
        #expect(throws: ScenarioError.self) { try controller("[below]") }
    }

    @Test("scroll views and controls have keys of their own")
    func classKeys() throws {
        let keys = """
            views:
              Y:
                class: ScrollView
                contentOffset: [0, 20]
                scrollEnabled: no
                pagingEnabled: yes
                bounces: no
                firstResponder: yes
                segments: 2
                pages: 3
                value: 0.5
                probe: [presses, motion, scrolling, didScroll, scrollingOrder, coalesced, value]
                on: { valueChanged: { action: a, runsLoop: yes, fails: loop } }
            """
        let view = try #require(try scenario(keys).scene.windows[0].root?.subviews.first)
        #expect(view.properties["contentOffset"] == .numbers([0, 20]))
        #expect(view.properties["scrollEnabled"] == .flag(false))
        #expect(view.properties["pagingEnabled"] == .flag(true))
        #expect(view.properties["bounces"] == .flag(false))
        #expect(view.firstResponder)
        #expect(view.properties["segments"] == .numbers([2]))
        #expect(view.properties["pages"] == .numbers([3]))
        #expect(view.properties["value"] == .numbers([0.5]))
        #expect(
            view.probe == [.presses, .motion, .scrolling, .didScroll, .scrollingOrder, .coalesced, .value])
        #expect(
            view.on == [
                ControlAction(event: "valueChanged", action: "a", target: .own, runsLoop: true, failure: .loop)
            ])
    }

    @Test("keys outside the view tree have types and defaults")
    func topKeys() throws {
        let plain = try scenario()
        #expect(plain.modes == [.direct, .simulated, .processes])
        #expect(plain.scene.screen == (375, 667))
        #expect(plain.kind == .derived)
        #expect(plain.scene.windows[0].view.frame == [0, 0, 375, 667])

        let full = try scenario(
            """
            title: all keys
            source: [S0, D]
            kind: golden
            screen: [414, 736]
            modes: [processes, simulated]
            probes: [app, server, loop, sendEvent, scroll, loopMode]
            config: { hitTest.passes: 1, eventFetch: main }
            app: { delegate: { responds: [doIt] } }
            """)
        #expect(full.modes == [.simulated, .processes])
        #expect(full.probes == [.app, .server, .loop, .sendEvent, .scroll, .loopMode])
        #expect(
            full.config == [Setting(key: "hitTest.passes", value: "1"), Setting(key: "app.eventFetch", value: "main")])
        #expect(full.scene.app.delegateResponds == ["doIt"])
        #expect(full.scene.windows[0].view.frame == [0, 0, 414, 736])
    }

    @Test("the key views replaces only the keys that it names")
    func merging() throws {
        let windows = """
            windows:
            - name: window
              level: 3
              controller: { name: vc, responds: [doIt] }
              view: {name: R, alpha: 0.5, subviews: [{name: Y, frame: [1, 2, 3, 4], gestures: [{name: g, class: UIGestureRecognizer}]}]}

            """
        let scene = try scenario(
            "views: { R: {hidden: yes}, Y: {gestures: [], tag: 1}, vc: {touches: consume}, window: {level: 9} }"
                .replacingOccurrences(of: ", tag: 1", with: ""),
            windows: windows
        ).scene
        #expect(scene.windows[0].root?.properties["hidden"] == .flag(true))
        #expect(scene.windows[0].root?.properties["alpha"] == .numbers([0.5]))
        #expect(scene.windows[0].root?.subviews[0].frame == [1, 2, 3, 4])
        #expect(scene.windows[0].root?.subviews[0].gestures.isEmpty == true)
        #expect(scene.windows[0].controller?.touches == .consume)
        #expect(scene.windows[0].controller?.responds == ["doIt"])
        #expect(scene.windows[0].view.properties["level"] == .numbers([9]))
    }

    @Test("the key views may describe a view before its superview")
    func mergingInAnyOrder() throws {
        let scene = try scenario(
            "views: { Z: {alpha: 0.5, next: nil}, X: {frame: [1, 2, 3, 4], subviews: [Z]}, Y: {subviews: [X]} }"
        ).scene
        let inner = try #require(scene.windows[0].root?.subviews[0].subviews[0].subviews.first)
        #expect(inner.name == "Z")
        #expect(inner.properties["alpha"] == .numbers([0.5]))
        #expect(inner.answers.next == "nil")
    }

    @Test("a named scene is found upward, and its errors name its file")
    func scenes() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "scenes-\(UInt64.random(in: 0...UInt64.max))")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "Config/Scenes"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "Tests/A"), withIntermediateDirectories: true)
        let scene = folder.appending(path: "Config/Scenes/Q.yaml")
        try "screen: [100, 200]\nwindows:\n- { name: w, view: { name: V } }\n".write(
            to: scene, atomically: true, encoding: .utf8)
        let file = folder.appending(path: "Tests/A/X.yaml")
        let text = "id: X\nscene: Q\nviews: { V: { alpha: 0.25 } }\nscript: tap f1 (1,1) @0\nexpect: a\n"
        try text.write(to: file, atomically: true, encoding: .utf8)

        let scenario = try Scenario(contentsOf: file.path)
        #expect(scenario.scene.screen == (100, 200))
        #expect(scenario.scene.windows[0].root?.properties["alpha"] == .numbers([0.25]))

        try "windows:\n- name: w\n  view: { name: V, alhpa: 1 }\n".write(to: scene, atomically: true, encoding: .utf8)
        let error = #expect(throws: ScenarioError.self) { try Scenario(contentsOf: file.path) }
        #expect(error?.location.file.hasSuffix("Config/Scenes/Q.yaml") == true)
        #expect(error?.location.line == 3)
        #expect(error?.reason == "unknown key alhpa of a view; did you mean alpha?")
    }

    @Test(
        "a mistake in a scenario is named with line, column and suggestion",
        arguments: [
            ("titel: x", "X.yaml:5:1: unknown key titel of a scenario; did you mean title?"),
            ("views:\n  Y:\n    fraem: [0, 0, 1, 1]", "X.yaml:7:5: unknown key fraem of a view; did you mean frame?"),
            (
                "app: { zzzzzzzz: yes }",
                "X.yaml:5:8: unknown key zzzzzzzz of the app; expected one of sceneDelegate, delegate"
            ),
            ("views:\n  Z: { alpha: 1 }", "X.yaml:6:3: views: nothing is called Z; did you mean R?"),
            ("views: { Y: { alpha: 2 } }", "X.yaml:5:22: alpha: expected a number from 0.0 to 1.0, found \"2\""),
            ("views: { Y: { hidden: perhaps } }", "X.yaml:5:23: hidden: expected yes or no, found \"perhaps\""),
            (
                "views: { Y: { frame: [1, 2, 3] } }",
                "X.yaml:5:22: frame: expected a list of 4 numbers, found a list of 3"
            ),
            ("views: { Y: { class: UIVeiw } }", "X.yaml:5:22: unknown class UIVeiw; did you mean UIView?"),
            (
                "views: { Y: { probe: [touchs] } }",
                "X.yaml:5:23: probe: expected hitTest, pointInside, touches, control"
            ),
            (
                "modes: [direkt]",
                "X.yaml:5:9: modes: expected direct, simulated, processes, found \"direkt\"; did you mean direct?"
            ),
            (
                "config: { tap.maxDurations: 1 }",
                "X.yaml:5:11: config: unknown constant tap.maxDurations; did you mean tap.maxDuration?"
            ),
            (
                "config: { trace.places: true }",
                "X.yaml:5:11: config: trace.places: this setting is called trace.positions now"
            ),
            ("config: { hitTest.passes: 3 }", "X.yaml:5:27: config: hitTest.passes: expected 1 or 2, found 3"),
            (
                "views: { Y: { on: { touchUpInsid: x } } }",
                "X.yaml:5:21: on: unknown control event touchUpInsid; did you mean touchUpInside?"
            ),
            (
                "views: { Y: { gestures: [ { name: g, class: Tapp } ] } }",
                "X.yaml:5:45: unknown recognizer class Tapp; did you mean Tap?"
            ),
            (
                "views: { Y: { gestures: [ { name: g, class: Pan, taps: 2 } ] } }",
                "X.yaml:5:56: taps: a UIPanGestureRecognizer has none"
            ),
            (
                "views: { Y: { gestures: [ { name: g, class: Tap, sets: { touchesBegan: ended } } ] } }",
                "X.yaml:5:56: sets: a UITapGestureRecognizer has none"
            ),
            (
                "views: { Y: { gestures: [ { name: g, class: Tap, pressTypes: [menue] } ] } }",
                "X.yaml:5:63: pressTypes: unknown button menue; did you mean menu?"
            ),
            (
                "views: { Y: { on: { touchDown: { action: a, target: R, runsLoop: yes } } } }",
                "X.yaml:5:32: runsLoop: an action of the control's own runs the loop, no target's"
            ),
            (
                "views: { Y: { on: { touchDown: { action: a, target: R, fails: trap } } } }",
                "X.yaml:5:32: fails: an action of the control's own fails, no target's"
            ),
            ("views: { Y: { on: { touchDown: { action: a, target: Q } } } }", "X.yaml:4:30: nothing is called Q"),
            (
                "views: { Y: { gestures: [ { name: g, class: Tap }, { name: g, class: Pan } ] } }",
                "X.yaml:5:52: two recognizers of Y are called g"
            ),
            (
                "views: { Y: { gestures: [ { name: g, class: Tap, delegate: { simultaneous: [Y.h] } } ] } }",
                "X.yaml:5:27: no recognizer is called Y.h; did you mean Y.g?"
            ),
            ("views: { window: { class: UIButton } }", "X.yaml:5:27: expected a window's class, found UIButton"),
            ("views: { window: { controller: { name: Y } } }", "X.yaml:4:30: two views or controllers are called Y"),
            ("screen: [0, 667]", "X.yaml:5:9: screen: expected points from 1 to 100000"),
            ("title: [", "X.yaml:"),
            ("id: twice", "X.yaml:"),
        ])
    func mistakes(keys: String, message: String) {
        let found = refusal(keys)
        #expect(found.hasPrefix(message), "\(found)")
    }

    @Test("a mistake in a script is named with the file's line")
    func scriptMistakes() {
        #expect(
            refusal(script: "set Y.hiden true @1") == "X.yaml:7:3: script: unknown property hiden; did you mean hidden?"
        )
        #expect(refusal(script: "set Z.hidden true @1").contains("nothing is called Z"))
        #expect(refusal(script: "disable Y.pan @1").contains("nothing is called Y.pan"))
        #expect(refusal(script: "dwon f1 (1,1) @0").hasPrefix("X.yaml:7:3: script: expected"))
        #expect(refusal(script: "down f1 (1,1) @0\n  move f2 (1,1) @0.1").hasPrefix("X.yaml:8:3: script: expected"))
        #expect(refusal(script: "tpa f1 (1,1) @0").hasSuffix("found \"tpa\", did you mean tap?"))
        #expect(
            refusal(script: "crash app129 @0")
                == "X.yaml:7:3: script: expected an app from app1 to app128, found app129")
    }

    @Test("a YAML merge key copies the keys of its anchor")
    func anchors() throws {
        let windows = """
            windows:
            - name: window
              view:
                name: R
                subviews:
                  - &base { name: Y, alpha: 0.5, class: Button }
                  - { <<: *base, name: Z, hidden: yes }

            """
        let views = try #require(try scenario(windows: windows).scene.windows[0].root?.subviews)
        #expect(views.map(\.name) == ["Y", "Z"])
        #expect(views.map { $0.properties["alpha"] } == [.numbers([0.5]), .numbers([0.5])])
        #expect(views.map(\.className) == ["UIButton", "UIButton"])
        #expect(views.map { $0.properties["hidden"] } == [nil, .flag(true)])
        #expect(refusal("views: { Y: { <<: 3 } }") == "X.yaml:5:15: <<: expected keys, found \"3\"")
    }

    @Test("a scenario whose lines end in CR LF reads the same")
    func carriageReturns() throws {
        let lines = [
            "id: X", "windows: [{ name: w }]", "script: |", "  tap f1 (1,1) @0", "  up f1 @1", "expect: |", "  a",
        ]
        let error = #expect(throws: ScenarioError.self) {
            try Scenario(parsing: lines.joined(separator: "\r\n"), file: "X.yaml")
        }
        #expect(error?.location == FileLocation(file: "X.yaml", line: 5, column: 3))
        let good = lines.filter { $0 != "  up f1 @1" }.joined(separator: "\r\n")
        #expect(try Scenario(parsing: good, file: "X.yaml").script.lines.lines.count == 2)
    }

    @Test("duplicate and unknown names in a scenario are refused")
    func names() {
        #expect(refusal("views: { Y: { subviews: [R] } }").contains("two views or controllers are called R"))
        #expect(refusal("views: { Y: { next: Q } }").contains("nothing is called Q"))
        #expect(
            refusal(windows: "windows:\n- { name: w, view: { name: \"a b\" } }\n").contains("name: expected a word"))
        #expect(refusal(windows: "windows:\n- { name: w, navigation: yes }\n").contains("needs a controller"))
    }

    @Test("only a draft scenario may lack expect")
    func draft() throws {
        let text = "id: X\nwindows: [{ name: w }]\nscript: |\n  tap f1 (1,1) @0\n"
        let error = #expect(throws: ScenarioError.self) { try Scenario(parsing: text, file: "X.yaml") }
        #expect(error?.reason == "a scenario needs expect; `touchline trace` prints the lines for it")
        let draft = try Scenario(parsing: text, file: "X.yaml", isDraft: true)
        #expect(draft.script.lines.lines.count == 2)
        #expect(draft.expectation.verdict(on: []).passed)
        #expect(!draft.expectation.verdict(on: [ObservedLine("touchesBegan V")]).passed)
        #expect(throws: ScenarioError.self) {
            try Scenario(parsing: text + "expect: \"SET{ a\"\n", file: "X.yaml", isDraft: true)
        }
    }

    @Test("a missing, empty or malformed scenario file is refused")
    func files() {
        let error = #expect(throws: ScenarioError.self) { try Scenario(contentsOf: "/nowhere/X.yaml") }
        #expect(error?.description == "/nowhere/X.yaml:1:1: no such file")
        #expect(throws: ScenarioError.self) { try Scenario(contentsOf: "/") }
        #expect(throws: ScenarioError.self) { try Scenario(parsing: "", file: "X.yaml") }
        #expect(throws: ScenarioError.self) { try Scenario(parsing: "- 1", file: "X.yaml") }
    }
}
