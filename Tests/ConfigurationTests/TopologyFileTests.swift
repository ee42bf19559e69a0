import Basics
import Configuration
import Foundation
import HID
import Settings
import Testbed
import Testing
import Wire

@Suite("Topology files")
struct TopologyFileTests {

    private func problems(_ yaml: String) -> [String] {
        do throws(InvalidConfiguration) { _ = try Topology(yaml: yaml, file: "t.yaml") } catch {
            return error.errors.map(\.description)
        }
        return []
    }

    @Test("Config/topology.yaml is valid, and count repeats an app")
    func example() throws {
        let topology = try Topology(contentsOf: Repository.root.appending(path: "Config/topology.yaml").path)
        #expect(topology.apps.count == 5)
        #expect(topology.apps[4].last == Setting(key: "app.schemes", value: "touchline-demo"))
        #expect(topology.apps[2] == topology.apps[3])
        #expect(topology.apps[1].map(\.value) == ["slider"])
        #expect(try Topology(yaml: "", file: "t.yaml").apps.isEmpty)
    }

    @Test("every topology error is reported with line, expectation and finding")
    func mistakes() {
        let found = problems(
            """
            apps:
              - { sampel: slider }
              - { delivery: never }
              - taps
              - { scene: a.yaml, sample: taps }
              - { count: 0 }
            app: []
            """)
        #expect(found.count == 6)
        #expect(found[0].hasPrefix("t.yaml:2: apps: expected count or one of "))
        #expect(found[0].hasSuffix("found \"sampel\", did you mean sample?"))
        #expect(found[1] == "t.yaml:3: app.delivery: expected immediate or frameAligned, found never")
        #expect(found[2] == "t.yaml:4: apps: expected an app as { sample: slider }, found \"taps\"")
        #expect(found[3] == "t.yaml:5: apps: expected one of scene, sample and executable, found scene and sample")
        #expect(found[4] == "t.yaml:6: apps.count: expected a whole number from 1 to 128, found \"0\"")
        #expect(found[5] == "t.yaml:7: expected apps or displays, found \"app\"")
    }

    @Test("a topology with an old key is refused with the new name")
    func renamed() {
        #expect(
            problems("apps:\n  - { sample: taps, unresponsive: 1 }\n")
                == ["t.yaml:2: apps: app.unresponsive: this setting is called app.turnTimeout now"])
    }

    @Test("a topology sets each app's orientations, which the server receives too")
    func orientation() throws {
        let topology = try Topology(
            yaml: """
                apps:
                  - { sample: taps }
                  - { sample: taps, orientation: landscapeLeft, orientations: "landscapeLeft,landscapeRight" }
                """, file: "t.yaml")
        #expect(
            topology.placing.text
                == "1\n2\napp.orientation=landscapeLeft\napp.orientations=landscapeLeft,landscapeRight")
        #expect(try Topology(text: topology.placing.text) == topology.placing)
        #expect(
            try Topology(contentsOf: Repository.root.appending(path: "Config/topology.yaml").path).placing.text == "")
        let orientations = Orientations(try Settings([Setting(key: "group.topology", value: topology.text)]))
        #expect(orientations.initial(of: 1) == .portrait && orientations.initial(of: 2) == .landscapeLeft)
        #expect(orientations.allows(.portrait, of: 1) && !orientations.allows(.portrait, of: 2))
        #expect(
            problems("apps:\n  - { orientation: sideways }\n  - { orientations: \"portrait,\" }\n") == [
                "t.yaml:2: app.orientation: expected portrait or portraitUpsideDown or landscapeRight or landscapeLeft, "
                    + "found sideways",
                "t.yaml:3: app.orientations: expected all, or some of portrait,portraitUpsideDown,landscapeRight,"
                    + "landscapeLeft with commas between, found portrait,",
            ])
    }

    @Test("a topology's URL schemes are valid and belong to one app")
    func schemes() throws {
        let topology = try Topology(
            yaml: "apps:\n  - { schemes: [Demo, a+b.c-1] }\n  - { schemes: other }", file: "t.yaml")
        #expect(topology.apps.map { $0.map(\.value) } == [["demo a+b.c-1"], ["other"]])
        let schemes = try Schemes(Settings(), topology, apps: 2)
        #expect(schemes.text == "demo=1 a+b.c-1=1 other=2")
        #expect(
            problems(
                """
                apps:
                  - { schemes: [1a] }
                  - { schemes: [a] }
                  - { schemes: [A] }
                  - { schemes: [b], count: 2 }
                  - { schemes: "no/scheme" }
                """) == [
                    "t.yaml:2: apps.schemes: expected a scheme as touchline-demo, found \"1a\"",
                    "t.yaml:4: apps.schemes: expected each scheme once, found \"a\" again",
                    "t.yaml:5: apps.schemes: expected each scheme of one app, found count: 2",
                    "t.yaml:6: app.schemes: expected schemes as touchline-demo: a letter, then letters, digits, +, - "
                        + "and ., found no/scheme",
                ])
    }

    @Test("a topology numbers additional displays from 2 and places apps there")
    func displays() throws {
        let topology = try Topology(
            yaml: """
                displays:
                  - { width: 1024, height: 768, scale: 2 }
                  - { width: 320, height: 240.5 }
                apps:
                  - { sample: taps }
                  - { sample: drawing, display: 3 }
                """, file: "t.yaml")
        #expect(topology.others == "1024x768@2 320x240.5@1")
        #expect(topology.placing.text == "1\n2\napp.display=3")
        let displays = Displays(
            try Settings([
                Setting(key: "screen.others", value: topology.others),
                Setting(key: "group.topology", value: topology.text),
            ]))
        #expect(displays.all.map(\.scale) == [2, 2, 1])
        #expect((1...3).map { displays.display(of: $0) } == [1, 3, 1])
        #expect(displays.firstApp(on: 3) == 2 && displays.firstApp(on: 2) == nil)
        #expect(displays.geometry(of: 3).bounds.height == 240.5)
        #expect(displays.geometry(of: 4).bounds.width == 375, "one that is not there is the main one")
        #expect(
            problems(
                """
                displays:
                  - { width: 0, height: 768 }
                  - { widht: 100, width: 5, height: 5 }
                  - 1024x768
                apps:
                  - { display: 5 }
                """) == [
                    "t.yaml:2: displays: expected a display as { width: 1024, height: 768, scale: 2 }, found 0x768@1",
                    "t.yaml:3: displays: expected one of width height scale, found \"widht\", did you mean width?",
                    "t.yaml:4: displays: expected keys and values, found \"1024x768\"",
                    "t.yaml:4: displays: expected a display as { width: 1024, height: 768, scale: 2 }, found x@1",
                    "t.yaml:6: app.display: expected 1 or 2 or 3 or 4, found 5",
                ])
        let many = String(repeating: "  - { width: 5, height: 5 }\n", count: 4)
        #expect(problems("displays:\n\(many)") == ["t.yaml:2: displays: expected at most 3, found 4"])
    }

    @Test("a topology with too many apps is refused early")
    func tooMany() {
        let entries = String(repeating: "  - { count: 128 }\n", count: 3)
        #expect(problems("apps:\n\(entries)") == ["t.yaml:3: apps: expected at most 128, found more"])
    }
}
