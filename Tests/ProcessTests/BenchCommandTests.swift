import Foundation
import Testbed
import Testing

@Suite("`touchline bench`")
struct BenchCommandTests {
    @Test("bench dispatch writes every figure as JSON and names unmeasured ones")
    func figures() throws {
        let result = try Program.run([
            "bench", "dispatch", "--case", "a", "--repeat", "3", "--seconds", "0.002", "--no-instructions", "--json",
        ])
        #expect(result.status == 0)
        // Without a terminal at stderr there is one line at the beginning, and one every ten seconds.
        #expect(result.err.hasPrefix("1 of 2: a moved\n"), "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        #expect(object?["whyNoInstructions"] as? String == "--no-instructions is set")
        let rows = try #require(object?["rows"] as? [[String: Any]])
        #expect(rows.compactMap { $0["gesture"] as? String } == ["moved", "tap"])
        for row in rows {
            let times = ["fastest", "nanoseconds", "slowest"].compactMap { row[$0] as? Double }
            #expect(times.count == 3 && times == times.sorted() && times[0] > 0)
            #expect(row["instructions"] == nil)
        }
        let allocations = rows.compactMap { $0["allocations"] as? Double }
        if let kind = Sanitizer.kind {
            // The sanitizer replaces malloc, so the command does not count.
            print("under the \(kind) sanitizer nothing counts allocations: the count is not expected")
            return #expect(allocations.isEmpty)
        }
        // The counter counts: a touch that lands creates an object.
        #expect(allocations.last ?? 0 >= 0.5)
    }

    @Test("bench windows prints rows of searches and changes as JSON")
    func windows() throws {
        let result = try Program.run(["bench", "windows", "--windows", "100", "--searches", "1000", "--json"])
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        let rows = try #require(object?["rows"] as? [[String: Any]])
        #expect(
            rows.map { $0["name"] as? String } == ["spread: search", "spread: change", "heap: search", "heap: change"])
        #expect(rows.allSatisfy { $0["p50"] as? Int ?? 0 > 0 })
    }

    @Test("bench start writes the phases and the memory of each process as JSON")
    func start() throws {
        let result = try Program.run(["bench", "start", "--apps", "1", "--repeat", "2", "--json"])
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        var values: [String: [Double]] = [:]
        for figure in try #require(object?["figures"] as? [[String: Any]]) {
            #expect(figure["group"] as? String == "start" && figure["case"] as? String == "apps-1")
            let metric = try #require(figure["metric"] as? String)
            let isTime = !["rss", "pss", "private"].contains { metric.hasPrefix($0) }
            #expect(figure["unit"] as? String == (isTime ? "us" : "bytes"))
            values[metric] = figure["values"] as? [Double]
        }
        #expect(values.allSatisfy { $0.value.count == 2 && $0.value.allSatisfy { $0 >= 0 } }, "\(values)")
        for process in ["input-kit", "system-server", "app"] {
            let parts = try ["spawn", "load", "handshake"].map { try #require(values["\($0)-\(process)"]) }
            let ready = try #require(values["ready-\(process)"])
            for start in 0..<2 { #expect(abs(parts.map { $0[start] }.reduce(0, +) - ready[start]) < 2) }
            let memory = try ["private", "pss", "rss"].map { try #require(values["\($0)-\(process)"]) }
            for start in 0..<2 { #expect(memory[0][start] <= memory[1][start] && memory[1][start] <= memory[2][start]) }
        }
        let (ready, command) = (try #require(values["ready"]), try #require(values["command"]))
        #expect(ready[0] < command[0] && ready[1] < command[1])
    }

    @Test("bench start refuses numbers of apps that no group can have", arguments: ["0", "1,1", "129", "1,", "x"])
    func apps(counts: String) throws {
        let result = try Program.run(["bench", "start", "--apps", counts])
        #expect(result.status == 2 && result.out == "", "\(result)")
    }

    @Test("an unknown bench case exits with 2")
    func badInput() throws {
        let result = try Program.run(["bench", "dispatch", "--case", "z"])
        #expect(result.status == 2)
    }
}
