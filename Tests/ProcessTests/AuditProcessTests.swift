import Foundation
import Testbed
import Testing

@Suite("`touchline audit`", .serialized, .timeLimit(Sanitizer.timeLimit))
struct AuditProcessTests {
    @Test("`touchline audit` accounts for every scan of a live run")
    func live() throws {
        let group = try LiveGroup()
        for words in [["tap"], ["pinch"], ["key", "a"], ["press", "menu"], ["drag", "100,100", "200,300"]] {
            _ = try Program.run(["input"] + words + ["--run-dir", group.runDirectory])
        }
        let began = group.runDirectory
        group.program.signal(SIGTERM)
        #expect(try group.program.wait() == 0)
        let result = try Program.run(["audit", "--json", "--no-timing", began])
        #expect(result.status == 0, "\(result.out)\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        #expect(object?["isClean"] as? Bool == true && object?["violationCount"] as? Int == 0)
        let scans = object?["scans"] as? [String: Any] ?? [:]
        let fates = ["delivered", "coalesced", "dropped", "cancelled", "rejected", "inFlight"]
        #expect(scans["injected"] as? Int ?? 0 > 20)
        #expect(scans["injected"] as? Int == fates.reduce(0) { $0 + (scans[$1] as? Int ?? 0) })
        #expect(scans["inFlight"] as? Int == 0)
        #expect((object?["processes"] as? Int) == 4)
        let touches = object?["touches"] as? [String: Any] ?? [:]
        #expect(touches["alive"] as? Int == 0 && touches["began"] as? Int ?? 0 >= 4)
        // The text output says the same, from the journals' own folder.
        let text = try Program.run(["audit", "--no-timing", "\(began)/journal"])
        #expect(text.status == 0 && text.out.contains("every law was kept; not judged: I2, I5"), "\(text.out)")
        #expect(text.out.contains("scans     injected \(scans["injected"] as? Int ?? 0) = delivered "), "\(text.out)")
    }

    @Test("`touchline audit` refuses a folder without journals in one line")
    func noJournals() throws {
        let folder = LiveGroup.newFolder()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let empty = try Program.run(["audit", folder])
        #expect(empty.status == 2)
        #expect(empty.err == "\(folder): expected journals of a group (<run-dir>/journal), found none\n")
        #expect(try Program.run(["audit", "/nowhere/at/all"]).status == 2)
        #expect(try Program.run(["audit"]).status == 2)
    }

    @Test("`touchline audit` reports a damaged journal and fails")
    func damaged() throws {
        let group = try LiveGroup()
        group.isAudited = false
        group.program.signal(SIGTERM)
        #expect(try group.program.wait() == 0)
        let path = "\(group.runDirectory)/journal/app1/app1.1.0.journal"
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 4
        try bytes.write(to: URL(filePath: path))
        let result = try Program.run(["audit", "--no-timing", group.runDirectory])
        #expect(result.status == 1)
        #expect(result.err.contains("app1.1.0.journal: damaged at byte"), "\(result.err)")
    }
}
