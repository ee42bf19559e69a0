import CSystem
import Foundation
import Testbed
import Testing

/// `touchline tree`, `screenshot`, `lint` and `input tap --id` with a live group and with scenes.
@Suite("The screen of a group, a scene or a run", .serialized, .timeLimit(Sanitizer.timeLimit))
struct ScreenTests {
    private let demo = Repository.root.appending(path: "Config/Scenes/Demo.yaml").path

    // MARK: A live group

    @Test("a live group shows its tree, its picture and its findings")
    func live() throws {
        let group = try LiveGroup(["--scene", demo])
        let text = try group.run("tree")
        #expect(text.status == 0, "\(text.err)")
        #expect(
            text.out.hasPrefix("app1: active, 375×667 at 0,0\nUIWindow \"window\"  375×667 at 0,0\n"), "\(text.out)")
        #expect(text.out.contains("\n      UIButton \"plus\"  80×80 at 147.5,293.5\n"), "\(text.out)")
        let (status, object) = try group.json("tree", "--app", "1")
        #expect(status == 0)
        let app = try #require((object["apps"] as? [[String: Any]])?.first)
        let views = try #require((app["tree"] as? [String: Any])?["views"] as? [[String: Any]])
        #expect(views.first { $0["identifier"] as? String == "plus" }?["className"] as? String == "UIButton")

        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let picture = try group.run("screenshot", "-o", "\(folder)/a.png")
        #expect(picture.status == 0, "\(picture.err)")
        let bytes = try Data(contentsOf: URL(filePath: "\(folder)/a.png"))
        #expect(bytes.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(try group.run("screenshot", "-o", "\(folder)/a.svg").status == 0)
        #expect(try String(contentsOfFile: "\(folder)/a.svg", encoding: .utf8).contains(">plus</text>"))
        let lint = try group.run("lint", "--live")
        #expect((lint.status, lint.out) == (0, "no finding in app1\n"), "\(lint.err)")
    }

    @Test("`touchline input tap --id` taps the view, and names an obstacle or a near identifier")
    func tapped() throws {
        let group = try LiveGroup(["--scene", demo])
        let tap = try group.run("input", "tap", "--id", "plus", "--receipt")
        #expect(tap.status == 0, "\(tap.err)")
        #expect(tap.out.contains("touchUpInside of UIButton \"plus\" called add"), "\(tap.out)")
        let press = try group.run("input", "longPress", "--id", "minus")
        #expect(press.status == 0, "\(press.err)")
        let swipe = try group.run("input", "swipe", "left", "--id", "root")
        #expect(swipe.status == 0, "\(swipe.err)")
        let wrong = try group.run("input", "tap", "--id", "puls")
        #expect(wrong.status == 2)
        #expect(
            wrong.err == "--id: no view has the accessibilityIdentifier \"puls\"; did you mean \"plus\"?\n",
            "\(wrong.err)")
        #expect(
            try group.run("input", "tap", "10,10", "--id", "plus").err == "--id: expected no point too, found one\n")
        let app = try group.run("tree", "--app", "7")
        #expect((app.status, app.err) == (2, "--app: expected an app that runs (1), found 7\n"))
    }

    @Test("`touchline input tap --id` names what takes the touch instead")
    func obstacle() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let scene = "\(folder)/covered.yaml"
        try """
        id: covered
        title: a view below another one
        windows:
          - name: window
            view:
              name: root
              subviews:
                - { name: under, frame: [0, 0, 100, 100] }
                - { name: over, frame: [0, 0, 200, 200] }
                - { name: twin, frame: [0, 300, 50, 50] }
                - { name: gone, frame: [0, 400, 50, 50], hidden: yes }
        """.write(toFile: scene, atomically: true, encoding: .utf8)
        let group = try LiveGroup(["--scene", scene])
        let covered = try group.run("input", "tap", "--id", "under")
        #expect(covered.status == 1)
        #expect(
            covered.err == "--id: \"under\" takes no touch: UIView \"over\" takes a touch at (50.0, 50.0)\n",
            "\(covered.err)")
        #expect(try group.run("input", "tap", "--id", "gone").err == "--id: \"gone\" takes no touch: it is hidden\n")
        #expect(try group.run("input", "doubleTap", "--id", "twin").status == 0)
    }

    @Test("an app that hangs is named when it does not send its tree")
    func hanging() throws {
        let group = try LiveGroup(["--scene", demo, "--set", "host.heartbeatTimeout=0"])
        let pid = try #require(group.pids["app1"])
        #expect(kill(pid, SIGSTOP) == 0)
        for arguments in [["tree"], ["lint", "--live"], ["screenshot", "-o", "/tmp/never.png"]] {
            let result = try Program.run([arguments[0], "--run-dir", group.runDirectory] + arguments.dropFirst())
            #expect(result.status == 3)
            #expect(result.err.hasPrefix("app1 has not sent its view tree within 2.0 s: "), "\(result.err)")
            #expect(result.err.split(separator: "\n").count == 1)
        }
        kill(pid, SIGCONT)
        #expect(try group.run("tree").status == 0)
    }

    @Test("the content of a secure window stays in its app")
    func secure() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let scene = "\(folder)/secure.yaml"
        try """
        id: secure
        title: a keypad
        windows:
          - name: keypad
            secure: yes
            view:
              name: root
              subviews:
                - { name: seven, class: UIButton, frame: [10, 10, 80, 80], on: { touchUpInside: seven } }
        """.write(toFile: scene, atomically: true, encoding: .utf8)
        let group = try LiveGroup(["--scene", scene])
        let tree = try group.run("tree")
        #expect(
            tree.out == "app1: active, 375×667 at 0,0\nUIWindow \"keypad\"  375×667 at 0,0  secure, content omitted\n")
        #expect(try group.run("screenshot", "-o", "\(folder)/a.svg").status == 0)
        #expect(!(try String(contentsOfFile: "\(folder)/a.svg", encoding: .utf8)).contains("seven"))
        let tap = try group.run("input", "tap", "--id", "seven")
        #expect(tap.status == 2)
        #expect(tap.err.contains("there are \"keypad\""), "\(tap.err)")
    }

    @Test("a tree of more than a page arrives whole")
    func huge() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var scene =
            "id: huge\ntitle: many views\nwindows:\n  - name: window\n    view:\n      name: root\n      subviews:\n"
        for index in 0..<1500 {
            scene += "        - { name: v\(index), frame: [\(index % 300), \(index % 600), 44, 44] }\n"
        }
        try scene.write(toFile: "\(folder)/huge.yaml", atomically: true, encoding: .utf8)
        let group = try LiveGroup(["--scene", "\(folder)/huge.yaml"])
        let tree = try group.run("tree")
        #expect(tree.status == 0, "\(tree.err)")
        #expect(tree.out.split(separator: "\n").count == 1503)
        #expect(tree.out.hasSuffix("    UIView \"v1499\"  44×44 at 299,299\n"))
        // The last view is in front.
        #expect(try group.run("input", "tap", "--id", "v1499").status == 0)
    }

    @Test("an app of a user's package shows its tree and is tapped by identifier")
    func ownApp() throws {
        let app = Programs.path(of: "own-app")
        let group = try LiveGroup(["--app-executable", app])
        group.auditArguments = ["--app-executable", app]
        // A recognizer has its number before its first fact, or a replay without facts would make another tree.
        #expect(try group.run("input", "tap", "10,10", "--receipt").status == 0)
        let tree = try group.run("tree")
        #expect(tree.out.contains("UILabel \"card\"  200×200 at "), "\(tree.out)\(tree.err)")
        #expect(tree.out.contains("· tap: possible"), "\(tree.out)")
        let tap = try group.run("input", "tap", "--id", "card", "--receipt")
        #expect(tap.status == 0 && tap.out.contains("CardViewController.tapped"), "\(tap.out)\(tap.err)")
        #expect(try group.run("tree").out.contains("UILabel \"card\" \"tapped 1\""))
    }

    // MARK: Scenes and runs

    @Test("a scenario shows a touch at its time")
    func scenario() throws {
        let path = Repository.scenario("S01").path
        let tree = try Program.run(["tree", path, "--at", "0.05"])
        #expect(tree.status == 0, "\(tree.err)")
        #expect(tree.out.contains("touch 0 began at ") || tree.out.contains("touch 0 stationary at "), "\(tree.out)")
        let end = try Program.run(["tree", path])
        #expect(end.status == 0 && !end.out.contains("touch 0"), "\(end.out)")
    }

    @Test("the journals of a group show the screen at a time")
    func journals() throws {
        let group = try LiveGroup(["--scene", demo])
        #expect(try group.run("input", "tap", "--id", "plus").status == 0)
        usleep(700_000)
        #expect(try group.run("down").status == 0)
        let tree = try Program.run(["tree", group.runDirectory, "--at", "0.5"])
        #expect(tree.status == 0 && tree.out.contains("UIButton \"plus\""), "\(tree.out)\(tree.err)")
        let end = try Program.run(["tree", group.runDirectory])
        #expect(end.status == 2 && end.err.hasPrefix("--at: expected a moment of the run "), "\(end.err)")
    }

    @Test("lint prints findings with rule and help, and exits with 1")
    func lint() throws {
        let scene = Repository.root.appending(path: "Config/Scenes/TB.yaml").path
        let text = try Program.run(["lint", scene])
        #expect(text.status == 1)
        #expect(
            text.out.contains(
                "L09  touch target outside its superview: CircleButton \"CircleButton\"\n"
                    + "     found 20 pt above UIView \"TabBar\"; expected inside the bounds of each view around it\n"),
            "\(text.out)")
        #expect(text.err == "lint: 1 finding\n", "\(text.err)")
        let json = try Program.run(["lint", scene, "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        #expect(object?["count"] as? Int == 1)
        let none = try Program.run(["lint", demo])
        #expect((none.status, none.err) == (0, ""), "\(none.out)")
    }

    private static let unusable: [(arguments: [String], status: Int32)] = [
        (["tree", "nowhere.yaml"], 2), (["tree", "--scene", "/dev/null"], 2), (["lint", "nowhere.yaml"], 2),
        (["lint"], 2), (["lint", "--app", "1", "S01"], 2), (["screenshot", "S01", "-o", "a.gif"], 2),
        (["screenshot", "--scene", "S01", "-o", "/nowhere/a.png"], 2), (["tree", "S01", "--app", "9"], 2),
        (["tree", "--run-dir", "/tmp/no-group-here"], 3), (["lint", "--live", "--run-dir", "/tmp/no-group-here"], 3),
    ]

    @Test("what cannot be shown is named in one line", arguments: unusable)
    func bad(arguments: [String], status: Int32) throws {
        let result = try Program.run(arguments)
        #expect(result.status == status, "\(result.err)")
        #expect(result.out == "" && !result.err.isEmpty, "\(result.out)")
    }

    private func temporaryFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}
