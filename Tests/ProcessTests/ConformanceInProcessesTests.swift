import Foundation
import Testbed
import Testing

/// A group for each of these files, one after the other: two at once would delay each other. `touchline conform --mode
/// processes` plays all scenarios. These are a selection of every kind.
@Suite("Docs/Spec/Semantics.md in real processes", .serialized)
struct ConformanceInProcessesTests {
    private static let sample = [
        "S01", "S07a", "S16c", "S20", "S27", "S29", "S36", "S51b", "S53a", "S59a", "S64", "S72", "S80", "S81", "S84",
        "S84b", "S84c", "S85", "S86", "S87", "S87b", "S88b", "S88c", "S90", "S92", "S96", "S98b", "S99a", "S100a",
        "S101b", "S101d",
    ]

    @Test("each sampled scenario passes in real processes", arguments: sample)
    func scenario(id: String) throws { try expectPass(of: id) }

    @Test("scenarios pass over rings", arguments: ["S01", "S20", "S53a", "S87", "S101b"])
    func ring(id: String) throws { try expectPass(of: id, ["--set", "host.transport=ring"]) }

    @Test("--set changes the groups, and a scenario keeps its own settings")
    func settings() throws {
        func conform(_ id: String, _ assignment: String) throws -> (status: Int32, out: String, err: String) {
            try Program.run(["conform", "--mode", "processes", Repository.scenario(id).path, "--set", assignment])
        }
        let delayed = try conform("S35a", "delay.endedAfterFailure=0.5")
        #expect(delayed.status == 1 && delayed.out.contains("! touchesEnded"), "\(delayed.out)\(delayed.err)")
        #expect(delayed.out.hasSuffix("; processes with delay.endedAfterFailure=0.5\n"), "\(delayed.out)")
        try expectPass(of: "S35g", ["--set", "delay.endedAfterFailure=0"])
    }

    private func expectPass(of id: String, _ options: [String] = []) throws {
        let arguments = ["conform", "--mode", "processes", Repository.scenario(id).path] + options
        var result = try Program.run(arguments)
        // A busy machine may be late once, so a late line gets a second run. A wrong order fails at once.
        if result.status == 1, isOnlyLate(result.out) { result = try Program.run(arguments) }
        #expect(result.status == 0, "\(result.out)\(result.err)")
        #expect(result.err == "")
    }

    /// Whether the difference consists of lines at another time only.
    private func isOnlyLate(_ text: String) -> Bool {
        let marks = text.split(separator: "\n").filter { $0.hasPrefix("    ") }.compactMap { $0.dropFirst(4).first }
        return marks.contains("!") && marks.allSatisfy { $0 == "!" || $0 == " " }
    }

    @Test("a scenario's lines are the same in every mode", arguments: ["S02", "S16c", "S90"])
    func sameLines(id: String) throws {
        let path = Repository.scenario(id).path
        let lines = try ["direct", "simulated", "processes"].map { try Program.run(["trace", "--mode", $0, path]).out }
        #expect(!lines[0].isEmpty)
        #expect(lines[1] == lines[0])
        #expect(lines[2] == lines[0])
    }

    @Test("a killed `touchline conform` leaves no process and no folder")
    func killed() throws {
        let program = try Program([
            "conform", "--mode", "processes", Repository.scenario("S92").path,
        ])
        let folder = try waitForFolder(of: program.pid)
        let supervisor = try waitForSupervisor(in: folder)
        program.signal(SIGKILL)
        #expect(try program.wait() == 128 + SIGKILL)
        try waitForEnd(of: supervisor)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    private func waitForFolder(of pid: Int32) throws -> String {
        let base = FileManager.default.temporaryDirectory.path
        return try waitFor("no run directory of \(pid)") {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
            return names.first { $0.hasPrefix("touchline-\(pid)-") }.map { "\(base)/\($0)" }
        }
    }

    private func waitForSupervisor(in folder: String) throws -> Int32 {
        try waitFor("no supervisor in \(folder)") {
            let text = try? String(contentsOfFile: "\(folder)/supervisor.pid", encoding: .utf8)
            return text.flatMap { Int32($0.prefix { $0.isNumber }) }
        }
    }

}

@Suite("`touchline conform` and `touchline trace`")
struct ConformCommandTests {
    /// A copy of a scenario file in which one text is replaced.
    private func changed(_ id: String, _ old: String, _ new: String) throws -> String {
        let text = try String(contentsOf: Repository.scenario(id), encoding: .utf8)
        #expect(text.contains(old))
        let copy = FileManager.default.temporaryDirectory.appending(path: "conform-\(UUID().uuidString).yaml")
        try text.replacingOccurrences(of: old, with: new).write(to: copy, atomically: true, encoding: .utf8)
        return copy.path
    }

    @Test("a failed scenario prints its difference and exits with 1")
    func failure() throws {
        let copy = try changed("S09", "touchesBegan touchView2\n", "touchesBegan touchView1\n")
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let result = try Program.run(["conform", "--mode", "direct", copy])
        #expect(result.status == 1)
        #expect(
            result.out == """
                fail S09 of-overlapping-siblings-the-last-is-asked-first
                      …
                      hitTest> touchView2
                      hitTest< touchView2 -> touchView2
                    - touchesBegan touchView1    (line 20)
                    + touchesBegan touchView2 @0.000
                0 passed, 1 failed, 0 skipped

                """)
    }

    @Test("an unreadable scenario is reported by position, and others are played")
    func unreadable() throws {
        let copy = try changed("S09", "subviews:", "subvews:")
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let good = Repository.scenario("S01").path
        let result = try Program.run(["conform", "--mode", "direct", copy, good])
        #expect(result.status == 2)
        #expect(result.err == "\(copy):10:7: unknown key subvews of a view; did you mean subviews?\n")
        #expect(result.out == "pass S01 hit-test-order\n1 passed, 0 failed, 0 skipped\n")
    }

    @Test("a scenario id stands for its file in Tests/Conformance")
    func ids() throws {
        let result = try Program.run(["conform", "--mode", "direct", "S14a", "S01"])
        #expect(
            result.out == """
                pass S14a a-hidden-view-is-not-hit
                pass S01 hit-test-order
                2 passed, 0 failed, 0 skipped

                """)
        #expect(try Program.run(["trace", "S11a"]).out == "touchesBegan VC\n")
    }

    @Test(
        "an unknown scenario is refused with the nearest one",
        arguments: [
            (
                "s14a",
                "s14a: no such file, and no scenario of Tests/Conformance with that id; did you mean S14a?"
            ),
            (
                "Tests/Conformance/S14a.yaml",
                "Tests/Conformance/S14a.yaml: no such file; "
                    + "did you mean Tests/Conformance/hit-testing/hidden-view-is-not-hit.yaml?"
            ),
            ("/nowhere.yaml", "/nowhere.yaml: no such file"),
        ])
    func noScenario(argument: String, reason: String) throws {
        for command in ["conform", "trace"] {
            let result = try Program.run([command, argument])
            #expect(result.status == 2)
            #expect(result.err.contains(reason + "\n"), "\(result.err)")
        }
    }

    @Test("a duplicate scenario id is reported, and the first file is played")
    func duplicates() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "conform-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: "\(folder)/topic", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["a", "b"] {
            try FileManager.default.copyItem(
                atPath: Repository.scenario("S14a").path, toPath: "\(folder)/topic/\(name).yaml")
        }
        let result = try Program.run(["conform", "--mode", "direct", folder])
        #expect(result.status == 2)
        #expect(result.err == "\(folder)/topic/b.yaml:1:5: id: S14a is already the id of \(folder)/topic/a.yaml\n")
        #expect(result.out == "pass S14a a-hidden-view-is-not-hit\n1 passed, 0 failed, 0 skipped\n")
    }

    @Test("a mode that a scenario does not list is skipped with reason")
    func skipped() throws {
        let server = Repository.scenario("S84").path
        let result = try Program.run(["conform", "--mode", "direct", server])
        #expect(result.status == 0)
        #expect(
            result.out == """
                skip S84 with-no-app-in-front-the-home-screen-takes-the-touch: \
                not a scenario for direct, only for simulated, processes
                0 passed, 0 failed, 1 skipped

                """)
    }

    @Test(
        "several seeds of a scenario give one line of result",
        arguments: ["1..3", "1...3"])
    func seeds(range: String) throws {
        let good = Repository.scenario("S36").path
        let copy = try changed("S37", "  action D.singleTap\n", "  action D.doubleTap\n")
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let result = try Program.run(
            ["conform", "--mode", "direct", "--order", "ios", "--seed", range, good, copy])
        #expect(result.status == 1)
        #expect(result.out.hasPrefix("pass S36 three-taps: 3 seeds\nfail S37 three-taps: 3 of 3 seeds: 1, 2, 3\n    "))
        #expect(result.out.hasSuffix("\n1 passed, 1 failed, 0 skipped\n"))
        let usage = try Program.run(["conform", "--seed", range, good])
        #expect(usage.status == 2)
        #expect(usage.err.contains("--seed: expected one seed without --order ios, found 1..3"))
    }

    @Test("`touchline conform` without a mode plays every mode listed")
    func everyMode() throws {
        let result = try Program.run(["conform", "--json", Repository.scenario("S84").path])
        #expect(result.status == 0)
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        #expect(object?["passed"] as? Int == 2)
        let modes = (object?["scenarios"] as? [[String: Any]])?.map { $0["mode"] as? String }
        #expect(modes == ["simulated", "processes"])
    }

    @Test("a scenario without `expect:` is traced in every mode, not judged")
    func draft() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "touchline-draft-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let draft = folder.appending(path: "Draft.yaml")
        let text = """
            id: Draft
            windows: [{ name: window, view: { name: V, probe: [touchesBegan, touchesEnded] } }]
            script: |
              tap f1 (10,10) @0
            """
        try text.write(to: draft, atomically: true, encoding: .utf8)
        for mode in ["direct", "simulated", "processes"] {
            let result = try Program.run(["trace", "--mode", mode, draft.path])
            #expect(result.out == "touchesBegan V\ntouchesEnded V\n", "\(mode): \(result.err)")
            #expect(result.status == 0)
        }
        let judged = try Program.run(["conform", draft.path])
        #expect(judged.status == 2)
        #expect(judged.err.contains("Draft.yaml:1:1: a scenario needs expect"))
    }

    @Test("`touchline trace --json` prints the lines or facts with their times")
    func traceAsJSON() throws {
        let path = Repository.scenario("S11a").path
        func object(_ arguments: [String]) throws -> [String: Any] {
            let result = try Program.run(["trace", "--json"] + arguments + [path])
            #expect(result.status == 0, "\(result.err)")
            return try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any] ?? [:]
        }
        let plain = try object([])
        #expect(plain["id"] as? String == "S11a")
        #expect(plain["mode"] as? String == "direct")
        let lines = plain["lines"] as? [[String: Any]]
        #expect(lines?.map { $0["text"] as? String } == ["touchesBegan VC"])
        #expect(lines?.first?["seconds"] as? Double == 0)
        let facts = try object(["--facts"])["facts"] as? [[String: Any]] ?? []
        #expect(facts.contains { $0["station"] as? String == "hitTest" && $0["process"] as? String == "app1" })
        let refused = try Program.run(["trace", "--json", "--times", path])
        #expect(refused.status == 2)
        #expect(refused.err.contains("--times: expected without --facts and --json"))
    }

    @Test("`touchline trace` prints the observed lines only")
    func trace() throws {
        let result = try Program.run(["trace", Repository.scenario("S11a").path])
        #expect(result.status == 0)
        #expect(result.out == "touchesBegan VC\n")
        #expect(try Program.run(["trace", "/nowhere.yaml"]).status == 2)
        #expect(
            try Program.run(["trace", "--mode", "direct", Repository.scenario("S84").path]).status
                == 1)
    }
}
