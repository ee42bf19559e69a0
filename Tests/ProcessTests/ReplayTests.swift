import Foundation
import Testbed
import Testing

@Suite("`touchline replay` into a live group", .serialized, .timeLimit(Sanitizer.timeLimit))
struct ReplayTests {
    @Test(
        "a replay arrives whole at any pace and repetition",
        arguments: [["--speed", "max", "--repeat", "5"], ["--speed", "4"]])
    func script(pace: [String]) throws {
        let group = try LiveGroup()
        let file = try temporary("tap f1 (100,200) @0\nstroke f2 (20,20) (220,420) @0.2 0.4 step 1/60\n")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try Program.run(["replay", "--run-dir", group.runDirectory, "--json", file] + pace)
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        let times = pace.contains("--repeat") ? 5 : 1
        #expect((object?["sent"] as? [String: Int])?["began"] == 2 * times)
        try expectWhole(object)
    }

    @Test("an unreadable recording is refused, and the group is unaffected")
    func badFile() throws {
        let group = try LiveGroup()
        let file = try temporary("down f1 (10,10) @0\nmove f2 (10,10) @0.1\n")
        defer { try? FileManager.default.removeItem(atPath: file) }
        for (path, complaint) in [
            (file, "\(file):2: expected f2 to be down, found a move in the air"),
            ("/nowhere/x.evemu", "/nowhere/x.evemu: cannot be opened: No such file or directory"),
            ("/dev/null", "/dev/null: expected a file, found something else"),
        ] {
            let result = try group.run("replay", path)
            #expect(result.status == 2)
            #expect(result.out == "")
            #expect(result.err == "\(complaint)\n")
        }
        let (isReady, processes) = try group.status()
        #expect(isReady)
        #expect(processes.allSatisfy { $0.generation == 1 })
        try expectWholeReplay(into: group)
    }

    @Test("a recording without axes assumes them unless --describe gives them")
    func describedElsewhere() throws {
        let group = try LiveGroup()
        let events = "E: 0.0 3 39 1\nE: 0.0 3 35 9\nE: 0.0 3 36 9\nE: 0.0 0 0 0\nE: 0.1 3 39 -1\nE: 0.1 0 0 0\n"
        let recording = try temporary(events)
        let description = try temporary("# EVEMU 1.3\nN: panel\nA: 35 0 10 0 0\nA: 36 0 10 0 0\n")
        defer { for file in [recording, description] { try? FileManager.default.removeItem(atPath: file) } }
        let (bare, assumed) = try group.json("replay", recording)
        #expect(bare == 0)
        #expect(assumed["axesAssumed"] as? Bool == true)
        let (status, described) = try group.json("replay", "--describe", description, recording)
        #expect(status == 0)
        #expect(described["axesAssumed"] as? Bool == false)
        let refused = try group.run("replay", "--describe", recording, recording)
        #expect(refused.status == 2)
        #expect(
            refused.err == "\(recording): expected a device's description with A: lines of x and y, found none\n")
    }

    @Test(
        "a replay during a process's death fails and leaves no touch",
        arguments: ["input-kit", "system-server", "app1"])
    func deathInTheMiddle(name: String) throws {
        let group = try LiveGroup()
        let file = try temporary("stroke f1 (20,20) (220,420) @0 3 step 1/120\ntap f2 (50,60) @3.1\n")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let replay = try Program(["replay", "--run-dir", group.runDirectory, file])
        try group.waitForReport(of: "app1") { $0["touches.live"] as? Int == 1 }
        kill(try #require(group.pids[name]), SIGKILL)
        #expect(try replay.wait() == 1)
        #expect(replay.err.contains(file))
        try group.wait { $0.contains { $0.name == name && $0.generation == 2 } }
        for process in ["app1", "system-server"] {
            try group.waitForReport(of: process) { $0["touches.live"] as? Int == 0 }
        }
        try expectWholeReplay(into: group)
    }

    @Test("a replay without a group exits with 3")
    func noGroup() throws {
        let file = try temporary("tap f1 (10,10) @0\n")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let folder = LiveGroup.newFolder()
        let result = try Program.run(["replay", "--run-dir", folder, file])
        #expect(result.status == 3)
        #expect(result.err == "no group is running on \(folder): start one with `touchline up`\n")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test(
        "replays of real recordings arrive with the counts of independent decoders",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func realRecordings() throws {
        let data = try #require(Repository.sharedData)
        let known = try JSONSerialization.jsonObject(
            with: Data(contentsOf: data.appending(path: "expected.json")))
        let expected = try #require(known as? [String: Any])
        let group = try LiveGroup()
        let (taps, drag) = (
            "evdev/evemu-devices/Atmel_maXTouch_Touchscreen.1-finger-fast-taps.events",
            "evdev/evemu-devices/Atmel_maXTouch_Touchscreen.4-finger-drag-down.events"
        )
        // At their own speed the longer two take 18 s and show nothing else.
        for (name, speed) in [
            (taps, "1"), (drag, "1"), (taps, "max"), (drag, "max"),
            ("evdev/evemu-devices/dell_canvas_touch.evemu", "max"), ("evdev/evemu/wetab.event", "max"),
        ] {
            let file = data.appending(path: name).path
            guard let facts = facts(of: name, in: expected) else {
                Issue.record("\(name) is not in expected.json")
                continue
            }
            let (status, object) = try group.json("replay", "--speed", speed, file)
            let sent = object["sent"] as? [String: Int]
            #expect(status == 0, "\(name)")
            try expectWhole(object, name)
            for key in ["began", "moved", "ended"] {
                if let count = facts[key] as? Int { #expect(sent?[key] == count, "\(name): \(key)") }
            }
        }
    }

    private func facts(of name: String, in expected: [String: Any]) -> [String: Any]? {
        let recordings = expected["evdev_recordings"] as? [String: Any]
        return (recordings?[name] as? [String: Any])?["expected"] as? [String: Any]
    }

    private func temporary(_ text: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).touch")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }
}
