import Foundation
import Testbed
import Testing

@Suite("`touchline explain`", .timeLimit(Sanitizer.timeLimit))
struct ExplainCommandTests {
    private let demo = Repository.root.appending(path: "Config/Scenes/Demo.yaml").path
    private let recording = Repository.root.appending(path: "Config/Recordings/tap-and-drag.evemu").path

    private func explain(_ arguments: String...) throws -> (status: Int32, out: String, err: String) {
        try Program.run(["explain"] + arguments)
    }

    private func scenario(_ path: String) -> String {
        Repository.root.appending(path: "Tests/Conformance/\(path)").path
    }

    @Test("a scenario is explained from the panel to the cause")
    func scenario() throws {
        let result = try explain(scenario("controls/button-in-a-tapped-view.yaml"))
        #expect(result.status == 0 && result.err.isEmpty, "\(result.err)")
        #expect(result.out.hasPrefix("finger 1 at "))
        #expect(result.out.contains("input-kit      device     the finger lands\n"))
        #expect(result.out.contains("system-server  router     app1 receives it until it lifts\n"))
        #expect(
            result.out.hasSuffix("\n  so: touchUpInside of UIButton \"CLButton\" called buttonClicked\n"),
            "\(result.out)")
    }

    @Test("a recording is explained on a scene, and what-if says how to prevent its action")
    func recorded() throws {
        let result = try explain(recording, "--scene", demo, "--last", "--short", "--what-if", "--json")
        #expect(result.status == 0, "\(result.err)")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
        let interactions = try #require(object["interactions"] as? [[String: Any]])
        #expect(interactions.count == 1)
        let search = try #require(interactions.first?["whatIf"] as? [String: Any])
        #expect((search["plays"] as? Int ?? 0) > 10)
    }

    @Test("a group that runs is explained from its journals, and again after its end")
    func live() throws {
        let group = try LiveGroup(["--scene", demo])
        #expect(try group.run("input", "tap", "187,333").status == 0)
        #expect(try group.run("input", "tap", "10,10").status == 0)
        let running = try Program.run(["explain", "--run-dir", group.runDirectory, "--short"])
        #expect(running.status == 0, "\(running.err)")
        #expect(running.out.contains("\n  so: touchUpInside of UIButton \"plus\" called add\n"), "\(running.out)")
        let last = try Program.run(["explain", "--run-dir", group.runDirectory, "--last", "--why-not", "plus"])
        #expect(
            last.out.contains("\n  plus: UIView \"root\" is hit, and plus is neither this view nor around it\n"),
            "\(last.out)")
        let changed = try Program.run([
            "explain", "--run-dir", group.runDirectory, "--last", "--short", "--what-if", "--seconds", "10",
        ])
        #expect(changed.out.contains("it would act, if (smallest change first"), "\(changed.out)\(changed.err)")
        _ = try group.run("down")
        let over = try Program.run(["explain", group.runDirectory, "--touch", "0", "--short"])
        #expect(over.out.contains("so: touchUpInside of UIButton \"plus\" called add"), "\(over.out)\(over.err)")
    }

    @Test("an app with a secure window is explained without positions")
    func secure() throws {
        let scene = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: scene) }
        try """
        windows:
          - name: W
            secure: yes
            view:
              name: root
              subviews: [{ name: pin, class: UITextField, frame: [50, 50, 100, 100] }]
        """.write(to: scene, atomically: true, encoding: .utf8)
        let group = try LiveGroup(["--scene", scene.path])
        #expect(try group.run("input", "tap", "77,88").status == 0)
        let result = try Program.run(["explain", "--run-dir", group.runDirectory])
        #expect(result.status == 0 && result.out.contains("its position is secret"), "\(result)")
        // Digits of times are no positions.
        for place in ["(77", " at 77", "88.0)", ",88.0"] { #expect(!result.out.contains(place), "\(result.out)") }
    }

    @Test(
        "bad arguments are refused in one line",
        arguments: [
            (["S99999"], "S99999: no such file, and no scenario of Tests/Conformance with that id"),
            (["/nowhere"], "/nowhere: no such file"),
            (["--seconds", "nan", "S01"], "--seconds: expected 0.1 to 3600 seconds"),
            (["--why-not", "nosuch", "S01"], "no view or recognizer of the scene is called \"nosuch\""),
            (["--locale", "fr", "S01"], "--locale: expected en, ja or zh, found fr"),
        ])
    func refused(arguments: [String], complaint: String) throws {
        let result = try Program.run(["explain"] + arguments)
        #expect(result.status == 2, "\(result.err)")
        #expect(result.err.contains(complaint), "\(result.err)")
        #expect(result.out.isEmpty)
    }

    @Test("a run without a finger has exit code 1")
    func empty() throws {
        let script = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: script) }
        try """
        id: empty
        title: empty
        windows: [{ name: W, view: { name: root } }]
        script: ""
        """.write(to: script, atomically: true, encoding: .utf8)
        let result = try Program.run(["explain", script.path])
        #expect(result.status == 1, "\(result.out)\(result.err)")
        #expect(result.err.hasSuffix("no finger landed and no key went down\n"), "\(result.err)")
    }
}
