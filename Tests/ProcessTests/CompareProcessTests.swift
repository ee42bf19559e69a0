import Foundation
import Testbed
import Testing

/// Docs/Spec/Pipeline.md section 6: one scenario, run in both ways.
@Suite("`touchline compare`", .serialized, .timeLimit(Sanitizer.timeLimit))
struct CompareProcessTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Two fingers at once. They move so seldom that each move has a frame of its own.
    private static let script = """
        down f1 (60,100) @0
        down f2 (300,500) @0.1
        move f1 (80,140) @0.2
        move f2 (280,460) @0.3
        move f1 (100,200) @0.4
        move f2 (250,420) @0.5
        up f1 @0.6
        up f2 @0.7

        """

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func write(_ text: some StringProtocol, to name: String) throws -> String {
        let path = folder.appending(path: name).path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func end(_ group: LiveGroup) throws {
        group.program.signal(SIGTERM)
        #expect(try group.program.wait() == 0)
    }

    private func compare(_ arguments: String...) throws -> (status: Int32, object: [String: Any]) {
        let result = try Program.run(["compare", "--json"] + arguments)
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        return (result.status, object ?? ["err": result.err])
    }

    @Test("a scenario has the same facts live and simulated")
    func same() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let group = try LiveGroup([
            "--apps", "2", "--set", "app.scene=\(Self.root.appending(path: "Config/Scenes/T2.yaml").path)",
        ])
        #expect(try group.run("replay", try write(Self.script, to: "two.script")).status == 0)
        #expect(try group.run("input", "tap").status == 0)
        try end(group)
        let links = folder.appending(path: "links.yaml").path
        let (status, object) = try compare(group.runDirectory, "--write-links", links)
        #expect(status == 0 && object["isEqual"] as? Bool == true, "\(object)")
        #expect(object["facts"] as? Int ?? 0 > 40)
        #expect(object["effects"] as? Int ?? 0 > 40)
        let delays = object["links"] as? [String: [String: Int]] ?? [:]
        for name in ["data", "control"] {
            #expect(delays[name]?["frames"] ?? 0 > 20)
            #expect(delays[name]?["p50"] ?? 0 > 0)
        }
        let measured = try compare(group.runDirectory, "--links", links)
        #expect(measured.status == 0, "\(measured.object)")
        let seed = try Program.run([
            "simulate", "--seed", "1", "--minutes", "0.02", "--faults", "none", "--links", links,
        ])
        #expect(seed.status == 0, "\(seed.out)\(seed.err)")
    }

    @Test("URLs that users and apps open are also opened in the simulation")
    func opened() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let topology = try write(
            """
            displays:
              - { width: 800, height: 600 }
            apps:
              - { sample: links, schemes: [first] }
              - { sample: links, schemes: [touchline-demo] }
              - { sample: links, schemes: [third], display: 2 }
            """, to: "topology.yaml")
        let group = try LiveGroup(["--topology", topology])
        // App 1 asks for a URL of app 2.
        #expect(try group.run("input", "tap").status == 0)
        try group.waitForReport(of: "app2") { $0["applicationState"] as? String == "active" }
        #expect(try group.run("open", "first://warm").status == 0)
        #expect(try group.run("open", "third://elsewhere").status == 0)
        #expect(try group.run("open", "nobody://home").status == 1)
        #expect(try group.run("input", "act", "lock").status == 0)
        #expect(try group.run("open", "first://locked").status == 1)
        try end(group)
        let (status, object) = try compare(group.runDirectory)
        #expect(status == 0 && object["isEqual"] as? Bool == true, "\(object)")
        #expect(object["effects"] as? Int ?? 0 > 20)
    }

    @Test("a terminated and relaunched app does the same in the simulation")
    func terminated() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let group = try LiveGroup(["--apps", "2"])
        #expect(try group.run("input", "tap").status == 0)
        #expect(try group.run("input", "act", "terminate", "app1").status == 0)
        try group.wait { $0.contains { $0.name == "app1" && $0.state == "terminated" } }
        #expect(try group.run("input", "act", "launch", "app2").status == 0)
        try group.waitForReport(of: "app2") { $0["applicationState"] as? String == "active" }
        #expect(try group.run("input", "tap").status == 0)
        #expect(try group.run("input", "act", "launch", "app1").status == 0)
        try group.wait { $0.contains { $0.name == "app1" && $0.generation == 2 && $0.state == "ready" } }
        try group.waitForReport(of: "app1") { $0["applicationState"] as? String == "active" }
        #expect(try group.run("input", "tap").status == 0)
        try end(group)
        let (status, object) = try compare(group.runDirectory)
        #expect(status == 0 && object["isEqual"] as? Bool == true, "\(object)")
        #expect(object["effects"] as? Int ?? 0 > 20)
    }

    @Test("a touch pilfered by a monitor is pilfered in the simulation")
    func taken() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let group = try LiveGroup()
        let monitor = try Program(["monitor", "--run-dir", group.runDirectory, "--pilfer-after", "0"])
        _ = try monitor.line(beginning: "observing as touch monitor ")
        #expect(try group.run("replay", try write(Self.script, to: "two.script")).status == 0)
        _ = try monitor.line(beginning: "touch 1: taken")
        // A monitor that is killed sends no end.
        monitor.signal(SIGKILL)
        _ = try monitor.wait()
        #expect(try group.run("input", "tap").status == 0)
        try end(group)
        let (status, object) = try compare(group.runDirectory)
        #expect(status == 0 && object["isEqual"] as? Bool == true, "\(object)")
        #expect(object["effects"] as? Int ?? 0 > 20)
    }

    @Test("`touchline compare` notices a changed recording and refuses a missing one")
    func changed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let recording = Self.root.appending(path: "Config/Recordings/tap-and-drag.evemu")
        let text = try String(contentsOf: recording, encoding: .utf8)
        let path = try write(text, to: "drag.evemu")
        let group = try LiveGroup()
        #expect(try group.run("replay", path).status == 0)
        try end(group)
        let equal = try compare(group.runDirectory)
        #expect(equal.status == 0, "\(equal.object)")
        // The file now holds half of the recording's events.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let events = lines.filter { $0.hasPrefix("E:") }.count
        var kept = 0
        let half = lines.filter { line in
            guard line.hasPrefix("E:") else { return true }
            kept += 1
            return kept <= events / 2
        }
        _ = try write(half.joined(separator: "\n"), to: "drag.evemu")
        let other = try compare(group.runDirectory)
        #expect(other.status == 1 && other.object["isEqual"] as? Bool == false)
        let differences = other.object["differences"] as? [[String: Any]] ?? []
        #expect(Set(differences.compactMap { $0["subject"] as? String }) == ["fact", "effect"])
        try FileManager.default.removeItem(atPath: path)
        let gone = try Program.run(["compare", group.runDirectory])
        #expect(gone.status == 2)
        #expect(gone.err.contains("\(path): expected the recording that was played"), "\(gone.err)")
    }

    @Test("`touchline compare` refuses unrepeatable runs in one line")
    func refused() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let group = try LiveGroup()
        let running = try Program.run(["compare", group.runDirectory])
        #expect(
            running.status == 2
                && running.err.contains("expected a play, an act or a URL in the group's run, found none"),
            "\(running.err)")
        #expect(try group.run("input", "tap").status == 0)
        kill(try #require(group.pids["app1"]), SIGKILL)
        try group.wait { $0.contains { $0.name == "app1" && $0.generation == 2 } }
        try end(group)
        let killed = try Program.run(["compare", group.runDirectory])
        #expect(killed.status == 2 && killed.err.contains("expected processes that run to the end"), "\(killed.err)")
        let links = try write("data: [30, 20]\n", to: "links.yaml")
        let bad = try Program.run(["simulate", "--seed", "1", "--links", links])
        #expect(bad.status == 2 && bad.err.hasPrefix("\(links):1: "), "\(bad.err)")
        #expect(try Program.run(["compare", "/nowhere/at/all"]).status == 2)
    }
}
