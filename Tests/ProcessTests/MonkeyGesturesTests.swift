import CSystem
import Foundation
import Testbed
import Testing

@Suite("`touchline monkey gestures` and `kills`", .serialized, .timeLimit(Sanitizer.timeLimit))
struct MonkeyGesturesTests {
    private func object(_ text: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    /// The arguments of a run at full speed; none under a sanitizer. There an app receives more than it can handle, and the
    /// server drops moves beyond its in-flight limit, as it must.
    private static func fastRuns(events: String) -> [[String]] {
        Sanitizer.kind == nil ? [["--events", events, "--speed", "max"]] : []
    }

    @Test("the monkey finds no failure in a healthy group")
    func healthy() throws {
        let group = try LiveGroup(["--app", "photo"])
        for arguments in [["--events", "100"]] + Self.fastRuns(events: "5000") {
            let result = try Program.run(["monkey", "gestures", "--run-dir", group.runDirectory, "--json"] + arguments)
            #expect(result.status == 0, "\(result.out) \(result.err)")
            let object = try object(result.out)
            #expect(object["seed"] as? Int == 1)
            #expect(object["events"] as? Int ?? 0 >= (arguments.contains("max") ? 4000 : 90))
            #expect((object["failures"] as? [Any])?.isEmpty == true)
        }
        let line = try group.run("monkey", "gestures", "--events", "50", "--speed", "max", "--seed", "12")
        #expect(line.out.hasPrefix("seed 12: "))
        #expect(line.out.hasSuffix(" events/s: all laws hold\n"))
        #expect(line.err == "")
        #expect(try group.status().processes.allSatisfy { $0.generation == 1 })
    }

    @Test("the monkey accepts that system gestures take touches")
    func systemGestures() throws {
        let group = try LiveGroup(["--set", "systemGesture.enabled=true"])
        for arguments in [["--events", "100"]] + Self.fastRuns(events: "2000") {
            let result = try Program.run(
                ["monkey", "gestures", "--run-dir", group.runDirectory, "--shrink", "0"] + arguments)
            #expect(result.status == 0, "\(result.out) \(result.err)")
        }
    }

    @Test("random kills at 1 kHz lose no event and leave no touch")
    func kills() throws {
        let result = try Program.run([
            "monkey", "kills", "--kills", "3", "--minutes", "0.1", "--apps", "8", "--seed", "5", "--no-timing",
            "--json",
        ])
        #expect(result.status == 0, "\(result.out) \(result.err)")
        let object = try object(result.out)
        #expect(object["passed"] as? Bool == true)
        #expect(object["kills"] as? Int ?? 0 >= 1)
        #expect(object["events"] as? Int ?? 0 >= 100)
        #expect((object["laws"] as? [String])?.contains("I4") == true)
    }

    @Test("a hostile app and controller end no process and lose no scan")
    func hostile() throws {
        let result = try Program.run([
            "monkey", "kills", "--kills", "1", "--minutes", "0.1", "--apps", "3", "--seed", "5", "--no-timing",
            "--hostile",
            "--json",
        ])
        if let kind = Sanitizer.kind, result.out.contains("the supervisor has not answered for 2 s") {
            print("under the \(kind) sanitizer a supervisor with hostile peers answers late: the run is not judged")
            return
        }
        #expect(result.status == 0, "\(result.out) \(result.err)")
        let object = try object(result.out)
        #expect(object["passed"] as? Bool == true)
        let demands = try #require(object["demands"] as? [[String: Any]]).compactMap { $0["what"] as? String }
        #expect(demands.contains("restarts of system-server") && demands.contains("restarts of input-kit"))
    }

    @Test("the monkey names the process that died and the gesture before")
    func death() throws {
        let group = try LiveGroup()
        let monkey = try Program([
            "monkey", "gestures", "--run-dir", group.runDirectory, "--events", "100000", "--shrink", "2",
        ])
        try group.waitForReport(of: "app1") { $0["events"] as? Int ?? 0 > 20 }
        let pid = try #require(group.pids["app1"])
        kill(pid, SIGKILL)
        #expect(try monkey.wait() == 1)
        let lines = monkey.out.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("seed 1: process: app1, pid \(pid), died (signal 9), ") == true)
        #expect(lines.first?.contains(" s after its start; after gesture ") == true)
        #expect(lines.contains { $0.hasPrefix("the failure did not occur again in ") })
        #expect(lines.last?.hasSuffix(" events/s: failed") == true)
    }

    @Test("the monkey shrinks a failure in a running group and repeats it")
    func shrunkLive() throws {
        let group = try LiveGroup()
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).touch").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try group.run(
            "monkey", "gestures", "--speed", "max", "--rehearse", "law", "--shrink", "500", "--script-output", file)
        #expect(result.status == 1)
        #expect(result.out.contains("5 lines still fail, found in "))
        let again =
            "again: touchline monkey gestures --speed max --rehearse law --run-dir \(group.runDirectory) --script \(file)"
        #expect(result.out.contains(again))
        #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 5)
        let repeated = try group.run("monkey", "gestures", "--rehearse", "law", "--shrink", "0", "--script", file)
        #expect(repeated.status == 1)
        let whole = try group.run("monkey", "gestures", "--script", file)
        #expect(whole.status == 0)
        #expect(whole.out.hasPrefix("\(file): 1 gesture, 5 events, 2 touches in "))
    }

    @Test("a simulated monkey run repeats for the same seed")
    func simulated() throws {
        let scene = Repository.root.appending(path: "Config/Scenes/TT.yaml").path
        let storm = Repository.root.appending(path: "Config/Profiles/storm.yaml").path
        for shown in [[], ["--scene", scene], ["--app", "slider", "--profile", storm], ["--speed", "max"]] {
            var found: [[String]] = []
            for _ in 0..<2 {
                let result = try Program.run(
                    ["monkey", "gestures", "--simulated", "--events", "400", "--json"] + shown)
                #expect(result.status == 0, "\(result.out) \(result.err)")
                let object = try object(result.out)
                found.append(["gestures", "events", "touches"].map { "\(object[$0] ?? "none")" })
            }
            #expect(found[0] == found[1])
        }
    }

    @Test("a simulated monkey failure is shrunk to the shortest script", arguments: ["law", "trap"])
    func shrunk(kind: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).touch").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let arguments = ["monkey", "gestures", "--simulated", "--rehearse", kind, "--seed", "5"]
        let result = try Program.run(arguments + ["--json", "--script-output", file])
        #expect(result.status == 1)
        let failure = try (object(result.out)["failures"] as? [[String: Any]])?.first
        #expect(failure?["law"] as? String == (kind == "law" ? "rehearsal" : "trap"))
        #expect((failure?["what"] as? String)?.contains("a rehearsal") == true)
        // Two fingers land, one moves, both lift.
        #expect((failure?["script"] as? [String])?.count == 5)
        let again = try Program.run([
            "monkey", "gestures", "--simulated", "--rehearse", kind, "--script", file, "--shrink", "0",
        ])
        #expect(again.status == 1)
        #expect(try Program.run(["monkey", "gestures", "--simulated", "--script", file]).status == 0)
        let text = try Program.run(arguments)
        #expect(
            text.out.contains(
                "again: touchline monkey gestures --simulated --rehearse \(kind) --script - <<'END'\ndown f"))
    }

    @Test("the monkey without a group exits with 3")
    func alone() throws {
        let folder = LiveGroup.newFolder()
        let result = try Program.run(["monkey", "gestures", "--run-dir", folder])
        #expect(result.status == 3)
        #expect(result.err == "no group is running on \(folder): start one with `touchline up`\n")
    }

    @Test("a run without an answer is a monkey failure", arguments: [["gestures", "--simulated"], ["worlds"]])
    func hang(command: [String]) throws {
        let arguments = ["--rehearse", "hang", "--timeout", "1", "--shrink", "0", "--seed", "5", "--json"]
        let result = try Program.run(["monkey"] + command + arguments)
        #expect(result.status == 1, "\(result.err)")
        let failure = try (object(result.out)["failures"] as? [[String: Any]])?.first
        #expect(failure?["law"] as? String == "hang")
        #expect(failure?["what"] as? String == "no answer within 1 s")
    }
}
