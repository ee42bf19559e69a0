import CSystem
import Foundation
import Testbed
import Testing

@Suite("Receipts, `touchline dump` and topologies", .serialized, .timeLimit(Sanitizer.timeLimit))
struct ReceiptTests {
    private let demo = Repository.root.appending(path: "Config/Scenes/Demo.yaml").path

    private func receipts(_ group: LiveGroup, _ arguments: String...) throws -> [[String: Any]] {
        let result = try Program.run(
            ["input"] + arguments + ["--receipt", "--json", "--run-dir", group.runDirectory])
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        return object?["receipts"] as? [[String: Any]] ?? []
    }

    @Test("a tap's receipt names app, view and action, or unclaimed")
    func tapped() throws {
        let group = try LiveGroup(["--scene", demo])
        for _ in 0..<2 {
            let tap = try receipts(group, "tap", "187,333")
            #expect(tap.count == 1)
            #expect(tap.first?["recipient"] as? String == "app1")
            #expect(tap.first?["view"] as? String == "UIButton \"plus\"")
            #expect(tap.first?["cause"] as? String == "action")
            #expect((tap.first?["actions"] as? [[String: String]])?.map { $0["target"] } == ["add"])
        }
        let beside = try receipts(group, "tap", "10,10")
        #expect(beside.first?["acted"] as? Bool == false)
        #expect(beside.first?["cause"] as? String == "unclaimed")
        let text = try group.run("input", "tap", "187,333", "--receipt")
        #expect(text.out.contains("\n  so: touchUpInside of UIButton \"plus\" called add\n"), "\(text.out)")
        // Facts are not kept any more at this point. Keys have receipts too.
        let key = try receipts(group, "key", "a")
        #expect(key.first?["input"] as? String == "key hidden")
    }

    @Test("a receipt names a stopped app as the cause")
    func unresponsive() throws {
        let group = try LiveGroup(["--scene", demo, "--set", "host.heartbeatTimeout=0"])
        let pid = try #require(group.pids["app1"])
        #expect(kill(pid, SIGSTOP) == 0)
        let result = try Program.run([
            "input", "tap", "187,333", "--receipt", "--json", "--timeout", "1", "--run-dir", group.runDirectory,
        ])
        kill(pid, SIGCONT)
        #expect(result.status == 3, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        let receipt = (object?["receipts"] as? [[String: Any]])?.first
        #expect(receipt?["cause"] as? String == "unresponsive", "\(result.out)")
    }

    @Test("`touchline dump` shows an app's events and their outcomes")
    func dumped() throws {
        let group = try LiveGroup(["--scene", demo])
        _ = try receipts(group, "tap", "187,333")
        let (status, object) = try group.json("dump")
        #expect(status == 0)
        let server = try #require(object["server"] as? [String: Any])
        let app = try #require(server["app1"] as? [String: Any])
        #expect(app["link"] as? String == "up")
        #expect(app["unanswered"] as? Int == 0)
        let events = try #require(app["event"] as? [[String: Any]])
        let fates = events.filter { $0["what"] as? String == "touches" }.compactMap { $0["fate"] as? String }
        #expect(fates == ["delivered", "delivered"])
        let text = try group.run("dump").out
        #expect(text.contains("\napp1\n  link  up\n"), "\(text)")
        #expect(text.contains("delivered"))
    }

    @Test("`touchline status` counts the deaths of each process")
    func tally() throws {
        let group = try LiveGroup()
        let pid = try #require(group.pids["app1"])
        #expect(kill(pid, SIGKILL) == 0)
        try group.wait { $0.contains { $0.name == "app1" && $0.generation == 2 } }
        let rows = try group.json("status").object["processes"] as? [[String: Any]] ?? []
        #expect(rows.first { $0["name"] as? String == "app1" }?["deaths"] as? String == "signal 9 ×1")
        #expect(try group.run("status").out.contains("signal 9 ×1"))
    }

    @Test("each app of a topology shows its own scene or sample")
    func topology() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "topology.yaml").path
        try Data("apps:\n  - { scene: \(demo) }\n  - { sample: taps, count: 2 }\n".utf8).write(to: URL(filePath: file))
        let group = try LiveGroup(["--topology", file])
        #expect(group.pids.keys.sorted() == ["app1", "app2", "app3", "input-kit", "system-server"])
        #expect(try receipts(group, "tap", "187,333").first?["view"] as? String == "UIButton \"plus\"")

        try Data("apps:\n  - { sample: tapps }\n".utf8).write(to: URL(filePath: file))
        let wrong = try Program.run(["up", "--topology", file, "--run-dir", LiveGroup.newFolder()])
        #expect(wrong.status == 2)
        #expect(
            wrong.err == "\(file): app 1: app.sample: no sample app is called tapps; did you mean taps?\n")
    }
}
