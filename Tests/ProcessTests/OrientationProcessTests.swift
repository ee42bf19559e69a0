import Foundation
import Testbed
import Testing

@Suite("Orientation of apps in processes", .serialized, .timeLimit(Sanitizer.timeLimit))
struct OrientationProcessTests {
    private func receipt(_ group: LiveGroup, _ place: String) throws -> [String: Any] {
        let result = try Program.run(["input", "tap", place, "--receipt", "--json", "--run-dir", group.runDirectory])
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        return (object?["receipts"] as? [[String: Any]])?.first ?? [:]
    }

    @Test("a landscape app's button is hit at turned positions")
    func twoApps() throws {
        let scene = Repository.root.appending(path: "Config/Scenes/Demo.yaml").path
        let file = FileManager.default.temporaryDirectory.appending(path: "topology-\(UUID().uuidString).yaml")
        let text = """
            apps:
              - { scene: \(scene), orientation: landscapeLeft, orientations: "portrait,landscapeLeft" }
              - { scene: \(scene) }

            """
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let group = try LiveGroup(["--topology", file.path])
        // In portrait the button is at (187,333). With the home button left, that is (333,480) on the display.
        let turned = try receipt(group, "333,480")
        #expect(turned["recipient"] as? String == "app1")
        #expect(turned["view"] as? String == "UIButton \"plus\"", "\(turned)")
        #expect(try receipt(group, "187,333")["view"] as? String != "UIButton \"plus\"")
        #expect(try group.run("input", "act", "foreground", "app2").status == 0)
        #expect(try receipt(group, "187,333")["view"] as? String == "UIButton \"plus\"")
        // The app does not turn to an orientation that its settings do not list.
        #expect(try group.run("input", "act", "foreground", "app1").status == 0)
        #expect(try group.run("input", "act", "orientation", "app1", "landscapeRight").status == 0)
        #expect(try receipt(group, "333,480")["view"] as? String == "UIButton \"plus\"")
        #expect(try group.run("input", "act", "orientation", "app1", "portrait").status == 0)
        #expect(try receipt(group, "187,333")["view"] as? String == "UIButton \"plus\"")
        #expect(try group.run("input", "act", "orientation", "app1", "sideways").status == 2)
        // A new server restores the orientation.
        let server = try #require(group.pids["system-server"])
        #expect(try group.run("input", "act", "orientation", "app1", "landscapeLeft").status == 0)
        kill(server, SIGKILL)
        try group.wait { processes in processes.contains { $0.name == "system-server" && $0.pid != Int(server) } }
        #expect(try receipt(group, "333,480")["view"] as? String == "UIButton \"plus\"")
    }
}
