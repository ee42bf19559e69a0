import Foundation
import Testing

/// Real processes, hurt on purpose. Times are what `Tools/chaos-all` judges, on a machine that does nothing else; here
/// only what must hold however slow it is: laws, counts, and that everything comes back.
@Suite("Chaos", .serialized, .timeLimit(.minutes(10)))
struct ChaosTests {
    /// Rows that leave the group whole, with room for deaths in a row.
    private static let patient = [
        "--allow-chaos", "--apps", "2", "--set", "supervisor.restartLimit=1000", "--set",
        "supervisor.backoffLimit=0.05",
    ]

    private struct Row {
        var demands: [(what: String, measured: String, isMet: Bool)]
        var violations: [String]
        var times: Int

        var unmet: [String] { demands.filter { !$0.isMet }.map { "\($0.what): \($0.measured)" } }

        func measured(_ what: String) -> String? { demands.first { $0.what == what }?.measured }
    }

    /// One row on this group.
    private func row(_ fault: String, times: Int, on group: LiveGroup) throws -> Row {
        let program = try Program(
            ["chaos", fault, "--times", "\(times)", "--json", "--run-dir", group.runDirectory])
        let status = try program.wait(seconds: 240)
        guard status == 0 || status == 1,
            let object = try JSONSerialization.jsonObject(with: Data(program.out.utf8)) as? [String: Any],
            let row = (object["rows"] as? [[String: Any]])?.first
        else { throw TestFailure("chaos \(fault): exit \(status): \(program.out) \(program.err)") }
        let demands = (row["demands"] as? [[String: Any]] ?? []).map { demand in
            (
                what: demand["what"] as? String ?? "", measured: demand["measured"] as? String ?? "",
                isMet: demand["passed"] as? Bool ?? false
            )
        }
        return Row(
            demands: demands, violations: row["violations"] as? [String] ?? [], times: row["times"] as? Int ?? 0)
    }

    @Test("a group that was not started for it is not hurt: one line, exit code 3, and nobody is restarted")
    func refused() throws {
        let group = try LiveGroup()
        let result = try group.run("chaos", "F1")
        #expect(result.status == 3)
        #expect(result.out == "")
        #expect(
            result.err
                == "the group on \(group.runDirectory) may not be hurt: start it with `touchline up --allow-chaos`\n")
        let processes = try group.status().processes
        #expect(processes.allSatisfy { $0.generation == 1 })
    }

    @Test("a fault that is none is named with what it may have been, exit code 2")
    func unknown() throws {
        let result = try Program.run(["chaos", "app-kiled"])
        #expect(result.status == 2)
        #expect(result.err.contains("did you mean app-killed?"))
        let list = try Program.run(["chaos", "list"])
        #expect(list.out.contains("supervisor-killed"))
    }

    @Test(
        "F1 to F3: whoever is killed under a finger, every law holds and a tap works afterwards",
        arguments: ["F1", "F2", "F3"])
    func kills(fault: String) throws {
        let group = try LiveGroup(Self.patient)
        let row = try row(fault, times: 3, on: group)
        #expect(row.times == 3)
        #expect(row.violations == [])
        if fault == "F1" { #expect(row.measured("old touches told to a new generation") == "0") }
        if fault == "F2" { #expect(row.measured("apps restarted") == "0") }
        try expectWholeReplay(into: group)
    }

    @Test("F6: links that lose, double and overtake frames break no law, and leave no finger on the glass")
    func lossyLinks() throws {
        let group = try LiveGroup(Self.patient)
        let row = try row("F6", times: 6, on: group)
        #expect(row.violations == [])
        #expect(row.unmet == [])
        try expectWholeReplay(into: group)
    }

    @Test("F7: an app that sends noise is refused frame by frame, and loses its place at the third")
    func malformedFrames() throws {
        let patient = try LiveGroup(["--allow-chaos", "--apps", "2", "--set", "server.strikes=1000000"])
        let all = try row("F7", times: 500, on: patient)
        #expect(all.violations == [])
        #expect(all.measured("rejected") == "500")
        #expect(all.measured("crashes of others") == "0")
        #expect(all.measured("plays in others that lost something") == "0")
        try expectWholeReplay(into: patient)

        let strict = try LiveGroup(["--allow-chaos", "--apps", "2"])
        let few = try row("F7", times: 500, on: strict)
        #expect(few.measured("disconnected and quarantined") == "1")
        #expect(few.measured("crashes of others") == "0")
        #expect(few.violations == [])
        try expectWholeReplay(into: strict)
    }

    @Test("F9: a wall clock that jumps changes nothing, a device's that goes back is clamped, sleep ends touches")
    func clockJumps() throws {
        let group = try LiveGroup(Self.patient)
        let row = try row("F9", times: 1, on: group)
        #expect(row.violations == [])
        for demand in row.demands where demand.what != "a tap works after it" { #expect(demand.isMet, "\(demand)") }
        try expectWholeReplay(into: group)
    }

    @Test("F11: a full disk costs no touch, and the books are right when there is room again")
    func diskFull() throws {
        let group = try LiveGroup(Self.patient)
        let row = try row("F11", times: 1, on: group)
        #expect(row.violations == [])
        #expect(row.measured("frames lost while it is full") == "0")
        #expect(row.measured("fates that do not add up") == "0")
    }

    @Test("F12: processes that stop and go on break no law")
    func stops() throws {
        let group = try LiveGroup(Self.patient)
        let row = try row("F12", times: 1, on: group)
        #expect(row.violations == [])
        // Whether a sleep was long enough for a new epoch depends on what was live when it began: how often one begins is
        // for `Tools/chaos-all` to judge, and that it does for the core's tests, in virtual time.
        try expectWholeReplay(into: group)
    }

    @Test("F13: an app that crashes in a loop is left dead after six starts at most, and the others are touched on")
    func crashLoop() throws {
        let group = try LiveGroup(["--allow-chaos", "--apps", "2"])
        let row = try row("F13", times: 1, on: group)
        #expect(row.violations == [])
        #expect(row.unmet == [])
        try expectWholeReplay(into: group)
    }

    @Test("F14: with the supervisor everybody ends, and the next group starts in the same folder")
    func supervisorKilled() throws {
        let group = try LiveGroup(["--allow-chaos", "--apps", "2"])
        let row = try row("F14", times: 2, on: group)
        #expect(row.violations == [])
        #expect(row.measured("processes after 1 s") == "0")
    }

    @Test("a soak of a quarter of a minute is audited exactly and drawn")
    func soak() throws {
        let plot = "\(LiveGroup.newFolder()).svg"
        defer { try? FileManager.default.removeItem(atPath: plot) }
        let program = try Program(["soak", "0.25", "--apps", "2", "--rate", "200", "--svg", plot, "--json"])
        let status = try program.wait(seconds: 240)
        let object = try JSONSerialization.jsonObject(with: Data(program.out.utf8)) as? [String: Any]
        #expect(status == 0 || status == 1, "\(program.err)")
        #expect(object?["violations"] as? [String] == [])
        let demands = object?["demands"] as? [[String: Any]] ?? []
        #expect(demands.contains { $0["what"] as? String == "audit" && $0["passed"] as? Bool == true })
        let svg = try String(contentsOfFile: plot, encoding: .utf8)
        #expect(svg.hasPrefix("<svg ") && svg.contains("<polyline "))
    }
}
