import Foundation
import Testbed
import Testing

@Suite("A sample app in a live group", .serialized, .timeLimit(Sanitizer.timeLimit))
struct SampleAppTests {
    @Test("a tap in the phenomena app clicks its button, not its row")
    func phenomena() throws {
        let group = try LiveGroup(["--app", "phenomena", "--trace"])
        let script = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).touch")
        defer { try? FileManager.default.removeItem(at: script) }
        try "tap f1 (187,582) @0\ntap f1 (187,110) @1\n".write(to: script, atomically: true, encoding: .utf8)
        let replay = try group.run("replay", script.path)
        #expect(replay.status == 0, "\(replay.err)")
        // Work in progress is finished before the group stops, including its trace.
        #expect(try group.run("down").status == 0)
        let trace = try String(contentsOfFile: "\(group.runDirectory)/trace/app1.trace", encoding: .utf8)
        #expect(trace.contains("LoggingButton \"button\" touchesBegan"))
        #expect(trace.contains("touchUpInside → closure"))
        // All processes count from one moment, and an app starts after it.
        let headers = try ["supervisor", "system-server", "input-kit", "app1"].map { process in
            try String(contentsOfFile: "\(group.runDirectory)/trace/\(process).trace", encoding: .utf8)
                .split(separator: "\n").first ?? ""
        }
        #expect(Set(headers).count == 1 && headers[0].contains("\tthe group's start "), "\(headers)")
        let first = trace.split(separator: "\n").dropFirst().first?.split(separator: "\t").first.flatMap { Int64($0) }
        #expect((0..<60_000_000_000).contains(try #require(first)))
        #expect(!trace.contains("LoggingTableView \"table\" touchesBegan"))
    }
}
