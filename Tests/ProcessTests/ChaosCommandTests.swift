import Foundation
import Testbed
import Testing

@Suite("Options of `touchline chaos` and `touchline soak`", .timeLimit(Sanitizer.timeLimit))
struct ChaosCommandTests {
    @Test("`touchline chaos` refuses a group without --allow-chaos and harms no process")
    func refused() throws {
        let group = try LiveGroup()
        let result = try group.run("chaos", "F1")
        #expect(result.status == 3)
        #expect(result.out == "")
        #expect(
            result.err
                == "the group on \(group.runDirectory) does not allow faults: start it with `touchline up --allow-chaos`\n"
        )
        let processes = try group.status().processes
        #expect(processes.allSatisfy { $0.generation == 1 })
    }

    @Test("`touchline chaos` suggests a name for an unknown fault")
    func unknown() throws {
        let result = try Program.run(["chaos", "app-kiled"])
        #expect(result.status == 2)
        #expect(result.err.contains("did you mean app-killed?"))
        let list = try Program.run(["chaos", "list"])
        #expect(list.out.contains("supervisor-killed"))
    }

    @Test("`touchline chaos list --json` lists every fault")
    func list() throws {
        let result = try Program.run(["chaos", "list", "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        let faults = object?["faults"] as? [[String: Any]] ?? []
        #expect(faults.count == 21)
        #expect(faults.contains { $0["fault"] as? String == "F1" && $0["times"] as? Int == 200 })
    }

    @Test("`touchline chaos list --output` writes the faults to a file")
    func listToFile() throws {
        let file = "\(LiveGroup.newFolder()).txt"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try Program.run(["chaos", "list", "--output", file])
        #expect(result.status == 0)
        #expect(result.out == "")
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("F1 "))
    }

    @Test(
        "unusable chaos and soak options are refused with exit code 2",
        arguments: [
            (["chaos", "F1", "--times", "3"], "nknown option '--times'"),
            (["chaos", "F1", "--repeat", "0"], "--repeat: expected 1 to 10000000, found 0"),
            (["chaos", "F1", "--seed", "1..3"], "--seed: expected one seed, found 1..3"),
            (["chaos", "F1", "--keep"], "--keep, --only and --set: expected with `all`"),
            (["chaos", "F1", "--set", "host.transport=ring"], "--keep, --only and --set: expected with `all`"),
            (["chaos", "all", "--set", "host.transprot=ring"], "did you mean host.transport?"),
            (["chaos", "all", "--set", "group.apps=1"], "does not set itself, found group.apps"),
            (["conform", "--set", "host.transport"], "--set: expected key=value"),
            (["conform", "--set", "app.scene=card.yaml"], "does not set itself, found app.scene"),
            (["conform", "--mode", "direct", "--set", "screen.width=1"], "--set: expected with --mode processes"),
            (["soak", "1"], "--minutes"), (["soak"], "--minutes"),
            (["soak", "--minutes", "0"], "--minutes: expected 0.01 to 10080, found 0"),
            (["soak", "--minutes", "1", "--apps", "0"], "--apps: expected 1 to 128, found 0"),
        ])
    func badOptions(arguments: [String], complaint: String) throws {
        let result = try Program.run(arguments)
        #expect(result.status == 2)
        #expect(result.err.contains(complaint), "\(result.err)")
    }

    @Test("a soak refuses faults that a running group cannot suffer")
    func impossibleSoak() throws {
        let folder = LiveGroup.newFolder()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let profile = "\(folder)/clocks.yaml"
        let refusals = [
            "wall-time: { targets: [supervisor], every: [5, 30], amount: [1000, 3600000] }":
                "wall-time: cannot be applied to a running group: use `touchline simulate --faults` or `touchline chaos F9`",
            "kill: { targets: [supervisor], every: [5, 30] }":
                "kill: expected a process of the group, found supervisor, whose end is the end of the group",
            "kill: { targets: [app9], every: [5, 30] }": "kill: app9 is not one of the 3 apps of --apps",
        ]
        for (rule, reason) in refusals {
            try "\(rule)\n".write(toFile: profile, atomically: true, encoding: .utf8)
            let result = try Program.run(["soak", "--minutes", "1", "--faults", profile, "--svg", "\(folder)/soak.svg"])
            #expect(result.status == 2)
            #expect(result.err == "\(profile): \(reason)\n")
        }
    }
}
