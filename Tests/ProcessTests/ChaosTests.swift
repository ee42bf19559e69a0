import Foundation
import Testbed
import Testing

/// Faults in real processes. `Tools/chaos-all` judges times, on a machine that does nothing else. These tests check
/// what holds on a slow machine too: laws, counts, and that every process recovers. `LiveGroup` audits each group once
/// more when its test is over.
@Suite("Faults in a running group", .serialized, .timeLimit(Sanitizer.timeLimit))
struct ChaosTests {
    @Test(
        "F1 to F3: after kills under a touch all laws hold",
        arguments: ["F1", "F2", "F3"])
    func kills(fault: String) throws {
        let group = try LiveGroup(ChaosResult.patient)
        let row = try ChaosResult(fault, times: 3, on: group)
        row.expectPassed()
        // Each killed process had a touch to lose.
        #expect(row.times >= 3)
    }

    @Test("F4: an app whose main thread hangs is reported once")
    func stuckApp() throws {
        let group = try LiveGroup(ChaosResult.patient)
        let row = try ChaosResult("F4", times: 1, on: group)
        #expect(row.violations == [])
        row.expectMet(["hangs", "records", "landings dropped by a hang", "most frames unanswered by an app"])
    }

    @Test("F5: a slow app has at most 32 open frames")
    func slowApp() throws {
        let group = try LiveGroup(ChaosResult.patient)
        try ChaosResult("F5", times: 2, on: group).expectPassed()
    }

    @Test("F6: lossy links break no law and leave no touch")
    func lossyLinks() throws {
        let group = try LiveGroup(ChaosResult.patient)
        try ChaosResult("F6", times: 6, on: group).expectPassed()
    }

    @Test("F7: malformed frames are refused, and three quarantine the app")
    func malformedFrames() throws {
        let patient = try LiveGroup(["--allow-chaos", "--apps", "2", "--set", "server.strikeLimit=1000000"])
        let all = try ChaosResult("F7", times: 500, on: patient)
        all.expectPassed()
        #expect(all.measured("rejected") == "500")

        let strict = try LiveGroup(["--allow-chaos", "--apps", "2"])
        let few = try ChaosResult("F7", times: 500, on: strict)
        few.expectPassed()
        #expect(few.measured("disconnected and quarantined") == "1")
    }

    @Test("F8: intruders as input-kit are refused frame by frame")
    func intruders() throws {
        let group = try LiveGroup(["--allow-chaos", "--apps", "2", "--set", "server.strikeLimit=1000000"])
        let row = try ChaosResult("F8", times: 600, on: group)
        row.expectPassed()
        #expect(row.measured("rejected") == "600")
    }

    @Test("F17: killing one of two touched apps leaves the other's touch")
    func twoFingers() throws {
        let group = try LiveGroup(ChaosResult.patient)
        let row = try ChaosResult("F17", times: 4, on: group)
        row.expectPassed()
        #expect(row.times >= 4)
        #expect(Int(row.measured("touches of the other app that ended by themselves") ?? "") ?? 0 >= 4)
    }

    @Test("F10: a server crowded by callers keeps working and names the callers")
    func crowd() throws {
        let group = try LiveGroup(["--allow-chaos", "--apps", "2"], openFiles: 64)
        try ChaosResult("F10", times: 1000, on: group).expectPassed()
    }

    @Test("F20, F22: a second group and other protocol versions are refused")
    func refusals() throws {
        let group = try LiveGroup(ChaosResult.patient)
        try ChaosResult("F20", times: 2, on: group).expectPassed()
        try ChaosResult("F22", times: 2, on: group).expectPassed()
    }

    @Test("F9: clock jumps and a machine's sleep break no law")
    func clockJumps() throws {
        let group = try LiveGroup(ChaosResult.patient)
        try ChaosResult("F9", times: 1, on: group).expectPassed()
    }

    @Test("a chaos row reports an unreadable journal as a violation")
    func spoiled() throws {
        let group = try LiveGroup(ChaosResult.patient)
        group.isAudited = false
        let pid = try #require(group.pids["app2"])
        kill(pid, SIGKILL)
        try group.wait { $0.contains { $0.name == "app2" && $0.generation == 2 } }
        let path = "\(group.runDirectory)/journal/app2/app2.1.0.journal"
        var bytes = try Data(contentsOf: URL(filePath: path))
        // The damage is in the header.
        bytes[40] ^= 4
        try bytes.write(to: URL(filePath: path))
        let row = try ChaosResult("F3", times: 1, on: group)
        #expect(row.status == 1)
        let about = row.violations.filter { $0.hasPrefix("the journals: ") && $0.contains("app2.1.0") }
        #expect(about.count == 1, "\(row.violations)")
    }
}
