import Foundation
import Testbed
import Testing

@Suite("A second display in processes", .serialized, .timeLimit(Sanitizer.timeLimit))
struct DisplaysProcessTests {
    private let scene = Repository.root.appending(path: "Config/Scenes/Demo.yaml").path

    private func topology(_ text: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "topology-\(UUID().uuidString).yaml")
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func receipt(_ group: LiveGroup, _ words: String...) throws -> [String: Any] {
        let result = try Program.run(
            ["input", "tap", "--receipt", "--json", "--run-dir", group.runDirectory] + words)
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        return (object?["receipts"] as? [[String: Any]])?.first ?? [:]
    }

    private func group(_ options: [String] = []) throws -> LiveGroup {
        let file = try topology(
            """
            displays:
              - { width: 800, height: 600, scale: 1.5 }
            apps:
              - { scene: \(scene) }
              - { scene: \(scene), display: 2 }
              - { sample: drawing, display: 2 }

            """)
        defer { try? FileManager.default.removeItem(atPath: file) }
        return try LiveGroup(["--topology", file] + options)
    }

    @Test("each display has its own front app with touches of its own")
    func twoDisplays() throws {
        let group = try group(["--set", "trace.positions=true"])
        #expect(try receipt(group, "187,333")["recipient"] as? String == "app1")
        let monitor = try Program(["monitor", "--json", "--run-dir", group.runDirectory])
        _ = try monitor.line(beginning: "{\"event\":\"begun\"")
        let there = try receipt(group, "187,333", "--display", "2")
        #expect(there["recipient"] as? String == "app2")
        #expect(there["view"] as? String == "UIButton \"plus\"", "\(there)")
        let seen = try monitor.line(beginning: "{\"device\":1,\"display\":2,")
        #expect(seen.contains("\"owner\":\"app:2\"") && seen.contains("\"position\":[187,333]"), "\(seen)")
        monitor.signal(SIGKILL)
        _ = try monitor.wait()
        // The position is beyond the phone's edge: only the other display reaches it, and this scene's window does not.
        #expect(try group.run("input", "tap", "700,500", "--display", "2").status == 1)
        let shown = try group.run("input", "act", "foreground", "app3")
        #expect(shown.out == "foreground app3: app1 home; display 2: app3\n")
        #expect(try receipt(group, "700,500", "--display", "2")["recipient"] as? String == "app3")
        #expect(try receipt(group, "187,333")["recipient"] as? String == "app1")
        #expect(try group.run("input", "act", "interrupt", "call").status == 0)
        #expect(try receipt(group, "700,500", "--display", "2")["recipient"] as? String == "app3")
        #expect(try group.run("input", "act", "resume").status == 0)
        #expect(try group.run("input", "act", "lock").out.hasSuffix("display 2: lock app3\n"))
        #expect(try group.run("input", "tap", "700,500", "--display", "2").status == 1, "no owner")
        #expect(try group.run("input", "act", "unlock").status == 0)
        // A new server restores the layout of both displays.
        let server = try #require(group.pids["system-server"])
        kill(server, SIGKILL)
        try group.wait { processes in processes.contains { $0.name == "system-server" && $0.pid != Int(server) } }
        #expect(try receipt(group, "700,500", "--display", "2")["recipient"] as? String == "app3")
        #expect(try group.run("down").status == 0)
    }

    @Test("unknown displays, keys elsewhere and mixed splits are refused in one line")
    func refusals() throws {
        let group = try group()
        let none = try group.run("input", "tap", "--display", "3")
        #expect(none.status == 2 && none.err.contains("--display 3: expected a display of the group"))
        let key = try group.run("input", "key", "a", "--display", "2")
        #expect(key.status == 2 && key.err.contains("keys and pointers belong to the main display"))
        let split = try group.run("input", "act", "split", "app1", "app2")
        #expect(split.status == 3 && split.err.contains("app 2 lives on display 2"), "\(split)")
        #expect(try group.run("input", "tap", "--display", "9").status == 2)
        #expect(try group.run("down").status == 0)

        let lonely = try topology("apps:\n  - { sample: taps, display: 2 }\n")
        defer { try? FileManager.default.removeItem(atPath: lonely) }
        let up = try Program.run(["up", "--topology", lonely])
        #expect(up.status == 2)
        #expect(up.err.contains("app 1: app.display: expected 1, as the group has 1 display, found 2"), "\(up.err)")
    }

    @Test("a panel mapped to the second display touches its app")
    func panel() throws {
        let folder = LiveGroup.newFolder()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var text = "# EVEMU 1.3\nN: Wall\nI: 0003 1234 5678 0001\nP: 02 00 00 00 00 00 00 00\n"
        text += "B: 00 0b 00 00 00 00 00 00 00\nB: 03 00 00 00 00 00 80 60 02\n"
        text += "A: 2f 0 4 0 0 0\nA: 35 0 1000 0 0 10\nA: 36 0 1000 0 0 10\nA: 39 0 65535 0 0 0\n"
        text += "E: 0.000000 0003 0039 7\nE: 0.000000 0003 0035 200\nE: 0.000000 0003 0036 500\n"
        text += "E: 0.000000 0000 0000 0\nE: 0.100000 0003 0039 -1\nE: 0.100000 0000 0000 0\n"
        text += "E: 60.000000 0003 0035 1\nE: 60.000000 0000 0000 0\n"
        let recording = "\(folder)/recording.evemu"
        try Data(text.utf8).write(to: URL(filePath: recording))
        let group = try group([
            "--device", "all", "--set", "device.directory=\(folder)", "--set", "device.displays=Wall=2",
        ])
        let device = try Program(["devices", "--serve", recording, "--at", "\(folder)/event0"])
        _ = try device.line(beginning: "plugged in: ")
        try group.waitForReport(of: "app2") { $0["ended"] as? Int == 1 }
        try group.waitForReport(of: "input-kit") { $0["device.event0.display"] as? Int == 2 }
        try group.waitForReport(of: "app1") { $0["began"] as? Int == 0 }
        device.signal(SIGTERM)
        _ = try device.wait()
        #expect(try group.run("down").status == 0)
    }
}
